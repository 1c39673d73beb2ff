import TerminalUI

/// The text that the event log is filtered by.
struct EventFilter: Equatable {
    /// Longer texts are cut: no event is as long.
    static let limit = 60

    private(set) var text = ""
    /// Whether keys go into the text.
    private(set) var isEditing = false

    var isActive: Bool { !text.isEmpty }

    mutating func edit() { isEditing = true }

    mutating func clear() {
        text = ""
        isEditing = false
    }

    /// Takes a key while the text is edited; false where the key means something else.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): if text.count < Self.limit { text.append(character) }
        case .backspace, .control("h"):
            if text.isEmpty { isEditing = false } else { text.removeLast() }
        case .control("u"): text = ""
        case .control("w"): deleteWord()
        case .enter: isEditing = false
        case .escape: clear()
        default: return false
        }
        return true
    }

    /// Whether a line contains the text, whatever the case.
    func matches(_ line: String) -> Bool {
        !isActive || line.lowercased().contains(text.lowercased())
    }

    private mutating func deleteWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
