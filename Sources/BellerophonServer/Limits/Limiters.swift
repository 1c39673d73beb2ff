import BellerophonStore
import Synchronization

/// The counts of open connections, streams and requests over all threads, and of authentication failures.
final class Limiters: Sendable {
    /// Something of which there may be a limited number at a time.
    enum Resource: Hashable, Error {
        case connection
        case connectionOf(AddressKey)
        case reservedConnection
        case reservedConnectionOf(AddressKey)
        case refusedConnection
        case stream
        case request(RequestSlot)
        case download(AddressKey)
        case requestWithToken(String, RequestSlot)
    }

    let failures = AuthenticationFailures()
    private let counts = Mutex<[Resource: Int]>([:])

    /// All open connections, without those that are refused.
    var connections: Int { count(.connection) + count(.reservedConnection) }
    var streams: Int { count(.stream) }
    /// Requests that endpoints handle.
    var requests: Int { RequestSlot.allCases.reduce(0) { $0 + count(.request($1)) } }

    private func count(_ resource: Resource) -> Int { counts.withLock { $0[resource] ?? 0 } }

    /// Takes all of the resources, or none.
    /// - Throws: a resource of which there are already as many as permitted.
    func acquire(_ wanted: [(resource: Resource, limit: Int)]) throws(Resource) -> Slot {
        try counts.withLock { (counts) throws(Resource) in
            for (resource, limit) in wanted where counts[resource] ?? 0 >= limit { throw resource }
            for (resource, _) in wanted { counts[resource, default: 0] += 1 }
        }
        return Slot(self, wanted.map(\.resource))
    }

    fileprivate func release(_ resources: [Resource]) {
        counts.withLock { counts in
            for resource in resources { counts[resource] = counts[resource].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }

    /// Takes a slot for a connection.
    ///
    /// Beyond `limits.connections`, or the limit of its address, a connection may still take a reserved slot. Its client has two
    /// seconds to show a known token, and gets one reply. So nobody without a token can keep operators out by holding connections.
    /// Beyond those, a connection is refused with a reply, unless too many of them wait for one.
    /// - Parameter address: the client's address, if it has a limit.
    /// - Returns: nil if the connection is to be closed at once.
    func acquireConnection(_ address: AddressKey?, _ limits: Limits) -> Slot? {
        let share = max(1, limits.reservedConnections / 4)
        let ordinary = address.map { [(Resource.connectionOf($0), limits.connectionsOfAnAddress)] } ?? []
        let reserved = address.map { [(Resource.reservedConnectionOf($0), share)] } ?? []
        return (try? acquire([(.connection, limits.connections)] + ordinary))
            ?? (try? acquire([(.reservedConnection, limits.reservedConnections)] + reserved))
            ?? (try? acquire([(.refusedConnection, limits.shedAtOnce)]))
    }

    /// Takes a slot for a request.
    ///
    /// One token may have a quarter of an operators' slots of one kind, and another quarter is for tokens that are for whole apps. So neither
    /// one token nor all tokens of channels together lock the persons out who can stop an app.
    /// - Parameters:
    ///   - address: the client's address; nil if the system does not provide it.
    ///   - token: the request's token; nil if it is unknown or not needed.
    /// - Throws: 503 if all slots of that kind are taken, 429 if the token or the address has reached its limit.
    func acquire(
        _ slot: RequestSlot, _ limits: Limits, from address: String?, by token: TokenRecord? = nil
    ) throws(HTTPError) -> Slot {
        let limit = limits.concurrentRequests(at: slot)
        let share = max(1, limit / 4)
        let isLimited = token.map { !$0.isForApps } ?? false
        var wanted: [(Resource, Int)] = [(.request(slot), isLimited ? limit - limit / 4 : limit)]
        if slot == .downloads, let key = limits.key(of: AddressKey(address), limit: limits.downloadsPerAddress) {
            wanted.insert((.download(key), limits.downloadsPerAddress), at: 0)
        }
        if let token { wanted.append((.requestWithToken(token.name, slot), share)) }
        do {
            return try acquire(wanted)
        } catch {
            switch error {
            case .download: throw .tooManyDownloads
            case .requestWithToken: throw .tooManyOfToken(share)
            default: throw .busy(retryAfter: 1)
            }
        }
    }
}

/// What a connection, a stream or a request has taken of the limits. It is given back when nobody refers to the slot any more.
final class Slot: Sendable {
    private let limiters: Limiters
    private let resources: [Limiters.Resource]

    fileprivate init(_ limiters: Limiters, _ resources: [Limiters.Resource]) {
        (self.limiters, self.resources) = (limiters, resources)
    }

    deinit { limiters.release(resources) }

    /// The connection is only for a client with a known token.
    var isReserved: Bool { resources.first == .reservedConnection }
    /// The connection is beyond all limits.
    var isRefused: Bool { resources.first == .refusedConnection }
}
