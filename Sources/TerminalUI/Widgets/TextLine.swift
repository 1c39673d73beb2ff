import SafeText

/// One line of text in more than one style.
public struct TextLine: Equatable, Sendable, ExpressibleByStringLiteral {
    public struct Span: Equatable, Sendable {
        public var text: String
        public var style: Style

        public init(_ text: String, _ style: Style = Theme.text) {
            self.text = text
            self.style = style
        }
    }

    public var spans: [Span]

    public init(_ spans: [Span]) {
        self.spans = spans
    }

    public init(_ text: String, _ style: Style = Theme.text) {
        self.init([Span(text, style)])
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    public static let empty = TextLine([])

    /// The columns that the whole line takes.
    public var width: Int { spans.reduce(0) { $0 + CellText.width(of: $1.text) } }

    /// The line's text without its styles.
    public var text: String { spans.map(\.text).joined() }

    public static func + (left: TextLine, right: TextLine) -> TextLine {
        TextLine(left.spans + right.spans)
    }

    /// A text broken into lines of at most that many columns, all in one style.
    public static func wrapped(_ text: String, columns: Int, style: Style = Theme.text) -> [TextLine] {
        CellText.wrap(text, columns: columns).map { TextLine($0, style) }
    }
}

extension Frame {
    /// Puts a styled line into the first row of a rectangle; what is too long ends with "…".
    /// - Returns: columns from the rectangle's left edge to the end of what was drawn.
    @discardableResult
    public mutating func write(_ line: TextLine, in rect: Rect, alignment: CellText.Alignment = .left) -> Int {
        guard !rect.isEmpty else { return 0 }
        let space = max(0, rect.columns - line.width)
        var rest = rect
        rest.column += alignment == .left ? 0 : alignment == .center ? space / 2 : space
        rest.columns = rect.endColumn - rest.column
        let overflows = line.width > rect.columns
        for (index, span) in line.spans.enumerated() {
            // A span that just fills the line must still show that something follows it.
            let continues = overflows && index + 1 < line.spans.count
            let text = continues && CellText.width(of: span.text) >= rest.columns ? span.text + "…" : span.text
            let used = write(text, in: rest, style: span.style)
            rest.column += used
            rest.columns -= used
        }
        return rest.column - rect.column
    }

    /// Puts one line below the other from a rectangle's top; lines below its end are not drawn.
    public mutating func write(_ lines: [TextLine], in rect: Rect, alignment: CellText.Alignment = .left) {
        for (offset, line) in lines.prefix(rect.rows).enumerated() {
            write(line, in: rect.row(offset), alignment: alignment)
        }
    }
}

extension Rect {
    /// One row of the rectangle, counted from its top; empty outside it.
    public func row(_ offset: Int) -> Rect {
        let isInside = (0..<rows).contains(offset)
        return Rect(column: column, row: row + offset, columns: columns, rows: isInside ? 1 : 0)
    }
}
