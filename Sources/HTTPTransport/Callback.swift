import Synchronization

/// Waits for a callback.
/// - Parameter start: begins the work, which calls the closure with its result; later calls are ignored. Returns what ends the work
///   early. It is called once, when the task is cancelled, and the result is still waited for.
package func awaitCallback<Value: Sendable>(
    _ start: (@escaping @Sendable (Value) -> Void) -> @Sendable () -> Void
) async -> Value {
    let waiting = Mutex<CheckedContinuation<Value, Never>?>(nil)
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            let started = start { value in waiting.withLock { $0.take() }?.resume(returning: value) }
            cancel.withLock { $0 = started }
            if Task.isCancelled { cancel.withLock { $0.take() }?() }
        }
    } onCancel: {
        cancel.withLock { $0.take() }?()
    }
}
