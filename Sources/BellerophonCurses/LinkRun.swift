import TerminalUI

/// A stretch of cells in one row that links to one address.
struct LinkRun: Equatable, Sendable {
    let at: Point
    let address: String
    let cells: [Cell]

    /// The runs of a frame, top to bottom.
    static func runs(in frame: Frame) -> [LinkRun] {
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

    /// Whether an address may stand in an escape sequence: a web address in printable ASCII.
    static func isSafe(_ address: String) -> Bool {
        let lower = address.lowercased()
        return (lower.hasPrefix("https://") || lower.hasPrefix("http://"))
            && address.utf8.count <= 2048
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The bytes that write the run again as a hyperlink (OSC 8) and leave the cursor and its colours as they were.
    func sequence(depth: ColorDepth, width: (Unicode.Scalar) -> Int) -> String {
        var text = "\u{1B}7\u{1B}[\(at.row + 1);\(at.column + 1)H\u{1B}]8;;\(address)\u{1B}\\"
        var current: Paint?
        for cell in cells where cell.width > 0 {
            let paint = Paint(cell.style, depth: depth)
            if paint != current {
                text += "\u{1B}[\(paint.parameters(depth: depth))m"
                current = paint
            }
            for scalars in Glyph.scalars(of: cell, width: width) { text.unicodeScalars.append(contentsOf: scalars) }
        }
        return text + "\u{1B}]8;;\u{1B}\\\u{1B}8"
    }
}
