import SafeText

/// Rows of text in aligned columns for a terminal.
enum TextTable {
    /// - Parameter rows: may have untrusted text, which is sanitized here.
    static func text(_ titles: [String], _ rows: [[String]]) -> String {
        let lines = [titles] + rows.map { $0.map(Output.line) }
        let widths = titles.indices.map { column in lines.map { CellText.width(of: $0[column]) }.max() ?? 0 }
        return lines.map { cells in
            var line = zip(cells, widths).map { CellText.padded($0, columns: $1) }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
