extension Frame {
    /// Draws a bar that fills its rectangle's first row from the left, exact to an eighth of a column: `████▌░░░`.
    /// - Parameter fraction: 0…1; what lies outside is clamped, no number counts as 0.
    public mutating func progressBar(
        _ fraction: Double, in rect: Rect, style: Style = Theme.accent, track: Style = Theme.rule
    ) {
        guard !rect.isEmpty else { return }
        let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        let eighths = Int((share * Double(rect.columns * 8)).rounded())
        fill(rect.row(0), with: "░", style: track)
        fill(rect.row(0).split(left: eighths / 8).left, with: "█", style: style)
        guard eighths % 8 > 0 else { return }
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        write(partial, at: Point(column: rect.column + eighths / 8, row: rect.row), style: style, clip: rect)
    }

    /// Draws one column a value into a rectangle's first row, the last values if there is no room for all: `▁▁▃█×▂`.
    ///
    /// Heights are in proportion to the highest value shown, from zero. Nil is a failure, drawn as `×`.
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
