import SafeText
internal import TerminalUI

// What a notice must know of the screen below it.
extension ShadowTerminal {
    /// Whether the cursor can be moved away and brought back.
    var isPlaceKnown: Bool {
        guard keepsCells, isAlternate || isAnchored, charsets.single == nil else { return false }
        // In origin mode the cursor can't be moved out of the region.
        guard !isOriginRelative || region.contains(row) else { return false }
        return pendingWrap == nil || isRowKnown(row)
    }

    /// Whether the cells of a row are those of the terminal.
    func isRowKnown(_ row: Int) -> Bool { keepsCells && (isAlternate || row >= unknownRows) }

    /// The bytes of what something else paints between two tokens of the program. The cursor, its rendition and all modes are as before
    /// afterwards, and the place that DECSC has saved is not touched.
    func paintedByOthers(_ paint: (inout ShadowPainter) -> Void) -> [UInt8] {
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        let hasASCII = charsets.active == 0 && charsets.designations[0] == UInt16(UInt8(ascii: "B"))
        if isOriginRelative { painter.setMode(6, to: false) }
        if inserts { painter.control("4l") }
        if !hasASCII { painter.selectASCII() }
        painter.setMode(7, to: false)
        painter.select(ShadowPen(), after: nil, links: links)
        paint(&painter)
        appendOwnPlace(to: &painter)
        if !hasASCII { painter.select(charsets, count: 1) }
        return painter.bytes
    }

    /// Appends cells of a row, which other cells have covered. The pen is the default one before and afterwards.
    func appendCells(of row: Int, _ range: Range<Int>, to painter: inout ShadowPainter) {
        var pen = ShadowPen()
        let cells = Array(grid.row(row))
        painter.move(column: range.lowerBound, row: row)
        // tmux takes a row that was erased as a whole for one that was never used, and keeps it out of its history.
        if !grid.isUsed(row: row), cells[0].scalar == 0, cells.allSatisfy({ $0 == cells[0] }) {
            painter.select(cells[0].pen, after: pen, links: links)
            painter.control("2K")
            return painter.select(pen, after: cells[0].pen, links: links)
        }
        // A terminal may draw a wide character narrower, and would keep what covered its right half.
        append(cells[range], ofRow: row, to: &painter, pen: &pen, erasesWideFirst: true)
        painter.select(ShadowPen(), after: pen, links: links)
    }

    /// Appends a space in the rendition of a cell.
    func appendSpace(column: Int, row: Int, to painter: inout ShadowPainter) {
        let pen = grid[column, row].pen
        painter.move(column: column, row: row)
        painter.select(pen, after: ShadowPen(), links: links)
        painter.append([0x20])
        painter.select(ShadowPen(), after: pen, links: links)
    }

    /// Whether a text begins with a combining mark.
    func beginsWithMark(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, first >= 0xC2, dialect.isUTF8, let scalar = dialect.character(text).scalar else {
            return false
        }
        return Unicode.Scalar(scalar).map { CellText.columns(of: $0) == 0 } ?? false
    }

    /// The text in place of REP after something else has written on the terminal; nil for every other token.
    func repetition(
        _ token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>, _ sequence: inout ControlSequence
    ) -> [UInt8]? {
        guard token == .control, bytes.last == UInt8(ascii: "b"), let lastWritten, dialect.repetition != .never else {
            return nil
        }
        sequence.read(bytes)
        guard sequence.marker == 0, sequence.intermediate == 0, sequence.controls.isEmpty else { return nil }
        var count = sequence.count(0)
        if dialect.repetition == .toMargin {
            let isASCII = lastWritten.scalar & ~ShadowCharsets.graphics < 0x7F
            count = isASCII && pendingWrap == nil ? min(count, columns - column) : 0
        }
        let length = max(1, columns / max(1, Int(lastWritten.width)))
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        painter.append(scalar: lastWritten.scalar & ~ShadowCharsets.graphics)
        let times = Self.visibleRepetitions(min(count, Self.mostRepetitions), inLinesOf: length, rows: rows)
        return Array(repeatElement(painter.bytes, count: times).joined())
    }

    // MARK: What changes a row

    /// Whether a token may change the cells of a row, or move them. It is asked before the token is performed. True if in doubt.
    func mayChange(
        row target: Int, by token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>,
        _ sequence: inout ControlSequence
    ) -> Bool {
        switch token {
        case .text: return mayChange(row: target, byText: bytes)
        case .control:
            sequence.read(bytes)
            return mayChange(row: target, by: sequence)
        case .escape: return mayChange(row: target, byEscape: bytes)
        case .string, .unterminatedString:
            // Commands of the operating system kind draw nothing, except for images.
            return bytes.count < 3 || bytes[1] != UInt8(ascii: "]") || bytes.starts(with: Array("\u{1B}]1337".utf8))
                || bytes.starts(with: Array("\u{1B}]66;".utf8))
        case .cancelled, .overlongPart, .overlongEnd: return true
        }
    }

    private func mayChange(row target: Int, byText text: UnsafeBufferPointer<UInt8>) -> Bool {
        if row == target { return true }
        var feeds = 0, end = column + text.count
        for byte in text {
            if (0x0A...0x0C).contains(byte) { feeds += 1 }
            // A tab moves to the last column where no stop is left.
            if byte == 0x09 { end += columns - 1 }
        }
        let wraps = wrapsAutomatically ? end / max(1, columns - 1) + 1 : 0
        return mayChange(row: target, byMovingDown: feeds + (pendingWrap == nil && end < columns ? 0 : wraps))
    }

    private func mayChange(row target: Int, byMovingDown count: Int) -> Bool {
        guard count > 0 else { return false }
        if region.contains(target), row <= region.upperBound, row + count > region.upperBound { return true }
        return (row...(row + count)).contains(target)
    }

    private func mayChange(row target: Int, by sequence: ControlSequence) -> Bool {
        guard sequence.controls.isEmpty else { return true }
        switch (sequence.marker, sequence.intermediate) {
        case (0, 0): break
        case (UInt8(ascii: "?"), 0):
            switch sequence.final {
            case UInt8(ascii: "h"), UInt8(ascii: "l"):
                return sequence.parameters.contains { [2, 3, 40, 47, 69, 1047, 1049].contains($0) }
            case UInt8(ascii: "s"), UInt8(ascii: "n"), UInt8(ascii: "u"), UInt8(ascii: "c"), UInt8(ascii: "m"): return false
            default: return true
            }
        case (UInt8(ascii: "?"), UInt8(ascii: "$")): return sequence.final != UInt8(ascii: "p")
        case (UInt8(ascii: ">"), 0), (UInt8(ascii: "<"), 0), (UInt8(ascii: "="), 0): return false
        case (0, UInt8(ascii: " ")): return sequence.final != UInt8(ascii: "q")
        default: return true
        }
        let reaches =
            dialect.shiftsLinesAnywhere && !region.contains(row) && row <= target
            || region.contains(row) && (row...max(row, region.upperBound)).contains(target)
        switch sequence.final {
        case UInt8(ascii: "A")...UInt8(ascii: "I"), UInt8(ascii: "Z"), UInt8(ascii: "`"), UInt8(ascii: "a"), UInt8(ascii: "d"),
            UInt8(ascii: "e"), UInt8(ascii: "f"), UInt8(ascii: "s"), UInt8(ascii: "u"), UInt8(ascii: "m"), UInt8(ascii: "r"),
            UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "n"), UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "g"):
            return false
        case UInt8(ascii: "K"), UInt8(ascii: "X"), UInt8(ascii: "P"), UInt8(ascii: "@"): return row == target
        case UInt8(ascii: "J"):
            switch sequence.value(0) {
            case 0: return row <= target
            case 1: return row >= target
            default: return true
            }
        case UInt8(ascii: "L"), UInt8(ascii: "M"): return reaches
        case UInt8(ascii: "S"), UInt8(ascii: "T"): return region.contains(target)
        default: return true
        }
    }

    private func mayChange(row target: Int, byEscape bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch bytes.count {
        case 2:
            switch bytes[1] {
            case UInt8(ascii: "D"), UInt8(ascii: "E"): return mayChange(row: target, byMovingDown: 1)
            case UInt8(ascii: "M"): return region.contains(target) && row == region.lowerBound
            case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "H"),
                UInt8(ascii: "n"), UInt8(ascii: "o"), UInt8(ascii: "Z"), UInt8(ascii: "\\"):
                return false
            default: return true
            }
        case 3: return !(UInt8(ascii: "(")...UInt8(ascii: "+")).contains(bytes[1])
        default: return true
        }
    }
}
