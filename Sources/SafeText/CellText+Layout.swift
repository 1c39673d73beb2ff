extension CellText {
    /// The horizontal position of a text within its columns.
    public enum Alignment: Equatable, Sendable {
        /// At the left edge.
        case left
        /// In the middle; the right side gets an odd column.
        case center
        /// At the right edge.
        case right

        /// The columns before a text that leaves this many columns.
        package func indent(_ space: Int) -> Int { self == .left ? 0 : self == .center ? space / 2 : space }
    }

    /// The text if it fits; otherwise its longest prefix that leaves a column for "…", followed by "…".
    ///
    /// Graphemes are never cut. With zero columns the result is empty.
    public static func truncate(_ text: String, columns: Int) -> String {
        guard columns > 0 else { return "" }
        // No scalar is wider than two columns. The byte count is a fast test for plain text.
        if text.utf8.count <= columns, width(of: text) <= columns { return text }
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            used += width(of: String(text[index]))
            if used > columns { return text[..<end] + "…" }
            if used <= columns - 1 { end = text.index(after: index) }
        }
        return text
    }

    /// The text cut, or padded with spaces, to exactly `columns` columns.
    public static func padded(_ text: String, columns: Int, alignment: Alignment = .left) -> String {
        let cut = truncate(text, columns: columns)
        let space = max(0, columns - width(of: cut))
        let left = alignment.indent(space)
        return String(repeating: " ", count: left) + cut + String(repeating: " ", count: space - left)
    }
}
