/// Watches how long ago a status was confirmed. Pure.
struct AgeWatch: Equatable, Sendable {
    /// What was done about the age of the status.
    private enum Progress: Equatable, Sendable {
        /// Nothing yet.
        case watching
        /// The server was asked to confirm the status.
        case asked
        /// The status was reported as stale, and the policy for that applied.
        case settled
    }

    /// What to do next.
    enum Step: Equatable, Sendable {
        case nothing
        /// Look again after that time.
        case wait(Duration)
        /// The status is stale: ask the server before it is doubted.
        case ask
        /// The status is stale, and the server was asked: apply the policy.
        case settle
    }

    /// When a valid status was confirmed last, here or in an earlier run.
    private(set) var confirmedAt: MonotonicInstant?
    private var progress = Progress.watching
    /// The timer that runs.
    private(set) var timer: StageMachine.TimerID?

    /// Takes a status that was confirmed.
    mutating func confirm(at instant: MonotonicInstant) {
        confirmedAt = instant
    }

    /// Takes time that the machine slept: the age goes on, and the monotonic clock does not.
    mutating func sleep(for span: Duration) {
        confirmedAt = confirmedAt?.advanced(by: .zero - span)
    }

    func isStale(_ limit: Duration?, at now: MonotonicInstant) -> Bool {
        guard let confirmedAt, let limit else { return false }
        return confirmedAt.duration(to: now) >= limit
    }

    /// Begins to watch a status.
    /// - Returns: the wait for a timer; nil where one runs already, which then looks again, or none is needed.
    mutating func begin(_ limit: Duration?, at now: MonotonicInstant) -> Duration? {
        progress = .watching
        guard timer == nil, let confirmedAt, let limit else { return nil }
        return now.duration(to: confirmedAt.advanced(by: limit))
    }

    /// Looks at the age.
    func look(_ limit: Duration?, at now: MonotonicInstant) -> Step {
        guard let confirmedAt, let limit, progress != .settled else { return .nothing }
        let left = now.duration(to: confirmedAt.advanced(by: limit))
        if left > .zero { return .wait(left) }
        return progress == .asked ? .settle : .ask
    }

    /// Whether the server was asked because of the age, and has not confirmed the status.
    var awaitsConfirmation: Bool { progress == .asked }
    /// Whether nothing was done about the age yet.
    var isWatching: Bool { progress == .watching }

    mutating func ask() { progress = .asked }
    mutating func settle() { progress = .settled }

    mutating func timerStarted(_ id: StageMachine.TimerID) { timer = id }

    /// Whether the timer of that id was the one that runs.
    mutating func timerFired(_ id: StageMachine.TimerID) -> Bool {
        guard id == timer else { return false }
        timer = nil
        return true
    }
}
