package import Foundation
import StatusModel

/// The time by which the phases of rules begin and end. A changed wall clock alone does not move it. It goes back once at most: a time
/// that no `Date` of any run has confirmed, because a wall clock that was fast told it, is replaced by a `Date` that agrees with the wall
/// clock.
///
/// It is the earlier one of the wall clock and the server's time. The server's time is the `Date` of its last reply, and what has passed
/// since then. So a wall clock that is fast, and a server that is wrong, change nothing alone. A cache that replies with
/// an old `Date` moves nothing back. Whoever has a slow clock gets the phases from the document, whose server removes what is over.
struct PlanClock: Equatable, Sendable {
    /// The server's time: the latest of its dates, with what has passed since then. Before the first one of this run, the time that an
    /// earlier run has kept: what has passed between the two runs is not known, so the real time is later.
    private var server: MonotonicDate?
    /// The time that was reached at the last reply.
    private var reached: Date?
    private var hasReply = false
    private var hasServerDate = false
    /// Whether a `Date` of this run or an earlier one has confirmed the time: it was not before it, or has replaced it.
    private(set) var isConfirmed = false

    /// The most by which two clocks differ that agree.
    private static let tolerance: TimeInterval = 60

    /// Whether the replies have no date, so that the wall clock counts alone.
    var isWallClockOnly: Bool { hasReply && !hasServerDate }

    /// The present time; nil if it is not known.
    /// - Parameter wall: the wall clock, which never goes back here; nil if it was not observed.
    func date(at now: MonotonicInstant, wall: Date?) -> Date? {
        let time = isWallClockOnly ? wall : server.map { Self.time(server: $0.date(at: now), wall: wall) }
        return [time, reached].compactMap(\.self).max()
    }

    /// The time for one server and one wall clock, without what was known before.
    static func time(server: Date, wall: Date?) -> Date { min(server, wall ?? .never) }

    /// Starts with the time that an earlier run has kept.
    mutating func restore(_ date: Date?, isConfirmed: Bool, at now: MonotonicInstant) {
        guard server == nil, !hasReply, let date else { return }
        self.isConfirmed = isConfirmed
        server = MonotonicDate(date, at: now)
        reached = date
    }

    /// Whether a reply shows that the time is wrong: no `Date` has confirmed it, and that of the reply is before it and agrees with the
    /// wall clock. A new clock then takes its place.
    func isCorrected(by date: Date?, wall: Date?, reached: Date?) -> Bool {
        guard !isConfirmed, let date, let wall, let reached else { return false }
        return date < reached && abs(date.timeIntervalSince(wall)) <= Self.tolerance
    }

    /// Takes a reply into account.
    /// - Parameters:
    ///   - date: its `Date`; nil if it has none.
    ///   - reached: the present time before the reply, as ``date(at:wall:)`` tells it.
    mutating func observe(_ date: Date?, at now: MonotonicInstant, reached: Date?) {
        self.reached = reached
        hasReply = true
        guard let date else { return }
        hasServerDate = true
        isConfirmed = isConfirmed || date >= reached ?? .distantPast
        if server?.observe(date, at: now) == nil { server = MonotonicDate(date, at: now) }
    }

    /// Adds time that the machine slept.
    mutating func sleep(for span: Duration) { server?.sleep(for: span) }
}

extension StatusReply {
    /// The time by which the rules of this reply begin and end for a program that makes one check: that of ``PlanClock`` after
    /// its first reply.
    /// - Parameter wall: the wall clock at the end of the check.
    package func planDate(at wall: Date) -> Date {
        metadata?.serverDate.map { PlanClock.time(server: $0, wall: wall) } ?? wall
    }

    /// Whether the reply has no `Date`, so that the wall clock alone decides about its rules.
    package var usesWallClockOnly: Bool { metadata?.serverDate == nil }
}
