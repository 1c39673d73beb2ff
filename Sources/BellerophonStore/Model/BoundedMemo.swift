import Synchronization

/// A cache of values that are expensive to create, with a limited number of entries.
package final class BoundedMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    /// - Parameter limit: at least 1.
    package init(limit: Int) {
        self.limit = max(limit, 1)
    }

    package var count: Int { values.withLock { $0.count } }

    /// The cached value, or a new one, which replaces any other entry if the cache is full. Two threads may create the
    /// same value concurrently.
    /// - Parameter make: makes the value. An error is passed on, and is not kept.
    package func value<Failure>(_ key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let value = values.withLock({ $0[key] }) { return value }
        let value = try make()
        values.withLock { values in
            if values.count >= limit, values[key] == nil { _ = values.popFirst() }
            values[key] = value
        }
        return value
    }
}
