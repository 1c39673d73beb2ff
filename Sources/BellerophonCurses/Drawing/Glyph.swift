import TerminalUI

/// The scalars to write into a cell, if the C library defines the width of a character differently.
enum Glyph {
    /// The most scalars that ncurses holds in a cell.
    private static let most = 5

    /// The scalars to write into the cell's columns, one array per column; a wide character is one array.
    ///
    /// A character that the library would draw with another width than the frame's, or cannot print, would shift the rest
    /// of the line. A replacement of the right width is used for it.
    /// - Parameter width: the columns of a scalar in the current locale by the library, or -1.
    static func scalars(of cell: Cell, width: (Unicode.Scalar) -> Int) -> [[Unicode.Scalar]] {
        let text = Array(cell.text.unicodeScalars)
        guard let base = text.first, width(base) == cell.width else {
            let standIn = text.first.flatMap { plain[$0] } ?? "?"
            return [[standIn]] + Array(repeating: [" "], count: max(0, cell.width - 1))
        }
        return [[base] + text.dropFirst().filter { width($0) == 0 }.prefix(most - 1)]
    }

    /// Replacements for the library's own symbols in an ASCII locale.
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
