import SafeText

extension Frame {
    /// Draws a box along the inner edge of a rectangle: `┌ State ───────── 2 ok ─┐`.
    ///
    /// A title that does not fit is cut; a right title that does not fit is omitted. A rectangle of less than two columns
    /// or rows gets no box.
    /// - Returns: the rectangle inside the box.
    @discardableResult
    public mutating func box(
        _ rect: Rect, title: String = "", rightTitle: String = "", style: Style = Theme.rule,
        titleStyle: Style = Theme.strong, rightStyle: Style = Theme.muted
    ) -> Rect {
        let inner = rect.inset(columns: 1, rows: 1)
        guard rect.columns >= 2, rect.rows >= 2 else { return inner }
        let edge = Rect(column: rect.column + 1, row: rect.row, columns: rect.columns - 2, rows: 1)
        var foot = edge
        foot.row = rect.endRow - 1
        fill(edge, with: "─", style: style)
        fill(foot, with: "─", style: style)
        for (column, corners) in [(rect.column, ["┌", "└"]), (rect.endColumn - 1, ["┐", "┘"])] {
            fill(Rect(column: column, row: inner.row, columns: 1, rows: inner.rows), with: "│", style: style)
            write(corners[0], at: Point(column: column, row: edge.row), style: style)
            write(corners[1], at: Point(column: column, row: foot.row), style: style)
        }
        writeTitles(title, rightTitle, along: edge, titleStyle, rightStyle)
        return inner
    }

    private mutating func writeTitles(
        _ title: String, _ right: String, along edge: Rect, _ titleStyle: Style, _ rightStyle: Style
    ) {
        let label = title.isEmpty ? "" : " \(CellText.truncate(title, columns: max(0, edge.columns - 2))) "
        var rest = edge
        if !title.isEmpty, edge.columns >= 3 {
            let used = write(label, at: edge.origin, style: titleStyle, clip: edge)
            rest = edge.split(left: used).rest
        }
        let rightLabel = " \(right) "
        let width = CellText.width(of: rightLabel)
        guard !right.isEmpty, width + 2 <= rest.columns else { return }
        write(rightLabel, at: Point(column: rest.endColumn - 1 - width, row: edge.row), style: rightStyle, clip: rest)
    }

    /// Draws a horizontal rule through the first row of a rectangle, with an optional label in its middle.
    public mutating func rule(_ rect: Rect, label: String = "", style: Style = Theme.rule, labelStyle: Style = Theme.muted) {
        guard !rect.isEmpty else { return }
        fill(rect.row(0), with: "─", style: style)
        guard !label.isEmpty, rect.columns >= 5 else { return }
        let text = " \(CellText.truncate(label, columns: rect.columns - 4)) "
        write(text, in: rect.row(0), style: labelStyle, alignment: .center)
    }
}
