/// One key press, or what a terminal reports in its place.
public enum Key: Equatable, Hashable, Sendable {
    /// A printable character, as one grapheme.
    case character(Character)
    /// A letter with Control, in lower case: `.control("c")`.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, from 1.
    case function(Int)
    case mouse(MouseEvent)
    /// The terminal has a new size.
    case resize
    /// A key that the terminal knows and this enumeration does not, by its curses code.
    case other(Int32)

    /// The key's name as a footer or a help page prints it.
    public var label: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "Ctrl-\(letter.uppercased())"
        case .enter: "⏎"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        case .mouse: "mouse"
        case .resize: "resize"
        case .other(let code): "key \(code)"
        }
    }
}

/// A mouse button or wheel at a cell.
public struct MouseEvent: Equatable, Hashable, Sendable {
    public enum Kind: Equatable, Hashable, Sendable { case press, release, wheelUp, wheelDown }
    public var kind: Kind
    public var at: Point

    public init(_ kind: Kind, at point: Point) {
        self.kind = kind
        self.at = point
    }
}
