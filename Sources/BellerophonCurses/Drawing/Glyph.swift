import TerminalUI

/// What really goes into a cell, where the C library's idea of a character is another than ours.
enum Glyph {
    /// The most scalars that ncurses holds in a cell.
    private static let most = 5

    /// The scalars to put into the cell's columns, one array a column; a wide character is one array.
    ///
    /// A character that the library would draw wider or narrower than the frame says, or cannot print at all, would
    /// push the rest of the line aside: a stand-in of the right width takes its place.
    /// - Parameter width: the columns that the library gives a scalar in the present locale, or -1.
    static func scalars(of cell: Cell, width: (Unicode.Scalar) -> Int) -> [[Unicode.Scalar]] {
        let text = Array(cell.text.unicodeScalars)
        guard let base = text.first, width(base) == cell.width else {
            let standIn = text.first.flatMap { plain[$0] } ?? "?"
            return [[standIn]] + Array(repeating: [" "], count: max(0, cell.width - 1))
        }
        return [[base] + text.dropFirst().filter { width($0) == 0 }.prefix(most - 1)]
    }

    /// What stands for our own signs where the locale has only ASCII.
    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        let rows: [(String, Unicode.Scalar)] = [
            ("─━═┄┈╌–—", "-"), ("│┃║┆┊", "|"), ("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"), ("█▓▇▆■●", "#"),
            ("░▒▁▂·•…", "."), ("▃▄▅", "="), ("▲↑", "^"), ("▼↓", "v"), ("▶▸→⏎", ">"), ("◀←", "<"), ("○", "o"),
            ("✓", "+"), ("×✗", "x"), ("’‘", "'"), ("“”", "\""), ("\u{A0}", " "),
        ]
        for (signs, standIn) in rows {
            for sign in signs.unicodeScalars { table[sign] = standIn }
        }
        return table
    }()
}
