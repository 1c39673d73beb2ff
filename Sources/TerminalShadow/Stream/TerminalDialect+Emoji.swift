// How the terminal draws emoji of several characters: the question, and what its reply says.
extension TerminalDialect {
    /// Asks the terminal how it draws emoji of several characters. It draws some on the alternate screen, and its reply says where
    /// the cursor is behind them.
    ///
    /// The terminal must have an alternate screen and show the main one. In a synchronized update nothing of it is seen. The text
    /// is in the second row, because a place in the first one looks like F3 with a modifier. A terminal that does not decode UTF-8
    /// may take a part of the text for the beginning of a control string, which ST ends. All text is before the cursor, and is
    /// erased for programs that switch the screen without erasing it.
    package static let emojiQuestion = Array(
        ("\u{1B}[?2026h\u{1B}[?1049h\u{1B}[\(emojiRow + 1);1H" + heart + couple + couple
            + "\u{1B}\\\u{1B}[6n\u{1B}[1J\u{1B}[?1049l\u{1B}[?2026l").utf8)

    /// With U+FE0F a narrow emoji takes two columns if that makes it wide, and otherwise one.
    private static let heart = "\u{2764}\u{FE0F}"
    /// With U+200D two wide emoji take two columns if it joins them, and otherwise four. They are drawn twice, so that the sum of
    /// all columns tells both.
    private static let couple = "\u{1F468}\u{200D}\u{1F469}"
    private static let emojiRow = 1

    /// Whether the reply to ``emojiQuestion`` of a terminal of this size says something.
    package func canAskForEmoji(columns: Int, rows: Int) -> Bool { isUTF8 && columns >= 16 && rows > Self.emojiRow }

    /// The dialect of a terminal that has replied to ``emojiQuestion`` with this place, counted from zero. It is this one if no
    /// known way of drawing leads there.
    package func withEmoji(endingAt column: Int, row: Int) -> TerminalDialect {
        var dialect = self
        for (widens, joins) in [(false, false), (false, true), (true, false), (true, true)] {
            guard row == Self.emojiRow, column == (widens ? 2 : 1) + 2 * (joins ? 2 : 4) else { continue }
            (dialect.widensEmoji, dialect.joinsEmoji) = (widens, joins)
        }
        return dialect
    }
}
