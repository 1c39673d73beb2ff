import BellerophonBase
import Digests
import Foundation

/// The failures and the latency of each source server, which determine the order of requests.
///
/// Available servers come first, the fastest of them first. A failed server pauses, longer after each consecutive
/// failure. During its pause it is only tried after all others have failed.
struct ServerHealth: Equatable, Sendable {
    struct Record: Equatable, Sendable {
        /// Consecutive failures.
        var failures = 0
        var restsUntil: ContinuousClock.Instant?
        /// The smoothed time from the request to the end of the reply; nil before the first.
        var latency: Duration?
    }

    private(set) var records: [URL: Record] = [:]

    /// The pause after the first failure. Each further failure doubles it, up to ``longestRest``.
    static let firstRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(300)

    /// Records the latency of a reply. Success is recorded separately, by ``succeeded(_:)``.
    mutating func answered(_ server: URL, after latency: Duration) {
        let smoothed = records[server]?.latency.map { ($0 * 3 + latency) / 4 } ?? latency
        records[server, default: Record()].latency = smoothed
    }

    /// Records that a server delivered a complete file, or has nothing newer.
    mutating func succeeded(_ server: URL) {
        records[server]?.failures = 0
        records[server]?.restsUntil = nil
    }

    /// Records a failure and starts the pause.
    /// - Parameter chance: from 0 up to 1; the pause is between half and all of its length, to spread the clients' requests.
    mutating func failed(_ server: URL, at now: ContinuousClock.Instant, chance: Double) {
        var record = records[server] ?? Record()
        record.failures += 1
        let doublings = min(record.failures - 1, 20)
        let whole = min(Self.firstRest.inSeconds * exp2(Double(doublings)), Self.longestRest.inSeconds)
        record.restsUntil = now + .seconds(whole * (0.5 + min(max(chance, 0), 1) / 2))
        records[server] = record
    }

    /// The servers in the order of requests. The configured order breaks ties.
    func ranked(_ servers: [URL], at now: ContinuousClock.Instant) -> [URL] {
        let ranks = servers.enumerated().map { index, server in
            let record = records[server]
            let rest = record?.restsUntil.map { max(now.duration(to: $0), .zero) } ?? .zero
            return (rest, record?.latency ?? .zero, index)
        }
        return ranks.sorted { $0 < $1 }.map { servers[$0.2] }
    }
}

/// A source server's file that does not match the server's meta document, or is larger than the resource may be.
///
/// It is not fetched again immediately: the same server would send the same bytes, possibly a gigabyte. A different
/// version, digest or size means a different file.
struct DamagedFile: Equatable, Sendable {
    let version: Int64
    let digest: Digest?
    let size: Int64?
    private(set) var reason: CloudBoxError.Reason
    private(set) var failures = 1
    private(set) var restsUntil: ContinuousClock.Instant

    /// The wait after the first failure. Each further failure multiplies it by four, up to ``longestRest``.
    static let firstRest: Duration = .seconds(60)
    static let longestRest: Duration = .seconds(6 * 3600)

    init(_ meta: ResourceMeta, _ reason: CloudBoxError.Reason, at now: ContinuousClock.Instant) {
        (version, digest, size) = (meta.version, meta.digest, meta.size)
        self.reason = reason
        restsUntil = now + Self.firstRest
    }

    func isFile(of meta: ResourceMeta) -> Bool {
        version == meta.version && digest == meta.digest && size == meta.size
    }

    /// Records that the file arrived damaged again.
    mutating func failed(_ reason: CloudBoxError.Reason, at now: ContinuousClock.Instant) {
        self.reason = reason
        restsUntil = now + min(Self.firstRest * (1 << (2 * min(failures, 10))), Self.longestRest)
        failures += 1
    }
}
