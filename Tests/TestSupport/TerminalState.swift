import TerminalUI

/// The terminal state that a program can leave changed.
public struct TerminalState: Equatable, Sendable {
    public var isAlternateScreen = false
    public var isCursorVisible = true
    public var reportsMouse = false
    /// Whether arrow keys send application sequences.
    public var hasApplicationKeys = false
    /// Whether echo, line editing or other modes differ from those of the shell.
    public var hasChangedModes = false

    /// The terminal's state before the program.
    public static let givenBack = TerminalState()
}

extension Key {
    /// The name of the key in tmux's `send-keys`.
    var tmuxName: String {
        switch self {
        case .character(let character): String(character)
        case .control(let letter): "C-\(letter)"
        case .enter: "Enter"
        case .escape: "Escape"
        case .tab: "Tab"
        case .backTab: "BTab"
        case .backspace: "BSpace"
        case .delete: "DC"
        case .insert: "IC"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PPage"
        case .pageDown: "NPage"
        case .function(let number): "F\(number)"
        case .mouse, .resize, .other: ""
        }
    }
}

extension MouseEvent {
    /// The bytes that a terminal sends for the event: in SGR or X10 form.
    func report(sgr: Bool) -> [UInt8] {
        let button =
            switch kind {
            case .press: 0
            case .release: sgr ? 0 : 3
            case .wheelUp: 64
            case .wheelDown: 65
            }
        if sgr {
            let final = kind == .release ? "m" : "M"
            return Array("\u{1b}[<\(button);\(at.column + 1);\(at.row + 1)\(final)".utf8)
        }
        return Array("\u{1b}[M".utf8) + [button, at.column + 1, at.row + 1].map { UInt8(clamping: 32 + $0) }
    }
}
