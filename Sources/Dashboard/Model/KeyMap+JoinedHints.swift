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
