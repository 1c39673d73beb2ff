import Dispatch

/// The two kinds of bodies.
extension LineRun {
    /// Calls a synchronous `onKill`.
    static func killHandler(_ onKill: @escaping @Sendable (KillNotice) -> Void) -> KillHandler {
        return { notice, done in
            onKill(notice)
            done()
        }
    }

    /// Calls an asynchronous `onKill`.
    static func killHandler(_ onKill: @escaping @Sendable (KillNotice) async -> Void) -> KillHandler {
        return { notice, done in
            Task(executorPreference: LineExecutor()) {
                await onKill(notice)
                done()
            }
        }
    }

    /// Runs a synchronous body on this thread.
    func run<Value>(_ body: (KillSignal) throws -> Value) throws -> Value {
        start()
        try admit(startDecision.wait())
        let result = Result { try body(signal) }
        bodyEnded()
        guard givesResult.wait() else { throw CancellationError() }
        return try result.get()
    }

    /// - Throws: unless the body may start.
    private func admit(_ start: Start) throws {
        if case .refused(let notice) = start { refuse(notice) }
        if start != .allowed { throw CancellationError() }
    }

    /// Runs an asynchronous body in a task of its own, which a kill cancels.
    func run<Value>(_ body: () async throws -> Value, isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        let decision = await withTaskCancellationHandler {
            start()
            return await startDecision.wait()
        } onCancel: {
            cancelStart()
        }
        try admit(decision)
        let result = await result(of: body, isolation: isolation)
        bodyEnded()
        guard await givesResult.wait() else { throw CancellationError() }
        return try result.get().value
    }

    /// Only a task can be cancelled, and the caller's own task must not be: it may have other work to do.
    private func result<Value>(
        of body: () async throws -> Value, isolation: isolated (any Actor)?
    ) async -> Result<Transferred<Value>, any Error> {
        // The caller waits for the task, which releases the closure before it ends, so that the closure does not outlive this call.
        await withoutActuallyEscaping(body) { body in
            let body = Transferred(value: body)
            let task = Task {
                _ = isolation
                return Transferred(value: try await body.value())
            }
            signal.sent.whenFulfilled { _ in task.cancel() }
            return await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
        }
    }
}

/// A value that one task hands over to another, which the first one waits for.
private struct Transferred<Value>: @unchecked Sendable {
    // Never used by two tasks at the same time.
    let value: Value
}

/// Runs the asynchronous `onKill` on a queue of its own: a body may block every thread that tasks share.
final class LineExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "bellerophon.line", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
