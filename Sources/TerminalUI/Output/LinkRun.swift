/// Consecutive cells in one row that link to one address.
package struct LinkRun: Equatable, Sendable {
    package let at: Point
    package let address: String
    package let cells: [Cell]

    /// The runs of a frame, from top to bottom.
    package static func runs(in frame: Frame) -> [LinkRun] {
        (0..<frame.size.rows).flatMap { row in runs(of: frame.row(row), row: row) }
    }

    private static func runs(of cells: ArraySlice<Cell>, row: Int) -> [LinkRun] {
        var runs: [LinkRun] = []
        var index = cells.startIndex
        while index < cells.endIndex {
            guard let address = cells[index].style.link else {
                index += 1
                continue
            }
            let end = cells[index...].firstIndex { $0.style.link != address } ?? cells.endIndex
            if isSafe(address) {
                let place = Point(column: index - cells.startIndex, row: row)
                runs.append(LinkRun(at: place, address: address, cells: Array(cells[index..<end])))
            }
            index = end
        }
        return runs
    }

    /// Whether an address is safe in an escape sequence: a web address in printable ASCII, at most 2,048 bytes.
    package static func isSafe(_ address: String) -> Bool {
        let lower = address.lowercased()
        return (lower.hasPrefix("https://") || lower.hasPrefix("http://"))
            && address.utf8.count <= 2048
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The bytes that write the run again as a hyperlink (OSC 8), with the cursor and its colours unchanged afterwards.
    package func sequence(_ look: TerminalLook, width: (Unicode.Scalar) -> Int) -> String {
        let text = Self.text(of: cells, look, width: width)
        return Self.placed("\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\", at: at)
    }

    /// The bytes that write cells with their colours.
    private static func text(of cells: [Cell], _ look: TerminalLook, width: (Unicode.Scalar) -> Int) -> String {
        var text = ""
        var current: ResolvedStyle?
        for cell in cells where cell.width > 0 {
            let paint = ResolvedStyle(cell.style, look)
            if paint != current {
                text += "\u{1B}[\(paint.parameters(depth: look.depth))m"
                current = paint
            }
            for scalars in Glyph.scalars(of: cell, look.glyphs, width: width) { text.unicodeScalars.append(contentsOf: scalars) }
        }
        return text
    }

    private static func placed(_ text: String, at place: Point) -> String {
        "\u{1B}7\u{1B}[\(place.row + 1);\(place.column + 1)H\(text)\u{1B}8"
    }

    /// The bytes that write the last cell of a terminal with one column; empty for all other terminals.
    ///
    /// If a terminal always wraps, ncurses draws the last cell by shifting it into place from the cell before it. With a
    /// single column there is no such cell, and the last cell is lost.
    package static func lastCellOfOneColumn(
        _ frame: Frame, _ look: TerminalLook, width: (Unicode.Scalar) -> Int
    ) -> String {
        guard frame.size.columns == 1, frame.size.rows > 0 else { return "" }
        let row = frame.size.rows - 1
        return placed(text(of: [frame[0, row]], look, width: width), at: Point(column: 0, row: row))
    }
}
