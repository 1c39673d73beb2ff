import Synchronization

/// The registration of a handler, which is called until ``cancel()`` or until the deallocation of this object.
package final class BarricadeObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    /// Removes the handler.
    package func cancel() { end() }
}

/// The registered handlers of a barricade.
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

    /// Calls the handlers in the order of registration, outside the lock, so that a handler may use the barricade.
    func notify() {
        for (_, handler) in list.withLock({ $0.handlers.sorted { $0.key < $1.key } }) { handler() }
    }
}
