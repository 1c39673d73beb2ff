import Foundation
import SafeText

/// A matrix as text of at most 80 columns.
package struct MatrixText {
    private let matrix: RuleMatrix
    private static let width = 80
    /// The most lines of the table that are printed. The JSON has all of them.
    private static let lineLimit = 100
    /// The most combinations of facts that are named for a line.
    private static let caseLimit = 3
    private static let gap = 2

    /// - Parameter matrix: cuts in it that change nothing are left out.
    package init(_ matrix: RuleMatrix) { self.matrix = matrix.condensed }

    package var text: String {
        let table = lines.joined(separator: "\n")
        let remarks = remarks.flatMap { CellText.wrap($0, columns: Self.width) }.joined(separator: "\n")
        return [table, remarks].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// What the table does not show.
    private var remarks: [String] {
        var remarks = matrix.notices.map { rule in
            let times = [("announced", rule.announce), ("from", rule.from), ("until", rule.until)].compactMap { word, time in
                time.map { "\(word) \(Self.text(of: $0))" }
            }
            return "Stops nothing: \(rule.effect.rawValue) \(rule.id) for \(rule.audience)"
                + (times.isEmpty ? "." : "; \(times.joined(separator: ", ")).")
        }
        remarks += matrix.undecided.map { "The rule \($0.label) is not understood and does not match: \($0.problem)." }
        if !matrix.omittedFacts.isEmpty {
            remarks.append(
                "Some lines are for one kind of \(matrix.omittedFacts.joined(separator: ", ")) only, because there would be too many. --fact, --os-version and --id choose others."
            )
        }
        if matrix.omittedVersions > 0 {
            remarks.append("\(matrix.omittedVersions) more ranges of versions are left out, the highest ones.")
        }
        let rest = tableLines.count - Self.lineLimit
        if rest > 0 {
            remarks.append("\(rest) more lines are left out. --json has all of them, and a fact that a flag gives makes fewer.")
        }
        return remarks
    }

    /// A line of the table. The versions of a row that is divided have a line without cells.
    private struct Line {
        let name: [String]
        var cells: [RuleMatrix.Cell] = []
    }

    private var tableLines: [Line] {
        matrix.rows.flatMap { row in
            let cases = row.lines.map { line in
                let cases = matrix.cases(of: line)
                let rest = cases.count - Self.caseLimit
                return cases.prefix(Self.caseLimit).map { "  \($0)" } + (rest > 0 ? ["  \(rest) more"] : [])
            }
            if cases == [[]] { return [Line(name: [row.versions.text], cells: row.lines[0].cells)] }
            return [Line(name: [row.versions.text])] + zip(cases, row.lines).map { Line(name: $0, cells: $1.cells) }
        }
    }

    // MARK: The table

    /// Columns side by side, in as many blocks as the width needs. Each block repeats the versions.
    private var lines: [String] {
        let lines = tableLines.prefix(Self.lineLimit)
        let names = Column(heading: ["UTC", "version"], cells: lines.map(\.name), limit: 34)
        var blocks: [[Column]] = []
        for (index, span) in matrix.times.enumerated() {
            let cells = lines.map { $0.cells.isEmpty ? [] : Self.text(of: $0.cells[index]) }
            let column = Column(heading: Self.heading(of: span), cells: cells, limit: 30)
            let used = (blocks.last ?? []).reduce(names.width) { $0 + Self.gap + $1.width }
            if blocks.isEmpty || used + Self.gap + column.width > Self.width { blocks.append([]) }
            blocks[blocks.count - 1].append(column)
        }
        return Array(blocks.map { Self.lines(of: [names] + $0) }.joined(separator: [""]))
    }

    private static func lines(of columns: [Column]) -> [String] {
        (0..<columns[0].cells.count).flatMap { row in
            (0..<(columns.map { $0.cells[row].count }.max() ?? 0)).map { line in
                let texts = columns.map { column in
                    CellText.padded(column.cells[row].dropFirst(line).first ?? "", columns: column.width)
                }
                return texts.joined(separator: String(repeating: " ", count: gap)).trimmingTrailingSpaces
            }
        }
    }

    /// A column with its heading as its first cell.
    private struct Column {
        let cells: [[String]]
        let width: Int

        init(heading: [String], cells: [[String]], limit: Int) {
            self.cells = ([heading] + cells).map { $0.flatMap { Self.wrapped($0, limit) } }
            width = self.cells.joined().map(CellText.width).max() ?? 0
        }

        /// The lines of a text. Those after the first are set in.
        private static func wrapped(_ text: String, _ columns: Int) -> [String] {
            let indent = text.prefix { $0 == " " }.count
            let lines = CellText.wrap(text.trimmingCharacters(in: .whitespaces), columns: columns - indent - 2)
            return lines.enumerated().map { String(repeating: " ", count: indent + ($0.offset == 0 ? 0 : 2)) + $0.element }
        }
    }

    private static func heading(of span: RuleMatrix.Span) -> [String] {
        switch span {
        case .at(let time): ["at", text(of: time)]
        case .between(let from?, _): ["from", text(of: from)]
        case .between(nil, let until?): ["before", text(of: until)]
        case .between(nil, nil): ["", "at any time"]
        }
    }

    /// `2026-12-15 00:00`, with seconds only if there are some.
    private static func text(of time: Date) -> String {
        let text = PlanTime.text(time).replacing("T", with: " ").dropLast()
        return String(text.hasSuffix(":00") ? text.dropLast(3) : text)
    }

    private static func text(of cell: RuleMatrix.Cell) -> [String] {
        return ["\(cell.stage.glyph) \(cell.stage.word)" + (cell.by.map { " by \($0)" } ?? "")]
            + cell.announced.map { "  announced: \($0)" }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String { String(prefix(count - reversed().prefix { $0 == " " }.count)) }
}
