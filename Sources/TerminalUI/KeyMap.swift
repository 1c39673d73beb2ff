/// One entry of a key map: the keys, their action, and the texts for the footer and the help page.
public struct KeyBinding<Action: Sendable>: Sendable {
    /// The keys that trigger the action; the footer shows the first one.
    public let keys: [Key]
    /// The action that the keys trigger.
    public let action: Action
    /// The word beside the key in the footer; nil omits the binding from the footer.
    public let hint: String?
    /// The sentence on the help page.
    public let help: String

    /// Creates a binding.
    /// - Parameters:
    ///   - hint: the word in the footer; nil omits the binding from the footer.
    ///   - help: the sentence on the help page.
    public init(_ keys: Key..., does action: Action, hint: String? = nil, help: String) {
        self.init(keys, does: action, hint: hint, help: help)
    }

    /// Creates a binding.
    /// - Parameters:
    ///   - hint: the word in the footer; nil omits the binding from the footer.
    ///   - help: the sentence on the help page.
    public init(_ keys: [Key], does action: Action, hint: String? = nil, help: String) {
        self.keys = keys
        self.action = action
        self.hint = hint
        self.help = help
    }
}

/// The keys of one view. The footer and the help page are generated from it.
public struct KeyMap<Action: Sendable>: Sendable {
    /// The bindings, in the order of the footer and the help page.
    public var bindings: [KeyBinding<Action>]

    /// Creates a key map.
    public init(_ bindings: [KeyBinding<Action>]) {
        self.bindings = bindings
    }

    /// The action of a key; if several bindings contain the key, the first one applies.
    public func action(for key: Key) -> Action? {
        bindings.first { $0.keys.contains(key) }?.action
    }

    /// The entries of the footer, in the map's order: the first key's label and the hint.
    public var hints: [KeyHint] {
        bindings.compactMap { binding in
            binding.hint.map { hint in
                KeyHint(key: binding.keys.first?.label ?? "", word: hint, keys: Array(binding.keys.prefix(1)))
            }
        }
    }

    /// The entries of the help page: the labels of all keys of a binding, and its sentence.
    public var help: [KeyHint] {
        bindings.map { KeyHint(key: $0.keys.map(\.label).joined(separator: " "), word: $0.help) }
    }
}

/// A key's label with its description, for a footer or a help page.
public struct KeyHint: Equatable, Sendable {
    /// The label of the key or keys.
    public private(set) var key: String
    /// The word in the footer, or the sentence on the help page.
    public let word: String
    /// The keys that a click on the hint acts like: on the whole hint if it is one, otherwise each on its own label. Empty for
    /// a hint that can't be clicked.
    public let keys: [Key]
    /// Whether a character stands between the labels of two keys.
    private(set) var isSeparated = false

    /// Creates a hint.
    /// - Parameter keys: the keys that a click on the hint acts like.
    public init(key: String, word: String, keys: [Key] = []) {
        self.key = key
        self.word = word
        self.keys = keys
    }

    /// A hint with the labels of keys, which can be clicked.
    public init(_ keys: Key..., word: String) {
        self.init(key: keys.map(\.label).joined(), word: word, keys: keys)
    }

    /// The hint as it is drawn with these characters: with names in place of arrows if they are ASCII.
    func named(in glyphs: GlyphStyle) -> KeyHint {
        guard glyphs == .ascii else { return self }
        let names = keys.map { glyphs.keys($0.label) }
        let isList = keys.count > 1 && keys.map(\.label).joined() == key
        var hint = KeyHint(key: glyphs.keys(key), word: word, keys: keys)
        hint.isSeparated = isList && names.contains { $0.count > 1 }
        if isList { hint.key = names.joined(separator: hint.isSeparated ? "/" : "") }
        return hint
    }
}
