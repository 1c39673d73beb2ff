import Synchronization

/// Limits the number of tasks that run a piece of work concurrently; other tasks wait in order of arrival.
package final class AsyncSemaphore: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: the number of concurrent permits.
    package init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Runs the body once a permit is free. A task that is cancelled while it waits, waits like the others.
    /// - Returns: nil if the task was cancelled before that.
    package func withPermit<Result: Sendable>(_ body: () async -> Result) async -> Result? {
        guard !Task.isCancelled else { return nil }
        await acquire()
        defer { release() }
        return Task.isCancelled ? nil : await body()
    }

    private func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
