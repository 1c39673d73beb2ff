/// One line of a key map: the keys, what they do, and how the footer and the help page name it.
public struct KeyBinding<Action: Sendable>: Sendable {
    public let keys: [Key]
    public let action: Action
    /// The word beside the key in the footer; nil keeps the binding out of it.
    public let hint: String?
    /// The sentence on the help page.
    public let help: String

    public init(_ keys: Key..., does action: Action, hint: String? = nil, help: String) {
        self.keys = keys
        self.action = action
        self.hint = hint
        self.help = help
    }
}

/// The keys of one view. The footer and the help page are made from it, so they can't disagree with it.
public struct KeyMap<Action: Sendable>: Sendable {
    public var bindings: [KeyBinding<Action>]

    public init(_ bindings: [KeyBinding<Action>]) {
        self.bindings = bindings
    }

    /// The action of a key; the first binding that names it wins.
    public func action(for key: Key) -> Action? {
        bindings.first { $0.keys.contains(key) }?.action
    }

    /// What the footer shows, in the map's order: key label and word.
    public var hints: [KeyHint] {
        bindings.compactMap { binding in
            binding.hint.map { KeyHint(key: binding.keys.first?.label ?? "", word: $0) }
        }
    }

    /// What the help page shows: all keys of a binding and its sentence.
    public var help: [KeyHint] {
        bindings.map { KeyHint(key: $0.keys.map(\.label).joined(separator: " "), word: $0.help) }
    }
}

/// A key and the word that says what it does.
public struct KeyHint: Equatable, Sendable {
    public let key: String
    public let word: String

    public init(key: String, word: String) {
        self.key = key
        self.word = word
    }
}
