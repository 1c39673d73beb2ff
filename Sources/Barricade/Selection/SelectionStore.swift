import Synchronization

/// Stores the selected response for each kind of request.
public protocol SelectionStore: Sendable {
    /// The name of the selected response; nil while the set's default applies.
    func selection(for requestName: String) -> String?

    /// Selects a response by name; nil restores the set's default.
    func select(_ responseName: String?, for requestName: String)

    /// Removes all selections.
    func reset()
}

extension SelectionStore where Self == MemorySelectionStore {
    /// Selections in memory, which do not survive a restart.
    public static var memory: MemorySelectionStore { MemorySelectionStore() }
}

/// Selections in memory, which do not survive a restart.
public final class MemorySelectionStore: SelectionStore {
    private let selections = Mutex<[String: String]>([:])

    /// Creates an empty store.
    public init() {}

    /// The name of the selected response; nil if none is selected.
    public func selection(for requestName: String) -> String? {
        selections.withLock { $0[requestName] }
    }

    /// Selects a response by name; nil removes the selection.
    public func select(_ responseName: String?, for requestName: String) {
        selections.withLock { $0[requestName] = responseName }
    }

    /// Removes all selections.
    public func reset() {
        selections.withLock { $0.removeAll() }
    }
}
