/// Measures the time since a status was confirmed. A pure value.
struct AgeWatch: Equatable, Sendable {
    /// The last step that was taken because of the age of the status.
    enum Progress: Equatable, Sendable {
        /// None yet.
        case watching
        /// The server was asked to confirm the status.
        case asked
        /// The status was reported as stale, and the policy was applied.
        case settled
    }

    /// When a valid status was last confirmed, in this run or an earlier one.
    var confirmedAt: MonotonicInstant?
    var progress = Progress.watching

    /// Adds time that the machine slept to the age; the monotonic clock does not count it.
    mutating func sleep(for span: Duration) {
        confirmedAt = confirmedAt?.advanced(by: .zero - span)
    }

    /// The time until the status is stale, which is not positive afterwards; nil without a status or a limit.
    func timeLeft(_ limit: Duration?, at now: MonotonicInstant) -> Duration? {
        guard let confirmedAt, let limit else { return nil }
        return now.duration(to: confirmedAt.advanced(by: limit))
    }

    func isStale(_ limit: Duration?, at now: MonotonicInstant) -> Bool { timeLeft(limit, at: now).map { $0 <= .zero } ?? false }

    /// Starts watching a status.
    /// - Parameter hasTimer: whether a timer is running.
    /// - Returns: the wait for a new timer; nil if one that is due in time is running, or none is needed.
    mutating func begin(_ limit: Duration?, hasTimer: Bool, at now: MonotonicInstant) -> Duration? {
        // The timer that waits for a confirmation may be due after the new limit.
        let isTimerUseful = hasTimer && progress != .asked
        progress = .watching
        return isTimerUseful ? nil : timeLeft(limit, at: now)
    }
}
