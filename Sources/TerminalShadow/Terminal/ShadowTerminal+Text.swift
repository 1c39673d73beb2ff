import SafeText

extension ShadowTerminal {
    /// Takes a run of text and C0 controls.
    mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
        // It is not known in which row the text is.
        if !isAnchored, !isAlternate, keepsMainScreen, hasAlternateScreen { unknownRows = rows }
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 {
                control(byte)
                index += 1
            } else if byte < 0x7F, charsets.isPlain, !inserts {
                var end = index + 1
                while end < text.count, text[end] >= 0x20, text[end] < 0x7F { end += 1 }
                writePlain(UnsafeBufferPointer(rebasing: text[index..<end]))
                index = end
            } else if byte < 0x80 {
                if byte != 0x7F { write(charsets.content(of: byte, graphicBytes: dialect.graphicBytes), width: 1) }
                index += 1
            } else if !dialect.isUTF8 {
                if byte >= 0xA0 { write(UInt32(byte), width: 1) }
                index += 1
            } else {
                let (scalar, length) = dialect.character(UnsafeBufferPointer(rebasing: text[index...]))
                index += length
                if let scalar { write(scalar) } else if !dialect.dropsFaultyText { write(0xFFFD, width: 1) }
            }
        }
    }

    /// Takes a C0 control.
    mutating func control(_ byte: UInt8) {
        lastWritten = nil
        switch byte {
        case 0x08: moveBack(1, isBackspace: true)
        case 0x09: moveToTabStop()
        case 0x0A, 0x0B, 0x0C:
            index()
            if linefeedReturns { column = 0 }
            leaveLine()
        case 0x0D:
            column = 0
            pendingWrap = nil
        case 0x0E: charsets.active = 1
        case 0x0F: charsets.active = 0
        default: break
        }
    }

    /// Moves the cursor to the left.
    mutating func moveBack(_ count: Int, isBackspace: Bool) {
        let isBehindMargin = pendingWrap != nil
        pendingWrap = nil
        if dialect.hasPlaceBehindMargin {
            if isBackspace, column == 0, row > 0, keepsCells, grid.isFull(row: row - 1) {
                row -= 1
                column = columns - 1
            } else {
                column = max(0, column - count + (isBehindMargin ? 1 : 0))
            }
        } else if dialect.hasReverseWrap, modes[45], wrapsAutomatically {
            let cells = columns * rows, place = row * columns + column - min(count, cells) + (isBehindMargin ? 1 : 0)
            (row, column) = ((place + cells) % cells).quotientAndRemainder(dividingBy: columns)
        } else {
            column = max(0, column - count)
        }
    }

    /// Takes note that the cursor has gone to another line in the same column.
    mutating func leaveLine() {
        if dialect.hasPlaceBehindMargin { updatePendingWrap() } else { pendingWrap = nil }
    }

    mutating func moveToTabStop(_ count: Int = 1) {
        for _ in 0..<min(count, columns) where column < columns - 1 {
            repeat { column += 1 } while column < columns - 1 && !tabStops[column]
        }
    }

    /// Writes ASCII characters. The present character set is ASCII, and characters are not inserted.
    private mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>) {
        var rest = text[...]
        while !rest.isEmpty {
            guard makeRoom(for: 1) else { return }
            let count = min(columns - column, rest.count)
            let part = UnsafeBufferPointer(rebasing: rest.prefix(count))
            rest = rest.dropFirst(count)
            lastWritten = ShadowCell(UInt32(part[count - 1]), pen: pen, width: 1)
            changeCells { [column, row, pen] in $0.write(part, at: column, row: row, pen: pen) }
            column += count
            guard column == columns else { continue }
            arriveAtMargin(with: lastWritten)
            // Every further character replaces the one in the last column.
            if !wrapsAutomatically { rest = rest.suffix(1) }
        }
    }

    /// Moves the cursor to where a character of this width is written. Returns false if the terminal drops the character.
    private mutating func makeRoom(for width: Int) -> Bool {
        if pendingWrap != nil {
            if wrapsAutomatically { goToNextLine() } else if dialect.hasPlaceBehindMargin { return false }
            pendingWrap = nil
        }
        if column + width > columns {
            guard wrapsAutomatically else { return false }
            goToNextLine()
        }
        if column == 1, dialect.leavesHalfInFirstColumn, keepsCells, grid[1, row].width == 0 { loseCells() }
        return true
    }

    /// Takes note that a character was written in the last column.
    private mutating func arriveAtMargin(with written: ShadowCell?) {
        column = columns - 1
        if wrapsAutomatically || !dialect.hasPlaceBehindMargin { pendingWrap = written }
    }

    /// Goes to the next line because this one is full.
    private mutating func goToNextLine() {
        pendingWrap = nil
        column = 0
        changeCells { [row] in $0.setFull(row: row) }
        index(background: dialect.wrapsInDefaultBackground ? ShadowPen() : nil)
    }

    /// Writes one character.
    mutating func write(_ scalar: UInt32) {
        guard let character = Unicode.Scalar(scalar) else { return }
        // The C1 controls have no effect in UTF-8.
        guard !(0x80..<0xA0).contains(scalar) else { return }
        let width = CellText.columns(of: character)
        guard width == 0 || width == 2 && joinsNext else { return write(scalar, width: width) }
        combine(scalar)
    }

    /// The column of the character that a mark joins; nil at the beginning of a line.
    private var lastColumn: Int? { pendingWrap != nil ? column : column > 0 ? column - 1 : nil }

    /// Whether the next wide character joins the last one. Only tmux looks for the last one where the cursor was moved to.
    private var joinsNext: Bool {
        guard dialect.joinsEmoji, keepsCells, lastWritten != nil || dialect.family == .tmux, let lastColumn else { return false }
        return grid.lastMark(at: lastColumn, row: row) == 0x200D
    }

    private mutating func combine(_ mark: UInt32) {
        // xterm joins it to the character that it has written last, wherever that is now.
        if lastWritten == nil, dialect.family == .xterm { loseCells() }
        guard let target = lastColumn else { return }
        let isFirst = keepsCells && grid.lastMark(at: target, row: row) == 0
        var isKept = true
        changeCells { [row] in isKept = $0.combine(mark, at: target, row: row) }
        if !isKept { loseCells() }
        if isFirst, mark == 0xFE0F, dialect.widensEmoji { widen(at: target) }
        guard let wrapped = pendingWrap else { return }
        if wrapped.mark1 == 0 { pendingWrap?.mark1 = mark } else if wrapped.mark2 == 0 { pendingWrap?.mark2 = mark }
    }

    /// Makes the character before the cursor wide if it is a narrow emoji.
    private mutating func widen(at target: Int) {
        let cell = grid[target, row]
        guard cell.width == 1, Unicode.Scalar(cell.scalar)?.properties.isEmoji == true else { return }
        // Terminals differ in what they do where there is no room for it, and with what follows.
        guard pendingWrap == nil, !inserts else { return loseCells() }
        changeCells { [row] in $0.widen(at: target, row: row) }
        lastWritten?.width = 2
        column += 1
        if column >= columns { arriveAtMargin(with: lastWritten ?? grid[target, row]) }
    }

    mutating func write(_ scalar: UInt32, width: Int) {
        guard width <= columns, makeRoom(for: width) else { return }
        let inserted = dialect.insertsOneCell ? 1 : width
        if inserts { changeCells { [column, row, pen] in $0.insert(inserted, at: column, row: row, pen: pen) } }
        let written = ShadowCell(scalar, pen: pen, width: UInt8(width))
        changeCells { [column, row] in $0.write(written, at: column, row: row) }
        lastWritten = written
        column += width
        if column >= columns { arriveAtMargin(with: written) }
    }

    /// Writes a character several times.
    mutating func write(_ cell: ShadowCell, times: Int) {
        let width = Int(cell.width), cell = ShadowCell(cell.scalar, pen: pen, width: cell.width)
        guard width <= columns else { return }
        var rest = Self.visibleRepetitions(times, inLinesOf: columns / width, rows: rows)
        while rest > 0 {
            guard makeRoom(for: width) else { return }
            let count = min((columns - column) / width, rest)
            let (column, row, pen) = (column, row, pen)
            if inserts { changeCells { $0.insert(count * width, at: column, row: row, pen: pen) } }
            changeCells { $0.write(cell, times: count, at: column, row: row) }
            rest -= count
            self.column += count * width
            guard self.column == columns else { continue }
            arriveAtMargin(with: cell)
            // Every further character replaces the one in the last column, or does not fit.
            if !wrapsAutomatically {
                if width > 1, rest > 0 { pendingWrap = nil }
                rest = 0
            }
        }
    }

    /// How many repetitions of a character leave the screen and the cursor as more of them do: whole lines of it that follow a
    /// screen of it change nothing.
    static func visibleRepetitions(_ count: Int, inLinesOf length: Int, rows: Int) -> Int {
        let most = (rows + 1) * length
        return count <= most ? count : most + (count - most) % length
    }
}
