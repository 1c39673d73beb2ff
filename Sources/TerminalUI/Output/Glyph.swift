/// The scalars to write into a cell on a terminal that does not draw every character, or that the C library draws with
/// other widths than a frame's.
package enum Glyph {
    /// The most scalars that ncurses holds in a cell.
    private static let most = 5

    /// The scalars to write into the cell's columns, one array per column; a wide character is one array.
    ///
    /// A character that would be drawn with another width than the frame's, or cannot be printed, would shift the rest of
    /// the line. A replacement of the right width is used for it.
    /// - Parameters:
    ///   - style: whether this package's own symbols are replaced by ASCII.
    ///   - width: the columns that a scalar takes there, or -1 if it cannot be printed.
    package static func scalars(
        of cell: Cell, _ style: GlyphStyle, width: (Unicode.Scalar) -> Int
    ) -> [[Unicode.Scalar]] {
        let text = Array(cell.text.unicodeScalars)
        if style == .ascii, text.count == 1, let standIn = knownStandIn(for: text[0]) { return [[standIn]] }
        guard let base = text.first, width(base) == cell.width else {
            return [[text.first.flatMap(knownStandIn) ?? "?"]] + Array(repeating: [" "], count: max(0, cell.width - 1))
        }
        return [[base] + text.dropFirst().filter { width($0) == 0 }.prefix(most - 1)]
    }

    /// The text of a cell, of which only this package's own symbols may be replaced.
    static func text(of cell: Cell, _ style: GlyphStyle) -> String {
        let text = cell.text.unicodeScalars
        guard style == .ascii, text.count == 1, let standIn = text.first.flatMap(knownStandIn) else { return cell.text }
        return String(standIn)
    }

    /// The replacement for a symbol of this package; nil for another scalar.
    private static func knownStandIn(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x2800...0x28FF: strokes(UInt8(scalar.value & 0xFF))
        default: plain[scalar]
        }
    }

    /// The character whose strokes are most like a Braille pattern, of which line drawings consist.
    /// - Parameter dots: the bits of the pattern. The rows from above are 0 and 3, 1 and 4, 2 and 5, 6 and 7; the first of each
    ///   is the left dot (Unicode Standard, section 21.1).
    private static func strokes(_ dots: UInt8) -> Unicode.Scalar {
        let upper: UInt8 = 0b0001_1011, left: UInt8 = 0b0100_0111
        switch dots {
        case 0: return " "
        case 0b1100_0000: return "_"
        case _ where dots.nonzeroBitCount > 5: return "#"
        case _ where dots & ~upper == 0: return "'"
        case _ where dots & upper == 0: return "."
        case _ where dots & ~left == 0 || dots & left == 0: return "|"
        default: return ":"
        }
    }

    /// Replacements for this package's own symbols. All of them are one column wide; `GlyphStyle` has the wider ones.
    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        let rows: [(String, Unicode.Scalar)] = [
            ("─━═┄┈╌–—−", "-"), ("│┃║┆┊", "|"), ("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"), ("█▓▇▆▉▊▋■", "#"), ("●", "*"),
            ("░▒▁▂·•", "."), ("▃▄▅▌▍▎▏", "="), ("▲▴↑", "^"), ("▼↓", "v"), ("▀", "'"), ("▶▸→»", ">"), ("◀←«", "<"), ("○◦", "o"),
            ("‖", "="),
            ("✓", "+"), ("…", "~"), ("×✗", "x"), ("’‘", "'"), ("“”", "\""), ("\u{A0}", " "),
        ]
        for (signs, standIn) in rows {
            for sign in signs.unicodeScalars { table[sign] = standIn }
        }
        return table
    }()
}
