import SafeText

/// A table of two columns: labels of equal width at the left, wrapped text at the right.
public enum Table {
    /// Columns between a label and its text.
    static let gap = 3

    /// The lines of a table with the given maximum width.
    ///
    /// If fewer than ten columns remain for the text, each text is placed below its label.
    public static func lines(
        _ rows: [(label: String, text: TextLine.Span)], columns: Int, labelStyle: Style = Theme.muted
    ) -> [TextLine] {
        let labelWidth = rows.map { CellText.width(of: $0.label) }.max() ?? 0
        let room = columns - labelWidth - gap
        if room < 10 { return rows.flatMap { stacked($0.label, $0.text, columns: columns, labelStyle: labelStyle) } }
        return rows.flatMap { row in
            CellText.wrap(row.text.text, columns: room).enumerated().map { index, line in
                let label = CellText.padded(index == 0 ? row.label : "", columns: labelWidth + gap)
                return TextLine([.init(label, labelStyle), .init(line, row.text.style)])
            }
        }
    }

    /// The lines of a help page: the keys of each hint with its sentence.
    public static func lines(
        _ hints: [KeyHint], columns: Int, keyStyle: Style = Theme.accent.with(.bold), glyphs: GlyphStyle = .unicode
    ) -> [TextLine] {
        lines(hints.map { (glyphs.keys($0.key), .init($0.word)) }, columns: columns, labelStyle: keyStyle)
    }

    private static func stacked(
        _ label: String, _ text: TextLine.Span, columns: Int, labelStyle: Style
    ) -> [TextLine] {
        TextLine.wrapped(label, columns: columns, style: labelStyle)
            + TextLine.wrapped(text.text, columns: max(0, columns - 2), style: text.style).map { TextLine("  ") + $0 }
    }
}
