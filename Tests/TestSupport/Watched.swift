import Dispatch
import Synchronization

/// A value that many threads change, and whose changes a test can await without polling.
public final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        /// Returns a closure that resumes the waiting test; nil if the value does not match.
        let offer: @Sendable (Value) -> (@Sendable () -> Void)?
        let giveUp: @Sendable (Value) -> Void
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var nextID = 0
    }

    private let state: Mutex<State>

    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value under the lock, then resumes the matching waiters outside the lock.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        let (result, wake) = try state.withLock { state in
            let result = try change(&state.value)
            var wake: [@Sendable () -> Void] = []
            let value = state.value
            state.waiters.removeAll { waiter in
                guard let resume = waiter.offer(value) else { return false }
                wake.append(resume)
                return true
            }
            return (result, wake)
        }
        wake.forEach { $0() }
        return result
    }

    /// Waits until `find` returns a value, and returns it.
    /// - Parameters:
    ///   - subject: the awaited condition, as the failure message names it.
    ///   - bound: the longest wait.
    /// - Throws: ``TestError`` with the last value when the bound is reached.
    public func wait<Found: Sendable>(
        for subject: String, within bound: Duration = patience,
        file: StaticString = #fileID, line: UInt = #line,
        _ find: @escaping @Sendable (Value) -> Found?
    ) async throws -> Found {
        let place = Place(file: file, line: line)
        return try await withCheckedThrowingContinuation { continuation in
            let offer: @Sendable (Value) -> (@Sendable () -> Void)? = { value in
                guard let found = find(value) else { return nil }
                return { continuation.resume(returning: found) }
            }
            let giveUp: @Sendable (Value) -> Void = { last in
                let failure = TestError("no \(subject) within \(bound)", detail: "\(last)", at: place)
                continuation.resume(throwing: failure)
            }
            enroll(offer: offer, giveUp: giveUp, bound: bound)
        }
    }

    private func enroll(
        offer: @escaping @Sendable (Value) -> (@Sendable () -> Void)?,
        giveUp: @escaping @Sendable (Value) -> Void, bound: Duration
    ) {
        let (resume, id) = state.withLock { state -> ((@Sendable () -> Void)?, Int) in
            if let resume = offer(state.value) { return (resume, 0) }
            state.nextID += 1
            state.waiters.append(Waiter(id: state.nextID, offer: offer, giveUp: giveUp))
            return (nil, state.nextID)
        }
        if let resume { return resume() }
        expire(id, after: Patience(bound))
    }

    /// Gives a waiter up when its patience is over. It is checked once a second.
    private func expire(_ id: Int, after patience: Patience) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
            guard self.state.withLock({ $0.waiters.contains { $0.id == id } }) else { return }
            patience.isOver ? self.expire(id) : self.expire(id, after: patience)
        }
    }

    private func expire(_ id: Int) {
        let (waiter, last) = state.withLock { state -> (Waiter?, Value) in
            let index = state.waiters.firstIndex { $0.id == id }
            return (index.map { state.waiters.remove(at: $0) }, state.value)
        }
        waiter?.giveUp(last)
    }
}
