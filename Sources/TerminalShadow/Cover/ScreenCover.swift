package import TerminalUI

/// Relays a program's output to a terminal, makes room for a cover over the program's screen, and brings the screen back.
///
/// A value without input or output. While the program is not covered, its bytes go to the terminal unchanged. Only a sequence
/// or character that is not complete is held back until it is; a terminal shows nothing of it before. Therefore the terminal
/// is between two sequences whenever a cover comes.
///
/// The terminal keeps the main screen with its scrollback while the cover is shown on the alternate screen. If the program
/// shows the alternate screen itself, the cover is painted over it, and the shadow repaints it afterwards. A program that
/// continues under the cover is followed: what changes the alternate screen is absorbed by the shadow, what goes to the main
/// screen waits in ``CoveredOutput`` and is sent afterwards.
package struct ScreenCover: Sendable {
    package internal(set) var shadow: ShadowTerminal
    private var tokenizer: SequenceTokenizer
    var sequence = ControlSequence()
    /// What has happened since the cover came; nil while the program's screen is shown.
    private var covered: CoveredOutput?
    /// The bytes that lead back to the main screen without placing the cursor, for a cover that left the terminal meanwhile.
    private var restoreWithoutCursor: [UInt8] = []
    /// Whether the cover has put keyboard flags of its own on the terminal's stack.
    private var hasPushedFlags = false
    /// Output that came after the limit of what waits was reached: the rest of a chunk. The shadow does not know it.
    private var waiting: [UInt8] = []
    /// Whether the rest of an overlong sequence is dropped, because the cover has ended it.
    private var dropsSequence = false
    /// The replies that the terminal owes the program: those to its questions since the last ``takeExpectedReplies()``.
    private var expectedReplies: [ReplyShape] = []
    /// What stands over the program's screen while there is no cover.
    var notice: ScreenNotice?
    /// Where the terminal shows the notice; nil if it does not.
    var laid: NoticePlace?
    /// How many times the notice was laid.
    var timesLaid = 0
    /// Whether the terminal is in a synchronized update for the sake of the notice.
    var hasOpenUpdate = false
    /// Whether the terminal's last character is not the program's, so that REP would repeat the wrong one.
    var replacesLast = false

    /// - Parameters:
    ///   - hasAlternateScreen: false for a terminal without one. The cover is then painted over the main screen, whose cells are
    ///     kept and painted again.
    ///   - keepsMainScreen: whether the cells of the main screen are kept also if the terminal has an alternate one. Notices need it.
    package init(
        columns: Int, rows: Int, dialect: TerminalDialect = TerminalDialect(), hasAlternateScreen: Bool = true,
        keepsMainScreen: Bool = false
    ) {
        tokenizer = SequenceTokenizer(dialect: dialect)
        shadow = ShadowTerminal(
            columns: columns, rows: rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen,
            keepsMainScreen: keepsMainScreen)
    }

    /// Whether the terminal has an alternate screen.
    package var hasAlternateScreen: Bool { shadow.hasAlternateScreen }
    /// Whether the screen in use is painted again after a cover. Otherwise the terminal keeps it.
    package var isRepainted: Bool { shadow.isRepainted }
    var dialect: TerminalDialect { shadow.dialect }

    package var isCovered: Bool { covered != nil }
    /// Whether something was used that a repaint cannot restore. The program should then be asked to draw again.
    package var isInexact: Bool { shadow.isInexact }
    /// Whether the terminal is between two sequences. A cover that comes earlier ends a sequence, which is lost.
    package var isBetweenSequences: Bool { !tokenizer.isOverlong || dropsSequence }
    /// Whether so much output waits that the program should wait.
    package var isFull: Bool { covered?.isFull ?? false }

    /// Takes note that others write to the terminal. It is not known any longer what a main screen shows, and where the cursor is.
    package mutating func losePlace() { shadow.losePlace() }

    /// Sets the cursor's place, as the terminal has reported it at the start.
    package mutating func anchor(column: Int, row: Int) { shadow.anchor(column: column, row: row) }

    /// Takes the reply to ``TerminalDialect/emojiQuestion``: the cursor's place, counted from zero.
    package mutating func learnEmoji(endingAt column: Int, row: Int) { shadow.learnEmoji(endingAt: column, row: row) }

    // MARK: Output

    /// Takes output of the program.
    /// - Parameters:
    ///   - terminal: what is to be sent to the terminal now is appended to it.
    ///   - program: replies to the program's questions are appended to it.
    package mutating func relay(
        _ chunk: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8], program: inout [UInt8]
    ) {
        if covered != nil || dropsSequence || tokenizer.isOverlong {
            relaySlowly(chunk, terminal: &terminal, program: &program)
        } else if notice != nil || replacesLast {
            relayBelowNotice(chunk, terminal: &terminal)
        } else {
            relayDirectly(chunk, terminal: &terminal)
        }
    }

    /// As ``relay(_:terminal:program:)``, with arrays.
    package mutating func output(_ bytes: [UInt8]) -> (terminal: [UInt8], program: [UInt8]) {
        var terminal: [UInt8] = [], program: [UInt8] = []
        bytes.withUnsafeBufferPointer { relay($0, terminal: &terminal, program: &program) }
        return (terminal, program)
    }

    /// Sends everything but the unfinished end.
    private mutating func relayDirectly(_ chunk: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8]) {
        let former = tokenizer.held
        var delivered = 0
        split(chunk) { cover, token, bytes in
            delivered += bytes.count
            cover.expectReplies(to: cover.shadow.perform(token, bytes, &cover.sequence), of: token, bytes)
        }
        // An ESC at the end of the former chunk stays held if it begins the next sequence.
        terminal += former.prefix(delivered)
        terminal += UnsafeBufferPointer(rebasing: chunk.prefix(max(0, delivered - former.count)))
    }

    private mutating func relaySlowly(
        _ chunk: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8], program: inout [UInt8]
    ) {
        split(chunk) { cover, token, bytes in
            switch token {
            case .overlongPart, .overlongEnd:
                cover.shadow.loseToOverlong(bytes)
                if cover.isCovered { cover.dropsSequence = true }
                if !cover.dropsSequence { terminal += bytes }
                if token == .overlongEnd { cover.dropsSequence = false }
            default:
                if cover.isFull {
                    cover.waiting += bytes
                } else if cover.isCovered, token == .unterminatedString {
                    // What ends it may not follow it: a question is not sent a second time.
                    (Array(bytes) + Self.stringTerminator).withUnsafeBufferPointer {
                        cover.absorb(.string, $0, terminal: &terminal, program: &program)
                    }
                } else if cover.isCovered {
                    cover.absorb(token, bytes, terminal: &terminal, program: &program)
                } else {
                    cover.expectReplies(to: cover.shadow.perform(token, bytes, &cover.sequence), of: token, bytes)
                    terminal += bytes
                }
            }
        }
    }

    /// Splits a chunk into tokens. The tokenizer is taken out meanwhile, because the body changes this value.
    @inline(__always)
    mutating func split(
        _ chunk: UnsafeBufferPointer<UInt8>,
        _ body: (inout ScreenCover, SequenceTokenizer.Token, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var taken = SequenceTokenizer()
        swap(&taken, &tokenizer)
        taken.split(chunk) { token, bytes in body(&self, token, bytes) }
        swap(&taken, &tokenizer)
    }

    /// Takes a token while the program is covered.
    private mutating func absorb(
        _ token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>, terminal: inout [UInt8],
        program: inout [UInt8]
    ) {
        let wasAbsorbed = isRepainted
        let leaving = wasAbsorbed && shadow.mayLeaveAlternate(token, bytes) ? shadow : nil
        if token == .text, !wasAbsorbed, covered?.isEmpty == true, shadow.beginsWithMark(bytes) {
            shadow.painted { shadow.appendLastCharacter(to: &$0) }.withUnsafeBufferPointer { covered?.append($0) }
        }
        let effect = shadow.perform(token, bytes, &sequence)
        // The shadow answers the other questions.
        if effect == .query || effect == .outside { expectReplies(to: effect, of: token, bytes) }
        switch effect {
        case .question(let question):
            program += shadow.reply(to: question)
            if !wasAbsorbed { covered?.append(controlsOf: bytes) }
        case .query:
            // Controls inside a sequence have an effect of their own, which is not for the cover.
            let hasControls = !dialect.isString(bytes) && bytes.dropFirst().contains { $0 < 0x20 }
            if hasControls, !wasAbsorbed { covered?.append(controlsOf: bytes) }
            if hasControls { terminal += bytes.filter { $0 >= 0x20 || $0 == 0x1B } } else { terminal += bytes }
        case .switched(toAlternate: true, _): covered?.append(bytes)
        case .switched(toAlternate: false, let keepsCells):
            if let leaving { covered?.appendReturn(from: leaving, paintsCells: keepsCells) }
            covered?.append(bytes)
        case .outside where wasAbsorbed: covered?.appendOutside(bytes)
        case .screen, .outside, .nothing:
            guard !wasAbsorbed else { return }
            switch token {
            case .text: covered?.append(text: bytes)
            // Terminals act on the controls in it. Its beginning alone would change the meaning of what follows.
            case .cancelled: covered?.append(controlsOf: bytes)
            default: covered?.append(bytes)
            }
        }
    }

    // MARK: Questions to the terminal

    /// The most replies that are expected at a time.
    private static let mostReplies = 64

    /// Takes note of the replies that a part of the output asks the terminal for.
    @inline(__always)
    mutating func expectReplies(
        to effect: ShadowEffect, of token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        switch effect {
        case .screen, .switched, .nothing: return
        // The terminal replies to graphics, but to no control sequence of this kind.
        case .outside where token == .control: return
        case .question, .query, .outside: break
        }
        let replies = ReplyShape.replies(to: token, bytes, sequence)
        if expectedReplies.count + replies.count <= Self.mostReplies { expectedReplies += replies }
    }

    /// The replies that the terminal owes the program for its output since the last call, in order.
    package mutating func takeExpectedReplies() -> [ReplyShape] {
        guard !expectedReplies.isEmpty else { return [] }
        defer { expectedReplies = [] }
        return expectedReplies
    }

    private static let stringTerminator: [UInt8] = [0x1B, 0x5C]

    /// What is held back because a sequence is not finished; for the end of the program or a stop of it.
    package mutating func flush() -> [UInt8] { tokenizer.cancel() }
}

// MARK: - Cover and uncover

extension ScreenCover {
    /// Begins a change of the screen that the terminal shows all at once (synchronized update).
    package static let beginOfUpdate = Array("\u{1B}[?2026h".utf8)
    /// The end of what ``cover()`` begins: the terminal shows it all at once.
    package static let endOfUpdate = Array("\u{1B}[?2026l".utf8)

    /// Returns the bytes that make room for the cover. The painting of the cover and ``endOfUpdate`` follow them.
    package mutating func cover() -> [UInt8] {
        guard covered == nil else { return [] }
        var lifted: [UInt8] = []
        lift(&lifted)
        hasOpenUpdate = false
        var painter = ShadowPainter()
        painter.append(lifted)
        if tokenizer.isOverlong, !dropsSequence {
            // CAN ends the sequence that the terminal has a part of.
            painter.append([0x18])
            dropsSequence = true
        }
        painter.setMode(2026, to: true)
        appendScroll(to: &painter)
        let usesOwnScreen = !shadow.isRepainted
        let restore = usesOwnScreen ? shadow.returnFromOwnScreen(placesCursor: true) : []
        restoreWithoutCursor = usesOwnScreen ? shadow.returnFromOwnScreen(placesCursor: false) : []
        if usesOwnScreen {
            painter.setMode(1049, to: true)
            shadow.saveForSwitch()
        }
        hasPushedFlags = shadow.usedKeyboardFlags
        if hasPushedFlags { painter.control(">0u") }
        shadow.appendNeutralModes(to: &painter)
        covered = CoveredOutput(restore: restore, wasRepainted: !usesOwnScreen, dialect: dialect)
        return painter.bytes
    }

    /// Returns the bytes that take the cover away and bring the program's screen back.
    /// - Parameter repaintsCells: false if the program paints its alternate screen itself afterwards. The modes and the output for
    ///   the main screen are then all that is brought back.
    package mutating func uncover(repaintsCells: Bool = true) -> [UInt8] {
        guard let covered else { return [] }
        self.covered = nil
        replacesLast = true
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        painter.setMode(2026, to: true)
        painter.setMode(25, to: false)
        painter.append(covered.bytes)
        if isRepainted {
            if repaintsCells { shadow.appendCells(to: &painter) }
            shadow.appendModes(to: &painter)
            shadow.appendKeyboard(shadow.keyboard, to: &painter)
            shadow.appendCursor(to: &painter)
        }
        if isRepainted || covered.wasRepainted { painter.setMode(25, to: shadow.modes[25]) }
        guard notice != nil else {
            painter.setMode(2026, to: shadow.isInUpdate)
            return painter.bytes + relayWaiting()
        }
        var terminal = painter.bytes + relayWaiting()
        hasOpenUpdate = true
        settle(&terminal)
        return terminal
    }

    /// Moves the rows that can't be painted again into the scrollback, where nothing is lost.
    private mutating func appendScroll(to painter: inout ShadowPainter) {
        guard shadow.unknownRows > 0, !shadow.hasAlternateScreen else { return }
        painter.control("0m")
        painter.setMode(6, to: false)
        painter.control("r")
        painter.move(column: 0, row: shadow.rows - 1)
        painter.append(Array(repeating: 0x0A, count: shadow.unknownRows))
        shadow.unknownRows = 0
    }

    /// Relays what came after the limit was reached.
    private mutating func relayWaiting() -> [UInt8] {
        let bytes = waiting
        waiting = []
        // All tokens in it are complete. The present tokenizer may hold an unfinished one that follows them.
        var tokenizer = SequenceTokenizer(dialect: dialect)
        bytes.withUnsafeBufferPointer {
            tokenizer.split($0) { token, bytes in expectReplies(to: shadow.perform(token, bytes, &sequence), of: token, bytes) }
        }
        return bytes
    }
}

extension ScreenCover {
    /// Returns the bytes that leave the terminal to another program while the cover stands: a shell after Control-Z, an
    /// update command. The program's screen is not shown, and nothing that the program has set is on meanwhile: a report of the focus
    /// could be typed into a password.
    package mutating func leave() -> [UInt8] {
        guard covered != nil else { return [] }
        // The other program writes on the main screen.
        shadow.losePlace()
        covered?.restore = restoreWithoutCursor
        return departure(isFinal: false)
    }

    /// The way from the cover to a shell after a crash of the guard.
    package var departure: [UInt8] { departure(isFinal: true) }

    /// - Parameter isFinal: whether the cover does not come back.
    private func departure(isFinal: Bool) -> [UInt8] {
        var painter = ShadowPainter()
        painter.control("0m")
        if hasAlternateScreen {
            // Each screen has a stack of keyboard flags (kitty). What the cover has put on that of its own goes, and on that of the main
            // screen, where the program may have put some, nothing is on.
            if isFinal {
                shadow.appendLastScreen(to: &painter, from: true)
            } else {
                if hasPushedFlags { painter.control("<1u") }
                painter.setMode(1049, to: false)
                if hasPushedFlags { painter.control(">0u") }
            }
        } else {
            if isFinal { shadow.appendLastScreen(to: &painter, from: false) }
            painter.eraseScreen(rows: shadow.rows)
        }
        shadow.appendDefaults(to: &painter, keepsOrigin: !isFinal && hasAlternateScreen)
        painter.setMode(2004, to: false)
        painter.setMode(25, to: true)
        return painter.bytes
    }

    /// Returns the bytes that make room for the cover again after ``leave()``. The painting and ``endOfUpdate`` follow them.
    package mutating func comeBack() -> [UInt8] {
        guard covered != nil else { return [] }
        var painter = ShadowPainter()
        painter.setMode(2026, to: true)
        if hasAlternateScreen {
            if hasPushedFlags { painter.control("<1u") }
            painter.setMode(1049, to: true)
            if hasPushedFlags { painter.control(">0u") }
        }
        appendScroll(to: &painter)
        shadow.appendNeutralModes(to: &painter)
        for (mode, isOn) in shadow.modesBesideCover { painter.setMode(mode, to: isOn) }
        for (mode, isOn) in ShadowTerminal.coverModes { painter.setMode(mode, to: isOn) }
        return painter.bytes
    }

    /// The bytes that bring the terminal into the state that a shell expects, after a program that could not do so itself.
    package var reset: [UInt8] { shadow.reset }

    /// The same after a crash of the guard, which could not lift its notice either.
    package var emergencyReset: [UInt8] { emergencyLift + shadow.reset }

    /// What ``emergencyReset`` depends on.
    package struct ResetState: Equatable, Sendable {
        let modes: ShadowModes
        let isAlternate: Bool
        let usedKeyboardFlags: Bool
        let hasAlternateFlags: Bool
        let modifyOtherKeys: Int?
        let cursorStyle: Int?
        let linefeedReturns: Bool
        /// Which notice stands on a main screen; nil without one.
        let notice: Int?
    }

    package var resetState: ResetState {
        ResetState(
            modes: shadow.modes, isAlternate: shadow.isAlternate, usedKeyboardFlags: shadow.usedKeyboardFlags,
            hasAlternateFlags: shadow.hasAlternateFlags, modifyOtherKeys: shadow.modifyOtherKeys,
            cursorStyle: shadow.cursorStyle, linefeedReturns: shadow.linefeedReturns,
            notice: laid == nil || shadow.isAlternate ? nil : timesLaid)
    }
}
