/// Decides when the body of a program without a screen may start, and when the process must end.
struct LineMachine: Equatable, Sendable {
    /// What to do as the result of an event.
    enum Action: Equatable, Sendable {
        /// Start the body.
        case start
        /// End the process without starting the body.
        case refuse
        /// The caller no longer waits for the start.
        case abandon
        /// Say why the process ends, start the grace period and call `onKill`.
        case kill
        /// Ask the body to end.
        case stopBody
        /// End the process.
        case end
        /// Return the result of the body to the caller.
        case giveResult
    }

    private enum Phase: Equatable, Sendable {
        /// - Parameter hasChecked: whether the first check has ended.
        case starting(hasChecked: Bool)
        case running
        /// - Parameters:
        ///   - isSaved: whether `onKill` has ended.
        ///   - isBodyOver: whether the body has ended.
        case killed(isSaved: Bool, isBodyOver: Bool)
        case over
    }

    private var phase = Phase.starting(hasChecked: false)

    /// Whether the body runs, and no status has ended it.
    var isRunning: Bool { phase == .running }

    /// A check has ended, or a pushed status has arrived.
    mutating func checked() {
        if case .starting = phase { phase = .starting(hasChecked: true) }
    }

    /// All that arrived together has been handled.
    ///
    /// A kept status that blocks waits for the first check, which may lift it: otherwise no later start could succeed.
    /// - Parameters:
    ///   - isBlocked: whether the status blocks the program.
    ///   - isRecent: whether the status of the last run is so recent that the start need not wait for a check.
    mutating func turnEnded(isBlocked: Bool, isRecent: Bool) -> Action? {
        switch phase {
        case .starting(let hasChecked): return hasChecked || (isRecent && !isBlocked) ? decideStart(isBlocked: isBlocked) : nil
        case .running:
            guard isBlocked else { return nil }
            phase = .killed(isSaved: false, isBodyOver: false)
            return .kill
        case .killed, .over: return nil
        }
    }

    /// The longest time for the start is over.
    mutating func startTimedOut(isBlocked: Bool) -> Action? {
        guard case .starting = phase else { return nil }
        return decideStart(isBlocked: isBlocked)
    }

    private mutating func decideStart(isBlocked: Bool) -> Action {
        phase = isBlocked ? .over : .running
        return isBlocked ? .refuse : .start
    }

    /// The caller was cancelled.
    mutating func startCancelled() -> Action? {
        guard case .starting = phase else { return nil }
        phase = .over
        return .abandon
    }

    /// The body has ended by itself or after a kill.
    mutating func bodyEnded() -> Action? {
        switch phase {
        case .running:
            phase = .over
            return .giveResult
        case .killed(isSaved: true, _): return end()
        case .killed(isSaved: false, _):
            phase = .killed(isSaved: false, isBodyOver: true)
            return nil
        case .starting, .over: return nil
        }
    }

    /// `onKill` has ended.
    mutating func saved() -> Action? {
        guard case .killed(_, let isBodyOver) = phase else { return nil }
        if isBodyOver { return end() }
        phase = .killed(isSaved: true, isBodyOver: false)
        return .stopBody
    }

    /// The grace period is over.
    mutating func graceEnded() -> Action? {
        guard case .killed = phase else { return nil }
        return end()
    }

    private mutating func end() -> Action {
        phase = .over
        return .end
    }
}
