import Testing

@testable import TerminalShadow

/// Streams whose screen a cover did not bring back once. The fuzzer has found them (`Tests/Fuzz`, surface `screen`).
struct CoveredStreamTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var before = ""
        var covered = ""
        var after = ""
        var columns = 24
    }

    private static let streams = [
        Stream(testDescription: "a cancelled sequence before a question", covered: "a\u{1B}[3\u{1B}[6nHello"),
        Stream(testDescription: "a title without terminator before a question", covered: "a\u{1B}]0;title\u{1B}[6ntext"),
        Stream(testDescription: "controls in questions", covered: "a\u{1B}[20\ntb\u{1B}[6\r\nnc"),
        Stream(testDescription: "a control in a cancelled sequence", before: "a\u{1B}[3\n\u{18}b", covered: "c\u{1B}[3\n\u{18}d"),
        Stream(testDescription: "a mark on an erased cell", before: "\u{1B}[?1049h\t\u{301}x"),
        Stream(testDescription: "a back tab at the margin", before: "\u{1B}[?1049hab\u{1B}[Z", after: "c", columns: 2),
        Stream(testDescription: "a cursor saved outside the region", before: "\u{1B}[?6h\u{1B}7\u{1B}[5r", after: "\u{1B}8x"),
        Stream(
            testDescription: "a cursor restored outside the region", before: "\u{1B}[?1049h\u{1B}[?6h\u{1B}7\u{1B}[3r\u{1B}8",
            after: "x"),
        Stream(testDescription: "a screen restored as a mode", before: "\u{1B}[?1049h\t\u{1B}[?1047s\u{1B}[?1047r", after: "x"),
        Stream(
            testDescription: "a reset under the cover", before: "\u{1B}[?1049h\u{1B}[3g\u{1B}[20h\u{1B}[?1004h",
            covered: "\u{1B}ctext\r\n\tx"),
        Stream(testDescription: "an update after a reset", covered: "\u{1B}c\u{1B}[?47h\u{1B}[?2026h", after: "\u{1B}[?2026lx"),
        Stream(testDescription: "keyboard flags beyond the known ones", before: "\u{1B}[?1049h\u{1B}[>1u\u{1B}[=9999999:2u"),
    ]

    @Test(arguments: streams)
    func theScreenReturns(stream: Stream) {
        // A saved cursor: without one, terminals differ in what restoring it does after a cover.
        var pair = TerminalPair(columns: stream.columns)
        pair.run("\u{1B}7" + stream.before, whileCovered: stream.covered, after: stream.after)
        #expect(pair.differences == [])
        #expect(pair.terminal.shadow.isInUpdate == pair.reference.shadow.isInUpdate)
    }

    @Test("A cursor saved at the former margin is restored after a resize")
    func savedCursorSurvivesResize() {
        var relay = ScreenCover(columns: 2, rows: 2)
        _ = relay.output(Array("\u{1B}[?1049hAB\u{1B}7".utf8))
        relay.resize(columns: 30, rows: 2)
        _ = relay.cover()
        var terminal = TestTerminal(columns: 30, rows: 2)
        terminal.feed(relay.uncover())
        #expect(terminal.shadow.saved?.column == 1)
    }

    @Test("An escape at the end of a chunk can begin the next sequence")
    func escapeAtChunkEndIsHeld() {
        var relay = ScreenCover(columns: 80, rows: 24)
        var sent: [UInt8] = []
        for chunk in ["\u{1B}]0;title\u{1B}", "[", "1mx"] { sent += relay.output(Array(chunk.utf8)).terminal }
        #expect(sent == Array("\u{1B}]0;title\u{1B}[1mx".utf8))
        #expect(relay.flush().isEmpty)
    }

    @Test("The bytes of a character separated by a control are not joined")
    func interruptedCharacterIsInvalid() {
        for bytes: [UInt8] in [[0xC3, 0x07, 0xA9], [0xC3, 0x1B, 0x5B, 0x36, 0x6E, 0xA9]] {
            var relay = ScreenCover(over: "", columns: 24, rows: 8)
            _ = relay.output(bytes)
            var terminal = TestTerminal(columns: 24, rows: 8)
            terminal.feed(relay.uncover())
            #expect(terminal.shadow.column == 2)
        }
    }

    @Test func aQueryWithoutTerminatorIsTerminated() {
        var relay = ScreenCover(over: "", columns: 24, rows: 8)
        let sent = relay.output(Array("\u{1B}P$qm\u{1B}[6n".utf8)).terminal
        #expect(sent == Array("\u{1B}P$qm\u{1B}\\".utf8))
    }

    @Test func controlsAfterAnEscapeAct() {
        for stream in ["\u{1B}\n[3C", "\u{1B}\n]0;t\u{07}", "\u{1B}[3\n\u{18}", "\u{1B}[3\n\u{1B}[m"] {
            var terminal = TestTerminal(columns: 24, rows: 8)
            terminal.feed(Array(stream.utf8))
            #expect(terminal.shadow.row == 1, "\(stream.debugDescription)")
        }
    }

    @Test("Keyboard flags set under the cover survive lending the terminal")
    func keyboardFlagsSurviveLoan() {
        var pair = TerminalPair(isAnchored: false)
        pair.cover()
        pair.output("\u{1B}[=5u")
        pair.lend()
        pair.uncover()
        #expect(pair.terminal.shadow.mainKeyboard.levels == [5])
        #expect(pair.terminal.shadow.alternateKeyboard.levels == [0])
    }

    // MARK: Limits

    /// Each switch from a full screen to the main one takes as many bytes as the screen, and a chunk holds thousands.
    @Test("Many screen switches in one chunk produce a limited amount of output")
    func screenSwitchesAreLimited() {
        let picture = (1...8).map { row in (1...24).map { "\u{1B}[38;5;\(row * $0)mx" }.joined() }.joined()
        let stream = Array(("\u{1B}[?47h\u{1B}[H\(picture)" + String(repeating: "\u{1B}[?47la\u{1B}[?47h", count: 4000)).utf8)
        var pair = TerminalPair(isAnchored: false)
        pair.cover()
        pair.output(stream)
        #expect(pair.relay.isFull)
        pair.uncover()
        #expect(pair.sent.count < 5 << 20)
        var (actual, expected) = pair.states
        actual.saved = expected.saved
        #expect(actual.differences(from: expected) == [])
    }

    @Test func manyNotificationsAreLimited() {
        var relay = ScreenCover(over: "\u{1B}[?1049h", columns: 24, rows: 8)
        for number in 0..<60_000 {
            _ = relay.output(Array("\u{1B}]9;note \(number) of many\u{07}\u{1B}]0;title \(number)\u{07}".utf8))
        }
        let restored = relay.uncover()
        #expect(restored.count < 1_200_000)
        let text = String(decoding: restored, as: UTF8.self)
        #expect(text.contains("note 59999 of many") && text.contains("title 59999") && !text.contains("title 59998"))
    }
}
