import Bellerophon
import TerminalUI

extension DashboardModel {
    /// - Parameter isPage: whether it fills the body.
    func drawInspector(in frame: inout Frame, _ rect: Rect, isPage: Bool = false) {
        let title = isPage ? "Inspector" : "Why this state"
        let inner = isPage
            ? frame.box(rect, title: title, style: Theme.accent, titleStyle: Theme.accent.with(.bold))
            : drawBox(.inspector, in: &frame, rect, title: title)
        let area = inner.inset(columns: 1)
        guard let event = inspectedEvent else { return drawEmpty("Nothing has happened yet.", in: &frame, inner) }
        let text = ScrollText(inspection(of: event).lines(columns: area.columns))
        frame.scroll(text, from: scroll, in: area)
    }

    /// How far the inspector or the help page scrolls.
    var scrollLimit: Int {
        let layout = layout(size)
        switch page {
        case .help:
            let area = helpArea(in: layout.body)
            return ScrollText(helpLines(columns: area.columns)).limit(rows: area.rows)
        case .inspector: return inspectorLimit(in: layout.body.inset(columns: 2, rows: 1))
        case .panes: return layout.content(of: .inspector).map { inspectorLimit(in: $0.inset(columns: 1)) } ?? 0
        }
    }

    private func inspectorLimit(in area: Rect) -> Int {
        guard let event = inspectedEvent else { return 0 }
        return ScrollText(inspection(of: event).lines(columns: area.columns)).limit(rows: area.rows)
    }
}

extension Inspection {
    /// Heading and sections, wrapped; sections stand apart by an empty line.
    func lines(columns: Int) -> [TextLine] {
        let head = TextLine([
            .init("\(heading.time)  ", Theme.muted), .init("\(heading.glyph) ", heading.style.with(.bold)), .init(heading.words),
        ])
        return sections.reduce(into: [head]) { lines, section in
            lines.append(.empty)
            lines.append(TextLine(section.title, Theme.accent.with(.bold)))
            lines += section.lines.flatMap { TextLine.wrapped($0.text, columns: columns, style: $0.style) }
        }
    }
}
