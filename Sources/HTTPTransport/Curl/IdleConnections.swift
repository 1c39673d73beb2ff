#if os(Linux)
/// The two ends of a connection, each as an address with its port.
struct ConnectionEnds: Hashable, Sendable {
    let local: String
    let remote: String
}

/// The connections that wait for the next request. libcurl keeps them; this list says which of them may be used. The transfers of a
/// loop share it on the loop's thread.
///
/// A connection is on the list from the end of a complete response to its next request. When an exchange fails, the path to its
/// server may be gone without a sign, for example after a change of network. All idle connections on that path then leave
/// the list, so that the next exchange makes a new one.
final class IdleConnections {
    private struct Idle {
        let origin: String
        let socket: CInt
        let since: ContinuousClock.Instant
    }

    /// The longest time without a request. The time in which the computer sleeps counts.
    static let longestIdleness = Duration.seconds(118)
    /// The most connections on the list, as many as libcurl keeps.
    static let limit = 128

    private var idle: [ConnectionEnds: Idle] = [:]

    /// Adds a connection after a complete response.
    func add(_ ends: ConnectionEnds, origin: String, socket: CInt, at now: ContinuousClock.Instant) {
        idle[ends] = Idle(origin: origin, socket: socket, since: now)
        // libcurl does not tell which connections it has closed.
        idle = idle.filter { $0.value.since.duration(to: now) <= Self.longestIdleness }
        if idle.count > Self.limit, let oldest = idle.min(by: { $0.value.since < $1.value.since }) {
            idle[oldest.key] = nil
        }
    }

    /// Removes a connection, which has a new request.
    /// - Returns: its socket; nil if it must not be used again.
    func remove(_ ends: ConnectionEnds, at now: ContinuousClock.Instant) -> CInt? {
        guard let found = idle.removeValue(forKey: ends), found.since.duration(to: now) <= Self.longestIdleness else {
            return nil
        }
        return found.socket
    }

    /// Removes the connections on the path of an exchange that has failed.
    /// - Parameters:
    ///   - origin: the origin that the exchange asked.
    ///   - remote: the far end of its connection, which may be a proxy's; nil if there was no connection.
    func forget(origin: String, remote: String?) {
        idle = idle.filter { $0.value.origin != origin && $0.key.remote != remote }
    }
}
#endif
