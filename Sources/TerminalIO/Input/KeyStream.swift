import TerminalUI

/// Turns the input of a terminal into keys, pastes and replies, for a program that receives all of it.
///
/// A value without input, output and clock: how the input is divided into chunks makes no difference. No byte reaches a
/// library: an unknown or overlong sequence has no effect. A paste is not a series of keys, so that a `q` in it ends no
/// program.
package struct KeyStream: Equatable, Sendable {
    package enum Item: Equatable, Sendable {
        case key(Key)
        /// A key that was pressed with Alt.
        case alt(Key)
        /// A pasted text, with its line ends and control characters.
        case paste(String)
        /// A reply of the terminal, whole.
        case reply([UInt8])
    }

    /// The longest paste that is kept, in bytes. The rest is dropped.
    package static let longestPaste = 1 << 18
    /// The longest unit that is kept, in bytes. A longer one is dropped.
    private static let longestUnit = 4096
    private static let pasteMarkLength = 6

    private var lexer: InputLexer
    private var unit: [UInt8] = []
    private var isOverlong = false
    /// A control string whose terminator has begun to come.
    private var string: [UInt8] = []
    /// Whether an Escape came directly before the open unit.
    private var hasEscape = false
    private let upperHalf: [Character?]?

    /// - Parameter upperHalf: the characters of the bytes from 128 on, in a locale with one byte for each character; nil for
    ///   UTF-8.
    package init(upperHalf: [Character?]? = nil) {
        self.upperHalf = upperHalf
        lexer = InputLexer(isUTF8: upperHalf == nil)
    }

    /// Whether only time can tell if the last bytes are whole. ``flush()`` is then due 25 ms after the last byte.
    package var isIncomplete: Bool { lexer.isAmbiguous }

    /// Whether a unit has begun and not ended. ``abandon()`` is then due a second after the last byte.
    package var isOpen: Bool { !lexer.isIdle }

    package mutating func take(_ bytes: [UInt8]) -> [Item] {
        var items: [Item] = []
        for byte in bytes { parse(byte, into: &items) }
        return items
    }

    private mutating func parse(_ byte: UInt8, into items: inout [Item]) {
        if let upperHalf, lexer.isIdle, byte >= 0xA0 {
            if let character = upperHalf[Int(byte) - 0x80] { append(.character(character), to: &items) }
            return
        }
        let wasInPaste = lexer.isInPaste
        let step = lexer.advance(by: byte)
        if step.begins { cutUnit(by: byte, into: &items) }
        if !wasInPaste, lexer.isInPaste { clearUnit() } else { append(byte, isPasted: wasInPaste) }
        guard step.completes else { return }
        if wasInPaste { finishPaste(into: &items) } else { finishUnit(closesString: step.closesString, into: &items) }
    }

    private mutating func append(_ byte: UInt8, isPasted: Bool) {
        let limit = isPasted ? Self.longestPaste + Self.pasteMarkLength : Self.longestUnit
        if unit.count < limit { unit.append(byte) } else { isOverlong = true }
    }

    private mutating func clearUnit() {
        unit = []
        isOverlong = false
    }

    private mutating func append(_ key: Key, to items: inout [Item]) {
        items.append(hasEscape ? .alt(key) : .key(key))
        hasEscape = false
    }

    /// Ends the open unit without a last byte.
    private mutating func cutUnit(by byte: UInt8, into items: inout [Item]) {
        guard !unit.isEmpty else { return }
        if hasEscape { items.append(.key(.escape)) }
        hasEscape = unit == [0x1B] && byte == 0x1B
        // The terminator of a control string begins with an Escape.
        string = byte == 0x1B && !isOverlong && InputUnit.isString(begin: unit) ? unit : []
        clearUnit()
    }

    private mutating func finishPaste(into items: inout [Item]) {
        let mark = isOverlong ? 0 : Self.pasteMarkLength
        items.append(.paste(String(decoding: unit.dropLast(mark).prefix(Self.longestPaste), as: UTF8.self)))
        clearUnit()
    }

    private mutating func finishUnit(closesString: Bool, into items: inout [Item]) {
        defer { reset() }
        guard !isOverlong else { return }
        if closesString {
            if !string.isEmpty { items.append(.reply(string + unit)) }
            return
        }
        switch InputUnit(unit[...], awaitsCursorReport: false) {
        case .key(let key): if let key = key ?? KeyParser.key(modified: unit[...]) { append(key, to: &items) }
        case .alt: if let key = KeyParser.key(alt: unit.dropFirst()) { items.append(.alt(key)) }
        case .mouse(let event): if let event { items.append(.key(.mouse(event))) }
        case .reply: items.append(.reply(unit))
        }
    }

    // MARK: Time

    /// Ends what only time can tell to be whole: an Escape is then a key.
    package mutating func flush() -> [Item] {
        guard isIncomplete else { return [] }
        var items: [Item] = []
        if unit == [0x1B], hasEscape {
            items.append(.key(.escape))
            hasEscape = false
        }
        finishUnit(closesString: false, into: &items)
        return items
    }

    /// Ends what is open. A paste is then as long as it has come, and an unfinished sequence has no effect.
    package mutating func abandon() -> [Item] {
        defer { reset() }
        guard isOpen else { return [] }
        return lexer.isInPaste ? [.paste(String(decoding: unit.prefix(Self.longestPaste), as: UTF8.self))] : flush()
    }

    private mutating func reset() {
        lexer.reset()
        clearUnit()
        string = []
        hasEscape = false
    }
}

extension KeyParser {
    /// A key with modifiers that a view has no use for, as curses names it: Shift with an arrow or editing key has a code of its
    /// own, and modified function keys have the numbers after the plain ones.
    static func key(modified unit: ArraySlice<UInt8>) -> Key? {
        guard unit.starts(with: [0x1B, UInt8(ascii: "[")]), let sequence = ControlSequence(unit.dropFirst(2)),
            sequence.marker == 0, sequence.intermediate == 0, sequence.isPress,
            let key = key(unmodified: sequence)
        else { return nil }
        if case .function(let number) = key, let row = functionRows[sequence.modifiers.rawValue] {
            return .function(number + 12 * row)
        }
        return sequence.modifiers == .shift ? shifted[key].map(Key.other) : nil
    }

    /// By the bits of the modifiers: Shift, Control, Control and Shift, Alt, Alt and Shift (terminfo, xterm-256color).
    private static let functionRows = [1: 1, 4: 2, 5: 3, 2: 4, 3: 5]

    /// The codes of `<curses.h>`, from KEY_SF to KEY_SRIGHT.
    private static let shifted: [Key: Int32] = [
        .down: 0o520, .up: 0o521, .delete: 0o577, .end: 0o602, .home: 0o607, .insert: 0o610, .left: 0o611, .pageDown: 0o614,
        .pageUp: 0o616, .right: 0o622,
    ]

    /// The key of what follows the Escape that stands for Alt: a character, or a control character.
    static func key(alt rest: ArraySlice<UInt8>) -> Key? {
        guard let first = rest.first else { return nil }
        return first < 0x20 || first == 0x7F ? key(control: first) : key(character: rest)
    }
}
