import BellerophonBase
import Foundation
import StatusModel

extension BellerophonManager {
    /// The current stage, whether or not a view is configured for it.
    public var stage: Stage { machine.stage }

    /// All changes of ``stage`` from the moment of this access on, in order. To see the first change too, access it before the
    /// first `await` after the start.
    ///
    /// Each access returns an independent sequence, which buffers the 256 newest changes. The sequence ends when its task
    /// is cancelled or the manager is released.
    public var stages: AsyncStream<Transition> { transitions.stream() }

    /// Checks the status now and waits for the result. Joins a check that is already pending.
    ///
    /// The first check starts the polling, as ``checkAppStatus()`` does. A check that a suspension interrupts ends with
    /// the check that follows ``resume()``.
    /// - Returns: the valid reply. A reply that is older than the current status is returned but not applied; ``stage``
    ///   is the stage that applies.
    /// - Throws: why no valid status was received. ``StatusError/Reason-swift.enum/cancelled`` if the task is cancelled;
    ///   the check itself continues.
    @discardableResult
    public func check() async throws(StatusError) -> StatusReply {
        let id = UUID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: Self.cancelled) }
                waiters.append(Waiter(id: id) { continuation.resume(returning: $0) })
                checkAppStatus()
            }
        } onCancel: {
            Task { @MainActor [weak self] in
                guard let self, let index = waiters.firstIndex(where: { $0.id == id }) else { return }
                waiters.remove(at: index).complete(Self.cancelled)
            }
        }
        return try outcome.get()
    }

    private static let cancelled = Result<StatusReply, StatusError>.failure(StatusError(.cancelled))

    /// A caller that waits for the end of a check. It is completed after the window has been updated, because the app may be
    /// suspended as soon as it returns.
    struct Waiter {
        var id = UUID()
        let complete: @MainActor (Result<StatusReply, StatusError>) -> Void
    }
}
