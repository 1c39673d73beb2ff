/// Splits the output of a program into text and control sequences (ECMA-48, section 5.4, and xterm's additions).
///
/// A value that takes bytes in chunks of any size. A token is delivered when its last byte arrives, so the tokens do not
/// depend on how the bytes are split, with one exception: a run of text ends at the end of a chunk.
package struct SequenceTokenizer: Sendable {
    /// The kind of a token.
    package enum Token: Equatable, Sendable {
        /// Printable characters and C0 controls other than ESC. Characters are complete, unless the stream itself cuts one.
        case text
        /// ESC with its intermediate bytes and its final byte.
        case escape
        /// A control sequence: `ESC [` to its final byte.
        case control
        /// A string with its terminator: OSC, DCS, APC, PM or SOS.
        case string
        /// A string that another sequence ends. Terminals act on it as on a terminated one.
        case unterminatedString
        /// A sequence that CAN, SUB or another sequence cancels. Terminals ignore it.
        case cancelled
        /// A part of a sequence that is longer than ``SequenceTokenizer/heldLimit``.
        case overlongPart
        /// The last part of such a sequence.
        case overlongEnd
    }

    private enum State: Equatable, Sendable {
        case ground
        case escape
        case escapeIntermediate
        case control
        case string
        case stringEscape
        /// The Linux console after `ESC ]`: the next byte decides.
        case consoleCommand
        /// A colour of the Linux console's palette that lacks this many hexadecimal digits.
        case paletteColor(missing: Int)
        /// A UTF-8 character that lacks this many bytes.
        case character(missing: Int)
    }

    /// The most bytes of an unfinished sequence that are held. A longer one is delivered in parts.
    package static let heldLimit = 1 << 20

    private let dialect: TerminalDialect
    private var state = State.ground
    /// Whether BEL ends the present string. It ends operating system commands only.
    private var endsWithBell = false
    /// Whether nothing but ESC and a backslash ends the present string.
    private var endsWithTerminatorOnly = false
    /// The bytes of the unfinished token from earlier chunks.
    package private(set) var held: [UInt8] = []
    /// Whether parts of the present sequence were delivered.
    package private(set) var isOverlong = false

    package init(dialect: TerminalDialect = TerminalDialect()) {
        self.dialect = dialect
    }

    /// Whether the stream is between two tokens.
    package var isBetweenTokens: Bool { state == .ground }

    /// Takes a chunk and calls the body with each token and its bytes, which are valid only during the call.
    @inline(__always)
    package mutating func split(
        _ chunk: UnsafeBufferPointer<UInt8>, _ body: (Token, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var start = 0
        var index = 0
        while index < chunk.count {
            guard state == .ground else {
                step(chunk, &start, &index, body)
                continue
            }
            start = index
            while index < chunk.count, chunk[index] != 0x1B { index += 1 }
            if index < chunk.count {
                if index > start { body(.text, UnsafeBufferPointer(rebasing: chunk[start..<index])) }
                if let end = Self.endOfControl(chunk, at: index) {
                    body(.control, UnsafeBufferPointer(rebasing: chunk[index..<end]))
                    index = end
                } else {
                    begin(at: index, &start, &index)
                }
            } else {
                let missing = dialect.missingBytes(UnsafeBufferPointer(rebasing: chunk[start...]))
                let end = index - missing.present
                if end > start { body(.text, UnsafeBufferPointer(rebasing: chunk[start..<end])) }
                if missing.present > 0 { state = .character(missing: missing.absent) }
                start = end
            }
        }
        guard state != .ground else { return }
        held.append(contentsOf: chunk[start...])
        guard held.count > Self.heldLimit else { return }
        isOverlong = true
        // An ESC that may begin the next sequence stays.
        let kept = state == .stringEscape ? 1 : 0
        held.withUnsafeBufferPointer { body(.overlongPart, UnsafeBufferPointer(rebasing: $0.dropLast(kept))) }
        held = kept == 1 ? [0x1B] : []
    }

    /// Ends an unfinished sequence and returns its bytes.
    package mutating func cancel() -> [UInt8] {
        defer {
            held = []
            isOverlong = false
            state = .ground
        }
        return held
    }

    /// The end of a control sequence that begins at an ESC; nil if it is not complete, or holds anything unusual.
    @inline(__always)
    private static func endOfControl(_ chunk: UnsafeBufferPointer<UInt8>, at escape: Int) -> Int? {
        var index = escape + 1
        guard index < chunk.count, chunk[index] == UInt8(ascii: "[") else { return nil }
        repeat { index += 1 } while index < chunk.count && chunk[index] & 0xE0 == 0x20
        guard index < chunk.count, chunk[index] & 0xC0 == 0x40, chunk[index] != 0x7F else { return nil }
        return index + 1
    }

    // MARK: Inside a token

    private mutating func begin(at escape: Int, _ start: inout Int, _ index: inout Int) {
        state = .escape
        start = escape
        index = escape + 1
    }

    /// Takes one byte of a token that has begun.
    private mutating func step(
        _ chunk: UnsafeBufferPointer<UInt8>, _ start: inout Int, _ index: inout Int,
        _ body: (Token, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let byte = chunk[index]
        switch state {
        case .ground: return
        case .character(let missing):
            guard dialect.continuesCharacter(byte) else { return finish(.text, chunk, &start, index, body) }
            index += 1
            state = .character(missing: missing - 1)
            if missing == 1 { finish(.text, chunk, &start, index, body) }
            return
        case .escape, .escapeIntermediate, .control, .consoleCommand, .paletteColor:
            switch byte {
            case 0x1B:
                finish(.cancelled, chunk, &start, index, body)
                return begin(at: index, &start, &index)
            case 0x18, 0x1A:
                index += 1
                return finish(.cancelled, chunk, &start, index, body)
            case 0x80...: return finish(.cancelled, chunk, &start, index, body)
            default: break
            }
        case .string, .stringEscape: break
        }
        index += 1
        switch state {
        case .escape: escape(byte, chunk, &start, index, body)
        case .escapeIntermediate:
            if (0x30...0x7E).contains(byte) { finish(.escape, chunk, &start, index, body) }
        case .control:
            if (0x40...0x7E).contains(byte) { finish(.control, chunk, &start, index, body) }
        case .string:
            if byte == 0x1B {
                state = .stringEscape
            } else if byte == 0x18 || byte == 0x1A, !endsWithTerminatorOnly {
                finish(.cancelled, chunk, &start, index, body)
            } else if byte == 0x07, endsWithBell {
                finish(.string, chunk, &start, index, body)
            }
        case .stringEscape:
            if byte == 0x5C { return finish(.string, chunk, &start, index, body) }
            guard !endsWithTerminatorOnly else {
                state = .string
                return
            }
            // The ESC begins the next sequence. It may be the last byte of an earlier chunk.
            index -= 1
            if index > start {
                finish(.unterminatedString, chunk, &start, index - 1, body)
            } else {
                held.removeLast()
                finish(.unterminatedString, chunk, &start, index, body)
                held = [0x1B]
            }
            state = .escape
        case .consoleCommand:
            // On the Linux console only a command that begins with a digit has a terminator.
            switch byte {
            case UInt8(ascii: "P"): state = .paletteColor(missing: 7)
            case 0x30...0x39: state = .string
            default: finish(.string, chunk, &start, index, body)
            }
        case .paletteColor(let missing):
            if missing > 1, Self.isHexadecimal(byte) {
                state = .paletteColor(missing: missing - 1)
            } else {
                finish(.string, chunk, &start, index, body)
            }
        case .ground, .character: return
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & ~0x20)
    }

    private mutating func escape(
        _ byte: UInt8, _ chunk: UnsafeBufferPointer<UInt8>, _ start: inout Int, _ index: Int,
        _ body: (Token, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "]"):
            endsWithBell = true
            endsWithTerminatorOnly = false
            state = dialect.family == .linuxConsole ? .consoleCommand : .string
        case _ where dialect.introducesString(byte):
            endsWithBell = false
            endsWithTerminatorOnly = byte == UInt8(ascii: "P") && dialect.passesThrough
            state = .string
        case 0x20...0x2F: state = .escapeIntermediate
        case 0x30...0x7E: finish(.escape, chunk, &start, index, body)
        default: break
        }
    }

    /// Delivers the token that ends before `end`, with what earlier chunks have of it.
    private mutating func finish(
        _ token: Token, _ chunk: UnsafeBufferPointer<UInt8>, _ start: inout Int, _ end: Int,
        _ body: (Token, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let kind = isOverlong ? .overlongEnd : token
        if held.isEmpty {
            body(kind, UnsafeBufferPointer(rebasing: chunk[start..<end]))
        } else {
            held.append(contentsOf: chunk[start..<end])
            held.withUnsafeBufferPointer { body(kind, $0) }
            held.removeAll(keepingCapacity: held.capacity <= 4096)
        }
        isOverlong = false
        state = .ground
        start = end
    }
}

extension TerminalDialect {
    /// Whether the bytes end with the beginning of a character.
    func endsInCharacter(_ bytes: [UInt8]) -> Bool {
        // Valid text says within a few bytes where its characters begin.
        bytes.suffix(64).withUnsafeBufferPointer { missingBytes($0).present > 0 }
    }

    /// Whether a sequence is a string. Controls may be between ESC and the introducer.
    func isString(_ sequence: UnsafeBufferPointer<UInt8>) -> Bool {
        sequence.dropFirst().first { (0x20..<0x7F).contains($0) }.map(introducesString) ?? false
    }

    /// How many bytes of an incomplete UTF-8 character are at the end of a run of text, and how many it lacks.
    fileprivate func missingBytes(_ text: UnsafeBufferPointer<UInt8>) -> (present: Int, absent: Int) {
        guard isUTF8 else { return (0, 0) }
        var start: Int
        if family == .tmux {
            // Where a character begins follows from those before it.
            start = text.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? 0
        } else {
            start = max(0, text.count - Self.longestCharacter + 1)
            guard let lead = text[start...].lastIndex(where: { !continuesCharacter($0) }) else { return (0, 0) }
            start = lead
        }
        while start < text.count {
            let (length, present) = (length(ofCharacter: text[start]), text.count - start)
            if length > present { return (present, length - present) }
            start += length
        }
        return (0, 0)
    }
}
