import Testing

@testable import TerminalShadow

/// The shadow shows what the terminals show where they differ, or where they do what few expect.
@Suite("Places and cells of the dialects")
struct DialectPlaceTests {
    /// Output for a terminal of 20 columns and 6 rows, and the rows that xterm 379 and tmux 3.3a show, with changes of the rendition in
    /// braces. Empty rows at the end are left out. `LiveTerminalTests` compares them with the terminals that are installed.
    static let recorded: [(bytes: String, xterm: String, tmux: String)] = [
        ("abcdefghijklmnopqrst\u{1B}[KX", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[1KX", "                   X", "|X"),
        ("abcdefghijklmnopqrst\u{1B}[JX", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[1JX", "                   X", "|X"),
        ("abcdefghijklmnopqrst\u{1B}[XX", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[PX", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[@X", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[?KX", "abcdefghijklmnopqrsX", "abcdefghijklmnopqrst|X"),
        ("abcdefghijklmnopqrst\u{1B}[31mX", "abcdefghijklmnopqrst|{31}X", "abcdefghijklmnopqrst|{31}X"),
        ("abcdefghijklmnopqrst\u{08}X", "abcdefghijklmnopqrXt", "abcdefghijklmnopqrsX"),
        ("abcdefghijklmnopqrst\u{1B}[2DX", "abcdefghijklmnopqXst", "abcdefghijklmnopqrXt"),
        ("abcdefghijklmnopqrst\u{1B}[2dX", "abcdefghijklmnopqrst|                   X", "abcdefghijklmnopqrst||X"),
        ("abcdefghijklmnopqrst\nX", "abcdefghijklmnopqrst|                   X", "abcdefghijklmnopqrst||X"),
        ("abcdefghijklmnopqrst\u{1B}DX", "abcdefghijklmnopqrst|                   X", "abcdefghijklmnopqrst||X"),
        (
            "abcdefghijklmnopqrst\u{1B}[BX", "abcdefghijklmnopqrst|                   X",
            "abcdefghijklmnopqrst|                   X"
        ),
        ("\u{1B}[1;20H漢X", "|漢X", "|漢X"),
        ("\u{1B}[1;20H\u{1B}[?7l漢X", "                   X", "                   X"),
        ("a\u{1B}[1;19Hbc\u{1B}[?7l漢Z", "a                 bZ", "a                 bc"),
        ("\u{1B}[?7labcdefghijklmnopqrstuv\u{1B}[?7hX", "abcdefghijklmnopqrsv|X", "abcdefghijklmnopqrsX"),
        ("1\r\n2\r\n3\u{1B}[2;2H\u{1B}[LX", "1|X|2|3", "1| X|2|3"),
        ("1\r\n2\r\n3\u{1B}[2;2H\u{1B}[MX", "1|X", "1|3X"),
        ("1\r\n2\r\n3\r\n4\u{1B}[2;3r\u{1B}[4;2H\u{1B}[LX", "1|2|3|4X", "1|2|3| X|4"),
        ("\u{1B}[2;3r\u{1B}[?6hX\u{1B}[3;4rY", "|X|Y", "Y|X"),
        ("ab\u{1B}[?6h\u{1B}8X", "Xb", "Xb"),
        ("\u{1B}[31;7m\u{1B}(0\u{1B}8qX", "qX", "qX"),
        ("1\r\n2\u{1B}[^X", "|1X|2", "1|2X"),
        ("1\r\n2\u{1B}[TX", "|1X|2", "|1X|2"),
        ("1\r\n2\u{1B}[0TX", "1|2X", "|1X|2"),
        ("\u{1B}[2;3r\u{1B}[1;1H\u{1B}[5eX", "|||||X", "X"),
        ("\u{1B}[1;4H\u{1B}[aX", "    X", "   X"),
        ("\u{1B}[1;4H\u{1B}[IX", "        X", "   X"),
        ("abcdefghijklmnopqrst\u{08}u\u{1B}[?45h\r\u{1B}[2;1H\u{08}X", "abcdefghijklmnopqruX", "abcdefghijklmnopqrsu|X"),
        ("a\u{1B}[?1049h\u{1B}[?1049hb\u{1B}[?1049lX", "aX", "aX"),
        ("\u{1B}(0_ax\u{1B}(B_", " ▒│_", "{graphics}_ax{}_"),
        ("漢字\u{1B}[1;4Hx", "漢 x", "漢 x"),
        ("漢字\u{1B}[1;3H\u{1B}[44mx", "漢{44}x", "漢{44}x"),
        ("abcdefghijklmnopqrstX\r\u{08}Y", "abcdefghijklmnopqrst|Y", "abcdefghijklmnopqrsY|X"),
        ("\u{1B}[?66hA", "A", "A"),
        ("\u{1B}#8\u{1B}[1;1H\u{1B}[2J\u{1B}[?6hX", "X", "X"),
        ("\u{1B}[?7sa\u{1B}[?7lb\u{1B}[?7rabcdefghijklmnopqrstX", "ababcdefghijklmnopqr|stX", "ababcdefghijklmnopqX"),
        ("abcdefghijklmnopqrst\u{1B}7\r\n\u{1B}8X", "abcdefghijklmnopqrst|X", "abcdefghijklmnopqrsX"),
        ("\u{1B}[20hab\nc", "ab|c", "ab|  c"),
        ("1\u{1B}[?3l2", "12", "2"),
        ("a\u{1B}[5b", "aaaaaa", "aaaaaa"),
        ("\u{1B}[44m\u{1B}[?1049hX", "{44}X", "{44}X"),
        ("abcdefghijklmnopqrstu\u{1B}[1;1H\u{1B}[2K\u{1B}[2;1H\u{08}X", "|X", "|X"),
        ("\u{1B}[?1049h\u{1B}[2;3H\u{1B}7\u{1B}c\u{1B}[?1047h\u{1B}8X", "|  X", "X"),
    ]

    @Test(arguments: recorded, [TerminalDialect.Family.xterm, .tmux])
    func theShadowShowsWhatTheTerminalShows(stream: (bytes: String, xterm: String, tmux: String), family: TerminalDialect.Family)
    {
        var cover = ScreenCover(columns: 20, rows: 6, dialect: TerminalDialect(family), keepsMainScreen: true)
        cover.anchor(column: 0, row: 0)
        _ = cover.output(Array(stream.bytes.utf8))
        #expect(Self.text(cover.shadow) == (family == .tmux ? stream.tmux : stream.xterm))
    }

    /// The rows of the screen in use in the form of the recording.
    private static func text(_ shadow: ShadowTerminal) -> String {
        let rows = (0..<shadow.rows).map { row in
            var text = "", blanks = "", last = ""
            for cell in shadow.grid.row(row) where cell.width > 0 {
                guard cell.scalar & ~ShadowCharsets.graphics > 0x20 else {
                    blanks += " "
                    continue
                }
                let rendition = name(
                    cell, isGraphic: cell.scalar & ShadowCharsets.graphics != 0 && shadow.dialect.family == .tmux)
                text += blanks + (rendition == last ? "" : "{\(rendition)}")
                last = rendition
                blanks = ""
                text.unicodeScalars.append(character(cell, shadow.dialect.family))
            }
            return text
        }
        return rows.reversed().drop { $0.isEmpty }.reversed().joined(separator: "|")
    }

    private static func name(_ cell: ShadowCell, isGraphic: Bool) -> String {
        var names: [String] = []
        if case .indexed(let color) = cell.pen.foreground { names.append("3\(color)") }
        if case .indexed(let color) = cell.pen.background { names.append("4\(color)") }
        return (names + (isGraphic ? ["graphics"] : [])).joined(separator: ";")
    }

    /// xterm prints the characters of DEC's graphics, and tmux the bytes that stand for them.
    private static func character(_ cell: ShadowCell, _ family: TerminalDialect.Family) -> Unicode.Scalar {
        let scalar = Unicode.Scalar(cell.scalar & ~ShadowCharsets.graphics) ?? "?"
        guard cell.scalar & ShadowCharsets.graphics != 0, family != .tmux else { return scalar }
        return ["a": "▒", "x": "│", "_": " "][scalar] ?? scalar
    }
}
