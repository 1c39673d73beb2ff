#if Server
import Synchronization

/// A cache of values that are expensive to create, with a limited number of entries.
final class BoundedMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    /// - Parameter limit: at least 1.
    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    var count: Int { values.withLock { $0.count } }

    /// The cached value, or a new one, which replaces any other entry if the cache is full. Two threads may create the
    /// same value concurrently.
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
