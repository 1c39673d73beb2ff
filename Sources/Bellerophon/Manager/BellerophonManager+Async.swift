import BellerophonBase
import StatusModel

extension BellerophonManager {
    /// What covers the app, or would with a view for it.
    public var stage: Stage { machine.stage }

    /// The changes of ``stage`` from now on, in order.
    ///
    /// Each call returns a sequence of its own, which keeps the 256 newest changes for a consumer that is busy. A sequence
    /// ends when its task is cancelled or the manager is released.
    public var stages: AsyncStream<Transition> { transitions.stream() }

    /// Checks the status now and waits for the end of the check. Joins a check that is already pending.
    ///
    /// The first check starts the polling, as ``checkAppStatus()`` does. A check that a suspension interrupts ends with the
    /// one that follows ``resume()``.
    /// - Returns: the valid reply. One that is older than the status at hand changes nothing; ``stage`` tells what holds.
    /// - Throws: why no valid status came. ``StatusError/Reason-swift.enum/cancelled`` if the task is cancelled; the check
    ///   itself then goes on.
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

/// Callers that wait for the end of a check, in the order in which they asked.
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

    mutating func add(_ id: Int, _ complete: @escaping Completion) {
        waiting.append((id, complete))
    }

    /// Takes one caller off the list; nil where its check has ended.
    mutating func remove(_ id: Int) -> Completion? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).complete }
    }

    /// Takes all callers off the list.
    mutating func removeAll() -> [Completion] {
        defer { waiting = [] }
        return waiting.map(\.complete)
    }
}
