import Synchronization

/// Remembers which response is selected for each kind of request.
public protocol SelectionStore: Sendable {
    /// The name of the selected response; nil while the set's default answers.
    func selection(for requestName: String) -> String?

    /// Selects a response by name; nil goes back to the set's default.
    func select(_ responseName: String?, for requestName: String)

    /// Forgets every selection.
    func reset()
}

extension SelectionStore where Self == MemorySelectionStore {
    /// Selections that last as long as the process.
    public static var memory: MemorySelectionStore { MemorySelectionStore() }
}

/// Selections that last as long as the process.
public final class MemorySelectionStore: SelectionStore {
    private let selections = Mutex<[String: String]>([:])

    public init() {}

    public func selection(for requestName: String) -> String? {
        selections.withLock { $0[requestName] }
    }

    public func select(_ responseName: String?, for requestName: String) {
        selections.withLock { $0[requestName] = responseName }
    }

    public func reset() {
        selections.withLock { $0.removeAll() }
    }
}
