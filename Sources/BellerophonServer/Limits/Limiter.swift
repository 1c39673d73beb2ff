import Synchronization

/// A count with a limit, shared by all threads.
final class Limiter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Takes a place; false if the limit is reached.
    func acquire(limit: Int) -> Bool {
        let (_, now) = count.wrappingAdd(1, ordering: .relaxed)
        guard now > limit else { return true }
        release()
        return false
    }

    func release() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
