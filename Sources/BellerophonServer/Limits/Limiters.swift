#if Server
import BellerophonStore

/// The counts of open connections, streams and requests over all event loops, and of authentication failures.
final class Limiters: Sendable {
    let connections = ConnectionSlots()
    let streams = Limiter()
    let shedding = Limiter()
    let failures = AuthenticationFailures()
    let rates = AddressRates()
    private let downloads = KeyedCounts<AddressKey>()
    private let tokens = KeyedCounts<TokenPlace>()
    private let places = RequestPlace.allCases.map { _ in Limiter() }

    /// Requests that the router handles.
    var requests: Int { places.reduce(0) { $0 + $1.value } }

    /// Takes a place for a request.
    ///
    /// One token may have a quarter of an operators' place, and another quarter is for tokens that are for whole apps. So neither
    /// one token nor all tokens of channels together lock the persons out who can stop an app.
    /// - Parameters:
    ///   - address: the client's address; nil if the system does not provide it.
    ///   - token: the request's token; nil if it is unknown or not needed.
    /// - Throws: 503 if all places of that kind are taken, 429 if the token or the address has reached its limit.
    func take(
        _ place: RequestPlace, _ limits: Limits, from address: String?, by token: KnownToken? = nil
    ) throws(HTTPError) -> TakenPlace {
        var taken = TakenPlace(limiters: self)
        do throws(HTTPError) {
            if place == .downloads, let key = limits.downloadRule.key(of: address) {
                guard downloads.acquire(key, limit: limits.downloadsPerAddress) else { throw .tooManyDownloads }
                taken.address = key
            }
            let limit = limits.concurrentRequests(at: place)
            let isLimited = token.map { !$0.isForApps } ?? false
            guard places[place.rawValue].acquire(limit: isLimited ? limit - limit / 4 : limit) else { throw .busy(retryAfter: 1) }
            taken.place = place
            if let token {
                let key = TokenPlace(token: token.name, place: place)
                let share = limits.concurrentRequestsOfAToken(at: place)
                guard tokens.acquire(key, limit: share) else { throw .tooManyOfToken(share) }
                taken.token = key
            }
            return taken
        } catch {
            taken.release()
            throw error
        }
    }

    /// A token's share of the places of one kind.
    fileprivate struct TokenPlace: Hashable, Sendable {
        let token: String
        let place: RequestPlace
    }

    fileprivate func release(_ taken: TakenPlace) {
        if let place = taken.place { places[place.rawValue].release() }
        if let address = taken.address { downloads.release(address) }
        if let token = taken.token { tokens.release(token) }
    }
}

/// A place that a request holds until its response is complete. It must be released exactly once.
struct TakenPlace: Sendable {
    fileprivate let limiters: Limiters
    fileprivate var place: RequestPlace?
    fileprivate var address: AddressKey?
    fileprivate var token: Limiters.TokenPlace?

    /// A place of no kind, which has no limit.
    init(limiters: Limiters) {
        self.limiters = limiters
    }

    func release() { limiters.release(self) }
}
#endif
