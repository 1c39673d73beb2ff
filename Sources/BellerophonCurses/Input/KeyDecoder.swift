import CNcurses
import TerminalUI

/// A unit that ncurses reads: a character, or the code of a key.
enum RawKey: Equatable, Sendable {
    case character(UInt32)
    case code(Int32)
}

/// Converts the input of ncurses into keys. A pure value: the same input results in the same keys.
///
/// A paste is not a series of key presses: the text between the terminal's paste marks is collected, so that a `q` in it
/// does not end the program.
struct KeyDecoder: Sendable {
    /// The key codes for the terminal's paste marks, above all codes of ncurses.
    static let pasteBegin: Int32 = 0x2001, pasteEnd: Int32 = 0x2002
    /// The key code for the beginning of the terminal's reply to the query for its background.
    static let replyBegin: Int32 = 0x2003
    /// The beginning of that reply (OSC 11).
    static let replyPrefix = "\u{1B}]11;"
    /// The beginning without ESC, for a reply of which ncurses has read ESC alone because the rest came late.
    private static let replyRest = replyPrefix.unicodeScalars.dropFirst().map { RawKey.character($0.value) }

    enum Input: Equatable, Sendable {
        case key(Key)
        /// A mouse event; its report must be fetched.
        case mouse
        case paste(String)
        /// The terminal's reply to the query for its background, without its beginning and its end.
        case reply(String)
    }

    /// The longest paste that is kept, in Unicode scalars; the rest is dropped.
    static let pasteLimit = 65536
    /// The longest reply, in bytes. A longer one is dropped.
    static let replyLimit = 64

    private var pasted: String.UnicodeScalarView?
    /// A reply that has begun.
    private var reply: Reply?

    private struct Reply {
        var text = ""
        /// Whether the ESC of its end (`ESC \`) was read.
        var isEnding = false
    }

    /// Whether a paste has begun and not ended.
    var isPasting: Bool { pasted != nil }

    /// Decodes a batch of units that were read together.
    mutating func decode(_ batch: [RawKey]) -> [Input] {
        var inputs: [Input] = []
        var rest = batch[...]
        while let raw = rest.popFirst() {
            if reply != nil {
                if let input = takeReply(raw) { inputs.append(input) }
                continue
            }
            if !isPasting, raw == .character(0x1B), rest.starts(with: Self.replyRest) {
                rest = rest.dropFirst(Self.replyRest.count)
                reply = Reply()
                continue
            }
            if !isPasting, raw == .character(0x1B), Self.dropSequence(&rest) { continue }
            if let input = decode(raw) { inputs.append(input) }
        }
        return inputs
    }

    /// Drops the rest of an escape sequence that ncurses does not know, such as a function key with a modifier. Its
    /// letters are not key presses. Returns false if no sequence begins; the key was then Escape.
    ///
    /// Only bytes of a sequence by ECMA-48 (section 5.4) are dropped. A key that ncurses knows, a control character or a
    /// paste mark ends the sequence and is kept.
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

    /// Takes one unit of a reply, which BEL, `ESC \` or ST ends; nil if it goes on or was dropped.
    private mutating func takeReply(_ raw: RawKey) -> Input? {
        guard var current = reply else { return nil }
        switch raw {
        case .character(let value) where [0x07, 0x9C].contains(value) || (value == 0x5C && current.isEnding):
            reply = nil
            return current.text.utf8.count <= Self.replyLimit ? .reply(current.text) : nil
        case .character(0x1B) where !current.isEnding: current.isEnding = true
        case .character(let value) where !current.isEnding && (0x20..<0x7F).contains(value):
            if current.text.utf8.count <= Self.replyLimit { current.text.unicodeScalars.append(Unicode.Scalar(UInt8(value))) }
        default:
            // No terminal sends this in a reply: it is a key.
            reply = nil
            return decode(raw)
        }
        reply = current
        return nil
    }

    /// Ends a reply without its end.
    mutating func dropReply() { reply = nil }

    /// Decodes one unit; nil if it is not a key or is part of a paste.
    private mutating func decode(_ raw: RawKey) -> Input? {
        switch raw {
        case .code(Self.pasteBegin):
            pasted = String.UnicodeScalarView()
            return nil
        case .code(Self.pasteEnd): return endPaste()
        case .code(Self.replyBegin) where !isPasting:
            reply = Reply()
            return nil
        case .character(let value) where isPasting:
            if let scalar = Unicode.Scalar(value), pasted?.count ?? 0 < Self.pasteLimit { pasted?.append(scalar) }
            return nil
        case .code where isPasting: return nil
        case .code(KEY_MOUSE): return .mouse
        case .code(let code): return Self.key(code: code).map(Input.key)
        case .character(let value): return Self.key(character: value).map(Input.key)
        }
    }

    /// Ends a paste without an end mark.
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
        // The session reports a new size by itself, after the screen has changed.
        if code == KEY_RESIZE { return nil }
        if let key = named[code] { return key }
        let first = cncurses_key_f(0)
        return (first + 1...first + 63).contains(code) ? .function(Int(code - first)) : .other(code)
    }
}
