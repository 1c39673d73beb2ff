import Synchronization

/// A count per key, such as an address, shared by all threads.
final class KeyedCounts<Key: Hashable & Sendable>: Sendable {
    private let counts = Mutex<[Key: Int]>([:])

    /// Increments the count; false if the key has reached the limit.
    func acquire(_ key: Key, limit: Int) -> Bool {
        counts.withLock { counts in
            let count = counts[key] ?? 0
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    func release(_ key: Key) {
        counts.withLock { counts in
            guard let count = counts[key] else { return }
            counts[key] = count > 1 ? count - 1 : nil
        }
    }
}
