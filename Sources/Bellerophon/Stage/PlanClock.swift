package import Foundation

/// The time by which the phases of rules begin and end. It never goes back, and a changed wall clock alone does not move it.
///
/// It is the earlier one of the wall clock and the server's time. The server's time is the `Date` of its last reply, and what has passed
/// since then. So a wall clock that is fast, and a server that is wrong, change nothing alone, and neither does a cache that replies with
/// an old `Date`. Whoever has a slow clock gets the phases from the document, whose server removes what is over.
struct PlanClock: Equatable, Sendable {
    /// Where the server's time is from.
    private enum Source: Equatable {
        /// Nothing is known yet.
        case nothing
        /// The time that an earlier run has kept. What has passed between the two runs is not known, so the real time is later.
        case lastRun(SteadyDate)
        /// The replies of this run.
        case replies(SteadyDate)
        /// No reply had a date, so the wall clock counts alone.
        case wallClock
    }

    private var source = Source.nothing
    /// The time that was reached at the last change of ``source``.
    private var reached: Date?

    /// Whether the replies have no date, so that the wall clock counts alone.
    var isWallClockOnly: Bool { source == .wallClock }

    /// The present time; nil if it is not known.
    /// - Parameter wall: the wall clock, which never goes back here; nil if it was not observed.
    func date(at now: MonotonicInstant, wall: Date?) -> Date? {
        let time: Date? =
            switch source {
            case .nothing: nil
            case .lastRun(let server), .replies(let server): min(server.date(at: now), wall ?? .distantFuture)
            case .wallClock: wall
            }
        return [time, reached].compactMap(\.self).max()
    }

    /// Starts with the time that an earlier run has kept.
    mutating func restore(_ date: Date?, at now: MonotonicInstant) {
        guard source == .nothing, let date else { return }
        source = .lastRun(SteadyDate(date, at: now))
        reached = date
    }

    /// Takes a reply into account.
    /// - Parameters:
    ///   - date: its `Date`; nil if it has none.
    ///   - wall: the wall clock, as in ``date(at:wall:)``.
    mutating func observe(_ date: Date?, at now: MonotonicInstant, wall: Date?) {
        reached = self.date(at: now, wall: wall)
        switch (source, date) {
        case (.replies(var server), let date?), (.lastRun(var server), let date?):
            server.observe(date, at: now)
            source = .replies(server)
        case (_, let date?): source = .replies(SteadyDate(date, at: now))
        case (.replies, nil): break
        case (_, nil): source = .wallClock
        }
    }

    /// Adds time that the machine slept.
    mutating func sleep(for span: Duration) {
        switch source {
        case .nothing, .wallClock: break
        case .lastRun(var server):
            server.sleep(for: span)
            source = .lastRun(server)
        case .replies(var server):
            server.sleep(for: span)
            source = .replies(server)
        }
    }
}

extension StatusReply {
    /// The time by which the rules of this reply begin and end for a program that makes one check: that of ``PlanClock`` after
    /// its first reply.
    /// - Parameter wall: the wall clock at the end of the check.
    package func planDate(at wall: Date) -> Date {
        var clock = PlanClock()
        clock.observe(metadata?.serverDate, at: MonotonicInstant(), wall: wall)
        return clock.date(at: MonotonicInstant(), wall: wall) ?? wall
    }

    /// Whether the reply has no `Date`, so that the wall clock alone decides about its rules.
    package var usesWallClockOnly: Bool { metadata?.serverDate == nil }
}
