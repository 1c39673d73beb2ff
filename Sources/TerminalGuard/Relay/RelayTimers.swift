/// The timers of a relay.
///
/// A timer fires only if it was due before the relay looked for input. So what arrived in time is handled before the timer, even
/// if this process did not run for a while between the two: no output of an ended program is given up unread.
struct RelayTimers {
    typealias Instant = ContinuousClock.Instant

    private var deadlines: [GuardTimer: Instant] = [:]

    /// The earliest deadline; nil if no timer runs.
    var next: Instant? { deadlines.values.min() }

    /// Starts a timer, or starts it again.
    mutating func set(_ timer: GuardTimer, to deadline: Instant) { deadlines[timer] = deadline }

    mutating func cancel(_ timer: GuardTimer) { deadlines[timer] = nil }

    /// Removes the earliest timer that is due.
    /// - Parameter instant: the time immediately before the last look for input.
    /// - Returns: the timer; nil if none is due.
    mutating func takeNext(dueAt instant: Instant) -> GuardTimer? {
        guard let (timer, deadline) = deadlines.min(by: { $0.value < $1.value }), deadline <= instant else { return nil }
        deadlines[timer] = nil
        return timer
    }
}
