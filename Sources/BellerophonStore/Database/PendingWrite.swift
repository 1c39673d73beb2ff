import Synchronization

/// A change that waits for its turn, and whether it is still wanted when its turn comes.
///
/// A change whose task was cancelled is not carried out: nobody waits for it any more, and what it was meant for may be over. A
/// server cancels the task of a request whose client has gone. The last look is directly before the commit.
final class PendingWrite: Sendable {
    private let isWithdrawn = Atomic(false)
    private let asked = ContinuousClock.now

    /// The change of the thread that carries it out.
    @TaskLocal static var present: PendingWrite?

    /// A change that has waited longer is refused: other ones, or a database that does not answer, were before it.
    static let patience = Duration.seconds(30)

    func withdraw() { isWithdrawn.store(true, ordering: .relaxed) }

    /// - Throws: ``StoreError`` of kind `withdrawn` if nobody waits for the change any more.
    func throwIfWithdrawn() throws(StoreError) {
        guard isWithdrawn.load(ordering: .relaxed) else { return }
        throw StoreError(
            .withdrawn, "the client that requested this change has disconnected; nothing was changed",
            hint: "a request with an Idempotency-Key is carried out anyway")
    }

    /// - Throws: also of kind `busy` if the change has waited too long.
    func checkTurn() throws(StoreError) {
        try throwIfWithdrawn()
        guard ContinuousClock.now - asked > Self.patience else { return }
        throw StoreError(
            .busy, "this change has waited for others for more than \(Self.patience.components.seconds) s",
            hint: "try again; nothing was changed")
    }

    /// Runs a change, which is withdrawn when the caller's task is cancelled.
    static func run<Value: Sendable>(
        _ start: (PendingWrite, CheckedContinuation<Result<Value, StoreError>, Never>) -> Void
    ) async throws(StoreError) -> Value {
        let pending = PendingWrite()
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { start(pending, $0) }
        } onCancel: {
            pending.withdraw()
        }
        return try result.get()
    }
}
