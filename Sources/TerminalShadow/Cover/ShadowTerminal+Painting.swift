extension ShadowTerminal {
    /// The bytes that a closure paints.
    func painted(_ paint: (inout ShadowPainter) -> Void) -> [UInt8] {
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        paint(&painter)
        return painter.bytes
    }

    /// Modes that the cover needs in a certain state, with that state.
    static let coverModes: [(mode: Int, isOn: Bool)] = [
        (1, false), (5, false), (6, false), (7, true), (69, false), (9, false), (1000, false), (1002, false), (1003, false),
        (2004, true), (9001, false), (25, false),
    ]

    /// Whether the cover changes a mode that the program has not touched.
    static func isChangedByCover(_ mode: Int) -> Bool {
        coverModes.contains { $0.mode == mode && $0.isOn != ShadowModes.isOnByDefault(mode) }
    }

    /// The modes of the program that stay as they are under a cover, such as reports of the focus, which the program gets.
    var modesBesideCover: [(mode: Int, isOn: Bool)] {
        modes.inOrder.filter { entry in
            entry.isOn != ShadowModes.isOnByDefault(entry.mode) && !Self.coverModes.contains { $0.mode == entry.mode }
        }
    }

    /// Appends everything but the cells, the cursor's place and its visibility. The cursor may move.
    func appendModes(to painter: inout ShadowPainter) {
        // The style comes before mode 12, which is the style's blinking.
        if let cursorStyle { painter.control("\(cursorStyle) q") }
        if hasOwnTabStops {
            painter.setMode(6, to: false)
            painter.control("3g")
            for (column, isSet) in tabStops.enumerated() where isSet {
                painter.move(column: column, row: 0)
                painter.escape("H")
            }
        }
        // The origin mode and the cursor's visibility come with the cursor.
        for (mode, isOn) in modes.inOrder where mode != 6 && mode != 25 { painter.setMode(mode, to: isOn) }
        for (mode, isOn) in Self.coverModes where mode != 6 && mode != 25 && !modes.isKnown(mode) {
            if isOn != ShadowModes.isOnByDefault(mode) { painter.setMode(mode, to: !isOn) }
        }
        painter.control(inserts ? "4h" : "4l")
        painter.control(linefeedReturns ? "20h" : "20l")
        painter.escape(isKeypadApplication ? "=" : ">")
        if let modifyOtherKeys { painter.control(">4;\(modifyOtherKeys)m") }
        appendRegion(to: &painter)
        painter.setMode(6, to: isOriginRelative)
        painter.select(charsets)
        painter.select(pen, after: nil, links: links)
    }

    private func appendRegion(to painter: inout ShadowPainter) {
        if region == 0...(rows - 1) {
            painter.control("r")
        } else {
            painter.control("\(region.lowerBound + 1);\(region.upperBound + 1)r")
        }
    }

    /// Appends the stack of keyboard flags of a screen, which the terminal must show.
    func appendKeyboard(_ flags: KeyboardFlags, to painter: inout ShadowPainter) {
        guard usedKeyboardFlags else { return }
        painter.control("<\(KeyboardFlags.depth)u")
        for (level, value) in flags.levels.enumerated() {
            if level > 0 { painter.control(">\(value)u") } else if value != 0 { painter.control("=\(value)u") }
        }
    }

    /// Appends the place that DECSC has saved, if any, and the cursor's place with its pen.
    ///
    /// A pending wrap is restored by writing the last cell again.
    func appendCursor(to painter: inout ShadowPainter) {
        if let saved = saved ?? (dialect.restoresUnsavedCursor ? SavedCursor() : nil) {
            let row = min(saved.row, rows - 1)
            // In origin mode the cursor can't be moved out of the region, but it was there when it was saved.
            let hasOtherRegion = saved.isOriginRelative && !region.contains(row)
            if hasOtherRegion { painter.control("r") }
            appendPlace(
                to: &painter, column: min(saved.column, columns - 1), row: row, top: hasOtherRegion ? 0 : region.lowerBound,
                isPending: saved.pendingWrap != nil && keepsCells && !isInexact, last: nil,
                isOriginRelative: saved.isOriginRelative,
                pen: saved.pen)
            painter.select(saved.charsets)
            painter.escape("7")
            let (last, _) = lastCell(row: row, otherwise: nil)
            if saved.pendingWrap != nil, dialect.erasureEndsWrap, last.scalar == 0, keepsCells {
                // The cell was erased, and is a space now.
                painter.select(last.pen, after: nil, links: links)
                painter.control("X")
            }
            if hasOtherRegion { appendRegion(to: &painter) }
        }
        appendOwnPlace(to: &painter)
        painter.select(charsets)
    }

    /// Appends the cursor's place with its pen, insert mode and automatic wrapping. The terminal has ASCII in G0 and uses it
    /// afterwards.
    func appendOwnPlace(to painter: inout ShadowPainter) {
        appendPlace(
            to: &painter, column: column, row: row, top: region.lowerBound, isPending: pendingWrap != nil, last: pendingWrap,
            isOriginRelative: isOriginRelative, pen: pen)
        if inserts { painter.control("4h") }
        if !wrapsAutomatically { painter.setMode(7, to: false) }
    }

    private func appendPlace(
        to painter: inout ShadowPainter, column: Int, row: Int, top: Int, isPending: Bool, last: ShadowCell?,
        isOriginRelative: Bool, pen: ShadowPen
    ) {
        painter.setMode(7, to: true)
        painter.control("4l")
        painter.setMode(6, to: isOriginRelative)
        painter.selectASCII()
        if isOriginRelative, row < top, let start = placeAboveRegion(&painter) {
            let (cell, first) = isPending ? lastCell(row: row, otherwise: last) : (ShadowCell(), column)
            for (distance, ahead, back) in [(row - start.row, "B", "A"), (first - start.column, "C", "D")] where distance != 0 {
                painter.control("\(abs(distance))\(distance > 0 ? ahead : back)")
            }
            if isPending {
                painter.select(cell.pen, after: nil, links: links)
                painter.write(cell)
            }
            return painter.select(pen, after: nil, links: links)
        }
        let shownRow = isOriginRelative ? row - top : row
        // On some terminals the next character replaces the last one without automatic wrapping, wherever the cursor is said to be.
        guard isPending, wrapsAutomatically || dialect.wrapOutlastsMode, keepsCells || last?.scalar != 0 else {
            painter.move(column: column, row: shownRow)
            return painter.select(pen, after: nil, links: links)
        }
        let (cell, first) = lastCell(row: row, otherwise: last)
        painter.move(column: first, row: shownRow)
        painter.select(cell.pen, after: nil, links: links)
        painter.write(cell)
        // Where that ends the wrap, the cell stays a space.
        if cell.scalar == 0, keepsCells, !dialect.erasureEndsWrap { painter.control("K") }
        painter.select(pen, after: cell.pen, links: links)
    }

    /// Appends a move of the cursor to a place above the region, which it can't be moved to by its place in origin mode.
    /// - Returns: nil if there is no way to one.
    private func placeAboveRegion(_ painter: inout ShadowPainter) -> (column: Int, row: Int)? {
        if dialect.regionIgnoresOrigin {
            // The sequence for the region moves the cursor to the top.
            appendRegion(to: &painter)
            return (0, 0)
        }
        // The cursor comes there by DECRC alone, whose place is the terminal's again.
        guard let saved, canReturnAboveRegion else { return nil }
        painter.escape("8")
        painter.selectASCII()
        return (min(saved.column, columns - 1), saved.row)
    }

    /// Whether there is a way to a place above the region in origin mode.
    var canReturnAboveRegion: Bool {
        dialect.regionIgnoresOrigin || saved.map { $0.isOriginRelative && $0.row < region.lowerBound } ?? false
    }

    /// Appends the pending wrap of a main screen whose cells are not kept: the last character is written again. It needs only
    /// the column of the cursor, which is in the right row.
    func appendPendingWrap(to painter: inout ShadowPainter) {
        guard let last = pendingWrap, last.scalar != 0, wrapsAutomatically || dialect.wrapOutlastsMode, !isRepainted,
            !inexactness.isMain
        else { return }
        painter.setMode(7, to: true)
        painter.control("\(columns - max(1, Int(last.width)) + 1)G")
        painter.selectASCII()
        painter.select(last.pen, after: nil, links: links)
        painter.write(last)
        painter.select(pen, after: last.pen, links: links)
        painter.select(charsets)
        if !wrapsAutomatically { painter.setMode(7, to: false) }
    }

    /// Appends the character before the cursor once more, for a mark that joins it. The terminal's cursor is there, and it may have
    /// written something else since.
    func appendLastCharacter(to painter: inout ShadowPainter) {
        guard pendingWrap == nil, column > 0, let lastWritten else { return }
        let width = max(1, Int(lastWritten.width)), first = column - width
        guard first >= 0 else { return }
        let cell = keepsCells && grid[first, row].width == lastWritten.width ? grid[first, row] : lastWritten
        if inserts { painter.control("4l") }
        painter.selectASCII()
        painter.control("\(first + 1)G")
        painter.select(cell.pen, after: pen, links: links)
        painter.write(cell)
        painter.select(pen, after: cell.pen, links: links)
        painter.select(charsets)
        if inserts { painter.control("4h") }
    }

    /// The last character of a row and its column.
    private func lastCell(row: Int, otherwise known: ShadowCell?) -> (cell: ShadowCell, column: Int) {
        let cell = keepsCells ? grid.lastCharacter(ofRow: row) : known ?? ShadowCell()
        return (cell, columns - max(1, Int(cell.width)))
    }

    /// Appends all cells of the screen in use.
    func appendCells(to painter: inout ShadowPainter) {
        painter.setMode(6, to: false)
        painter.control("r")
        painter.control("4l")
        painter.setMode(7, to: false)
        painter.setMode(25, to: false)
        painter.selectASCII()
        var pen = ShadowPen()
        painter.select(pen, after: nil, links: links)
        for row in 0..<rows { appendRow(row, to: &painter, pen: &pen) }
        painter.select(ShadowPen(), after: pen, links: links)
    }

    /// Appends a character of a row. Automatic wrapping is off.
    private func appendCharacter(_ cell: ShadowCell, at column: Int, to painter: inout ShadowPainter) {
        // tmux then joins a mark on the last character to the one before.
        let wraps = cell.mark1 != 0 && column + Int(cell.width) == columns
        if wraps { painter.setMode(7, to: true) }
        painter.write(cell)
        if wraps { painter.setMode(7, to: false) }
    }

    private func appendRow(_ row: Int, to painter: inout ShadowPainter, pen: inout ShadowPen) {
        let cells = Array(grid.row(row))
        let end = cells.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0
        painter.move(column: 0, row: row)
        append(cells[..<end], ofRow: row, to: &painter, pen: &pen)
        guard end < columns else { return }
        painter.select(ShadowPen(), after: pen, links: links)
        pen = ShadowPen()
        if end > 0 { painter.move(column: end, row: row) }
        painter.control("K")
    }

    /// Appends cells of a row. The cursor is at the first of them, and automatic wrapping is off.
    /// - Parameter erasesWideFirst: whether the cells of a wide character are erased before it is written.
    func append(
        _ cells: ArraySlice<ShadowCell>, ofRow row: Int, to painter: inout ShadowPainter, pen: inout ShadowPen,
        erasesWideFirst: Bool = false
    ) {
        let end = cells.endIndex
        var column = cells.startIndex
        while column < end {
            let cell = cells[column]
            guard cell.width > 0 else {
                column += 1
                continue
            }
            painter.select(cell.pen, after: pen, links: links)
            pen = cell.pen
            if cell.scalar == 0, cell.mark1 == 0 {
                // An erased cell is erased again: it differs from a space where a terminal selects text.
                let count = cells[column..<end].prefix { $0.scalar == 0 && $0.mark1 == 0 && $0.width == 1 && $0.pen == pen }.count
                painter.control("\(count)X")
                column += count
            } else {
                if erasesWideFirst, cell.width > 1 { painter.control("\(cell.width)X") }
                appendCharacter(cell, at: column, to: &painter)
                column += Int(cell.width)
                // The terminal may give another width to a character outside ASCII.
                let isPlain =
                    cell.scalar < 0x7F && cell.mark1 == 0 || cell.scalar & ShadowCharsets.graphics != 0 || !dialect.isUTF8
                if isPlain { continue }
            }
            if column < end { painter.move(column: column, row: row) }
        }
    }
}
