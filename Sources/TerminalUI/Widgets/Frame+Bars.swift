extension Frame {
    /// Draws a bar into a rectangle's first row, filled from the left with a precision of an eighth of a column: `████▌░░░`.
    /// - Parameter fraction: clamped to 0…1; NaN counts as 0.
    public mutating func progressBar(
        _ fraction: Double, in rect: Rect, style: Style = Theme.accent, track: Style = Theme.rule
    ) {
        write(TextLine.progressBar(fraction, columns: rect.columns, style: style, track: track), in: rect)
    }

    /// Draws one column per value into a rectangle's first row: `▁▁▃█×▂`. If there are more values than columns, the last
    /// ones are drawn.
    ///
    /// Heights are proportional to the highest value shown, from zero. A nil value is a failure, drawn as `×`.
    public mutating func sparkline(
        _ values: [Double?], in rect: Rect, style: Style = Theme.accent, failureStyle: Style = Theme.paused
    ) {
        guard !rect.isEmpty else { return }
        let shown = values.suffix(rect.columns)
        let highest = shown.compactMap(\.self).filter(\.isFinite).max() ?? 0
        for (offset, value) in shown.enumerated() {
            write(
                value.map { Self.sparkGlyph($0, highest: highest) } ?? "×",
                at: Point(column: rect.column + offset, row: rect.row),
                style: value == nil ? failureStyle : style, clip: rect
            )
        }
    }

    private static func sparkGlyph(_ value: Double, highest: Double) -> String {
        let share = highest > 0 && !value.isNaN ? min(max(value / highest, 0), 1) : 0
        return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][Int((share * 7).rounded())]
    }
}

extension TextLine {
    /// A bar of the given width, filled from the left with a precision of an eighth of a column: `████▌░░░`.
    /// - Parameter fraction: clamped to 0…1; NaN counts as 0.
    public static func progressBar(
        _ fraction: Double, columns: Int, style: Style = Theme.accent, track: Style = Theme.rule
    ) -> TextLine {
        let columns = max(0, columns)
        let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        let eighths = Int((share * Double(columns * 8)).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let rest = columns - eighths / 8 - (partial.isEmpty ? 0 : 1)
        return TextLine([
            Span(String(repeating: "█", count: eighths / 8) + partial, style),
            Span(String(repeating: "░", count: rest), track),
        ])
    }
}
