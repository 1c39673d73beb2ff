/// The extent of a terminal or an area of it, in character cells.
public struct Size: Equatable, Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    /// Negative extents count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    public var isEmpty: Bool { columns == 0 || rows == 0 }
}

/// A cell's place: column and row, both from zero at the top left.
public struct Point: Equatable, Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
public struct Rect: Equatable, Hashable, Sendable {
    public var column: Int
    public var row: Int
    public var columns: Int
    public var rows: Int

    /// Negative extents count as zero; the origin may lie outside the screen.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// The rectangle of a whole screen.
    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    public var origin: Point { Point(column: column, row: row) }
    public var size: Size { Size(columns: columns, rows: rows) }
    public var isEmpty: Bool { columns == 0 || rows == 0 }
    /// The first column to the right of the rectangle.
    public var endColumn: Int { column + columns }
    /// The first row below the rectangle.
    public var endRow: Int { row + rows }

    public func contains(_ point: Point) -> Bool {
        (column..<endColumn).contains(point.column) && (row..<endRow).contains(point.row)
    }

    /// The part that both cover; empty where they do not meet.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column), top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top
        )
    }

    /// The rectangle without a margin at its edges.
    public func inset(columns horizontal: Int = 0, rows vertical: Int = 0) -> Rect {
        Rect(
            column: column + horizontal, row: row + vertical,
            columns: columns - 2 * horizontal, rows: rows - 2 * vertical
        )
    }

    /// The top `count` rows and the rest.
    public func split(top count: Int) -> (top: Rect, rest: Rect) {
        let taken = min(max(0, count), rows)
        return (
            Rect(column: column, row: row, columns: columns, rows: taken),
            Rect(column: column, row: row + taken, columns: columns, rows: rows - taken)
        )
    }

    /// The bottom `count` rows and the rest.
    public func split(bottom count: Int) -> (rest: Rect, bottom: Rect) {
        let (rest, bottom) = split(top: rows - min(max(0, count), rows))
        return (rest, bottom)
    }

    /// The left `count` columns and the rest.
    public func split(left count: Int) -> (left: Rect, rest: Rect) {
        let taken = min(max(0, count), columns)
        return (
            Rect(column: column, row: row, columns: taken, rows: rows),
            Rect(column: column + taken, row: row, columns: columns - taken, rows: rows)
        )
    }

    /// A rectangle of the given size in the middle of this one, cut to fit it.
    public func centered(_ size: Size) -> Rect {
        let width = min(size.columns, columns), height = min(size.rows, rows)
        return Rect(
            column: column + (columns - width) / 2, row: row + (rows - height) / 2,
            columns: width, rows: height
        )
    }
}
