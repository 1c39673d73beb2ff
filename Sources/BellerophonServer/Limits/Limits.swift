#if Server
import NIOCore

/// How much and how long a client may ask of the server.
package struct Limits: Equatable, Sendable {
    /// Connections beyond it are told 503 and closed.
    package var connections = 20_000
    /// Streams beyond it are told 503.
    package var streams = 15_000
    /// Requests of a kind that more than a look-up is done for, at once; more are told 503. Downloads are such a kind;
    /// those for operators and for whoever watches the server have lower limits of their own: see ``RequestPlace``.
    package var concurrentRequests = 256
    /// Downloads of one address at once, more are told 429; 0 for no bound. This machine's own addresses have none: a
    /// proxy there asks for many clients.
    package var downloadsPerAddress = 64
    /// Whether ``downloadsPerAddress`` leaves out this machine's own addresses; only a test says no.
    var exemptsLoopback = true
    /// Bytes of a request's line and header fields.
    package var headerSize = 16 * 1024
    /// Bytes of a resource; a publish's body may have 64 KiB.
    package var resourceSize: Int64 = 4 << 30
    /// From a request's first byte to its last header field.
    package var headerTime = Duration.seconds(10)
    /// From a request's header to the end of its body.
    package var bodyTime = Duration.seconds(10)
    /// The same for a resource's bytes.
    package var uploadTime = Duration.seconds(900)
    /// How long a connection may stay without a request.
    package var idleTime = Duration.seconds(60)
    /// How long a client may take no bytes that wait for it.
    package var stallTime = Duration.seconds(30)
    /// How long accepted requests may take once the server is told to stop.
    package var shutdownTime = Duration.seconds(10)

    /// Bytes of a body that is no resource.
    static let documentSize: Int64 = 64 * 1024

    package init() {}

    /// How many requests of a kind are worked on at once.
    func concurrentRequests(at place: RequestPlace) -> Int {
        switch place {
        case .publishing: min(concurrentRequests, 64)
        case .uploads, .operatorReads: min(concurrentRequests, 32)
        case .unknownTokens: min(concurrentRequests, 16)
        case .figures: min(concurrentRequests, 8)
        case .downloads, .others: concurrentRequests
        }
    }

    var downloadRule: DownloadRule { DownloadRule(limit: downloadsPerAddress, exemptsLoopback: exemptsLoopback) }

    /// Files that the process has open besides: the store, uploads, the system's own.
    private static let ownFiles: Int64 = 128

    /// Connections beyond the limit that are told so at the same time; more are closed without a word.
    var shedAtOnce: Int { min(512, max(16, connections / 4)) }

    /// Files that may be open at once: each connection is one, and each download has one more.
    package var files: Int64 { Self.ownFiles + Int64(connections) + Int64(shedAtOnce) + Int64(concurrentRequests) }

    /// The same limits, lowered so that no more files are needed than the process may have: a server that accepts what
    /// it has no descriptor for can neither read its store nor tell anyone to come back.
    /// - Parameter limit: how many files the process may have open.
    package func fitted(to limit: Int64) -> Limits {
        guard files > limit else { return self }
        var fitted = self
        let room = Int(max(limit - Self.ownFiles, 0))
        fitted.concurrentRequests = min(concurrentRequests, max(room / 4, 1))
        let others = room - fitted.concurrentRequests
        fitted.connections = min(connections, max(others - min(512, max(16, (others + 4) / 5)), 1))
        fitted.streams = min(streams, fitted.connections)
        return fitted
    }

    /// How often clocks are looked at: often enough for the shortest of the limits.
    func tick(heartbeat: Duration) -> TimeAmount {
        let shortest = [headerTime, bodyTime, idleTime, stallTime, heartbeat].min() ?? .seconds(1)
        return min(max(TimeAmount(shortest) / 4, .milliseconds(10)), .milliseconds(500))
    }
}

extension TimeAmount {
    static func / (amount: TimeAmount, divisor: Int64) -> TimeAmount { .nanoseconds(amount.nanoseconds / divisor) }
}
#endif
