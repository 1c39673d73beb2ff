import NIOCore

/// The server's limits of size, number and time for its clients.
package struct Limits: Equatable, Sendable {
    /// Connections beyond this number get 503 and are closed, unless they show a token in time: see ``Limiters``.
    package var connections = 20_000
    /// Concurrent connections per address, at most half of ``connections``; further ones are treated like those beyond
    /// ``connections``. 0 for no limit. Loopback addresses have no limit.
    package var connectionsPerAddress = 10_000
    /// Streams beyond this number get 503.
    package var streams = 15_000
    /// Concurrent requests of one kind that the endpoint handles, such as downloads; more get 503. Operators' requests
    /// and monitoring have lower limits: see ``RequestSlot``.
    package var concurrentRequests = 256
    /// Concurrent downloads per address; more get 429; 0 for no limit. Loopback addresses have no limit, because a
    /// proxy serves many clients from there.
    package var downloadsPerAddress = 64
    /// Whether loopback addresses are exempt from the limits per address. False only in tests.
    var exemptsLoopback = true
    /// The maximum size of a request's line and header fields, in bytes.
    package var headerSize = 16 * 1024
    /// The maximum size of a resource, in bytes. Other bodies may have 64 KiB.
    package var resourceSize: Int64 = 4 << 30
    /// The time from a request's first byte to the end of its header.
    package var headerTime = Duration.seconds(10)
    /// The time from a request's header to the end of its body. Such a body has at most 64 KiB.
    package var bodyTime = Duration.seconds(5)
    /// The time from an upload's header to the end of its body.
    package var uploadTime = Duration.seconds(900)
    /// The time that a connection may stay open without a request.
    package var idleTime = Duration.seconds(60)
    /// The time that a client may leave pending output unread.
    package var stallTime = Duration.seconds(30)
    /// The time for accepted requests to finish after the server begins to shut down.
    package var shutdownTime = Duration.seconds(10)
    /// The time for a connection's next request to arrive after the server begins to shut down. It is no setting.
    package var firstRequestTime = Duration.seconds(2)
    /// The time for a client to show a token on a reserved connection. It is no setting.
    var tokenTime = Duration.seconds(2)

    /// The maximum size of a body other than a resource, in bytes.
    static let documentSize: Int64 = 64 * 1024

    package init() {}

    /// The maximum number of concurrent requests of a kind.
    func concurrentRequests(at slot: RequestSlot) -> Int {
        switch slot {
        case .publishing: min(concurrentRequests, 64)
        case .uploads, .operatorReads: min(concurrentRequests, 32)
        case .unknownTokens: min(concurrentRequests, 16)
        case .figures: min(concurrentRequests, 8)
        case .downloads, .others: concurrentRequests
        }
    }

    /// Connections beyond ``connections`` whose clients may show a token.
    var reservedConnections: Int { min(64, max(1, connections / 8)) }

    /// The maximum number of connections of one address; 0 for no limit.
    var connectionsOfAnAddress: Int { min(connectionsPerAddress, max(1, connections / 2)) }

    /// The address if it has a limit.
    /// - Parameter limit: of an address; 0 for none.
    func key(of address: AddressKey?, limit: Int) -> AddressKey? {
        limit > 0 ? address.flatMap { exemptsLoopback && $0.isLoopback ? nil : $0 } : nil
    }

    /// Files that the process opens besides connections and downloads: the store, uploads, and system files.
    private static let ownFiles: Int64 = 128

    /// The number of refused connections that get a 503 at the same time; further ones are closed without a reply.
    var shedAtOnce: Int { min(512, max(16, connections / 4)) }

    /// The maximum number of open files: one per connection, and one more per download.
    package var files: Int64 {
        Self.ownFiles + Int64(connections + reservedConnections + shedAtOnce + concurrentRequests)
    }

    /// The same limits, lowered to the number of files that the process may open. Without free descriptors a server can
    /// neither read its store nor refuse clients properly.
    /// - Parameter limit: the number of files that the process may open.
    package func fitted(to limit: Int64) -> Limits {
        guard files > limit else { return self }
        var fitted = self
        let room = Int(max(limit - Self.ownFiles, 0))
        fitted.concurrentRequests = min(concurrentRequests, max(room / 4, 1))
        let others = room - fitted.concurrentRequests - min(64, max(1, room / 8))
        fitted.connections = min(connections, max(others - min(512, max(16, (others + 4) / 5)), 1))
        fitted.streams = min(streams, fitted.connections)
        return fitted
    }

    /// The interval of the loop's clock: a quarter of the shortest limit, between 10 ms and 500 ms.
    func tick(heartbeat: Duration) -> TimeAmount {
        let shortest = [headerTime, bodyTime, idleTime, stallTime, heartbeat].min() ?? .seconds(1)
        return min(max(TimeAmount(shortest / 4), .milliseconds(10)), .milliseconds(500))
    }
}

extension NIODeadline {
    static func + (deadline: NIODeadline, time: Duration) -> NIODeadline { deadline + TimeAmount(time) }
}
