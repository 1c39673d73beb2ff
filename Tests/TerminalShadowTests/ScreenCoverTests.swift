import Testing

@testable import TerminalShadow

struct ScreenCoverTests {
    static let columns = 24, rows = 8

    /// Modes that streams of these tests and the cover change.
    static let modes: Set<Int> = [
        1, 5, 6, 7, 9, 12, 25, 47, 66, 69, 1000, 1002, 1003, 1004, 1006, 2004, 9001,
    ]

    /// Compares a terminal that was covered and uncovered with one that was not.
    private func compare(_ before: String, whileCovered: String = "", after: String = "") {
        var pair = TerminalPair()
        pair.run(before, whileCovered: whileCovered, after: after)
        #expect(
            pair.differences == [],
            "before \(before.debugDescription), covered \(whileCovered.debugDescription), after \(after.debugDescription)")
    }

    static let main = [
        "", "$ ls\r\nfile one\r\nfile two\r\n$ ", "\u{1B}[31;1mred\u{1B}[4:3;58:2::1:2:3m", "line\u{1B}7 more\u{1B}[3;4Hx",
        "\u{1B}[?2004h$ typed\u{1B}[?25l", "\u{1B}[2;5r\u{1B}[?6h\u{1B}[2;2Hin region", "\u{1B}[4h\u{1B}[20habc",
        "full line of 24 columns!", "\u{1B}(0lqk\u{1B}(B", "\u{0E}\u{1B})0x", "\u{1B}[3g\u{1B}[1;5H\u{1B}H\r",
        "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h", "\u{1B}=\u{1B}[?1h", "\u{1B}[5 q\u{1B}[>4;2m", "\u{1B}[>1u\u{1B}[>5u",
        "\u{1B}]8;;https://example.com\u{1B}\\link", "wide 漢字 e\u{301} marks", "\u{1B}[?7lno wrap at the end of the line here",
    ]
    static let alternate = [
        "\u{1B}[?1049h\u{1B}[H\u{1B}[2Jtitle\u{1B}[3;3H\u{1B}[7mtext\u{1B}[27m", "\u{1B}[?1049h\u{1B}[8;24Hx",
        "\u{1B}[?1049h\u{1B}[48;5;17m\u{1B}[2J\u{1B}[4;1H漢字\u{1B}[K", "\u{1B}[?1049h\u{1B}[?1002h\u{1B}[?1006h\u{1B}=\u{1B}[?1h",
        "\u{1B}[?1049h\u{1B}[2;6r\u{1B}[6;1H\n\nscrolled\u{1B}7\u{1B}[1;1H", "\u{1B}[?1049h\u{1B}[>1u\u{1B}[?25l",
        "main\u{1B}[?47hother\u{1B}[2;2Hplace", "\u{1B}[?1049h\u{1B}(0\u{1B}[2;2Hlqqqk\u{1B}(B\u{1B}[5;5H",
        "\u{1B}[?1049h\u{1B}]8;;https://example.com\u{1B}\\link\u{1B}]8;;\u{1B}\\\u{1B}[9m\u{1B}[2m\u{1B}[53mall",
        "\u{1B}[?1049h\u{1B}[4hins\u{1B}[1;1Hx", "\u{1B}[?1049h\u{1B}[?6h\u{1B}[2;5r\u{1B}[2;2Ho",
    ]

    @Test(arguments: main + alternate)
    func aScreenReturnsWithWhatWasWrittenMeanwhile(stream: String) {
        for more in Self.main + Self.alternate { compare(stream, whileCovered: more) }
    }

    @Test(arguments: alternate)
    func aProgramMayLeaveItsScreenUnderTheCover(stream: String) {
        for more in ["\u{1B}[?1049l", "\u{1B}[?1049l\r\ndone\r\n", "\u{1B}[?1l\u{1B}>\u{1B}[?25h\u{1B}[0m\u{1B}[?47l$ "] {
            compare(stream, whileCovered: more)
            compare(stream, whileCovered: more + "\u{1B}[?1049hagain", after: "\u{1B}[?1049l")
        }
    }

    @Test("A cover between the bytes of a sequence changes nothing")
    func coverInsideSequenceIsSafe() {
        let stream = Array("a\u{1B}[1;31mb漢\u{1B}]0;title\u{1B}\\\u{1B}[?1049h\u{1B}[3;3Hx\u{1B}[?25l".utf8)
        for cut in 0...stream.count {
            var pair = TerminalPair()
            pair.output(Array(stream[..<cut]))
            pair.cover()
            pair.uncover()
            pair.output(Array(stream[cut...]))
            #expect(pair.differences == [], "cut at \(cut)")
        }
    }

    // MARK: Questions

    @Test func aCoveredProgramGetsRepliesFromTheShadow() {
        var relay = ScreenCover(over: "\u{1B}[5;7H\u{1B}[?2004h\u{1B}[?25l\u{1B}[>5u")
        let output = relay.output(Array("\u{1B}[6n\u{1B}[?6n\u{1B}[?2004$p\u{1B}[?25$p\u{1B}[?u".utf8))
        #expect(output.terminal.isEmpty)
        #expect(
            String(decoding: output.program, as: UTF8.self) == "\u{1B}[5;7R\u{1B}[?5;7R\u{1B}[?2004;1$y\u{1B}[?25;2$y\u{1B}[?5u")
    }

    @Test("Queries that only the terminal can answer are sent at once and only once")
    func terminalQueriesAreSentOnce() {
        let queries = [
            "\u{1B}[c", "\u{1B}[>c", "\u{1B}[>q", "\u{1B}P+q544e\u{1B}\\", "\u{1B}]11;?\u{1B}\\", "\u{1B}[?996n", "\u{1B}[18t",
        ]
        for screen in ["", "\u{1B}[?1049h"] {
            for query in queries {
                var relay = ScreenCover(over: screen)
                #expect(relay.output(Array(query.utf8)).terminal == Array(query.utf8))
                let restored = String(decoding: relay.uncover(), as: UTF8.self)
                #expect(!restored.contains(query))
            }
        }
    }

    @Test func theBellIsNotRungAfterwards() {
        var relay = ScreenCover(over: "")
        _ = relay.output(Array("a\u{07}b\u{07}".utf8))
        let restored = relay.uncover()
        #expect(!restored.contains(0x07))
        #expect(String(decoding: restored, as: UTF8.self).contains("ab"))
    }

    @Test("A title set under the cover is set afterwards")
    func titleIsSetLater() {
        for screen in ["", "\u{1B}[?1049h"] {
            var relay = ScreenCover(over: screen)
            #expect(relay.output(Array("\u{1B}]0;first\u{07}\u{1B}]0;second\u{07}".utf8)).terminal.isEmpty)
            #expect(String(decoding: relay.uncover(), as: UTF8.self).contains("\u{1B}]0;second\u{07}"))
        }
    }

    // MARK: Limits

    @Test func theProgramWaitsWhenTooMuchOutputWaits() {
        var relay = ScreenCover(over: "")
        let chunk = Array(repeating: UInt8(ascii: "x"), count: 65536)
        var count = 0
        while !relay.isFull, count < 1000 {
            _ = relay.output(chunk)
            count += 1
        }
        #expect(count * chunk.count == 4 << 20)
        _ = relay.uncover()
        #expect(!relay.isFull)
    }

    @Test func aFullScreenProgramNeverWaits() {
        var relay = ScreenCover(over: "\u{1B}[?1049h")
        for number in 0..<200 {
            _ = relay.output(Array(repeating: UInt8(ascii: "x"), count: 65536))
            _ = relay.output(Array("\u{1B}]9;note \(number)\u{07}\u{1B}]0;title \(number)\u{07}".utf8))
        }
        #expect(!relay.isFull)
        #expect(relay.uncover().count < 100_000)
    }

    @Test func aCoverEndsASequenceThatNeverEnds() {
        var relay = ScreenCover(columns: 80, rows: 24)
        _ = relay.output(Array("\u{1B}]52;c;".utf8))
        for _ in 0..<40 { _ = relay.output(Array(repeating: UInt8(ascii: "A"), count: 65536)) }
        #expect(!relay.isBetweenSequences)
        #expect(relay.cover().first == 0x18)
        #expect(relay.output(Array("AAAA".utf8)).terminal.isEmpty)
        _ = relay.uncover()
        #expect(relay.isInexact)
        // The rest of the sequence must not appear as text.
        #expect(relay.output(Array("AAAA\u{1B}\\text".utf8)).terminal == Array("text".utf8))
    }

    @Test func graphicsAreKnownToBeLost() {
        for sequence in [
            "\u{1B}Pq#0;2;0;0;0\u{1B}\\", "\u{1B}_Gf=24;AAAA\u{1B}\\", "\u{1B}]1337;File=:AA\u{07}", "\u{1B}#3", "\u{1B}[?69h",
        ] {
            var relay = ScreenCover(columns: 80, rows: 24)
            #expect(!relay.isInexact)
            _ = relay.output(Array(sequence.utf8))
            #expect(relay.isInexact)
        }
    }

    @Test("Graphics are forgotten when the screen that shows them is cleared, a state only with a full reset")
    func lossesEndWithTheirCause() {
        var relay = ScreenCover(columns: 80, rows: 24, keepsMainScreen: true)
        func lost(_ sequences: String...) -> [Bool] {
            sequences.map { sequence in
                _ = relay.output(Array(sequence.utf8))
                return relay.isInexact
            }
        }
        let image = "\u{1B}_Gf=24;AAAA\u{1B}\\"
        #expect(lost(image, "text\u{1B}[H\u{1B}[J", "\u{1B}[2J") == [true, true, false])
        #expect(
            lost("\u{1B}[?1049h", image, "\u{1B}[?1049l", "\u{1B}[?47h", "\u{1B}[?1049h") == [false, true, false, true, false])
        #expect(lost("\u{1B}[?1049l", image, "\u{1B}[?1049h", "\u{1B}[?1049l") == [false, true, false, true])
        #expect(
            lost("\u{1B}[2J", "\u{1B}[?69h", "\u{1B}[2J", "\u{1B}[1\"q\u{1B}[2J", "\u{1B}c") == [false, true, true, true, false])
    }

    // MARK: Leaving the terminal

    /// Programs that have set what would disturb a shell: reports, the mouse, cursor keys, the cursor's style, and keyboard flags.
    private static let disturbing = [
        "\u{1B}[?1004;2031;2048;1;1000;1006h\u{1B}[5 q\u{1B}[20h\u{1B}[>1u\u{1B}[>4;2mtext",
        "\u{1B}[>3u\u{1B}[?1049h\u{1B}[>1u\u{1B}[>5u\u{1B}[?1004;2031;2048;1002hfull screen",
        "\u{1B}[?1049h\u{1B}[>1u\u{1B}[?1049l\u{1B}[=5u\u{1B}[?1004hback",
    ]

    @Test("Nothing that the program has set is on while another program has the terminal", arguments: disturbing)
    func nothingIsOnDuringALoan(stream: String) {
        var pair = TerminalPair()
        pair.output(stream)
        pair.cover()
        pair.lend { lent in
            Self.expectNothingSet(lent)
            #expect(lent.keyboard.top == 0)
        }
        #expect(pair.terminal.shadow.modes[1004], "the program gets its reports under the cover")
        pair.uncover()
        let shadow = pair.terminal.shadow, reference = pair.reference.shadow
        for mode in Self.reports { #expect(shadow.modes[mode] == reference.modes[mode]) }
        #expect(shadow.mainKeyboard == reference.mainKeyboard && shadow.alternateKeyboard == reference.alternateKeyboard)
        #expect(shadow.cursorStyle == reference.cursorStyle && shadow.modifyOtherKeys == reference.modifyOtherKeys)
        #expect(shadow.linefeedReturns == reference.linefeedReturns)
    }

    @Test("A program that was ended leaves nothing on, on either screen", arguments: disturbing, [true, false])
    func nothingIsOnAfterTheEnd(stream: String, isCrash: Bool) {
        var pair = TerminalPair()
        pair.output(stream)
        pair.cover()
        pair.send(isCrash ? pair.relay.departure : pair.relay.uncover() + pair.relay.reset)
        let shadow = pair.terminal.shadow
        Self.expectNothingSet(shadow)
        #expect(shadow.mainKeyboard.levels == [0] && shadow.alternateKeyboard.levels == [0])
    }

    private static let reports = [1, 1000, 1002, 1004, 1006, 2004, 2031, 2048]

    private static func expectNothingSet(_ shadow: ShadowTerminal) {
        #expect(!shadow.isAlternate && shadow.modes[25])
        for mode in reports { #expect(!shadow.modes[mode], "mode \(mode)") }
        #expect(shadow.modifyOtherKeys ?? 0 == 0 && shadow.cursorStyle ?? 0 == 0 && !shadow.linefeedReturns)
    }

    @Test("The program's screen is restored after the terminal was lent to another program", arguments: main + alternate)
    func screenReturnsAfterLoan(stream: String) {
        var pair = TerminalPair()
        pair.output(stream)
        pair.cover()
        pair.lend { #expect(!$0.isAlternate && $0.modes[25] && !$0.modes[2004]) }
        #expect(pair.terminal.shadow.isAlternate)
        pair.uncover()
        var (actual, expected) = pair.states
        // What the program had saved on the main screen is lost to the other program.
        if !expected.isAlternate {
            expected.saved = nil
            actual.saved = nil
        }
        #expect(actual.differences(from: expected) == [])
    }
}
