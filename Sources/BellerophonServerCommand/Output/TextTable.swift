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

extension JSONOptions {
    /// Prints a value as JSON, or as a text for a person.
    func write(_ value: some Encodable, _ text: @autoclosure () throws -> String) throws {
        try json ? Output.write(json: value) : Output.write(text())
    }

    /// Prints rows as JSON, or as a table for a person.
    /// - Parameter none: what a person is told if there are no rows.
    func write<Row: Encodable>(_ rows: [Row], _ titles: [String], none: String, cells: (Row) -> [String]) throws {
        guard json || !rows.isEmpty else { return Output.writeError(none) }
        try write(rows, TextTable.text(titles, rows.map(cells)))
    }
}
