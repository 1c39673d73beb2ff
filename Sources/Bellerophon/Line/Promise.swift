import Dispatch
import Synchronization

/// A value that is set once, on any thread, and that one caller waits for.
final class Promise<Value: Sendable>: Sendable {
    private let state = Mutex<(value: Value?, handler: (@Sendable (Value) -> Void)?)>((nil, nil))

    /// nil before it is set.
    var value: Value? { state.withLock { $0.value } }

    /// Sets the value. Later calls do nothing.
    func fulfill(_ value: Value) {
        let handler = state.withLock { state -> (@Sendable (Value) -> Void)? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.handler.take()
        }
        handler?(value)
    }

    /// Calls the handler once when the value is set, at once if it was set before.
    func whenFulfilled(_ handler: @escaping @Sendable (Value) -> Void) {
        let value = state.withLock { state in
            if state.value == nil { state.handler = handler }
            return state.value
        }
        if let value { handler(value) }
    }

    /// Blocks this thread until the value is set.
    func wait() -> Value {
        let isSet = DispatchSemaphore(value: 0)
        whenFulfilled { _ in isSet.signal() }
        while true {
            isSet.wait()
            if let value { return value }
        }
    }

    func wait(isolation: isolated (any Actor)? = #isolation) async -> Value {
        await withCheckedContinuation { continuation in whenFulfilled { continuation.resume(returning: $0) } }
    }
}
