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

    /// The next step.
    enum Step: Equatable, Sendable {
        case nothing
        /// Look again after this time.
        case wait(Duration)
        /// The status is stale: ask the server to confirm it.
        case ask
        /// The status is stale, and the server did not confirm it: apply the policy.
        case settle
    }

    /// When a valid status was last confirmed, in this run or an earlier one.
    private(set) var confirmedAt: MonotonicInstant?
    var progress = Progress.watching

    /// Records the confirmation of a status.
    mutating func confirm(at instant: MonotonicInstant) {
        confirmedAt = instant
    }

    /// Adds time that the machine slept to the age; the monotonic clock does not count it.
    mutating func sleep(for span: Duration) {
        confirmedAt = confirmedAt?.advanced(by: .zero - span)
    }

    func isStale(_ limit: Duration?, at now: MonotonicInstant) -> Bool {
        guard let confirmedAt, let limit else { return false }
        return confirmedAt.duration(to: now) >= limit
    }

    /// Starts watching a status.
    /// - Parameter hasTimer: whether a timer is running.
    /// - Returns: the wait for a new timer; nil if one that is due in time is running, or none is needed.
    mutating func begin(_ limit: Duration?, hasTimer: Bool, at now: MonotonicInstant) -> Duration? {
        // The timer that waits for a confirmation may be due after the new limit.
        let isTimerUseful = hasTimer && progress != .asked
        progress = .watching
        guard !isTimerUseful, let confirmedAt, let limit else { return nil }
        return now.duration(to: confirmedAt.advanced(by: limit))
    }

    /// The next step for the current age.
    func nextStep(_ limit: Duration?, at now: MonotonicInstant) -> Step {
        guard let confirmedAt, let limit, progress != .settled else { return .nothing }
        let left = now.duration(to: confirmedAt.advanced(by: limit))
        if left > .zero { return .wait(left) }
        return progress == .asked ? .settle : .ask
    }
}
