import Testing

@testable import TerminalUI

/// Draws into a frame of this size and returns its text.
private func drawn(_ columns: Int, _ rows: Int, _ draw: (inout Frame) -> Void) -> String {
    var frame = Frame(Size(columns: columns, rows: rows))
    draw(&frame)
    return frame.text
}

@Suite struct BoxTests {
    @Test func hasItsTitlesInTheUpperEdge() {
        let text = drawn(24, 3) { frame in
            let inner = frame.box(frame.bounds, title: "Resources", rightTitle: "2 ok")
            #expect(inner == Rect(column: 1, row: 1, columns: 22, rows: 1))
        }
        #expect(
            text == """
                ┌ Resources ──── 2 ok ─┐
                │                      │
                └──────────────────────┘
                """)
    }

    @Test func theRightTitleGivesWayAndTheTitleIsCut() {
        #expect(drawn(14, 2) { $0.box($0.bounds, title: "Resources", rightTitle: "2 ok") } == "┌ Resources ─┐\n└────────────┘")
        #expect(drawn(9, 2) { $0.box($0.bounds, title: "Resources") } == "┌ Reso… ┐\n└───────┘")
        #expect(drawn(4, 2) { $0.box($0.bounds, title: "Resources") } == "┌──┐\n└──┘")
        #expect(drawn(2, 2) { $0.box($0.bounds, title: "R") } == "┌┐\n└┘")
        #expect(drawn(1, 3) { $0.box($0.bounds, title: "R") } == "\n\n")
    }

    @Test func clipsAtTheFramesEdge() {
        #expect(drawn(4, 2) { $0.box(Rect(column: -2, row: -1, columns: 5, rows: 3)) } == "  │\n──┘")
        #expect(drawn(4, 1) { $0.box(Rect(column: 9, row: 9, columns: 5, rows: 3)) } == "")
    }

    @Test func aRuleCarriesItsLabelInTheMiddle() {
        #expect(drawn(20, 1) { $0.rule($0.bounds, label: "message") } == "───── message ──────")
        #expect(drawn(8, 1) { $0.rule($0.bounds, label: "message") } == "─ mes… ─")
        #expect(drawn(3, 1) { $0.rule($0.bounds, label: "message") } == "───")
    }
}

@Suite struct BarTests {
    @Test(arguments: [
        (0.0, "░░░░░░░░"), (1.0, "████████"), (0.5, "████░░░░"), (0.5625, "████▌░░░"), (0.99, "███████▉"),
        (-3, "░░░░░░░░"), (7, "████████"), (.nan, "░░░░░░░░"), (.infinity, "████████"),
    ])
    func progressIsExactToAnEighth(fraction: Double, expected: String) {
        #expect(drawn(8, 1) { $0.progressBar(fraction, in: $0.bounds) } == expected)
    }

    @Test func sparklineShowsTheLastValuesAndFailures() {
        #expect(drawn(6, 1) { $0.sparkline([0, 10, 20, nil, 40, 70], in: $0.bounds) } == "▁▂▃×▅█")
        #expect(drawn(3, 1) { $0.sparkline([70, 10, nil, 10], in: $0.bounds) } == "█×█")
        #expect(drawn(4, 1) { $0.sparkline([0, 0], in: $0.bounds) } == "▁▁")
        #expect(drawn(4, 1) { $0.sparkline([.nan, .infinity, -1, 5], in: $0.bounds) } == "▁█▁█")
        #expect(drawn(4, 1) { $0.sparkline([], in: $0.bounds) } == "")
    }
}

@Suite struct KeyHintTests {
    private let hints = [
        KeyHint(key: "r", word: "check now"), KeyHint(key: "d", word: "details"), KeyHint(key: "y", word: "copy message"),
        KeyHint(key: "?", word: "help"), KeyHint(key: "q", word: "quit"),
    ]

    @Test(arguments: [
        (64, " r check now   d details   y copy message   ? help       q quit"),
        (56, " r check now  d details  y copy message  ? help  q quit"),
        (55, " r check now   d details   ? help               q quit"),
        (30, " r check now   ? help  q quit"), (29, " r check now  ? help  q quit"),
        (20, " ? help      q quit"), (14, "       q quit"), (6, "q quit"), (5, ""), (0, ""),
    ])
    func dropsTheLeastImportantFirst(columns: Int, expected: String) {
        #expect(drawn(columns, 1) { $0.keyHints(hints, in: $0.bounds) } == expected)
    }

    @Test func aHintIsAButtonForItsKeys() {
        var frame = Frame(Size(columns: 40, rows: 2))
        let hints = [KeyHint(.up, .down, word: "move"), KeyHint(.escape, word: "back"), KeyHint(key: "1…9", word: "step")]
        frame.keyHints(hints, in: frame.bounds.row(1))
        // " ↑↓ move   Esc back   1…9 step"
        func key(_ column: Int, row: Int = 1) -> Key? { frame.key(at: Point(column: column, row: row)) }
        #expect((0...10).map { key($0) } == [nil, .up, .down, nil, nil, nil, nil, nil, nil, nil, nil])
        #expect((11...18).allSatisfy { key($0) == .escape } && key(19) == nil)
        #expect((20..<40).allSatisfy { key($0) == nil })
        #expect(key(12, row: 0) == nil)
    }

    @Test func aLaterButtonCoversAnEarlierOne() {
        var frame = Frame(Size(columns: 10, rows: 2))
        frame.addButton(Rect(column: -2, row: 0, columns: 6, rows: 9), pressing: .enter)
        frame.addButton(Rect(column: 2, row: 0, columns: 1, rows: 1), pressing: .escape)
        let keys = (0..<5).map { frame.key(at: Point(column: $0, row: 0)) }
        #expect(keys == [.enter, .enter, .escape, .enter, nil])
        #expect(frame.key(at: Point(column: 0, row: 2)) == nil)
    }

    @Test func helpTableNamesEveryKey() {
        let lines = Table.lines(
            KeyMap<Int>([
                KeyBinding(.character("r"), does: 1, help: "ask the server now"),
                KeyBinding(.up, .character("k"), does: 2, help: "scroll back"),
            ]).help, columns: 20
        ).map(\.text)
        #expect(lines == ["r     ask the server", "      now", "↑ k   scroll back"])
    }

    @Test func aNarrowTableStacksItsColumns() {
        let lines = Table.lines([KeyHint(key: "PgDn", word: "scroll on")], columns: 12).map(\.text)
        #expect(lines == ["PgDn", "  scroll on"])
    }
}

@Suite struct ScrollTests {
    private let text = ScrollText((1...9).map { TextLine("line \($0)") })

    @Test func allOfAShortTextIsShownWithoutMark() {
        #expect(drawn(8, 9) { $0.scroll(text, from: 3, in: $0.bounds) }.hasPrefix("line 1\nline 2"))
        #expect(text.mark(first: 0, rows: 9) == nil)
    }

    @Test(arguments: [
        (0, "line 1\nline 2\nline 3\n↓ 6 more lines"),
        (2, "line 3\nline 4\nline 5\n↑ 2 · ↓ 4 more lines"),
        (6, "line 7\nline 8\nline 9\n↑ 6 more lines"),
        (999, "line 7\nline 8\nline 9\n↑ 6 more lines"), (-5, "line 1\nline 2\nline 3\n↓ 6 more lines"),
    ])
    func aLongTextSaysWhereMoreIs(first: Int, expected: String) {
        #expect(drawn(24, 4) { $0.scroll(text, from: first, in: $0.bounds) } == expected)
    }

    @Test func everyLineCanBeReached() {
        for rows in 1...12 {
            let seen = (0...text.limit(rows: rows)).flatMap { first in
                drawn(8, rows) { $0.scroll(text, from: first, in: $0.bounds) }.split(separator: "\n").map(String.init)
            }
            #expect(Set((1...9).map { "line \($0)" }).subtracting(seen).isEmpty)
        }
    }

    @Test func oneMoreLineIsSaidInTheSingular() {
        #expect(ScrollText([TextLine("a"), TextLine("b")]).mark(first: 0, rows: 1) == "↓ 1 more line")
    }
}

@Suite struct ListTests {
    private let names = ["live", "paused", "update", "offline", "drip"]

    private func list(_ selected: Int, first: Int = 0, rows: Int) -> String {
        drawn(12, rows) { frame in
            frame.list(count: names.count, state: ListState(selected: selected, first: first), in: frame.bounds) {
                TextLine(names[$0])
            }
        }
    }

    @Test func marksTheSelectionAndWhereMoreIs() {
        #expect(list(1, rows: 5) == "  live\n▸ paused\n  update\n  offline\n  drip")
        #expect(list(1, rows: 3) == "  live\n▸ paused\n  update   ↓")
        #expect(list(4, rows: 3) == "  update   ↑\n  offline\n▸ drip")
        #expect(list(2, first: 1, rows: 2) == "  paused   ↑\n▸ update   ↓")
    }

    @Test func theSelectionStaysInsideTheList() {
        #expect(list(99, rows: 1) == "▸ drip     ↑")
        #expect(list(-7, rows: 1) == "▸ live     ↓")
        var state = ListState()
        state.move(by: -1, count: 5)
        #expect(state.selected == 0)
        state.move(by: .max, count: 5)
        #expect(state.selected == 4)
        state.move(by: 3, count: 0)
        #expect(state.selected == 0)
    }

    @Test func aMousePressFindsItsItem() {
        let state = ListState(selected: 4)
        #expect(state.item(atRow: 0, count: 5, rows: 3) == 2)
        #expect(state.item(atRow: 3, count: 5, rows: 3) == nil)
        #expect(state.item(atRow: 2, count: 2, rows: 3) == nil)
    }

    @Test func onlyTheFocusedListIsDrawnInReverse() {
        for isFocused in [true, false] {
            var frame = Frame(Size(columns: 6, rows: 1))
            frame.list(count: 1, state: ListState(), in: frame.bounds, isFocused: isFocused) { _ in "x" }
            #expect(frame[5, 0].style.attributes.contains(.reverse) == isFocused)
        }
    }
}

@Suite struct TextLineTests {
    private let line = TextLine([.init("ab", Theme.strong), .init("cd", Theme.muted)])

    @Test(arguments: [(4, "abcd"), (3, "ab…"), (2, "a…"), (1, "…"), (0, "")])
    func aStyledLineThatIsTooLongSaysSo(columns: Int, expected: String) {
        #expect(drawn(columns, 1) { $0.write(line, in: $0.bounds) } == expected)
    }

    @Test func spansKeepTheirStyles() {
        var frame = Frame(Size(columns: 6, rows: 1))
        frame.write(line, in: frame.bounds, alignment: .right)
        #expect(frame.row(0).map(\.style) == [.plain, .plain, Theme.strong, Theme.strong, Theme.muted, Theme.muted])
    }
}

@Suite struct LargeTextTests {
    private func text(_ text: String, _ scale: LargeText.Scale, _ glyphs: GlyphStyle = .unicode) -> String? {
        LargeText.lines(text, scale, style: Theme.strong, glyphs: glyphs)?.map(\.text).joined(separator: "\n")
    }

    @Test func letters() {
        #expect(
            text("Update", .single) == """
                █  █ █▀▀▄ █▀▀▄ ▄▀▀▄ ▀▀█▀▀ █▀▀▀
                █  █ █▀▀  █  █ █▀▀█   █   █▀▀\(" ")
                 ▀▀  ▀    ▀▀▀  ▀  ▀   ▀   ▀▀▀▀
                """)
        #expect(text("L1", .double) == "██          ██  \n██        ████  \n██          ██  \n██          ██  \n████████  ██████")
        #expect(text("L1", .single, .ascii) == "#     # \n#    ## \n#     # \n#     # \n#### ###")
        #expect(text("L1", .double, .ascii) == text("L1", .double))
    }

    @Test(arguments: LargeText.Scale.allCases, GlyphStyle.allCases)
    func everyLetterAndDigitHasADrawingOfOneWidth(scale: LargeText.Scale, glyphs: GlyphStyle) throws {
        for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:-!?'/" {
            let lines = try #require(LargeText.lines(String(character), scale, style: .plain, glyphs: glyphs), "\(character)")
            #expect(lines.count == (scale == .single && glyphs == .unicode ? 3 : 5))
            #expect(Set(lines.map(\.width)).count == 1, "\(character)")
        }
    }

    @Test func aTextWithAnotherCharacterHasNoDrawing() {
        #expect(text("暂停", .single) == nil)
        #expect(text("", .single) == nil)
    }
}
