/// The extent of a terminal or an area of it, in character cells.
public struct Size: Equatable, Hashable, Sendable {
    /// The width in columns; a negative value becomes zero.
    public var columns: Int { didSet { columns = max(0, columns) } }
    /// The height in rows; a negative value becomes zero.
    public var rows: Int { didSet { rows = max(0, rows) } }

    /// Creates a size; negative values become zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// Whether the area contains no cell.
    public var isEmpty: Bool { columns == 0 || rows == 0 }
}

/// The position of a cell, counted from zero at the top left.
public struct Point: Equatable, Hashable, Sendable {
    /// The column, from the left.
    public var column: Int
    /// The row, from the top.
    public var row: Int

    /// Creates a position.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
public struct Rect: Equatable, Hashable, Sendable {
    /// The first column.
    public var column: Int
    /// The first row.
    public var row: Int
    /// The width in columns; a negative value becomes zero.
    public var columns: Int { didSet { columns = max(0, columns) } }
    /// The height in rows; a negative value becomes zero.
    public var rows: Int { didSet { rows = max(0, rows) } }

    /// Creates a rectangle; negative sizes become zero. The origin may be outside the screen.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// Creates the rectangle of a whole screen, with its origin at the top left.
    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    /// The position of the top left cell.
    public var origin: Point { Point(column: column, row: row) }
    /// The width and height.
    public var size: Size { Size(columns: columns, rows: rows) }
    /// Whether the rectangle contains no cell.
    public var isEmpty: Bool { columns == 0 || rows == 0 }
    /// The first column to the right of the rectangle.
    public var endColumn: Int { column + columns }
    /// The first row below the rectangle.
    public var endRow: Int { row + rows }

    /// Whether a cell is inside the rectangle.
    public func contains(_ point: Point) -> Bool {
        (column..<endColumn).contains(point.column) && (row..<endRow).contains(point.row)
    }

    /// The common part of both rectangles; empty if they do not overlap.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column), top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top
        )
    }

    /// The rectangle without a margin of `horizontal` columns at the left and right and `vertical` rows at the top and bottom.
    public func inset(columns horizontal: Int = 0, rows vertical: Int = 0) -> Rect {
        Rect(
            column: column + horizontal, row: row + vertical,
            columns: columns - 2 * horizontal, rows: rows - 2 * vertical
        )
    }

    /// Splits the rectangle into its top `count` rows and the rest; `count` is clamped to the height.
    public func split(top count: Int) -> (top: Rect, rest: Rect) {
        let taken = min(max(0, count), rows)
        return (
            Rect(column: column, row: row, columns: columns, rows: taken),
            Rect(column: column, row: row + taken, columns: columns, rows: rows - taken)
        )
    }

    /// Splits the rectangle into its bottom `count` rows and the rest; `count` is clamped to the height.
    public func split(bottom count: Int) -> (rest: Rect, bottom: Rect) {
        let (rest, bottom) = split(top: rows - min(max(0, count), rows))
        return (rest, bottom)
    }

    /// Splits the rectangle into its left `count` columns and the rest; `count` is clamped to the width.
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
