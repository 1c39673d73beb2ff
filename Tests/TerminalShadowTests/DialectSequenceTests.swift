import Testing

@testable import TerminalShadow

/// Sequences that only some terminals know.
struct DialectSequenceTests {
    private func tokens(_ stream: String, _ family: TerminalDialect.Family) -> [String] {
        let tokens = [.max, 1, 2, 3].map { size in
            SequenceTokenizerTests.parts(Array(stream.utf8).chunks(of: size), TerminalDialect(family)).parts.map { part in
                "\(part.token) \(String(String.UnicodeScalarView(part.bytes.map { Unicode.Scalar($0) })))"
            }
        }
        #expect(tokens.allSatisfy { $0 == tokens[0] })
        return tokens[0]
    }

    // MARK: Titles of tmux and GNU screen

    @Test(arguments: [TerminalDialect.Family.tmux, .screen])
    func aTitleOfTmuxAndScreenIsAString(family: TerminalDialect.Family) {
        #expect(tokens("a\u{1B}kname\u{1B}\\b", family) == ["text a", "string \u{1B}kname\u{1B}\\", "text b"])
        #expect(tokens("\u{1B}kname\u{1B}[mb", family) == ["unterminatedString \u{1B}kname", "control \u{1B}[m", "text b"])
    }

    @Test func elsewhereATitleOfTmuxIsText() {
        #expect(tokens("\u{1B}kname\u{1B}\\", .xterm) == ["escape \u{1B}k", "text name", "escape \u{1B}\\"])
        #expect(tokens("\u{1B}!x\u{1B}\\", .screen) == ["string \u{1B}!x\u{1B}\\"])
    }

    @Test("A tmux title set under the cover is set afterwards and draws nothing")
    func tmuxTitleIsSetLater() {
        for screen in ["", "\u{1B}[?1049h"] {
            var relay = ScreenCover(over: "\(screen)\u{1B}[2;2H", dialect: TerminalDialect(.tmux))
            #expect(relay.output(Array("\u{1B}kfirst\u{1B}\\\u{1B}ksecond\u{1B}\\".utf8)).terminal.isEmpty)
            #expect(relay.shadow.column == 1)
            #expect(String(decoding: relay.uncover(), as: UTF8.self).contains("\u{1B}ksecond\u{1B}\\"))
        }
    }

    // MARK: The console of Linux

    @Test func commandsOfTheLinuxConsoleEndByThemselves() {
        #expect(tokens("a\u{1B}]Rb", .linuxConsole) == ["text a", "string \u{1B}]R", "text b"])
        #expect(tokens("\u{1B}]P3FFaa00b", .linuxConsole) == ["string \u{1B}]P3FFaa00", "text b"])
        #expect(tokens("\u{1B}]P3Fxb", .linuxConsole) == ["string \u{1B}]P3Fx", "text b"])
        #expect(tokens("\u{1B}]0;title\u{7}b", .linuxConsole) == ["string \u{1B}]0;title\u{7}", "text b"])
        #expect(tokens("\u{1B}]P3F\u{1B}[mb", .linuxConsole) == ["cancelled \u{1B}]P3F", "control \u{1B}[m", "text b"])
        #expect(tokens("\u{1B}]R\u{7}b", .xterm) == ["string \u{1B}]R\u{7}", "text b"])
    }

    @Test("A palette changed under the cover is changed afterwards")
    func paletteIsChangedLater() {
        var relay = ScreenCover(over: "", dialect: TerminalDialect(.linuxConsole), hasAlternateScreen: false)
        #expect(relay.output(Array("\u{1B}]P3FFaa00\u{1B}]Rtext".utf8)).terminal.isEmpty)
        #expect(relay.shadow.column == 4)
        #expect(String(decoding: relay.uncover(), as: UTF8.self).contains("\u{1B}]P3FFaa00\u{1B}]R"))
    }

    // MARK: Encodings of one byte

    private static let latin1 = TerminalDialect(.xterm, isUTF8: false)

    @Test("Without UTF-8 no output byte is held back")
    func noUTF8HoldsNoOutput() {
        for byte in UInt8(0x80)...0xFF {
            var relay = ScreenCover(columns: 80, rows: 24, dialect: Self.latin1)
            #expect(relay.output([0x61, byte]).terminal == [0x61, byte])
            #expect(relay.shadow.column == (byte < 0xA0 ? 1 : 2))
        }
    }

    @Test func charactersOfOneByteComeBack() {
        let text: [UInt8] = [0xE9, 0x61, 0xFC, 0xDF, 0xC3, 0xA9]
        for screen in ["", "\u{1B}[?1049h\u{1B}[H"] {
            for before in [Array(screen.utf8) + text, Array(screen.utf8)] {
                var pair = TerminalPair(dialect: Self.latin1, isAnchored: false)
                pair.output(before)
                pair.cover()
                if before.count < text.count || screen.utf8.count == before.count { pair.output(text) }
                pair.uncover()
                let row = pair.terminal.shadow.grid.row(0).prefix(text.count).map { UInt8(truncatingIfNeeded: $0.scalar) }
                #expect(row == text)
                #expect(pair.terminal.shadow.column == text.count)
            }
        }
    }

    @Test(
        "Faulty UTF-8 shows the same wherever a chunk ends",
        arguments: [TerminalDialect.Family.xterm, .tmux, .screen, .linuxConsole, .libvterm])
    func faultyTextDoesNotDependOnTheChunks(family: TerminalDialect.Family) {
        // Leads of two bytes that are always faulty, a lead within a character, and leads of four to six bytes.
        let text: [UInt8] = [
            0xC0, 0x80, 0x6C, 0xE2, 0xC3, 0xA9, 0x6C, 0xF5, 0x80, 0x80, 0x80, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80, 0x6C,
        ]
        func shown(_ chunks: [[UInt8]]) -> [UInt32] {
            var relay = ScreenCover(columns: 40, rows: 2, dialect: TerminalDialect(family), keepsMainScreen: true)
            relay.anchor(column: 0, row: 0)
            for chunk in chunks { _ = relay.output(chunk) }
            return relay.shadow.grid.row(0).map(\.scalar)
        }
        for cut in 1..<text.count { #expect(shown([Array(text[..<cut]), Array(text[cut...])]) == shown([text])) }
        #expect(shown(text.map { [$0] }) == shown([text]))
    }

    // MARK: Repetition

    private func repeated(_ stream: String, _ family: TerminalDialect.Family = .xterm) -> ShadowTerminal {
        var terminal = TestTerminal(columns: 10, rows: 4, dialect: TerminalDialect(family))
        terminal.feed(Array(stream.utf8))
        return terminal.shadow
    }

    /// Places as the terminals report them.
    @Test("A character is repeated as often as the real terminal repeats it")
    func repetitionMatchesTerminal() {
        let place = { (terminal: ShadowTerminal) in [terminal.row, terminal.column] }
        #expect(place(repeated("x\u{1B}[3b")) == [0, 4])
        #expect(place(repeated("x\u{1B}[14b")) == [1, 5])
        #expect(place(repeated("x\u{1B}[14b", .tmux)) == [0, 9])
        #expect(place(repeated("x\u{1B}[3b", .screen)) == [0, 1])
        #expect(place(repeated("é\u{1B}[3b", .tmux)) == [0, 1])
        // Only directly after the character.
        #expect(place(repeated("x\u{1B}[3b\u{1B}[3b")) == [0, 4])
        #expect(place(repeated("x\u{1B}[m\u{1B}[3b")) == [0, 1])
        #expect(place(repeated("x\u{8}\u{1B}[3b")) == [0, 0])
        #expect(repeated("123456789x\u{1B}[2b", .tmux).pendingWrap != nil)
    }

    /// Each form is compared with the characters one by one.
    @Test(arguments: [1, 9, 10, 11, 39, 40, 41, 55, 100, 1007])
    func aRepetitionIsAsTheCharactersOneByOne(count: Int) {
        for (start, character) in [
            ("", "x"), ("\u{1B}[3;4H", "x"), ("", "漢"), ("\u{1B}[1;10H", "漢"), ("\u{1B}[?7l\u{1B}[1;4H", "x"),
            ("\u{1B}[?7l", "漢"), ("\u{1B}[2;3r\u{1B}[1;2H", "x"), ("abcdefgh\u{1B}[4h\u{1B}[1;3H", "x"),
            ("ab漢漢\u{1B}[4h\u{1B}[1;3H", "x"), ("\u{1B}(0\u{1B}[2;2H", "q"), ("\u{1B}[1;2H\u{1B}[41m", "x"),
        ] {
            let one = repeated(start + String(repeating: character, count: count + 1))
            let other = repeated(start + character + "\u{1B}[\(count)b")
            #expect(
                VisibleState(other, modes: [7]).differences(from: VisibleState(one, modes: [7])) == [],
                "\(count) × \(character) after \(start.debugDescription)")
        }
    }

    /// The work is limited to a screen and a line, whatever a program asks for.
    @Test(arguments: [0, 1, 79, 80, 1920, 2000, 9999, 65535, 1 << 20])
    func theWorkOfARepetitionIsLimitedToAScreen(count: Int) {
        let visible = ShadowTerminal.visibleRepetitions(count, inLinesOf: 80, rows: 24)
        #expect(visible <= 26 * 80 && visible <= count)
        #expect((count - visible) % 80 == 0)
        #expect(visible == count || visible >= 25 * 80)
    }

    /// Counts that no screen has room for do what those do that fill it.
    @Test(arguments: ["@", "P", "X", "L", "M", "S", "T", "I", "Z", "A", "B", "C", "D", "E", "F"])
    func aHugeCountDoesWhatAScreenfulDoes(final: String) {
        let start = "one\r\ntwo\tx\r\n三\u{1B}[2;5H"
        let huge = repeated(start + "\u{1B}[99999999999\(final)"), full = repeated(start + "\u{1B}[40\(final)")
        #expect(VisibleState(huge, modes: []).differences(from: VisibleState(full, modes: [])) == [])
    }
}
