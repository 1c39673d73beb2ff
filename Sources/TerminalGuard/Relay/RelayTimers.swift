/// The timers of a relay that run, with their deadlines.
///
/// A timer fires only if it was due before the relay looked for input. So what arrived in time is handled before the timer, even
/// if this process did not run for a while between the two: no output of an ended program is given up unread.
typealias RelayTimers = [GuardTimer: ContinuousClock.Instant]

extension RelayTimers {
    /// Removes the earliest timer that is due.
    /// - Parameter instant: the time immediately before the last look for input.
    /// - Returns: the timer; nil if none is due.
    mutating func removeNext(dueAt instant: ContinuousClock.Instant) -> GuardTimer? {
        guard let (timer, deadline) = self.min(by: { $0.value < $1.value }), deadline <= instant else { return nil }
        self[timer] = nil
        return timer
    }
}
