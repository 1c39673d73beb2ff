import TerminalUI

/// The text that filters a list, and its editing.
struct TextFilter: Equatable {
    /// The maximum number of characters; further input is ignored.
    static let limit = 60

    private(set) var text = ""
    /// Whether keys edit the text.
    private(set) var isEditing = false

    var isActive: Bool { !text.isEmpty }

    mutating func edit() { isEditing = true }

    /// Edits another text; a longer one is cut.
    mutating func edit(_ text: String) {
        self.text = String(text.prefix(Self.limit))
        isEditing = true
    }

    /// Ends the editing.
    mutating func endEditing() { isEditing = false }

    mutating func clear() {
        text = ""
        isEditing = false
    }

    /// Handles a key during editing; returns false if the key has another meaning.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): if text.count < Self.limit { text.append(character) }
        case .backspace, .control("h"):
            if text.isEmpty { endEditing() } else { text.removeLast() }
        case .control("u"): text = ""
        case .control("w"): deleteWord()
        case .enter: endEditing()
        case .escape: clear()
        default: return false
        }
        return true
    }

    /// Whether a line contains the text, ignoring case.
    func matches(_ line: String) -> Bool {
        !isActive || line.lowercased().contains(text.lowercased())
    }

    private mutating func deleteWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
