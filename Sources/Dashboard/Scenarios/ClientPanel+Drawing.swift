import Barricade
import Bellerophon
import Foundation
import TerminalUI

/// The lines of the panel.
extension ClientPanel {
    /// What is edited; nil for what is not known.
    func value(of row: Row, _ subject: Subject) -> String? {
        switch row {
        case .version: subject.app.version
        case .osVersion: subject.app.osVersion
        case .installID: subject.app.installID
        case .fact(let name): subject.app.values[name]
        case .newFact: nil
        case .draw(let draw):
            subject.draws.first { $0.text == draw }?.number.map { String(Share.percent($0).dropLast()) }
        case .time: SimulatedTime(subject.date).text
        }
    }

    static func label(of row: Row) -> String {
        switch row {
        case .version: "version"
        case .osVersion: "osVersion"
        case .installID: "installID"
        case .fact(let name): safe(name, 20)
        case .newFact: "another fact"
        case .draw(let draw): "share " + safe(draw, 20)
        case .time: "time"
        }
    }

    private func line(_ row: Row, _ subject: Subject) -> TextLine {
        switch row {
        case .newFact: return TextLine("name=value", Theme.muted)
        case .draw(let text):
            guard let draw = subject.draws.first(where: { $0.text == text }) else { return .empty }
            let number = draw.number.map { TextLine(Share.percent($0)) } ?? TextLine("no id", Theme.muted)
            return number + TextLine("  " + Self.safe(draw.shares.joined(separator: ", "), 120), Theme.muted)
        case .time:
            let time = SimulatedTime(subject.date).text.replacing("T", with: " ").replacing("Z", with: " UTC")
            let kind = subject.isDriven ? "simulated" : "the real one"
            return TextLine(time) + TextLine("  \(kind)", Theme.muted)
        case .version, .osVersion, .installID, .fact:
            guard let value = value(of: row, subject) else { return TextLine("not known", Theme.muted) }
            return value.isEmpty ? TextLine("empty", Theme.muted) : TextLine(Self.safe(value, 120))
        }
    }

    private static func safe(_ text: String, _ limit: Int) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: limit)
    }

    // MARK: Drawing

    /// The row at a height; nil if there is none.
    func row(at offset: Int, height: Int, _ subject: Subject) -> Int? {
        let rows = rows(subject)
        let shown = height - footerRows(height)
        let row = ListWindow.top(selected: min(cursor, rows.count - 1), count: rows.count, height: shown) + offset
        return offset < shown && rows.indices.contains(row) ? row : nil
    }

    /// The rows for the next change and the reason.
    private func footerRows(_ height: Int) -> Int { height >= 8 ? 3 : 0 }

    func draw(in frame: inout Frame, _ rect: Rect, _ subject: Subject) {
        let rows = rows(subject)
        let (list, below) = rect.split(top: rect.rows - footerRows(rect.rows))
        let cursor = min(cursor, rows.count - 1)
        let top = ListWindow.top(selected: cursor, count: rows.count, height: list.rows)
        let width = max(12, rows.map { CellText.width(of: Self.label(of: $0)) }.max() ?? 0)
        for (offset, row) in rows.dropFirst(top).prefix(list.rows).enumerated() {
            let (area, isSelected) = (list.row(offset), top + offset == cursor)
            let label = CellText.padded(Self.label(of: row), columns: width)
            let head = TextLine((isSelected ? "▸ " : "  ") + label + "  ", row == .newFact ? Theme.muted : Theme.text)
            if isSelected, input.isEditing {
                let used = frame.write(head + TextLine(input.text, Theme.accent.with(.bold)), in: area)
                if used < area.columns { frame.cursor = Point(column: area.column + used, row: area.row) }
            } else {
                frame.write(head + line(row, subject), in: area)
                if isSelected { frame.restyle(area) { $0 = Theme.selection } }
            }
        }
        defer { if let problem { drawProblem(problem, in: &frame, rect) } }
        guard !below.isEmpty else { return }
        frame.write(TextLine(Self.next(subject), Theme.muted), in: below.inset(columns: 2).row(1))
        if let reason = subject.reason {
            frame.write(TextLine(Self.safe(reason, 200), Theme.muted), in: below.inset(columns: 2).row(2))
        }
    }

    private func drawProblem(_ problem: String, in frame: inout Frame, _ rect: Rect) {
        let lines = TextLine.wrapped(problem, columns: max(1, rect.columns - 2), style: Theme.warning).suffix(2)
        for (index, line) in lines.enumerated() {
            let row = rect.row(rect.rows - lines.count + index)
            frame.fill(row)
            frame.write(line, in: row.inset(columns: 1))
        }
    }

    /// `next change in 5m00s, 2026-12-05 22:00:00 UTC`
    private static func next(_ subject: Subject) -> String {
        guard let next = subject.next else { return "no rule changes anything later" }
        let wait = Duration.seconds(max(0, next.timeIntervalSince(subject.date)))
        let time = SimulatedTime(next).text.replacing("T", with: " ").replacing("Z", with: " UTC")
        return "next change in \(ClockText.compact(wait)), \(time)"
    }
}
