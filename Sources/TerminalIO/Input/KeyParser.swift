import TerminalUI

/// Turns what a terminal sends for a key into a key, nil if it has no meaning on a cover.
///
/// A key with Alt, Super, Hyper or Meta is no key here, and a modified arrow or function key neither. A key that only the
/// extended encodings can tell from another (Control-I and Tab) is the one of the traditional encoding.
enum KeyParser {
    /// A control character, or Delete.
    static func key(control byte: UInt8) -> Key? {
        switch byte {
        case 0x0A, 0x0D: .enter
        case 0x09: .tab
        case 0x1B: .escape
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        default: nil
        }
    }

    /// A character by its code point.
    static func key(codePoint: Int) -> Key? {
        switch codePoint {
        case 0x00...0x1F, 0x7F: UInt8(exactly: codePoint).flatMap { key(control: $0) }
        // The control characters of one byte, and the codes that kitty and curses use for keys without characters.
        case 0x80...0x9F, 0xE000...0xF8FF: nil
        default: UInt32(exactly: codePoint).flatMap(Unicode.Scalar.init).map { .character(Character($0)) }
        }
    }

    /// A character as UTF-8.
    static func key(character bytes: ArraySlice<UInt8>) -> Key? {
        guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            text.unicodeScalars.count == 1
        else { return nil }
        return key(codePoint: Int(scalar.value))
    }

    /// What follows `ESC O`.
    static func key(singleShift body: ArraySlice<UInt8>) -> Key? {
        // With digits there are modifiers.
        guard body.count == 1, let byte = body.first else { return nil }
        switch byte {
        // The keypad in application mode: digits and signs are shifted by 64, as in the VT100.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): return .character(Character(Unicode.Scalar(byte - 64)))
        case UInt8(ascii: "X"): return .character("=")
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "I"): return .tab
        case UInt8(ascii: " "): return .character(" ")
        default: return letters[byte]
        }
    }

    /// A function key of the Linux console, `ESC [ [` and a letter from A to E.
    static func key(linuxConsole letter: UInt8) -> Key? {
        (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(letter) ? .function(Int(letter) - 0x40) : nil
    }

    /// A control sequence without a private marker.
    static func key(_ sequence: ControlSequence) -> Key? {
        guard sequence.marker == 0, sequence.intermediate == 0 else { return nil }
        switch sequence.final {
        case UInt8(ascii: "u"): return extended(sequence)
        case UInt8(ascii: "_"): return windows(sequence)
        case UInt8(ascii: "~") where sequence[0] == 27: return otherKey(sequence)
        default: break
        }
        guard sequence.isPress else { return nil }
        let key = key(unmodified: sequence)
        if key == .backTab { return [[], .shift].contains(sequence.modifiers) ? key : nil }
        return sequence.modifiers == [] ? key : nil
    }

    /// The key of a sequence without its modifiers.
    static func key(unmodified sequence: ControlSequence) -> Key? {
        sequence.final == UInt8(ascii: "~") ? sequence[0].flatMap { numbers[$0] } : letters[sequence.final]
    }

    /// A mouse report with digits (mode 1006): the left button or the wheel; nil for every other one.
    static func mouse(_ sequence: ControlSequence) -> MouseEvent? {
        guard sequence.marker == UInt8(ascii: "<"), let button = sequence[0], let column = sequence[1], let row = sequence[2],
            [UInt8(ascii: "M"), UInt8(ascii: "m")].contains(sequence.final)
        else { return nil }
        let isRelease = sequence.final == UInt8(ascii: "m")
        return mouse(button: button, isRelease: isRelease, column: column - 1, row: row - 1)
    }

    /// A mouse report without digits (mode 1000): three bytes after `CSI M`, each 32 above its value; nil for one with larger
    /// coordinates than a byte of ASCII has.
    static func mouse(bytes: ArraySlice<UInt8>) -> MouseEvent? {
        let values = bytes.map { Int($0) - 32 }
        guard values.count == 3, values.allSatisfy({ $0 >= 0 && $0 < 96 }) else { return nil }
        // A release does not say which button it was.
        let isRelease = values[0] & 0b1100_0011 == 3
        return mouse(button: isRelease ? 0 : values[0], isRelease: isRelease, column: values[1] - 1, row: values[2] - 1)
    }

    private static func mouse(button: Int, isRelease: Bool, column: Int, row: Int) -> MouseEvent? {
        let place = Point(column: max(0, column), row: max(0, row))
        // The bits for Shift, Alt and Control do not matter.
        switch button & ~0b11100 {
        case 0: return MouseEvent(isRelease ? .release : .press, at: place)
        case 64 where !isRelease: return MouseEvent(.wheelUp, at: place)
        case 65 where !isRelease: return MouseEvent(.wheelDown, at: place)
        default: return nil
        }
    }

    /// The keys by the letter at the end, of `ESC O` and `ESC [` (xterm, "PC-Style Function Keys").
    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home, UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
        UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4), UInt8(ascii: "Z"): .backTab,
    ]

    /// The keys by the number before a tilde (xterm, "VT220-Style Function Keys"; the others are rxvt's and kitty's).
    private static let numbers: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15), 29: .function(16),
        31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
    ]
}
