import TerminalUI

extension KeyMap {
    /// The footer's hints; neighbours with the same word are joined: `↑↓ move`.
    var joinedHints: [KeyHint] {
        hints.reduce(into: []) { joined, hint in
            if let last = joined.last, last.word == hint.word {
                joined[joined.count - 1] = KeyHint(
                    key: last.key + hint.key, word: hint.word, keys: last.keys + hint.keys)
            } else {
                joined.append(hint)
            }
        }
    }
}

extension KeyMap where Action: Equatable {
    /// A hint for the first key of an action, with a word of its own; empty if the action has no key.
    func hint(_ action: Action, word: String) -> [KeyHint] {
        bindings.first { $0.action == action }?.keys.first.map { [KeyHint($0, word: word)] } ?? []
    }
}
