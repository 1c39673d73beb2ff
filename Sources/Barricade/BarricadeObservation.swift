import Synchronization

/// A handler that is called until this is cancelled or gone.
public final class BarricadeObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    public func cancel() { end() }
}

/// Whoever watches a barricade.
final class Observers: Sendable {
    private struct List {
        var lastID = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let list = Mutex(List())

    func add(_ handler: @escaping @Sendable () -> Void) -> BarricadeObservation {
        let id = list.withLock { list in
            list.lastID += 1
            list.handlers[list.lastID] = handler
            return list.lastID
        }
        return BarricadeObservation { [weak self] in
            _ = self?.list.withLock { $0.handlers.removeValue(forKey: id) }
        }
    }

    /// In the order of registration, outside the lock: a handler may ask the barricade anything.
    func notify() {
        for (_, handler) in list.withLock({ $0.handlers.sorted { $0.key < $1.key } }) { handler() }
    }
}
