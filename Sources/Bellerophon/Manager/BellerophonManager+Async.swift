import BellerophonBase
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
        let id = waiters.makeID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: Self.cancelled) }
                waiters.add(id) { continuation.resume(returning: $0) }
                checkAppStatus()
            }
        } onCancel: {
            Task { @MainActor [weak self] in
                self?.waiters.remove(id)?(Self.cancelled)
            }
        }
        return try outcome.get()
    }

    private static let cancelled = CheckWaiters.Outcome.failure(StatusError(.cancelled))
}

/// The callers that wait for the end of a check, in the order of their calls.
///
/// A completion is called after the window has been updated, because the app may be suspended as soon as it returns.
@MainActor
struct CheckWaiters {
    typealias Outcome = Result<StatusReply, StatusError>
    typealias Completion = @MainActor (Outcome) -> Void

    private var lastID = 0
    private var waiting: [(id: Int, complete: Completion)] = []

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    var isWaiting: Bool { !waiting.isEmpty }

    mutating func add(_ id: Int, _ complete: @escaping Completion) {
        waiting.append((id, complete))
    }

    /// Removes and returns one caller's completion; nil if its check has ended.
    mutating func remove(_ id: Int) -> Completion? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).complete }
    }

    /// Removes and returns the completions of all callers, whose check has ended.
    mutating func removeAll() -> [Completion] {
        defer { waiting = [] }
        return waiting.map(\.complete)
    }
}
