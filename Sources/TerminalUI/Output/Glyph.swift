/// The scalars to write into a cell on a terminal that does not draw every character, or that the C library draws with
/// other widths than a frame's.
package enum Glyph {
    /// The most scalars that ncurses holds in a cell.
    private static let most = 5

    /// The scalars to write into the cell's columns, one array per column; a wide character is one array.
    ///
    /// A character that would be drawn with another width than the frame's, or cannot be printed, would shift the rest of
    /// the line. A replacement of the right width is used for it.
    /// - Parameter width: the columns that a scalar takes there, or -1 if it cannot be printed.
    package static func scalars(of cell: Cell, width: (Unicode.Scalar) -> Int) -> [[Unicode.Scalar]] {
        let text = Array(cell.text.unicodeScalars)
        guard let base = text.first, width(base) == cell.width else {
            return [[text.first.map(standIn) ?? "?"]] + Array(repeating: [" "], count: max(0, cell.width - 1))
        }
        return [[base] + text.dropFirst().filter { width($0) == 0 }.prefix(most - 1)]
    }

    private static func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x2800: " "
        // Braille patterns are the dots of line drawings.
        case 0x2801...0x28FF: "."
        default: plain[scalar] ?? "?"
        }
    }

    /// Replacements for this package's own symbols in an ASCII locale.
    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        let rows: [(String, Unicode.Scalar)] = [
            ("─━═┄┈╌–—−", "-"), ("│┃║┆┊", "|"), ("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"), ("█▓▇▆▉▊▋■●", "#"),
            ("░▒▁▂·•…", "."), ("▃▄▅▌▍▎▏", "="), ("▲↑", "^"), ("▼↓", "v"), ("▶▸→⏎", ">"), ("◀←", "<"), ("○", "o"),
            ("✓", "+"), ("⇅", "*"), ("×✗", "x"), ("’‘", "'"), ("“”", "\""), ("\u{A0}", " "),
        ]
        for (signs, standIn) in rows {
            for sign in signs.unicodeScalars { table[sign] = standIn }
        }
        return table
    }()
}
