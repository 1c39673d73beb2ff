import SafeText

/// Lines of text that scroll vertically.
public struct ScrollText: Equatable, Sendable {
    /// All lines of the text.
    public var lines: [TextLine]
    /// Whether the last row is reserved for ``mark(first:rows:)`` when the text does not fit; if false, no mark is drawn.
    public var keepsMarkRow: Bool

    /// Creates a text that scrolls.
    public init(_ lines: [TextLine], keepsMarkRow: Bool = true) {
        self.lines = lines
        self.keepsMarkRow = keepsMarkRow
    }

    /// The highest first line: with it the end of the text is visible.
    public func limit(rows: Int) -> Int {
        lines.count <= rows ? 0 : lines.count - textRows(of: rows)
    }

    /// The number of hidden lines: `↓ 9 more lines`, `↑ 3 · ↓ 9 more lines`; nil if all lines are visible.
    public func mark(first: Int, rows: Int) -> String? { mark(first: first, rows: rows, words: Self.moreLines) }

    /// The number of hidden lines.
    /// - Parameter words: the words after a number, such as `more lines`.
    package func mark(first: Int, rows: Int, words: (Int) -> String) -> String? {
        guard lines.count > rows, rows > 0 else { return nil }
        let above = min(max(0, first), limit(rows: rows))
        let below = lines.count - above - textRows(of: rows)
        let parts = [above > 0 ? "↑ \(above)" : nil, below > 0 ? "↓ \(below)" : nil].compactMap(\.self)
        return "\(parts.joined(separator: " · ")) \(words(above + below))"
    }

    fileprivate static func moreLines(_ number: Int) -> String { number == 1 ? "more line" : "more lines" }

    /// The rows available for text, without the row reserved for the mark. A single row shows text and no mark.
    func textRows(of rows: Int) -> Int {
        keepsMarkRow && rows > 1 && lines.count > rows ? rows - 1 : max(0, rows)
    }
}

extension Frame {
    /// Draws the part of a text that begins with the line `first`, with a mark in the last row if lines are hidden.
    /// - Parameter first: clamped to the text's bounds.
    public mutating func scroll(
        _ text: ScrollText, from first: Int, in rect: Rect, alignment: CellText.Alignment = .left,
        markStyle: Style = Theme.muted
    ) {
        scroll(text, from: first, in: rect, alignment: alignment, markStyle: markStyle, markWords: ScrollText.moreLines)
    }

    /// Draws a part of a text.
    /// - Parameter markWords: the words after the number of hidden lines, such as `more lines`.
    package mutating func scroll(
        _ text: ScrollText, from first: Int, in rect: Rect, alignment: CellText.Alignment = .left,
        markStyle: Style = Theme.muted, markWords: (Int) -> String
    ) {
        guard !rect.isEmpty else { return }
        let start = min(max(0, first), text.limit(rows: rect.rows))
        let shown = text.lines.dropFirst(start).prefix(text.textRows(of: rect.rows))
        write(Array(shown), in: rect, alignment: alignment)
        if text.keepsMarkRow, rect.rows > 1, let mark = text.mark(first: start, rows: rect.rows, words: markWords) {
            write(glyphs.keys(mark), in: rect.row(rect.rows - 1), style: markStyle, alignment: alignment)
        }
    }
}
