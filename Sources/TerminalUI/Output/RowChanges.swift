/// The cells of one row that must be sent to a terminal.
struct RowChanges: Equatable {
    /// The first columns of the cells to write, in the order of their output: left to right, and perhaps one of them again.
    private(set) var columns: [Int] = []
    /// The column from which the row is erased to its end; nil if nothing is erased.
    private(set) var erasedFrom: Int?

    /// The fewest changed cells for which erasing takes fewer bytes than spaces.
    private static let leastErased = 8

    /// Compares a row with what the terminal shows.
    /// - Parameters:
    ///   - new: the cells to show.
    ///   - old: the cells on the terminal, as many; nil if they are unknown.
    ///   - reach: the columns that a cell may take on a terminal that draws it wider than the frame. It may then cover cells
    ///     that did not change; they are written again.
    ///   - isErased: whether a cell looks like one that the terminal has erased.
    init(
        _ new: ArraySlice<Cell>, old: ArraySlice<Cell>?, reach: (Cell) -> Int, isErased: (Cell) -> Bool
    ) {
        var covered = 0
        for (column, cell) in new.enumerated() where cell.width > 0 {
            // The right half of a wide character changes only with its left half.
            guard column < covered || old.map({ $0[$0.startIndex + column] != cell }) ?? true else { continue }
            columns.append(column)
            covered = max(covered, column + reach(cell))
        }
        repeatLastButOne(of: new, reach: reach)
        eraseEnd(of: new, isErased: isErased)
    }

    /// Writes the cell before the last column again, after a character in the last column that may be wider there.
    ///
    /// With automatic wrapping off, terminals draw a wide character that does not fit in the last two columns.
    private mutating func repeatLastButOne(of new: ArraySlice<Cell>, reach: (Cell) -> Int) {
        guard let last = columns.last, last == new.count - 1, last > 0, reach(new[new.endIndex - 1]) > 1 else { return }
        columns.append(new[new.endIndex - 2].width == 0 ? max(0, last - 2) : last - 1)
    }

    /// Replaces the changed cells at the end of the row by erasing, if they are blank and many.
    private mutating func eraseEnd(of new: ArraySlice<Cell>, isErased: (Cell) -> Bool) {
        let blank = new.lastIndex { !isErased($0) }.map { $0 + 1 - new.startIndex } ?? 0
        let count = columns.reversed().prefix { $0 >= blank }.count
        guard count >= Self.leastErased else { return }
        erasedFrom = columns[columns.count - count]
        columns.removeLast(count)
    }
}
