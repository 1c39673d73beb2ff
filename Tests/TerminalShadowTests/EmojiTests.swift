import TerminalUI
import Testing

@testable import TerminalShadow

/// Emoji of several characters are as wide as the terminal draws them.
@Suite("Emoji of several characters") struct EmojiTests {
    private static let heart = "\u{2764}\u{FE0F}", couple = "\u{1F468}\u{200D}\u{1F469}"

    private func terminal(
        _ text: String, widens: Bool = false, joins: Bool = false, family: TerminalDialect.Family = .xterm, columns: Int = 20
    ) -> ShadowTerminal {
        var dialect = TerminalDialect(family)
        (dialect.widensEmoji, dialect.joinsEmoji) = (widens, joins)
        var terminal = TestTerminal(columns: columns, rows: 4, dialect: dialect, hasAlternateScreen: true)
        terminal.feed(Array("\u{1B}[?1049h\u{1B}[H\(text)".utf8))
        return terminal.shadow
    }

    @Test("What is not known of a terminal follows its family")
    func families() {
        for family in [TerminalDialect.Family.xterm, .tmux, .screen, .linuxConsole, .libvterm] {
            #expect(!TerminalDialect(family).widensEmoji && TerminalDialect(family).joinsEmoji == (family == .tmux))
        }
    }

    @Test(
        "The cursor is behind the text as the terminal draws it",
        arguments: [
            (heart, false, false, 1), (heart, true, false, 2), (couple, false, false, 4), (couple, false, true, 2),
            (heart + couple, true, true, 4), ("a\u{FE0F}", true, true, 1), ("\u{2764}", true, true, 1),
            ("\u{2764}\u{301}\u{FE0F}", true, true, 1), ("\u{1F468}\u{FE0F}", true, true, 2), ("1\u{FE0F}", true, false, 2),
            ("\u{1F468}\u{200D}b", true, true, 3), (heart + "\u{200D}\u{1F525}", true, true, 2),
            (couple + "\u{200D}\u{1F467}\u{200D}\u{1F466}", false, true, 2), ("\u{1F468}\u{200D}\r\u{1F469}", false, true, 2),
        ])
    func columns(text: String, widens: Bool, joins: Bool, column: Int) {
        let shadow = terminal(text, widens: widens, joins: joins)
        #expect(shadow.column == column && shadow.row == 0)
        #expect(terminal(text + "x", widens: widens, joins: joins).grid[column, 0].scalar == 0x78)
    }

    @Test("A wide heart takes the cell on its right, and a wide character there becomes spaces")
    func cells() {
        let shadow = terminal("ab\u{1F468}\u{1B}[1;2H\(Self.heart)", widens: true)
        #expect((0..<4).map { shadow.grid[$0, 0].width } == [1, 2, 0, 1])
        #expect(shadow.grid[1, 0].scalar == 0x2764 && shadow.grid[1, 0].mark1 == 0xFE0F && shadow.grid[3, 0].scalar == 0x20)
    }

    @Test("At the right margin a heart that becomes wide fills the line, and one without room makes the record inexact")
    func margin() {
        let full = terminal("abc\(Self.heart)", widens: true, columns: 5)
        #expect(full.column == 4 && full.pendingWrap != nil && !full.isInexact)
        #expect(terminal("abc\(Self.heart)x", widens: true, columns: 5).row == 1)
        #expect(terminal("abcd\(Self.heart)", widens: true, columns: 5).isInexact)
        #expect(!terminal("abcd\(Self.heart)", columns: 5).isInexact)
    }

    @Test("A cover leaves a screen with emoji as it was", arguments: [false, true], [false, true])
    func cover(widens: Bool, joins: Bool) {
        var dialect = TerminalDialect()
        (dialect.widensEmoji, dialect.joinsEmoji) = (widens, joins)
        var pair = TerminalPair(columns: 20, rows: 4, dialect: dialect)
        pair.run("\u{1B}[?1049h\u{1B}[H\(Self.heart)|\(Self.couple)|\r\n\(Self.couple)", whileCovered: "", after: "")
        #expect(pair.differences == [])
    }
}
