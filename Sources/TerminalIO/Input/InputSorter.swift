import TerminalUI

/// Decides for each part of the input from a terminal whom it belongs to, the guarded program or the cover.
///
/// What begins while the program is shown belongs to the program to its end, also when the cover comes meanwhile: a program
/// that has received half of a paste would otherwise wait for the other half. What begins on the cover never reaches the
/// program, except for the terminal's replies to what the program has asked. What looks like a reply is one only if the program
/// waits for it, because a person can type its beginning with Alt. A value without input and output; how the
/// input is divided into chunks makes no difference.
package struct InputSorter: Equatable, Sendable {
    package enum Item: Equatable, Sendable {
        /// Bytes for the program: a whole reply of the terminal, a part of one above the bound, or the rest of what began
        /// before the cover.
        case reply([UInt8])
        /// A key on the cover. The only mouse events are those of the wheel.
        case key(Key)
    }

    /// The default bound of a reply that is kept whole, in bytes.
    package static let longestReply = 1 << 20

    private var lexer: InputLexer
    /// The replies that the program waits for, in the order of its questions. Of more than ``mostAwaited``, the last ones are kept.
    private var awaited: [ReplyShape] = []
    private static let mostAwaited = 64
    private var isCovered = false
    /// Whether the open unit belongs to the cover, and not to the program.
    private var isUnitOfCover = false
    /// The bytes of the open unit, if it belongs to the cover. Those of a paste are dropped.
    private var unit: [UInt8] = []
    private var overflow = Overflow.none
    /// A control string on the cover whose terminator may have begun to come.
    private var string: [UInt8] = []
    /// Whether a part of that string was passed on.
    private var hasPassedString = false
    /// The first bytes of the open unit, whoever owns it, and those of the unit that it has interrupted.
    private var beginning: [UInt8] = []
    private var interrupted: [UInt8] = []
    /// Whether an Escape came directly before the open unit. It may be a key or stand for Alt.
    private var hasEscape = false
    private let limit: Int

    /// What became of the first part of the open unit, if that is longer than the bound.
    private enum Overflow: Equatable, Sendable {
        case none
        case passedOn
        case dropped
    }

    /// - Parameters:
    ///   - isUTF8: whether the terminal encodes characters in UTF-8. Otherwise each byte is a character.
    ///   - longestReply: the bound of what is kept, in bytes. A longer reply is passed on in pieces.
    package init(isUTF8: Bool = true, longestReply: Int = Self.longestReply) {
        lexer = InputLexer(isUTF8: isUTF8)
        limit = max(64, longestReply)
    }

    // MARK: Replies

    /// The program has asked the terminal for a reply.
    package mutating func expect(_ reply: ReplyShape) {
        if awaited.count == Self.mostAwaited { awaited.removeFirst() }
        awaited.append(reply)
    }

    /// No reply is expected any longer, for the owner's own time limit: a terminal may not know a question.
    package mutating func expectNothing() { awaited = [] }

    /// Whether the program waits for a reply of the terminal.
    package var awaitsReply: Bool { !awaited.isEmpty }

    /// Ends the wait for a reply that has come, if its input has a shape that is awaited, and for those before it: a terminal replies in
    /// order, so it does not know these questions.
    private mutating func endWait(for shape: ReplyShape?) {
        if let index = awaited.firstIndex(where: { $0 == shape }) { awaited.removeFirst(index + 1) }
    }

    // MARK: The cover

    /// What begins from now on belongs to the cover.
    package mutating func beginCover() {
        isCovered = true
    }

    /// What begins from now on belongs to the program.
    package mutating func endCover() {
        isCovered = false
    }

    /// Whether only time can tell if the last bytes are whole. ``flush()`` is then due 25 ms after the last byte, or later if a
    /// reply is awaited that they may be a part of.
    package var isIncomplete: Bool { lexer.isAmbiguous }

    /// Whether a sequence or string has begun that has not ended. ``abandonUnit()`` is then due about a second after the last byte.
    package var isUnfinished: Bool { !lexer.isIdle && !isIncomplete && !isPasting }

    /// Whether a paste has begun and not ended.
    package var isPasting: Bool { lexer.isInPaste }

    // MARK: Input

    /// Takes bytes that arrived while the program is shown, and returns those for the program. These are all of them, unless
    /// something that began on the cover has not ended yet.
    package mutating func followLive(_ bytes: [UInt8]) -> [UInt8] {
        let isOpenOnCover = isUnitOfCover && !lexer.isIdle
        if isCovered || isOpenOnCover {
            return sort(bytes).reduce(into: []) { result, item in
                if case .reply(let part) = item { result += part }
            }
        }
        for byte in bytes { follow(byte, lexer.advance(by: byte)) }
        isUnitOfCover = false
        return bytes
    }

    /// Takes note of a byte that goes to the program, and of the reply that it completes.
    private mutating func follow(_ byte: UInt8, _ step: InputLexer.Step) {
        recordBeginning(byte, step)
        guard step.completes, awaitsReply else { return }
        endWait(for: ReplyShape(begin: step.closesString ? interrupted : beginning, last: byte))
    }

    private mutating func recordBeginning(_ byte: UInt8, _ step: InputLexer.Step) {
        if step.begins {
            interrupted = beginning
            beginning = []
        }
        if beginning.count < 3 { beginning.append(byte) }
    }

    /// Takes bytes that arrived while the cover is shown.
    /// - Parameter awaitsCursorReport: whether a program has asked for the cursor's position and the terminal has not
    ///   replied yet.
    package mutating func sort(_ bytes: [UInt8], awaitsCursorReport: Bool = false) -> [Item] {
        var items: [Item] = []
        var passed: [UInt8] = []
        for byte in bytes {
            let wasInPaste = lexer.isInPaste
            let step = lexer.advance(by: byte)
            if step.begins {
                cutUnit(by: byte, into: &items)
                isUnitOfCover = isCovered
            }
            if !isUnitOfCover {
                follow(byte, step)
                passed.append(byte)
                continue
            }
            recordBeginning(byte, step)
            Self.emit(&passed, into: &items)
            if wasInPaste || lexer.isInPaste { unit = [] } else { append(byte, into: &items) }
            if step.completes { finishUnit(step, awaitsCursorReport || awaited.contains(.cursorReport), into: &items) }
        }
        Self.emit(&passed, into: &items)
        return items
    }

    /// Ends what only time can tell to be whole: an Escape is then a key.
    package mutating func flush() -> [Item] {
        guard isIncomplete else { return [] }
        var items: [Item] = []
        emitEscape(into: &items)
        // Only an Escape alone is a key. `ESC [` is Alt with a bracket.
        if unit == [0x1B], isCovered { items.append(.key(.escape)) }
        reset()
        return items
    }

    /// Ends a paste whose end mark does not come, for the owner's own time limit. Without it every further key would belong to
    /// the paste.
    package mutating func abandonPaste() {
        if isPasting { reset() }
    }

    /// Ends a sequence or string that does not end by itself, for the owner's own time limit. What has come of it on the cover is
    /// dropped.
    package mutating func abandonUnit() {
        if isUnfinished { reset() }
    }

    private mutating func reset() {
        lexer.reset()
        dropString()
        clearUnit()
    }

    // MARK: Units of the cover

    /// Moves bytes for the program into an item of their own.
    private static func emit(_ bytes: inout [UInt8], into items: inout [Item]) {
        if bytes.isEmpty { return }
        items.append(.reply(bytes))
        bytes = []
    }

    private mutating func emitEscape(into items: inout [Item]) {
        if hasEscape, isCovered { items.append(.key(.escape)) }
        hasEscape = false
    }

    private mutating func clearUnit() {
        unit = []
        overflow = .none
        hasEscape = false
    }

    private mutating func append(_ byte: UInt8, into items: inout [Item]) {
        if overflow == .dropped { return }
        unit.append(byte)
        guard unit.count >= limit else { return }
        guard overflow == .passedOn || InputUnit.isReply(begin: unit) && !isUnwantedString(unit) else {
            overflow = .dropped
            unit = []
            return
        }
        overflow = .passedOn
        dropString()
        emitEscape(into: &items)
        Self.emit(&unit, into: &items)
    }

    /// Whether a unit with these first bytes is a string that the program has not asked for.
    private func isUnwantedString(_ unit: [UInt8]) -> Bool {
        guard InputUnit.isString(begin: unit), let introducer = ReplyShape.introducer(unit) else { return false }
        return !awaited.contains(ReplyShape(introducer: introducer))
    }

    /// Whether a whole unit that looks like a reply is one that the program, or the guard, waits for. A report that a mode makes the
    /// terminal send by itself always is.
    private func isWanted(_ unit: [UInt8], _ awaitsCursorReport: Bool) -> Bool {
        if isUnwantedString(unit) { return false }
        guard !InputUnit.isString(begin: unit), let last = unit.last, let shape = ReplyShape(begin: unit, last: last) else {
            return true
        }
        // The guard asks for the cursor and for a mode.
        return awaited.contains(shape) || awaitsCursorReport && "Ry".utf8.contains(last) || InputUnit.isReport(unit)
    }

    /// Drops a string whose terminator has not come.
    private mutating func dropString() {
        string = []
        hasPassedString = false
    }

    /// Ends the open unit without a last byte.
    private mutating func cutUnit(by byte: UInt8, into items: inout [Item]) {
        let isString = overflow == .passedOn || overflow == .none && InputUnit.isString(begin: unit)
        dropString()
        let isEscape = unit == [0x1B]
        emitEscape(into: &items)
        // The terminator of a control string begins with an Escape, and belongs to it. After the cover it goes to the program.
        if isString, byte == 0x1B, isCovered {
            string = unit
            hasPassedString = overflow == .passedOn
        } else if isString, byte == 0x1B, overflow == .passedOn || !isUnwantedString(unit) {
            Self.emit(&unit, into: &items)
        } else if !isUnitOfCover, isCovered, lexer.mayEndString {
            hasPassedString = true
        }
        clearUnit()
        // Only another Escape cuts an Escape.
        hasEscape = isEscape && isCovered
    }

    private mutating func finishUnit(_ step: InputLexer.Step, _ awaitsCursorReport: Bool, into items: inout [Item]) {
        defer { clearUnit() }
        if step.closesString { return finishString(into: &items) }
        dropString()
        // The rest of a paste or of an overlong unit.
        if unit.isEmpty || overflow != .none {
            emitEscape(into: &items)
            return Self.emit(&unit, into: &items)
        }
        switch InputUnit(unit[...], awaitsCursorReport: awaitsCursorReport) {
        // An Escape directly before the sequence of a key is Alt.
        case .key(let key): if let key, isCovered, !hasEscape { items.append(.key(key)) }
        case .alt: emitEscape(into: &items)
        case .mouse(let event):
            emitEscape(into: &items)
            // A click has no meaning on the guard's cover.
            if let event, isCovered, event.isWheel { items.append(.key(.mouse(event))) }
        case .reply:
            emitEscape(into: &items)
            guard isWanted(unit, awaitsCursorReport) else { return }
            endWait(for: ReplyShape(begin: unit, last: unit.last ?? 0))
            Self.emit(&unit, into: &items)
        }
    }

    /// Ends a control string with its terminator, which is the open unit.
    private mutating func finishString(into items: inout [Item]) {
        let isPassed = hasPassedString || !string.isEmpty && !isUnwantedString(string)
        endWait(for: ReplyShape(begin: interrupted, last: 0))
        unit = isPassed ? string + unit : []
        dropString()
        Self.emit(&unit, into: &items)
    }
}

extension ReplyShape {
    fileprivate static let cursorReport = ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R"))
}
