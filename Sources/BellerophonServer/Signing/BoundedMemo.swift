#if Server
import Synchronization

/// Values that are costly to make, kept for whoever asks again: no more than a limit, whatever is asked for.
final class BoundedMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    /// - Parameter limit: at least 1.
    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    var count: Int { values.withLock { $0.count } }

    /// The value that was made before, or a new one, for which any other goes where there is no room. Two threads that
    /// ask at once may both make it.
    func value(_ key: Key, _ make: () -> Value?) -> Value? {
        if let value = values.withLock({ $0[key] }) { return value }
        guard let value = make() else { return nil }
        values.withLock { values in
            if values.count >= limit, values[key] == nil { _ = values.popFirst() }
            values[key] = value
        }
        return value
    }
}
#endif
