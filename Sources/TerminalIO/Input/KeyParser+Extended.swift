import TerminalUI

/// The modifiers of a key, in the bits of xterm.
struct KeyModifiers: OptionSet, Sendable {
    let rawValue: Int

    static let shift = KeyModifiers(rawValue: 1)
    static let control = KeyModifiers(rawValue: 4)
    /// Alt, Super, Hyper and Meta.
    static let foreign = KeyModifiers(rawValue: 2 | 8 | 16 | 32)
}

extension ControlSequence {
    /// The modifiers of a key, without Caps Lock (64) and Num Lock (128). The parameter is one more than the bits.
    var modifiers: KeyModifiers { KeyModifiers(rawValue: max(0, (self[1] ?? 1) - 1) & 0x3F) }

    /// Whether the key was pressed or repeats; false for its release.
    var isPress: Bool { self[1, 1] != 3 }
}

/// The encodings that a person can have turned on in a terminal for all programs. A cover turns off those that a program asks for:
/// kitty's keyboard protocol and Windows' win32-input-mode.
extension KeyParser {
    /// A key of tmux (`extended-keys`) or xterm (`formatOtherKeys`): `code ; modifiers u`.
    static func extended(_ sequence: ControlSequence) -> Key? {
        guard sequence.isPress, let code = sequence[0] else { return nil }
        // What Shift makes of the other characters depends on the keyboard.
        let upper = code & ~0x20
        return key(code: code, sequence.modifiers, shifted: (0x41...0x5A).contains(upper) ? upper : nil)
    }

    /// xterm's modifyOtherKeys: `27 ; modifiers ; code ~`. The code is the one of the shifted character.
    static func otherKey(_ sequence: ControlSequence) -> Key? {
        sequence[2].flatMap { key(code: $0, sequence.modifiers, shifted: $0) }
    }

    /// The key of a code and its modifiers.
    /// - Parameter shifted: the code point with Shift, where it is known.
    private static func key(code: Int, _ modifiers: KeyModifiers, shifted: Int?) -> Key? {
        guard modifiers.isDisjoint(with: .foreign) else { return nil }
        if modifiers.contains(.control) { return key(controlWith: code) }
        guard modifiers.contains(.shift), code > 0x1F, code != 0x7F else {
            return modifiers.contains(.shift) && code == 9 ? .backTab : key(codePoint: code)
        }
        return shifted.flatMap { key(codePoint: $0) }
    }

    /// The key of Control with a character, by the table of the traditional encoding.
    private static func key(controlWith code: Int) -> Key? {
        switch code {
        case 0x40...0x5F, 0x61...0x7A: key(codePoint: code & 0x1F)
        case 0x3F: .backspace
        // Enter, Tab, Escape and Backspace are control characters already.
        case 0...0x1F, 0x7F: key(codePoint: code)
        default: nil
        }
    }
}
