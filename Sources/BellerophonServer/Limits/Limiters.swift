import BellerophonStore

/// The counts of open connections, streams and requests over all event loops, and of authentication failures.
final class Limiters: Sendable {
    let connections = ConnectionSlots()
    let streams = Limiter()
    let shedding = Limiter()
    let failures = AuthenticationFailures()
    let rates = AddressRates()
    private let downloads = KeyedCounts<AddressKey>()
    private let tokens = KeyedCounts<TokenSlot>()
    private let slots = RequestSlot.allCases.map { _ in Limiter() }

    /// Requests that endpoints handle.
    var requests: Int { slots.reduce(0) { $0 + $1.value } }

    /// Takes a slot for a request.
    ///
    /// One token may have a quarter of an operators' slots of one kind, and another quarter is for tokens that are for whole apps. So neither
    /// one token nor all tokens of channels together lock the persons out who can stop an app.
    /// - Parameters:
    ///   - address: the client's address; nil if the system does not provide it.
    ///   - token: the request's token; nil if it is unknown or not needed.
    /// - Throws: 503 if all slots of that kind are taken, 429 if the token or the address has reached its limit.
    func acquire(
        _ slot: RequestSlot, _ limits: Limits, from address: String?, by token: KnownToken? = nil
    ) throws(HTTPError) -> TakenSlot {
        var taken = TakenSlot(limiters: self)
        do throws(HTTPError) {
            if slot == .downloads, let key = limits.downloadRule.key(of: address) {
                guard downloads.acquire(key, limit: limits.downloadsPerAddress) else { throw .tooManyDownloads }
                taken.address = key
            }
            let limit = limits.concurrentRequests(at: slot)
            let isLimited = token.map { !$0.isForApps } ?? false
            guard slots[slot.rawValue].acquire(limit: isLimited ? limit - limit / 4 : limit) else { throw .busy(retryAfter: 1) }
            taken.slot = slot
            if let token {
                let key = TokenSlot(token: token.name, slot: slot)
                let share = limits.concurrentRequestsOfAToken(at: slot)
                guard tokens.acquire(key, limit: share) else { throw .tooManyOfToken(share) }
                taken.token = key
            }
            return taken
        } catch {
            taken.release()
            throw error
        }
    }

    /// A token's share of the slots of one kind.
    fileprivate struct TokenSlot: Hashable, Sendable {
        let token: String
        let slot: RequestSlot
    }

    fileprivate func release(_ taken: TakenSlot) {
        if let slot = taken.slot { slots[slot.rawValue].release() }
        if let address = taken.address { downloads.release(address) }
        if let token = taken.token { tokens.release(token) }
    }
}

/// A slot that a request holds until its response is complete. It must be released exactly once.
struct TakenSlot: Sendable {
    fileprivate let limiters: Limiters
    fileprivate var slot: RequestSlot?
    fileprivate var address: AddressKey?
    fileprivate var token: Limiters.TokenSlot?

    /// A slot of no kind, which has no limit.
    init(limiters: Limiters) {
        self.limiters = limiters
    }

    func release() { limiters.release(self) }
}
