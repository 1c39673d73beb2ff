import SafeText

/// One line of text with several styles.
public struct TextLine: Equatable, Sendable, ExpressibleByStringLiteral {
    /// A part of a line in one style.
    public struct Span: Equatable, Sendable {
        /// The text of the part.
        public var text: String
        /// The style of the part.
        public var style: Style

        /// Creates a part of a line.
        public init(_ text: String, _ style: Style = Theme.text) {
            self.text = text
            self.style = style
        }
    }

    /// The parts of the line, from left to right.
    public var spans: [Span]

    /// Creates a line from its parts.
    public init(_ spans: [Span]) {
        self.spans = spans
    }

    /// Creates a line in one style.
    public init(_ text: String, _ style: Style = Theme.text) {
        self.init([Span(text, style)])
    }

    /// Creates a line in the style ``Theme/text``.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// A line without text.
    public static let empty = TextLine([])

    /// The width of the whole line in columns.
    public var width: Int { spans.reduce(0) { $0 + CellText.width(of: $1.text) } }

    /// The text of all parts, without styles.
    public var text: String { spans.map(\.text).joined() }

    /// Joins two lines into one.
    public static func + (left: TextLine, right: TextLine) -> TextLine {
        TextLine(left.spans + right.spans)
    }

    /// Breaks a text into lines of at most `columns` columns, all in one style.
    public static func wrapped(_ text: String, columns: Int, style: Style = Theme.text) -> [TextLine] {
        CellText.wrap(text, columns: columns).map { TextLine($0, style) }
    }
}

extension Frame {
    /// Writes a styled line into the first row of a rectangle; a line that does not fit is cut and ends with "…".
    /// - Returns: columns from the rectangle's left edge to the end of the drawn text.
    @discardableResult
    public mutating func write(_ line: TextLine, in rect: Rect, alignment: CellText.Alignment = .left) -> Int {
        guard !rect.isEmpty else { return 0 }
        let space = max(0, rect.columns - line.width)
        var rest = rect
        rest.column += alignment.indent(space)
        rest.columns = rect.endColumn - rest.column
        let overflows = line.width > rect.columns
        for (index, span) in line.spans.enumerated() {
            // A span that exactly fills the line gets "…" if another span follows.
            let continues = overflows && index + 1 < line.spans.count
            let text = continues && CellText.width(of: span.text) >= rest.columns ? span.text + "…" : span.text
            let used = write(text, in: rest, style: span.style)
            rest.column += used
            rest.columns -= used
        }
        return rest.column - rect.column
    }

    /// Writes lines below each other from a rectangle's top; lines that do not fit are not drawn.
    public mutating func write(_ lines: [TextLine], in rect: Rect, alignment: CellText.Alignment = .left) {
        for (offset, line) in lines.prefix(rect.rows).enumerated() {
            write(line, in: rect.row(offset), alignment: alignment)
        }
    }
}

extension Rect {
    /// One row of the rectangle, counted from its top; empty if it is outside the rectangle.
    public func row(_ offset: Int) -> Rect {
        let isInside = (0..<rows).contains(offset)
        return Rect(column: column, row: row + offset, columns: columns, rows: isInside ? 1 : 0)
    }
}
