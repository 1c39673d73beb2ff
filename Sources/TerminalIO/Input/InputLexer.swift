/// Finds where the units of a terminal's input begin and end. It keeps none of the bytes.
///
/// A unit is a character, a control character, an Escape with what belongs to it, a control sequence (ECMA-48, section
/// 5.4), a control string with its terminator, a mouse report, or a paste with its marks.
struct InputLexer: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Between two units.
        case ground
        /// In a character of UTF-8, with the number of bytes to come.
        case character(Int)
        /// After an Escape. `endsString`: a control string was open, which a backslash would end.
        case escape(endsString: Bool)
        /// After `ESC [`.
        case sequence(Parameters)
        /// After `ESC O`, with whether a digit followed.
        case singleShift(hasDigits: Bool)
        case string(StringProgress)
        /// In the coordinates of a mouse report without digits, with the number of characters to come. `hasLead`: the last byte
        /// may be the first of a character of two bytes.
        case coordinates(Int, hasLead: Bool)
        /// In a paste, with the number of bytes of the end mark that have come.
        case paste(Int)
    }

    /// The parameters of a control sequence as far as they decide what follows it.
    enum Parameters: Equatable, Sendable {
        case none
        case number(Int)
        /// A number and a dollar sign: a whole key of rxvt, or the start of another sequence.
        case numberAndDollar
        case other
    }

    /// A control string as far as it decides what ends it.
    enum StringProgress: Equatable, Sendable {
        /// Only its introducer has come, an Escape with this character.
        case introduced(UInt8)
        /// It has content, or an introducer of one byte, which ends with one of one byte as well (`endsAtST`).
        case open(endsAtST: Bool)
    }

    /// What a byte is to its unit.
    struct Step: Equatable, Sendable {
        /// The byte is the first of a unit. A unit that was open before is cut short.
        var begins = false
        /// The byte is the last of its unit.
        var completes = false
        /// The unit is the terminator of the control string before it.
        var closesString = false
    }

    private(set) var state = State.ground
    /// Whether characters are encoded in UTF-8. Otherwise each byte is a character.
    let isUTF8: Bool

    /// Whether no unit is open.
    var isIdle: Bool { state == .ground }

    var isInPaste: Bool {
        if case .paste = state { true } else { false }
    }

    /// Whether the last byte may begin the terminator of the string before it.
    var mayEndString: Bool { state == .escape(endsString: true) }

    /// Whether the bytes of the open unit are also whole by themselves: an Escape, Alt with `[`, `O` or a string introducer,
    /// a key of rxvt, or a mouse report whose last coordinate may have two bytes. Only time tells.
    var isAmbiguous: Bool {
        switch state {
        case .escape(endsString: false), .sequence(.none), .sequence(.numberAndDollar), .singleShift(hasDigits: false),
            .string(.introduced), .coordinates(0, _):
            true
        default: false
        }
    }

    /// Ends the open unit.
    mutating func reset() {
        state = .ground
    }

    mutating func advance(by byte: UInt8) -> Step {
        switch state {
        case .ground: return begin(byte)
        case .character(let left):
            guard (0x80...0xBF).contains(byte) else { return begin(byte) }
            return move(to: left > 1 ? .character(left - 1) : .ground)
        case .escape(let endsString): return afterEscape(byte, endsString)
        case .sequence(let parameters): return inSequence(byte, parameters)
        case .singleShift: return afterSingleShift(byte)
        case .string(let progress): return inString(byte, progress)
        case .coordinates(let left, let hasLead): return inCoordinates(byte, left, hasLead)
        case .paste(let matched): return inPaste(byte, matched)
        }
    }

    private mutating func move(to next: State) -> Step {
        state = next
        return Step(completes: next == .ground)
    }

    /// A byte that starts a unit, whatever was open.
    private mutating func begin(_ byte: UInt8, inString: Bool = false) -> Step {
        state =
            switch byte {
            case 0x1B: .escape(endsString: inString)
            // The introducers of one byte, which terminals send after S8C1T. Pastes and old mouse reports are not recognised.
            case 0x8F: .singleShift(hasDigits: true)
            case 0x9B: .sequence(.other)
            case 0x90, 0x98, 0x9D, 0x9E, 0x9F: .string(.open(endsAtST: true))
            default: characterLength(byte) > 1 ? .character(characterLength(byte) - 1) : .ground
            }
        return Step(begins: true, completes: state == .ground)
    }

    /// The length of a character by its first byte; 1 for a byte that can't be one.
    private func characterLength(_ byte: UInt8) -> Int {
        guard isUTF8 else { return 1 }
        return switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private mutating func afterEscape(_ byte: UInt8, _ endsString: Bool) -> Step {
        switch byte {
        case UInt8(ascii: "\\") where endsString:
            state = .ground
            return Step(completes: true, closesString: true)
        case 0x1B: return begin(byte)
        case UInt8(ascii: "["): return move(to: .sequence(.none))
        case UInt8(ascii: "O"): return move(to: .singleShift(hasDigits: false))
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            return move(to: .string(.introduced(byte)))
        default:
            let length = characterLength(byte)
            return move(to: length > 1 ? .character(length - 1) : .ground)
        }
    }

    private mutating func inSequence(_ byte: UInt8, _ parameters: Parameters) -> Step {
        switch (byte, parameters) {
        case (0x30...0x39, .none): return move(to: .sequence(.number(Int(byte) - 0x30)))
        case (0x30...0x39, .number(let number)):
            return move(to: .sequence(.number(min(number * 10 + Int(byte) - 0x30, 9999))))
        case (UInt8(ascii: "$"), .number): return move(to: .sequence(.numberAndDollar))
        case (0x20...0x3F, _): return move(to: .sequence(.other))
        // Mouse reports of xterm: X10 and normal tracking, and the two of highlight tracking.
        case (UInt8(ascii: "M"), .none): return move(to: .coordinates(3, hasLead: false))
        case (UInt8(ascii: "t"), .none): return move(to: .coordinates(2, hasLead: false))
        case (UInt8(ascii: "T"), .none): return move(to: .coordinates(6, hasLead: false))
        // A function key of the Linux console.
        case (UInt8(ascii: "["), .none): return move(to: .coordinates(1, hasLead: false))
        case (UInt8(ascii: "~"), .number(200)): return move(to: .paste(0))
        case (0x40...0x7E, _): return move(to: .ground)
        default: return begin(byte)
        }
    }

    private mutating func afterSingleShift(_ byte: UInt8) -> Step {
        switch byte {
        // Old versions of xterm put the modifiers there.
        case 0x30...0x39, UInt8(ascii: ";"): move(to: .singleShift(hasDigits: true))
        case 0x20...0x7E: move(to: .ground)
        default: begin(byte)
        }
    }

    private mutating func inString(_ byte: UInt8, _ progress: StringProgress) -> Step {
        if case .introduced(let introducer) = progress {
            // Otherwise it was Alt with a character.
            return Self.mayBeReply(introducer, first: byte) ? move(to: .string(.open(endsAtST: false))) : begin(byte)
        }
        switch byte {
        case 0x07: return move(to: .ground)
        case 0x9C where progress == .open(endsAtST: true): return move(to: .ground)
        // A terminal sends no other control character there. So a string that never ends can be left with Enter or Control-C.
        case 0x00...0x1F: return begin(byte, inString: true)
        default: return move(to: .string(progress))
        }
    }

    /// Whether a terminal's reply begins with an introducer and a byte: the number of a command or the letter of a title report,
    /// the parameters of a DCS, or kitty's graphics. No terminal replies with PM or SOS.
    private static func mayBeReply(_ introducer: UInt8, first: UInt8) -> Bool {
        let isDigit = (0x30...0x39).contains(first)
        return switch introducer {
        case UInt8(ascii: "]"): isDigit || first == UInt8(ascii: "l") || first == UInt8(ascii: "L")
        case UInt8(ascii: "P"): isDigit || ">!$+".utf8.contains(first)
        case UInt8(ascii: "_"): first == UInt8(ascii: "G")
        default: false
        }
    }

    /// A coordinate is a byte, or a character of two bytes with the mode 1005.
    private mutating func inCoordinates(_ byte: UInt8, _ left: Int, _ hasLead: Bool) -> Step {
        if hasLead, (0x80...0xBF).contains(byte) { return move(to: left == 0 ? .ground : .coordinates(left, hasLead: false)) }
        if left == 0 || byte < 0x20 { return begin(byte) }
        let isLead = (0xC2...0xDF).contains(byte)
        return move(to: left == 1 && !isLead ? .ground : .coordinates(left - 1, hasLead: isLead))
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func inPaste(_ byte: UInt8, _ matched: Int) -> Step {
        let next = byte == Self.pasteEnd[matched] ? matched + 1 : byte == 0x1B ? 1 : 0
        return move(to: next == Self.pasteEnd.count ? .ground : .paste(next))
    }
}
