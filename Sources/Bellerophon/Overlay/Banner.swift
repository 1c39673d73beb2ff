package import TerminalUI

/// Rows over the screen of a program that keeps its keys, its cursor and everything else.
package struct Banner: Equatable, Sendable {
    /// The edge of the screen that the rows stand at.
    package enum Edge: Equatable, Sendable { case top, bottom }

    /// The columns of a screen that the rows may take.
    package enum Room: Equatable, Sendable {
        /// At most 60 % of the columns, and whole rows on a screen of less than 40 columns.
        case shared
        /// As many as the rows need.
        case whole

        /// The most columns of a screen that the rows may take.
        package func columns(of size: Size) -> Int {
            self == .whole || size.columns < 40 ? size.columns : size.columns * 6 / 10
        }
    }

    /// From top to bottom. What is wider than the place is cut, and so are rows that do not fit.
    package var rows: [TextLine]
    package var edge: Edge
    package var room: Room

    package init(_ rows: [TextLine], at edge: Edge = .top, room: Room = .shared) {
        self.rows = rows
        self.edge = edge
        self.room = room
    }

    /// The part of a screen that the rows take, at its right.
    package func area(in size: Size) -> Rect {
        let widest = rows.map(\.width).max() ?? 0
        let most = room.columns(of: size)
        let columns = room == .shared && most == size.columns ? most : min(widest, most)
        let count = min(rows.count, size.rows)
        return Rect(
            column: size.columns - columns, row: edge == .top ? 0 : size.rows - count, columns: columns, rows: count)
    }

    /// Draws the rows over a program's frame.
    package func draw(in frame: inout Frame) {
        let area = area(in: frame.size)
        frame.fill(area)
        frame.write(rows, in: area)
    }
}
