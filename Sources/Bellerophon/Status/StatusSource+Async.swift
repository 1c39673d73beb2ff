import Synchronization

extension StatusSource {
    /// Requests the status and waits for the reply. Cancelling the task cancels the exchange.
    /// - Throws: why no valid status was received; after a cancellation, the source's error for it.
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

/// One awaited request. The task may be cancelled before, during and after the start of the check.
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

    /// Resumes the caller. A custom source may call its completion twice; the second call is ignored.
    func end(_ outcome: Outcome) {
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume(returning: outcome)
    }
}
