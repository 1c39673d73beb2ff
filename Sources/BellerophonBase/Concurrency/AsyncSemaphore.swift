import Synchronization

/// Limits the number of tasks that run a piece of work concurrently; other tasks wait in order of arrival.
package final class AsyncSemaphore: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var number = 0
    }

    private let state: Mutex<State>

    /// - Parameter count: the number of concurrent permits.
    package init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Runs the body once a permit is free.
    /// - Returns: nil if the task was cancelled before that.
    package func withPermit<Result: Sendable>(_ body: () async -> Result) async -> Result? {
        guard await acquire() else { return nil }
        defer { release() }
        return await body()
    }

    private func acquire() async -> Bool {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            waiter?.resume(returning: false)
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
