import TerminalUI

/// What one whole unit of a terminal's input is.
enum InputUnit: Equatable, Sendable {
    /// The terminal's reply to a program, or a report that a program has asked for.
    case reply
    /// A key that was typed as a sequence or a character; nil if it has no meaning on a cover.
    case key(Key?)
    /// An Escape and another key, which terminals send for Alt with that key.
    case alt
    /// A mouse report; nil if it is neither of the left button nor of the wheel.
    case mouse(MouseEvent?)

    /// Classifies a unit, beginning with its introducer.
    ///
    /// `CSI row ; column R` is a cursor report, but from `CSI 1 ; 2 R` to `CSI 1 ; 256 R` it may also be F3 with modifiers.
    /// These count as a report only while one is awaited. Otherwise no program has asked, and F3 with modifiers means nothing
    /// on a cover.
    init(_ unit: ArraySlice<UInt8>, awaitsCursorReport: Bool) {
        guard let first = unit.first else {
            self = .key(nil)
            return
        }
        switch first {
        case 0x1B: self = Self.escape(unit.dropFirst(), awaitsCursorReport)
        case 0x8F: self = .key(KeyParser.key(singleShift: unit.dropFirst()))
        case 0x9B: self = Self.sequence(unit.dropFirst(), awaitsCursorReport)
        case 0x90, 0x98, 0x9D...0x9F: self = .reply
        case 0x00...0x1F, 0x7F: self = .key(KeyParser.key(control: first))
        default: self = .key(KeyParser.key(character: unit))
        }
    }

    /// Whether a unit with these first bytes is a reply, whatever follows: a control string or a sequence with a marker.
    static func isReply(begin unit: [UInt8]) -> Bool {
        if isString(begin: unit) { return true }
        let body = unit.first == 0x9B ? unit.dropFirst() : unit.starts(with: [0x1B, UInt8(ascii: "[")]) ? unit.dropFirst(2) : []
        return [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "?")].contains(body.first)
    }

    /// Whether a unit with these first bytes is a control string with content.
    static func isString(begin unit: [UInt8]) -> Bool {
        guard let introducer = ReplyShape.introducer(unit), introducer != UInt8(ascii: "[") else { return false }
        return unit[0] != 0x1B || unit.count > 2
    }

    /// Whether a control sequence is a report that a terminal sends by itself once a program has turned it on: of the focus (mode 1004),
    /// of colours that have changed (2031) and of its size (2048).
    static func isReport(_ unit: [UInt8]) -> Bool {
        let body = unit.dropFirst(unit.first == 0x9B ? 1 : 2)
        return body.elementsEqual("I".utf8) || body.elementsEqual("O".utf8)
            || body.starts(with: "?997;".utf8) && body.last == UInt8(ascii: "n")
            || body.starts(with: "48;".utf8) && body.last == UInt8(ascii: "t")
    }

    private static let introducers = Array("]PX^_".utf8)

    private static func escape(_ rest: ArraySlice<UInt8>, _ awaitsCursorReport: Bool) -> InputUnit {
        guard let first = rest.first else { return .key(.escape) }
        if rest.count == 1 { return .alt }
        switch first {
        case UInt8(ascii: "["): return sequence(rest.dropFirst(), awaitsCursorReport)
        case UInt8(ascii: "O"): return .key(KeyParser.key(singleShift: rest.dropFirst()))
        default: return introducers.contains(first) ? .reply : .alt
        }
    }

    private static func sequence(_ body: ArraySlice<UInt8>, _ awaitsCursorReport: Bool) -> InputUnit {
        switch body.first {
        case UInt8(ascii: "M"): return .mouse(KeyParser.mouse(bytes: body.dropFirst()))
        case UInt8(ascii: "t"), UInt8(ascii: "T"): return .mouse(nil)
        case UInt8(ascii: "["): return .key(body.dropFirst().first.flatMap { KeyParser.key(linuxConsole: $0) })
        default: break
        }
        guard let sequence = ControlSequence(body) else { return .key(nil) }
        switch sequence.marker {
        case 0: return unmarked(sequence, awaitsCursorReport)
        case UInt8(ascii: "<"): return .mouse(KeyParser.mouse(sequence))
        // No key is sent with one of the other markers.
        default: return .reply
        }
    }

    private static func unmarked(_ sequence: ControlSequence, _ awaitsCursorReport: Bool) -> InputUnit {
        switch (sequence.final, sequence.intermediate) {
        case (UInt8(ascii: "R"), 0): return isCursorReport(sequence, awaitsCursorReport) ? .reply : .key(KeyParser.key(sequence))
        // Device status, window reports, terminal parameters, attributes.
        case (UInt8(ascii: "n"), 0), (UInt8(ascii: "t"), 0), (UInt8(ascii: "x"), 0), (UInt8(ascii: "m"), 0): return .reply
        // Focus.
        case (UInt8(ascii: "I"), 0), (UInt8(ascii: "O"), 0): return .reply
        // urxvt's mouse reports (mode 1015), and those of the DEC locator.
        case (UInt8(ascii: "M"), 0), (UInt8(ascii: "w"), UInt8(ascii: "&")): return .mouse(nil)
        // Modes, and the extent of the page that is displayed.
        case (UInt8(ascii: "y"), UInt8(ascii: "$")), (UInt8(ascii: "w"), UInt8(ascii: "\"")): return .reply
        default: return .key(KeyParser.key(sequence))
        }
    }

    private static func isCursorReport(_ sequence: ControlSequence, _ isAwaited: Bool) -> Bool {
        // With a subparameter it is a key of kitty's protocol.
        guard sequence.parameterCount >= 2, sequence[1, 1] == nil, let row = sequence[0], let column = sequence[1] else {
            return false
        }
        return isAwaited || row != 1 || !(2...256).contains(column)
    }
}
