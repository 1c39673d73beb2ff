import SafeText

/// Lines of text of which a part is shown.
public struct ScrollText: Equatable, Sendable {
    public var lines: [TextLine]
    /// Whether the last row is kept for the mark that more text follows; otherwise the mark stands elsewhere.
    public var keepsMarkRow: Bool

    public init(_ lines: [TextLine], keepsMarkRow: Bool = true) {
        self.lines = lines
        self.keepsMarkRow = keepsMarkRow
    }

    /// The first line for which the text's end is in view: no scrolling further than that.
    public func limit(rows: Int) -> Int {
        lines.count <= rows ? 0 : lines.count - textRows(of: rows)
    }

    /// Where more text lies than is in view: `↓ 9 more lines`, `↑ 3 · ↓ 9 more lines`; nil when all is.
    public func mark(first: Int, rows: Int) -> String? {
        guard lines.count > rows, rows > 0 else { return nil }
        let above = min(max(0, first), limit(rows: rows))
        let below = lines.count - above - textRows(of: rows)
        let parts = [above > 0 ? "↑ \(above)" : nil, below > 0 ? "↓ \(below)" : nil].compactMap(\.self)
        return parts.joined(separator: " · ") + (max(above, below) == 1 && parts.count == 1 ? " more line" : " more lines")
    }

    /// The rows that text takes when a row is kept for the mark. A single row shows text and no mark.
    func textRows(of rows: Int) -> Int {
        keepsMarkRow && rows > 1 && lines.count > rows ? rows - 1 : max(0, rows)
    }
}

extension Frame {
    /// Draws the part of a text that begins with the line `first`, with a mark in the last row where there is more.
    /// - Parameter first: any number; it is brought into the text's bounds.
    public mutating func scroll(
        _ text: ScrollText, from first: Int, in rect: Rect, alignment: CellText.Alignment = .left,
        markStyle: Style = Theme.muted
    ) {
        guard !rect.isEmpty else { return }
        let start = min(max(0, first), text.limit(rows: rect.rows))
        let shown = text.lines.dropFirst(start).prefix(text.textRows(of: rect.rows))
        write(Array(shown), in: rect, alignment: alignment)
        if text.keepsMarkRow, rect.rows > 1, let mark = text.mark(first: start, rows: rect.rows) {
            write(mark, in: rect.row(rect.rows - 1), style: markStyle, alignment: alignment)
        }
    }
}
