import SafeText

/// One character cell: its text, width and style.
public struct Cell: Equatable, Hashable, Sendable {
    /// A base scalar with its combining marks; empty in the right half of a wide one.
    public var text: String
    /// Columns that the text takes: 1, 2, or 0 for the right half of a wide cell.
    public var width: Int
    /// The style of the cell's text.
    public var style: Style

    /// Creates a cell.
    /// - Parameters:
    ///   - text: a base scalar with its combining marks; empty for the right half of a wide cell.
    ///   - width: 1, 2, or 0 for the right half of a wide cell.
    public init(_ text: String, width: Int, style: Style) {
        self.text = text
        self.width = width
        self.style = style
    }

    /// A space in the plain style.
    public static let blank = Cell(" ", width: 1, style: .plain)
}

/// A grid of cells. Views draw only into a frame.
///
/// Every write is clipped. If a write overwrites one half of a wide cell, the other half becomes a space.
public struct Frame: Equatable, Sendable {
    /// The frame's size.
    public let size: Size
    /// All cells, row by row, left to right.
    public private(set) var cells: [Cell]
    /// The position of the terminal's cursor; nil hides it.
    public var cursor: Point?
    /// The characters that the terminal draws. Widgets read it where the ASCII form of a text has another width.
    package var glyphs = GlyphStyle.unicode
    private var buttons: [Button] = []

    private struct Button: Equatable, Sendable {
        let rect: Rect
        let key: Key
    }

    /// Creates a frame of spaces in one style.
    public init(_ size: Size, style: Style = .plain) {
        self.size = size
        cells = Array(repeating: Cell(" ", width: 1, style: style), count: size.columns * size.rows)
    }

    /// The rectangle of the whole frame.
    public var bounds: Rect { Rect(size) }

    /// The cell at a position, which must be inside the frame.
    public subscript(column: Int, row: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// The cells of one row, left to right.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[(row * size.columns)..<((row + 1) * size.columns)]
    }

    /// Writes one line of text at a position, cut at the clip's edge.
    ///
    /// Control characters and newlines take no cell. Text that starts left of the clip is drawn from the clip's left edge.
    /// If an edge cuts a wide character in two, the visible half is drawn as a space.
    /// - Parameter clip: nothing is drawn outside it; nil means the whole frame.
    /// - Returns: columns from `point` to the end of the drawn text, including those left of the clip.
    @discardableResult
    public mutating func write(
        _ text: String, at point: Point, style: Style = .plain, clip: Rect? = nil
    ) -> Int {
        let area = clip.map(bounds.intersection) ?? bounds
        guard !area.isEmpty, (area.row..<area.endRow).contains(point.row), point.column < area.endColumn else { return 0 }
        var column = point.column
        CellText.forEachCluster(of: text) { cluster in
            let end = column + cluster.width
            if column >= area.column, end <= area.endColumn {
                put(cluster, column: column, row: point.row, style: style)
            } else if end > area.column {
                let half = max(column, area.column)
                put(Self.space, column: half, row: point.row, style: style)
            }
            column = min(end, area.endColumn)
            return column < area.endColumn
        }
        return column - point.column
    }

    /// Writes one line of text into the first row of a rectangle; text that does not fit is cut and ends with "…".
    /// - Returns: columns from the rectangle's left edge to the end of the drawn text.
    @discardableResult
    public mutating func write(
        _ text: String, in rect: Rect, style: Style = .plain, alignment: CellText.Alignment = .left
    ) -> Int {
        guard !rect.isEmpty else { return 0 }
        let line = CellText.truncate(text, columns: rect.columns)
        let space = rect.columns - CellText.width(of: line)
        let indent = alignment.indent(space)
        return indent + write(line, at: Point(column: rect.column + indent, row: rect.row), style: style, clip: rect)
    }

    /// Fills a rectangle with one character; a character that is not one column wide is replaced by a space.
    public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
        let area = bounds.intersection(rect)
        guard !area.isEmpty else { return }
        let clusters = CellText.clusters(of: String(character))
        let cluster = clusters.count == 1 && clusters[0].width == 1 ? clusters[0] : Self.space
        for row in area.row..<area.endRow {
            for column in area.column..<area.endColumn {
                put(cluster, column: column, row: row, style: style)
            }
        }
    }

    /// Changes the style of the cells in a rectangle and keeps their text.
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = bounds.intersection(rect)
        for row in area.row..<max(area.row, area.endRow) {
            for column in area.column..<max(area.column, area.endColumn) {
                change(&cells[row * size.columns + column].style)
            }
        }
    }

    /// The frame as text: one line per row, without trailing spaces.
    public var text: String { text(glyphs: .unicode) }

    /// The frame as text: one line per row, without trailing spaces.
    /// - Parameter glyphs: the characters of lines, marks and drawings.
    public func text(glyphs: GlyphStyle) -> String {
        (0..<size.rows).map { row in
            let cells = self.row(row).map { Glyph.text(of: $0, glyphs) }
            let end = cells.lastIndex { $0 != " " }.map { $0 + 1 } ?? cells.startIndex
            return cells[..<end].joined()
        }.joined(separator: "\n")
    }

    /// The frame with blank rows below it.
    package func extended(by rows: Int) -> Frame {
        var frame = Frame(Size(columns: size.columns, rows: size.rows + max(0, rows)))
        frame.cells.replaceSubrange(0..<cells.count, with: cells)
        (frame.cursor, frame.glyphs, frame.buttons) = (cursor, glyphs, buttons)
        return frame
    }

    // MARK: Buttons

    /// Makes a rectangle a button: a click on it acts like a key. A later button covers an earlier one.
    public mutating func addButton(_ rect: Rect, pressing key: Key) {
        let area = bounds.intersection(rect)
        if !area.isEmpty { buttons.append(Button(rect: area, key: key)) }
    }

    /// The key of the button at a position; nil outside all buttons.
    public func key(at point: Point) -> Key? {
        buttons.last { $0.rect.contains(point) }?.key
    }

    private static let space = CellText.clusters(of: " ")[0]

    private mutating func put(_ cluster: CellText.Cluster, column: Int, row: Int, style: Style) {
        let index = row * size.columns + column
        for offset in 0..<cluster.width where cells[index + offset].width != 1 {
            detach(index + offset, column: column + offset)
        }
        cells[index] = Cell(cluster.text, width: cluster.width, style: style)
        if cluster.width == 2 { cells[index + 1] = Cell("", width: 0, style: style) }
    }

    /// Clears a wide cell before one half of it is overwritten: both halves become spaces.
    private mutating func detach(_ index: Int, column: Int) {
        if cells[index].width == 0, column > 0 {
            cells[index - 1] = Cell(" ", width: 1, style: cells[index - 1].style)
        } else if cells[index].width == 2, column + 1 < size.columns {
            cells[index + 1] = Cell(" ", width: 1, style: cells[index + 1].style)
        }
        cells[index] = Cell(" ", width: 1, style: cells[index].style)
    }
}
