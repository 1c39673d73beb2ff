import SafeText

/// Rows of text in aligned columns for a terminal.
struct TextTable {
    let titles: [String]
    private(set) var rows: [[String]] = []

    init(_ titles: String...) {
        self.titles = titles
    }

    /// - Parameter cells: may be untrusted text, which is sanitized here.
    mutating func append(_ cells: [String]) {
        rows.append(cells.map(Output.line))
    }

    var text: String {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { CellText.width(of: $0[column]) }.max() ?? 0 }
        return all.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            if column > 0 { line += "  " }
            line += column < cells.count - 1 ? CellText.padded(cell, columns: widths[column]) : cell
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
