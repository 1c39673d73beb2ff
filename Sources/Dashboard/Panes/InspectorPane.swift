import Bellerophon
import ProgramKit
import TerminalUI

/// What is known of the selected event. If it has no column, it is a page.
struct InspectorPane: PaneContent {
    let pane = Pane.inspector
    let slot = PaneSlot.detail

    func move(by rows: Int, in model: inout DashboardModel) { model.scrollPage(by: rows) }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        model.drawInspector(in: &frame, model.drawBox(pane, in: &frame, rect))
    }
}

extension DashboardModel {
    /// Draws the inspector in place of the panes.
    func drawInspectorPage(in frame: inout Frame, _ rect: Rect) {
        drawInspector(
            in: &frame,
            frame.box(rect, title: Pane.inspector.title, style: Theme.accent, titleStyle: Theme.accent.with(.bold)))
    }

    /// - Parameter inner: the area inside the box.
    fileprivate func drawInspector(in frame: inout Frame, _ inner: Rect) {
        let area = inner.inset(columns: 1)
        if let text = inspectorText(in: area) { return frame.scroll(text, from: view.scroll, in: area) }
        let text = view[.events].filter.isActive ? "No event is selected." : "Nothing has happened yet."
        drawEmpty(text, in: &frame, inner)
    }

    /// The text about the inspected event; nil if there is none.
    private func inspectorText(in area: Rect) -> ScrollText? {
        inspectedEvent.map { ScrollText(inspection(of: $0).lines(in: area.size, screen.live.glyphs)) }
    }

    /// The maximum scroll offset of the inspector or the help page.
    var scrollLimit: Int {
        let layout = layout(size)
        switch view.page {
        case .help:
            let area = helpArea(in: layout.body)
            return ScrollText(helpLines(columns: area.columns)).limit(rows: area.rows)
        case .services: return 0
        case .inspector: return inspectorLimit(in: layout.body.inset(columns: 2, rows: 1))
        case .panes: return layout.content(of: .inspector).map { inspectorLimit(in: $0.inset(columns: 1)) } ?? 0
        }
    }

    private func inspectorLimit(in area: Rect) -> Int { inspectorText(in: area)?.limit(rows: area.rows) ?? 0 }
}

extension Inspection {
    /// The heading and the sections, wrapped: with section headings if there is room, else as a table.
    func lines(in size: Size, _ glyphs: GlyphStyle = .unicode) -> [TextLine] {
        let head = TextLine([
            .init("\(heading.time) ", Theme.muted), .init(glyphs.text("\(heading.glyph) "), heading.style.with(.bold)),
            .init(glyphs.text(heading.words)),
        ])
        return [head] + (size.rows >= 14 ? headed(size.columns, glyphs) : table(size.columns, glyphs))
    }

    private func headed(_ columns: Int, _ glyphs: GlyphStyle) -> [TextLine] {
        sections.flatMap { section in
            [.empty, TextLine(section.title, Theme.accent.with(.bold))]
                + section.lines.flatMap { TextLine.wrapped(glyphs.text($0.text), columns: columns, style: $0.style) }
        }
    }

    private func table(_ columns: Int, _ glyphs: GlyphStyle) -> [TextLine] {
        Table.lines(
            sections.flatMap { section in
                section.lines.enumerated().map { index, line in
                    (label: index == 0 ? section.label : "", text: TextLine.Span(glyphs.text(line.text), line.style))
                }
            },
            columns: columns
        )
    }
}
