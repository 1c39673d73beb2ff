import Synchronization

/// Tells a synchronous body that it has been killed, so that a loop can stop by itself. May be used on any thread.
public final class KillSignal: Sendable {
    private struct State: Sendable {
        var notice: KillNotice?
        var onKill: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init() {}

    /// Whether the status has killed the program. Stays true: the process ends even if the status clears within the grace period.
    public var isKilled: Bool { notice != nil }

    /// What the status said; nil while the program may run.
    public var notice: KillNotice? { state.withLock { $0.notice } }

    /// Sends the signal. Later calls do nothing.
    func send(_ notice: KillNotice) {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.notice == nil else { return nil }
            state.notice = notice
            return state.onKill.take()
        }
        handler?()
    }

    /// Calls the handler once when the signal is sent, at once if it was sent before.
    func whenSent(_ handler: @escaping @Sendable () -> Void) {
        let wasSent = state.withLock { state in
            if state.notice == nil { state.onKill = handler }
            return state.notice != nil
        }
        if wasSent { handler() }
    }
}
