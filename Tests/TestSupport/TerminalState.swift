import TerminalUI

/// What a program can leave behind in a terminal.
public struct TerminalState: Equatable, Sendable {
    public var isAlternateScreen: Bool
    public var isCursorVisible: Bool
    public var reportsMouse: Bool
    /// Arrow keys send application sequences.
    public var hasApplicationKeys: Bool
    /// Echo, line editing and the like are not as the shell had them.
    public var hasChangedModes: Bool

    public init(
        isAlternateScreen: Bool, isCursorVisible: Bool, reportsMouse: Bool, hasApplicationKeys: Bool,
        hasChangedModes: Bool
    ) {
        self.isAlternateScreen = isAlternateScreen
        self.isCursorVisible = isCursorVisible
        self.reportsMouse = reportsMouse
        self.hasApplicationKeys = hasApplicationKeys
        self.hasChangedModes = hasChangedModes
    }

    /// The terminal as the shell gave it.
    public static let givenBack = TerminalState(
        isAlternateScreen: false, isCursorVisible: true, reportsMouse: false, hasApplicationKeys: false,
        hasChangedModes: false
    )
}

extension Key {
    /// The key's name in tmux's `send-keys`.
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
    /// The bytes by which a terminal reports the event: in SGR form, or in the form of X10.
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
