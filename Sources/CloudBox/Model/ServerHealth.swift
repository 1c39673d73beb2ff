import BellerophonBase
import Foundation

/// What is known of each source server, and in which order they are asked.
///
/// Servers that answer come first, the fastest of them first; one that has failed rests, longer with each failure in a
/// row, and is asked in its rest only when all others have failed: an answer is worth more than a rest.
struct ServerHealth: Equatable, Sendable {
    struct Record: Equatable, Sendable {
        /// In a row.
        var failures = 0
        var restsUntil: ContinuousClock.Instant?
        /// Smoothed, from the request to the answer's end; nil before the first.
        var latency: Duration?
    }

    private(set) var records: [URL: Record] = [:]

    /// The rest after the first failure; it doubles with each further one.
    static let firstRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(300)

    /// Notes how fast a server answers. That says nothing about its files: see ``succeeded(_:)``.
    mutating func answered(_ server: URL, after latency: Duration) {
        let smoothed = records[server]?.latency.map { ($0 * 3 + latency) / 4 } ?? latency
        records[server, default: Record()].latency = smoothed
    }

    /// A server has kept what it promised: a file came whole, or there is nothing newer.
    mutating func succeeded(_ server: URL) {
        records[server]?.failures = 0
        records[server]?.restsUntil = nil
    }

    /// - Parameter chance: from 0 up to 1; the rest is between its half and its whole, so that clients spread.
    mutating func failed(_ server: URL, at now: ContinuousClock.Instant, chance: Double) {
        var record = records[server] ?? Record()
        record.failures += 1
        let doublings = min(record.failures - 1, 20)
        let whole = min(Self.firstRest.inSeconds * exp2(Double(doublings)), Self.longestRest.inSeconds)
        record.restsUntil = now + .seconds(whole * (0.5 + min(max(chance, 0), 1) / 2))
        records[server] = record
    }

    /// The servers in the order in which they are asked; the configured order decides where nothing else does.
    func ranked(_ servers: [URL], at now: ContinuousClock.Instant) -> [URL] {
        let keyed = servers.enumerated().map { index, server -> (URL, Rank) in
            let record = records[server] ?? Record()
            let rest = record.restsUntil.map { max(now.duration(to: $0), .zero) } ?? .zero
            return (server, Rank(rest: rest, latency: record.latency ?? .zero, index: index))
        }
        return keyed.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private struct Rank: Comparable {
        var rest: Duration
        var latency: Duration
        var index: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.rest, left.latency, left.index) < (right.rest, right.latency, right.index)
        }
    }
}
