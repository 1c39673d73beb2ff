import Testing

@testable import TerminalShadow

/// What a stream means depends on the terminal, and the cover leaves each terminal as it would be without it.
struct TerminalDialectTests {
    private static let columns = 24, rows = 8

    // MARK: Which terminal it is

    @Test(arguments: [
        (["TERM": "xterm-256color"], TerminalDialect.Family.xterm), ([:], .xterm), (["TERM": "tmux-256color"], .tmux),
        (["TERM": "screen-256color", "TMUX": "/tmp/tmux,1,0"], .tmux), (["TERM": "screen", "STY": "1.pts"], .screen),
        (["TERM": "screen", "TMUX": "/tmp/tmux,1,0", "STY": "1.pts"], .screen), (["TERM": "screen.xterm-256color"], .screen),
        (["TERM": "xterm", "STY": "1.pts", "TMUX": ""], .xterm), (["TERM": "linux"], .linuxConsole),
        (["TERM": "linux-16color"], .linuxConsole),
    ])
    func theEnvironmentTellsTheFamily(environment: [String: String], family: TerminalDialect.Family) {
        #expect(TerminalDialect(environment: environment).family == family)
    }

    @Test(arguments: [
        ([:], true), (["LANG": "C"], true), (["LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true),
        (["LANG": "de_DE.ISO-8859-1"], false), (["LANG": "de_DE@euro"], false), (["LANG": "ru_RU.KOI8-R"], false),
        (["LANG": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8"], true), (["LANG": "C.UTF-8", "LC_ALL": "fr_FR.ISO8859-15"], false),
        (["LC_ALL": "", "LANG": "C.UTF-8"], true),
    ])
    func theLocaleTellsTheEncoding(environment: [String: String], isUTF8: Bool) {
        #expect(TerminalDialect(environment: environment).isUTF8 == isUTF8)
    }

    // MARK: A terminal that was covered, and one that was not

    /// Covers a terminal after each sequence of a stream, and compares the end with a terminal that was not covered.
    private func compare(
        _ stream: String, _ dialect: TerminalDialect, hasAlternateScreen: Bool = true, isAnchored: Bool = true,
        whileCovered: String = "", after: String = ""
    ) {
        var pair = TerminalPair(dialect: dialect, hasAlternateScreen: hasAlternateScreen, isAnchored: isAnchored)
        pair.run(stream, whileCovered: whileCovered, after: after)
        var (actual, expected) = pair.states
        // The switch to the cover's screen saves the cursor, and nothing can be saved again without a known place.
        if !isAnchored { (actual.saved, expected.saved) = (nil, nil) }
        #expect(
            actual.differences(from: expected) == [],
            "\(dialect) \(stream.debugDescription), covered \(whileCovered.debugDescription), after \(after.debugDescription)")
    }

    private static let families: [TerminalDialect.Family] = [.xterm, .tmux, .screen, .linuxConsole]
    private static let streams = [
        "$ ls\r\nfile\r\n$ ", "\u{1B}[?1049h\u{1B}[2J\u{1B}[3;3Htext", "\u{1B}[?1049hx\u{1B}[?1049l\r\ndone",
        "\u{1B}[3;3H\u{1B}7\u{1B}[5;5H", "\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?1049h\u{1B}[7;7H", "\u{1B}[?47h\u{1B}[2;2Hplace",
        "full line of 24 columns!", "\u{1B}[2;6r\u{1B}[6;1H\n\n\u{1B}[31mred",
    ]

    @Test(arguments: families, [true, false])
    func everyTerminalIsAsWithoutTheCover(family: TerminalDialect.Family, hasAlternateScreen: Bool) {
        for stream in Self.streams {
            // Restoring what was never saved goes elsewhere after a cover.
            let after = stream.contains("\u{1B}7") ? "x\u{1B}8y" : "x"
            for more in ["", "more\r\n", "\u{1B}[?1049l$ ", "\u{1B}[?1049hother\u{1B}[4;4H"]
            where !more.contains("1049l") || stream.contains("1049h") && !stream.contains("1049l") {
                compare(
                    stream, TerminalDialect(family), hasAlternateScreen: hasAlternateScreen, whileCovered: more, after: after)
            }
        }
    }

    /// Only the column of the cursor is known.
    @Test("A pending line wrap is restored even if the cursor row is unknown", arguments: families)
    func pendingWrapIsRestored(family: TerminalDialect.Family) {
        for line in [
            "full line of 24 columns!", "22 columns and a wide 漢", "\u{1B}[31mfull line of 24 columns\u{1B}(0q\u{1B}(B\u{1B}[m",
        ] {
            compare("above\r\n" + line, TerminalDialect(family), isAnchored: false, after: "next")
            compare(line + "\u{1B}[1m", TerminalDialect(family), isAnchored: false, after: "next")
        }
        compare("\u{1B}[?7lfull line of 24 columns!", TerminalDialect(family), isAnchored: false, after: "next")
    }

    /// tmux does not erase the last character when the next one goes to the next line.
    @Test("On tmux a pending line wrap survives an erasure")
    func tmuxWrapSurvivesErasure() {
        for erasure in ["\u{1B}[K", "\u{1B}[J"] {
            compare("full line of 24 columns!" + erasure, TerminalDialect(.tmux), isAnchored: false, after: "next")
        }
    }

    // MARK: Saved cursors

    private func place(_ stream: String, _ dialect: TerminalDialect) -> [Int] {
        var terminal = TestTerminal(columns: Self.columns, rows: Self.rows, dialect: dialect)
        terminal.feed(Array(stream.utf8))
        return [terminal.shadow.row + 1, terminal.shadow.column + 1]
    }

    /// As tmux 3.3a, GNU screen 4.9.0 with `altscreen on` and xterm 379 report it.
    @Test(
        "A screen switch saves the cursor in the same way as each terminal",
        arguments: [
            // DECSC before the switch, and DECRC after it.
            ("\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?1049h\u{1B}[7;7H\u{1B}[?1049l", [5, 5], [5, 5], [5, 5]),
            ("\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?1049h\u{1B}[7;7H\u{1B}[?1049l\u{1B}8", [5, 5], [3, 3], [3, 3]),
            ("\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?1049h\u{1B}[7;7H\u{1B}7\u{1B}[?1049l\u{1B}8", [5, 5], [7, 7], [7, 7]),
            // The switch back on the main screen.
            ("\u{1B}[5;5H\u{1B}[?1049h\u{1B}[?1049l\u{1B}[3;3H\u{1B}7\u{1B}[7;7H\u{1B}[?1049l", [3, 3], [5, 5], [7, 7]),
            // A second switch to the same screen.
            ("\u{1B}[5;5H\u{1B}[?1049h\u{1B}[7;7H\u{1B}[?1049h\u{1B}[8;8H\u{1B}[?1049l", [5, 5], [5, 5], [5, 5]),
            ("\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?47h\u{1B}[7;7H\u{1B}[?47l", [7, 7], [7, 7], [5, 5]),
            ("\u{1B}[3;3H\u{1B}7\u{1B}[5;5H\u{1B}[?1048h\u{1B}[7;7H\u{1B}[?1048l", [5, 5], [7, 7], [5, 5]),
        ])
    func screenSwitchSavesCursor(stream: String, xterm: [Int], tmux: [Int], screen: [Int]) {
        #expect(place(stream, TerminalDialect(.xterm)) == xterm)
        #expect(place(stream, TerminalDialect(.tmux)) == tmux)
        #expect(place(stream, TerminalDialect(.screen)) == screen)
    }

    @Test("A terminal without an alternate screen ignores the switch to it")
    func missingScreenIgnoresSwitch() {
        var terminal = TestTerminal(columns: Self.columns, rows: Self.rows, hasAlternateScreen: false)
        terminal.feed(Array("text\u{1B}[?1049h\u{1B}[2;2H\u{1B}[?1049l".utf8))
        #expect(terminal.shadow.grid[0, 0].scalar == UInt32(UInt8(ascii: "t")))
        #expect([terminal.shadow.row, terminal.shadow.column] == [1, 1])
    }

    @Test func aSoftResetEndsReverseWrap() {
        var relay = ScreenCover(columns: Self.columns, rows: Self.rows, hasAlternateScreen: true)
        _ = relay.output(Array("\u{1B}[?45h".utf8))
        #expect(relay.shadow.modes[45])
        _ = relay.output(Array("\u{1B}[!p".utf8))
        #expect(!relay.shadow.modes[45])
    }

    // MARK: What the cover can't paint again

    /// What the screen showed before the program is moved into the scrollback before the cover is painted.
    @Test(arguments: [0, 3, 7], ["", "one\r\ntwo", "\u{1B}[H\u{1B}[J", "\u{1B}[2J", "\u{1B}[3;1H\u{1B}[J", "\n\n\n\n\n\n\n\n"])
    func unknownLinesAreMovedIntoTheScrollback(row: Int, output: String) {
        var relay = ScreenCover(columns: Self.columns, rows: Self.rows, hasAlternateScreen: false)
        relay.anchor(column: 0, row: row)
        _ = relay.output(Array(output.utf8))
        let scrolled = relay.cover().count { $0 == 0x0A }
        let left: Int
        switch output {
        case "": left = row
        // The second line scrolls in the last row.
        case "one\r\ntwo": left = row == 7 ? 6 : row
        case "\u{1B}[3;1H\u{1B}[J": left = min(row, 2)
        case "\n\n\n\n\n\n\n\n": left = max(0, row - (8 - (7 - row)))
        default: left = 0
        }
        #expect(scrolled == left)
        _ = relay.uncover()
        #expect(!relay.cover().contains(0x0A), "the second cover can paint everything again")
    }

    @Test("Lines of another program are moved into the scrollback")
    func foreignLinesEnterScrollback() {
        var relay = ScreenCover(columns: Self.columns, rows: Self.rows, hasAlternateScreen: false)
        relay.anchor(column: 0, row: 0)
        _ = relay.cover()
        _ = relay.leave()
        #expect(relay.comeBack().count { $0 == 0x0A } == Self.rows)
        _ = relay.uncover()
        relay.losePlace()
        #expect(relay.cover().count { $0 == 0x0A } == Self.rows)
    }

    /// tmux and GNU screen move a screen into the scrollback that is erased as a whole.
    @Test func aMainScreenIsNotErasedAsAWhole() {
        var relay = ScreenCover(columns: Self.columns, rows: Self.rows, hasAlternateScreen: false)
        for bytes in [relay.cover(), relay.leave(), relay.comeBack(), relay.uncover()] {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("2J"))
        }
    }
}
