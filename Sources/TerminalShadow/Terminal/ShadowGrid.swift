/// The cells of one screen.
///
/// Rows are reached through a table, so that scrolling moves numbers and no cells.
package struct ShadowGrid: Equatable, Sendable {
    package private(set) var columns: Int
    package private(set) var rows: Int
    /// For each visible row, the number of its cells in ``cells``.
    private var order: [Int]
    private var cells: [ShadowCell]
    /// For each row of ``cells``, whether its text goes on in the next row because it was full.
    private var full: [Bool]
    /// For each row of ``cells``, whether something was written into it since it was erased as a whole.
    private var used: [Bool]
    private let halves: TerminalDialect.Halves

    init(columns: Int, rows: Int, halves: TerminalDialect.Halves = .ownRendition) {
        self.halves = halves
        self.columns = columns
        self.rows = rows
        order = Array(0..<rows)
        cells = Array(repeating: ShadowCell(), count: columns * rows)
        full = Array(repeating: false, count: rows)
        used = full
    }

    /// Whether something was written into a row since it was erased as a whole.
    func isUsed(row: Int) -> Bool { used[order[row]] }

    /// Whether the text of a row goes on in the next one because it was full.
    func isFull(row: Int) -> Bool { full[order[row]] }

    mutating func setFull(row: Int, _ isFull: Bool = true) { full[order[row]] = isFull }

    subscript(column: Int, row: Int) -> ShadowCell {
        get { cells[order[row] * columns + column] }
        set { cells[order[row] * columns + column] = newValue }
    }

    /// The cells of a row, left to right.
    func row(_ row: Int) -> ArraySlice<ShadowCell> {
        let first = order[row] * columns
        return cells[first..<(first + columns)]
    }

    /// The character at the end of a row.
    func lastCharacter(ofRow row: Int) -> ShadowCell {
        let cell = self[columns - 1, row]
        return cell.width == 0 && columns > 1 ? self[columns - 2, row] : cell
    }

    /// Whether two grids show the same cells, wherever they are stored.
    package static func == (left: ShadowGrid, right: ShadowGrid) -> Bool {
        guard left.columns == right.columns, left.rows == right.rows else { return false }
        return (0..<left.rows).allSatisfy { left.row($0) == right.row($0) }
    }

    /// Writes ASCII characters in one pen. The range must be inside the row.
    @inline(__always)
    mutating func write(_ text: UnsafeBufferPointer<UInt8>, at column: Int, row: Int, pen: ShadowPen) {
        detach(column: column, row: row, pen: pen)
        detach(column: column + text.count, row: row, pen: pen)
        used[order[row]] = true
        let first = order[row] * columns + column
        cells.withUnsafeMutableBufferPointer { cells in
            for index in 0..<text.count {
                cells[first + index] = ShadowCell(UInt32(text[index]), pen: pen, width: 1)
            }
        }
    }

    /// Writes a character once or several times. The cells must be inside the row.
    mutating func write(_ cell: ShadowCell, times: Int = 1, at column: Int, row: Int) {
        let width = Int(cell.width)
        detach(column: column, row: row, pen: cell.pen)
        detach(column: column + times * width, row: row, pen: cell.pen)
        used[order[row]] = true
        let first = order[row] * columns + column
        cells.withUnsafeMutableBufferPointer { cells in
            cells[first..<(first + times * width)].update(repeating: cell)
            guard width == 2 else { return }
            let half = ShadowCell(0, pen: cell.pen, width: 0)
            for index in 0..<times { cells[first + 2 * index + 1] = half }
        }
    }

    /// Makes both halves of a wide character spaces, if the boundary before this column cuts it in two.
    /// - Parameter pen: the pen of what is done to one of them.
    private mutating func detach(column: Int, row: Int, pen: ShadowPen) {
        guard column > 0, column < columns, self[column, row].width == 0 else { return }
        for half in [column - 1, column] {
            let rendition =
                switch halves {
                case .ownRendition: self[half, row].pen
                case .presentBackground: pen.erasing
                case .standard: ShadowPen()
                }
            self[half, row] = ShadowCell(0x20, pen: rendition, width: 1)
        }
    }

    /// Erases cells of a row. The range is cut to the row.
    mutating func erase(_ range: Range<Int>, row: Int, pen: ShadowPen) {
        let range = range.clamped(to: 0..<columns)
        guard !range.isEmpty else { return }
        if range.count == columns { (used[order[row]], full[order[row]]) = (false, false) }
        detach(column: range.lowerBound, row: row, pen: pen)
        detach(column: range.upperBound, row: row, pen: pen)
        var blank = ShadowCell()
        blank.pen = pen.erasing
        let first = order[row] * columns
        for column in range { cells[first + column] = blank }
    }

    /// Erases whole rows.
    mutating func eraseRows(_ range: Range<Int>, pen: ShadowPen) {
        for row in range.clamped(to: 0..<rows) {
            erase(0..<columns, row: row, pen: pen)
        }
    }

    /// Moves the rows of a region up by `count`, or down by a negative one, and erases what becomes free.
    mutating func scroll(_ region: ClosedRange<Int>, by count: Int, pen: ShadowPen) {
        let moved = min(abs(count), region.count), end = region.upperBound + 1
        guard moved > 0 else { return }
        let split = count > 0 ? region.lowerBound + moved : end - moved
        order.replaceSubrange(region, with: order[split..<end] + order[region.lowerBound..<split])
        let free = count > 0 ? end - moved : region.lowerBound
        eraseRows(free..<(free + moved), pen: pen)
    }

    /// Inserts erased cells and moves the rest of the row to the right. What leaves the row is lost.
    mutating func insert(_ count: Int, at column: Int, row: Int, pen: ShadowPen) {
        let count = min(count, columns - column)
        guard count > 0 else { return }
        used[order[row]] = true
        detach(column: column, row: row, pen: pen)
        detach(column: columns - count, row: row, pen: pen)
        let first = order[row] * columns
        for target in stride(from: columns - 1, through: column + count, by: -1) {
            cells[first + target] = cells[first + target - count]
        }
        erase(column..<(column + count), row: row, pen: pen)
    }

    /// Deletes cells and moves the rest of the row to the left.
    mutating func delete(_ count: Int, at column: Int, row: Int, pen: ShadowPen) {
        let count = min(count, columns - column)
        guard count > 0 else { return }
        detach(column: column, row: row, pen: pen)
        detach(column: column + count, row: row, pen: pen)
        let first = order[row] * columns
        for target in column..<(columns - count) { cells[first + target] = cells[first + target + count] }
        erase((columns - count)..<columns, row: row, pen: pen)
    }

    /// Adds a combining mark to a cell. Returns false if the cell has two already.
    mutating func combine(_ mark: UInt32, at column: Int, row: Int) -> Bool {
        var column = column
        if self[column, row].width == 0, column > 0 { column -= 1 }
        let index = order[row] * columns + column
        if cells[index].mark1 == 0 {
            cells[index].mark1 = mark
            // An erased cell becomes a space with a mark.
            if cells[index].scalar == 0 { cells[index].scalar = 0x20 }
        } else if cells[index].mark2 == 0 {
            cells[index].mark2 = mark
        } else {
            // What follows a joiner joins too.
            if mark == 0x200D || cells[index].mark2 == 0x200D { cells[index].mark2 = mark }
            return false
        }
        return true
    }

    /// The last combining mark of the character at a place; 0 without one.
    func lastMark(at column: Int, row: Int) -> UInt32 {
        let cell = self[column, row].width == 0 && column > 0 ? self[column - 1, row] : self[column, row]
        return cell.mark2 == 0 ? cell.mark1 : cell.mark2
    }

    /// Whether a character has U+FE0F or U+200D, with which terminals draw it differently.
    var hasJoiningMarks: Bool {
        cells.contains { cell in [cell.mark1, cell.mark2].contains { $0 == 0xFE0F || $0 == 0x200D } }
    }

    /// Makes a narrow character wide. The cell on its right must be inside the row.
    mutating func widen(at column: Int, row: Int) {
        let pen = self[column, row].pen
        detach(column: column + 2, row: row, pen: pen)
        self[column, row].width = 2
        self[column + 1, row] = ShadowCell(0, pen: pen, width: 0)
    }

    /// Fills the screen with one character in the default pen (DECALN).
    mutating func fill(_ scalar: UInt32) {
        used = used.map { _ in true }
        for index in cells.indices { cells[index] = ShadowCell(scalar, pen: ShadowPen(), width: 1) }
    }

    /// Changes the size. Rows are kept from `firstRow` on, columns from the left.
    mutating func resize(columns newColumns: Int, rows newRows: Int, firstRow: Int) {
        var new = ShadowGrid(columns: newColumns, rows: newRows, halves: halves)
        for row in 0..<min(newRows, rows - firstRow) {
            for column in 0..<min(columns, newColumns) { new[column, row] = self[column, row + firstRow] }
            if newColumns < columns, self[newColumns, row + firstRow].width == 0 {
                new[newColumns - 1, row] = ShadowCell(0x20, pen: new[newColumns - 1, row].pen, width: 1)
            }
        }
        self = new
    }

    /// Reads or changes the pen of every cell.
    mutating func changePens(_ change: (inout ShadowPen) -> Void) {
        for index in cells.indices { change(&cells[index].pen) }
    }
}
