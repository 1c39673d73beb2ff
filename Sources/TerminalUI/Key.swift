/// A key press, a mouse event or a change of the terminal's size.
public enum Key: Equatable, Hashable, Sendable {
    /// A printable character, as one grapheme.
    case character(Character)
    /// A letter with Control, in lower case: `.control("c")`.
    case control(Character)
    /// An editing key; `backTab` is Shift-Tab.
    case enter, escape, tab, backTab, backspace, delete, insert
    /// A navigation key.
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, from 1.
    case function(Int)
    /// A mouse button or wheel event.
    case mouse(MouseEvent)
    /// The terminal has a new size.
    case resize
    /// A key without a case of its own, by its curses code.
    case other(Int32)

    /// The key's name in a footer or on a help page.
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

/// A mouse event at a cell.
public struct MouseEvent: Equatable, Hashable, Sendable {
    /// What the mouse did.
    public enum Kind: Equatable, Hashable, Sendable {
        /// The left button was pressed.
        case press
        /// The left button was released.
        case release
        /// The wheel was turned away from the person.
        case wheelUp
        /// The wheel was turned towards the person.
        case wheelDown
    }
    /// What the mouse did.
    public var kind: Kind
    /// The cell under the pointer.
    public var at: Point

    /// Whether the wheel was turned.
    package var isWheel: Bool { kind == .wheelUp || kind == .wheelDown }

    /// Creates an event at a cell.
    public init(_ kind: Kind, at point: Point) {
        self.kind = kind
        self.at = point
    }
}
