import Synchronization

extension StatusSource {
    /// Asks for the status and waits for the answer. Cancelling the task cancels the exchange.
    /// - Throws: why no valid status came; after a cancellation the source's own error for that.
    public func status() async throws(StatusError) -> StatusReply {
        let request = StatusRequest()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                request.begin(continuation)
                request.started(fetchStatus { request.end($0) })
            }
        } onCancel: {
            request.cancel()
        }
        return try result.get()
    }
}

/// One awaited request: the task may be cancelled before, while and after the source starts it.
private final class StatusRequest: Sendable {
    typealias Outcome = Result<StatusReply, StatusError>

    private struct State: Sendable {
        var continuation: CheckedContinuation<Outcome, Never>?
        var check: StatusCheck?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    func started(_ check: StatusCheck) {
        let isCancelled = state.withLock { state in
            state.check = check
            return state.isCancelled
        }
        if isCancelled { check.cancel() }
    }

    func cancel() {
        let check = state.withLock { state in
            state.isCancelled = true
            return state.check
        }
        check?.cancel()
    }

    /// A source of the app's own may call its completion twice; the first call counts.
    func end(_ outcome: Outcome) {
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume(returning: outcome)
    }
}
