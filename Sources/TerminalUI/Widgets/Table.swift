import SafeText

/// Two columns of text: labels of one width at the left, what they mean wrapped beside them.
public enum Table {
    /// Columns between a label and its text.
    static let gap = 3

    /// The lines of a table that is at most that many columns wide.
    ///
    /// Where the text would be left fewer than ten columns it stands below its label instead.
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

    /// The lines of a help page: every key and its sentence.
    public static func lines(
        _ hints: [KeyHint], columns: Int, keyStyle: Style = Theme.accent.with(.bold)
    ) -> [TextLine] {
        lines(hints.map { ($0.key, .init($0.word)) }, columns: columns, labelStyle: keyStyle)
    }

    private static func stacked(
        _ label: String, _ text: TextLine.Span, columns: Int, labelStyle: Style
    ) -> [TextLine] {
        TextLine.wrapped(label, columns: columns, style: labelStyle)
            + TextLine.wrapped(text.text, columns: max(0, columns - 2), style: text.style).map { TextLine("  ") + $0 }
    }
}
