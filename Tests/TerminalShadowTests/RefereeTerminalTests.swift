import CVterm
import Testing

/// The referee behaves as xterm in what libvterm alone does otherwise.
@Suite("Referee terminal", .enabled(if: RefereeTerminal.isAvailable, "libvterm is not installed"))
struct RefereeTerminalTests {
    @Test(arguments: [
        ("0123456789\u{1B}7\u{1B}[Hx\u{1B}8y", ["x123456789", "y"]),
        ("012345678\u{1B}7\u{1B}[Hx\u{1B}8y", ["x12345678y", ""]),
        ("0123456漢a\u{1B}7\u{1B}[Hx\u{1B}8y", ["x123456漢a", "y"]),
        ("01234567漢\u{1B}7\u{1B}[Hx\u{1B}8y", ["x1234567漢", "y"]),
        ("0123456789\r\u{1B}7\u{1B}[2Hx\u{1B}8y", ["y123456789", "x"]),
        ("\u{1B}[?7l0123456789\u{1B}7\u{1B}[2Hx\u{1B}8y", ["012345678y", "x"]),
        ("ab\u{1B}(0\u{1B}7\u{1B}(Bq\u{1B}8q", ["ab─", ""]),
        ("\u{1B}[2;3r\u{1B}[?6h\u{1B}[1;5H\u{1B}7\u{1B}[?6l\u{1B}[Hx\u{1B}8y", ["x", "    y"]),
    ])
    func aSavedCursorContainsWhatXtermSaves(output: String, rows: [String]) {
        #expect(Self.rows(after: output) == rows)
    }

    @Test func eachScreenHasASavedCursor() {
        let output = "ab\u{1B}[?1049h\u{1B}[2;5H\u{1B}7\u{1B}[?1049lc"
        #expect(Self.rows(after: output) == ["abc", ""])
    }

    @Test func aRestoredCursorStaysHidden() {
        let terminal = Self.terminal(after: "\u{1B}7\u{1B}[?25l\u{1B}[4 q\u{1B}8")
        #expect(terminal.snapshot().state.cursor_visible == 0)
        #expect(terminal.snapshot().state.cursor_shape == 2)
    }

    @Test func allModesOfASequenceAreSet() {
        let terminal = Self.terminal(after: "\u{1B}[?1006;1002h")
        #expect(terminal.snapshot().state.mouse == 2)
        #expect(String(decoding: terminal.snapshot().settings, as: UTF8.self).contains("?1006;1$y"))
    }

    @Test func aLongRenditionIsTakenWhole() {
        let long = "\u{1B}[0;1;2;3;5;38;2;1;2;3;48;2;4;5;6;9;21m",
            short = "\u{1B}[0;1;3;5;9m\u{1B}[38;2;1;2;3m\u{1B}[48:2::4:5:6m\u{1B}[21m"
        #expect(Self.terminal(after: long).snapshot().differences(from: Self.terminal(after: short).snapshot()).isEmpty)
        #expect(Self.terminal(after: "\u{1B}[58;5;5m").snapshot().differences(from: Self.terminal(after: "").snapshot()).isEmpty)
    }

    @Test func aSoftResetResetsModesAndKeepsTheCursor() {
        let terminal = Self.terminal(after: "\u{1B}[2;3r\u{1B}[?25l\u{1B}[4h\u{1B}[1m\u{1B}[2;4H\u{1B}[!p")
        let expected = Self.terminal(after: "\u{1B}[2;4H")
        #expect(terminal.snapshot().differences(from: expected.snapshot()).isEmpty)
    }

    /// The title arrives in every possible pair of parts.
    @Test func aSequenceMayArriveInParts() {
        let output = Array("\u{1B}]2;title\u{07}\u{1B}[?1000;1006h漢\u{1B}[1;31mx\u{1B}_ignored\u{1B}\\y".utf8)
        let expected = Self.terminal(after: String(decoding: output, as: UTF8.self)).snapshot()
        #expect(expected.title == "title")
        for cut in 0...output.count {
            let terminal = RefereeTerminal(columns: 10, rows: 4)
            terminal.feed(output[..<cut])
            terminal.feed(output[cut...])
            #expect(terminal.snapshot().differences(from: expected).isEmpty, "cut at \(cut)")
        }
    }

    private static func terminal(after output: String) -> RefereeTerminal {
        let terminal = RefereeTerminal(columns: 10, rows: 4)
        terminal.feed(Array(output.utf8))
        return terminal
    }

    /// The first two rows.
    private static func rows(after output: String) -> [String] {
        let snapshot = terminal(after: output).snapshot()
        return (0..<2).map { snapshot.row($0) }
    }
}
