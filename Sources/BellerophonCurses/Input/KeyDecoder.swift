import CNcurses
import TerminalUI

/// One thing that ncurses reads: a character, or the code of a key.
enum RawKey: Equatable, Sendable {
    case character(UInt32)
    case code(Int32)
}

/// Turns what ncurses reads into keys. Pure: the same input gives the same keys.
///
/// A paste is no key press: what stands between the terminal's paste marks is collected, so that a text with a `q`
/// in it doesn't end the program.
struct KeyDecoder: Sendable {
    /// The codes that the session gives to the terminal's paste marks. Above every code of ncurses.
    static let pasteBegin: Int32 = 0x2001, pasteEnd: Int32 = 0x2002

    enum Input: Equatable, Sendable {
        case key(Key)
        /// A mouse report waits to be fetched.
        case mouse
        case paste(String)
    }

    /// The longest paste that is kept, in Unicode scalars; the rest is dropped.
    static let pasteLimit = 65536

    private var pasted: String.UnicodeScalarView?

    /// Whether a paste has begun and not ended.
    var isPasting: Bool { pasted != nil }

    /// What a batch means that was read at once.
    mutating func decode(_ batch: [RawKey]) -> [Input] {
        var inputs: [Input] = []
        var rest = batch[...]
        while let raw = rest.popFirst() {
            if !isPasting, raw == .character(0x1B), Self.dropSequence(&rest) { continue }
            if let input = decode(raw) { inputs.append(input) }
        }
        return inputs
    }

    /// Drops the rest of an escape sequence that ncurses does not know, such as a function key with a modifier, whose
    /// letters are no key presses. False where none begins: then it was the Escape key.
    ///
    /// Only what ECMA-48 (section 5.4) has in a sequence is dropped: a key that ncurses knows, a control and the mark
    /// of a paste end it and stay.
    private static func dropSequence(_ rest: inout ArraySlice<RawKey>) -> Bool {
        if case .character(0x4F)? = rest.first, case .character(0x20...0x7E)? = rest.dropFirst().first {
            rest = rest.dropFirst(2)
            return true
        }
        guard case .character(0x5B)? = rest.first else { return false }
        rest.removeFirst()
        while case .character(0x20...0x3F)? = rest.first { rest.removeFirst() }
        if case .character(0x40...0x7E)? = rest.first { rest.removeFirst() }
        return true
    }

    /// What a raw key means; nil for what is no key, or only part of something.
    private mutating func decode(_ raw: RawKey) -> Input? {
        switch raw {
        case .code(Self.pasteBegin):
            pasted = String.UnicodeScalarView()
            return nil
        case .code(Self.pasteEnd): return endPaste()
        case .character(let value) where isPasting:
            if let scalar = Unicode.Scalar(value), pasted?.count ?? 0 < Self.pasteLimit { pasted?.append(scalar) }
            return nil
        case .code where isPasting: return nil
        case .code(KEY_MOUSE): return .mouse
        case .code(let code): return Self.key(code: code).map(Input.key)
        case .character(let value): return Self.key(character: value).map(Input.key)
        }
    }

    /// Ends a paste whose end mark never came.
    mutating func endPaste() -> Input? {
        defer { pasted = nil }
        return pasted.map { .paste(String($0)) }
    }

    private static func key(character value: UInt32) -> Key? {
        switch value {
        case 0x0A, 0x0D: return .enter
        case 0x09: return .tab
        case 0x1B: return .escape
        case 0x08, 0x7F: return .backspace
        case 0x01...0x1A: return Unicode.Scalar(value + 0x60).map { .control(Character($0)) }
        case 0x00...0x1F, 0x80...0x9F: return nil
        default: return Unicode.Scalar(value).map { .character(Character($0)) }
        }
    }

    private static let named: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
        KEY_HOME: .home, KEY_END: .end, KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown,
        KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_IC: .insert, KEY_BTAB: .backTab, KEY_ENTER: .enter,
    ]

    private static func key(code: Int32) -> Key? {
        // The session reports a new size itself, once the screen has it.
        if code == KEY_RESIZE { return nil }
        if let key = named[code] { return key }
        let first = cncurses_key_f(0)
        return (first + 1...first + 63).contains(code) ? .function(Int(code - first)) : .other(code)
    }
}
