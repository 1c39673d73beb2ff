#if Server
import Synchronization

/// A count with a limit, shared by all threads.
final class Gauge: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Takes a place; false where the limit is reached.
    func enter(limit: Int) -> Bool {
        let (_, now) = count.wrappingAdd(1, ordering: .relaxed)
        guard now > limit else { return true }
        leave()
        return false
    }

    func leave() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
#endif
