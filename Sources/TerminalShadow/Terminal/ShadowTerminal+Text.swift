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
                if byte != 0x7F { write(charsets.content(of: byte), width: 1) }
                index += 1
            } else if !dialect.isUTF8 {
                if byte >= 0xA0 { write(UInt32(byte), width: 1) }
                index += 1
            } else {
                let (scalar, length) = Self.decode(UnsafeBufferPointer(rebasing: text[index...]))
                index += length
                write(scalar)
            }
        }
    }

    /// Takes a C0 control.
    mutating func control(_ byte: UInt8) {
        lastWritten = nil
        switch byte {
        case 0x08:
            if column > 0 { column -= 1 }
            pendingWrap = nil
        case 0x09: moveToTabStop()
        case 0x0A, 0x0B, 0x0C:
            index()
            if linefeedReturns { column = 0 }
            pendingWrap = nil
        case 0x0D:
            column = 0
            pendingWrap = nil
        case 0x0E: charsets.active = 1
        case 0x0F: charsets.active = 0
        default: break
        }
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
            wrapIfPending()
            let count = min(columns - column, rest.count)
            var part = UnsafeBufferPointer(rebasing: rest.prefix(count))
            rest = rest.dropFirst(count)
            if column + count == columns {
                if !wrapsAutomatically, let last = rest.last {
                    // Every further character replaces the one in the last column.
                    changeCells { [column, row, pen] in $0.write(part, at: column, row: row, pen: pen) }
                    column = columns - 1
                    part = UnsafeBufferPointer(rebasing: text[(text.count - 1)...])
                    lastWritten = ShadowCell(UInt32(last), pen: pen, width: 1)
                    rest = rest.dropFirst(rest.count)
                    changeCells { [column, row, pen] in $0.write(part, at: column, row: row, pen: pen) }
                    pendingWrap = lastWritten
                    return
                }
            }
            lastWritten = ShadowCell(UInt32(part[count - 1]), pen: pen, width: 1)
            changeCells { [column, row, pen] in $0.write(part, at: column, row: row, pen: pen) }
            column += count
            if column == columns {
                column = columns - 1
                pendingWrap = lastWritten
            }
        }
    }

    private mutating func wrapIfPending() {
        guard pendingWrap != nil else { return }
        pendingWrap = nil
        guard wrapsAutomatically else { return }
        column = 0
        index()
    }

    /// Writes one character.
    mutating func write(_ scalar: UInt32) {
        guard let character = Unicode.Scalar(scalar) else { return write(0xFFFD, width: 1) }
        // The C1 controls have no effect in UTF-8.
        guard !(0x80..<0xA0).contains(scalar) else { return }
        let width = CellText.columns(of: character)
        guard width == 0 else { return write(scalar, width: width) }
        combine(scalar)
    }

    private mutating func combine(_ mark: UInt32) {
        guard pendingWrap != nil || column > 0 else { return }
        let target = pendingWrap == nil ? column - 1 : column
        var isKept = true
        changeCells { [row] in isKept = $0.combine(mark, at: target, row: row) }
        if !isKept { loseCells() }
        guard let wrapped = pendingWrap else { return }
        if wrapped.mark1 == 0 { pendingWrap?.mark1 = mark } else if wrapped.mark2 == 0 { pendingWrap?.mark2 = mark }
    }

    mutating func write(_ scalar: UInt32, width: Int) {
        guard width <= columns else { return }
        wrapIfPending()
        if column + width > columns { makeRoom(for: width) }
        if inserts { changeCells { [column, row, pen] in $0.insert(width, at: column, row: row, pen: pen) } }
        changeCells { [column, row, pen] in $0.write(scalar, width: width, at: column, row: row, pen: pen) }
        let written = ShadowCell(scalar, pen: pen, width: UInt8(width))
        lastWritten = written
        column += width
        if column >= columns {
            column = columns - 1
            pendingWrap = written
        }
    }

    /// Moves the cursor to where a character fits that does not fit in the rest of the line.
    private mutating func makeRoom(for width: Int) {
        guard wrapsAutomatically else {
            column = columns - width
            return
        }
        changeCells { [column, columns, row, pen] in $0.erase(column..<columns, row: row, pen: pen) }
        column = 0
        index()
    }

    /// Writes a character several times.
    mutating func write(_ cell: ShadowCell, times: Int) {
        let width = Int(cell.width), cell = ShadowCell(cell.scalar, pen: pen, width: cell.width)
        guard width <= columns else { return }
        var rest = Self.visibleRepetitions(times, inLinesOf: columns / width, rows: rows)
        while rest > 0 {
            wrapIfPending()
            if column + width > columns { makeRoom(for: width) }
            let count = min((columns - column) / width, rest)
            let (column, row, pen) = (column, row, pen)
            if inserts { changeCells { $0.insert(count * width, at: column, row: row, pen: pen) } }
            changeCells { $0.write(cell, times: count, at: column, row: row) }
            rest -= count
            self.column += count * width
            guard self.column == columns else { continue }
            self.column = columns - 1
            pendingWrap = cell
            // Every further character replaces the one in the last column.
            if !wrapsAutomatically { rest = 0 }
        }
    }

    /// How many repetitions of a character leave the screen and the cursor as more of them do: whole lines of it that follow a
    /// screen of it change nothing.
    static func visibleRepetitions(_ count: Int, inLinesOf length: Int, rows: Int) -> Int {
        let most = (rows + 1) * length
        return count <= most ? count : most + (count - most) % length
    }

    /// Decodes the first character. A faulty one is U+FFFD for its longest valid beginning (Unicode, section 3.9).
    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt32, length: Int) {
        let lead = UInt32(text[0])
        let (length, lowest, bits): (Int, UInt8, UInt32) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80, lead & 0x1F)
            case 0xE0: (3, 0xA0, 0)
            case 0xE1...0xEF: (3, 0x80, lead & 0x0F)
            case 0xF0: (4, 0x90, 0)
            case 0xF1...0xF4: (4, 0x80, lead & 0x07)
            default: (1, 0, 0)
            }
        guard length > 1 else { return (0xFFFD, 1) }
        let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        var scalar = bits
        for index in 1..<length {
            guard index < text.count else { return (0xFFFD, index) }
            let valid = index == 1 ? lowest...highest : 0x80...0xBF
            guard valid.contains(text[index]) else { return (0xFFFD, index) }
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
        }
        return (scalar, length)
    }
}
