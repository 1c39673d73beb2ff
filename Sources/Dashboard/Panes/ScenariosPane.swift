import ProgramKit
import ScenarioKit
import TerminalUI

/// What the simulated server can reply, and the player of a timeline.
struct ScenariosPane: ListPane {
    let pane = Pane.scenarios
    let slot = PaneSlot.choices

    func isShown(in model: DashboardModel) -> Bool { model.hasScenarios }

    func items(in model: DashboardModel) -> [Scenario] { model.simulation.scenarios?.items ?? [] }

    func text(of item: Scenario, in model: DashboardModel) -> String { "\(item.name) \(item.summary)" }

    /// The filter finds by a few letters, like that of the picker.
    func shown(in model: DashboardModel) -> [(index: Int, item: Scenario)] {
        guard let list = model.simulation.scenarios else { return [] }
        return list.filtered(by: model.view[pane].filter.text).items.compactMap { item in list.place(of: item).map { ($0, item) }
        }
    }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        model.itemAtCursor.map { [.barricade($0.command)] } ?? []
    }

    func row(at point: Point, in area: Rect, _ model: DashboardModel) -> Int? {
        rows(model).flatMap { $0.index(at: point, in: ScenarioListLayout($0, in: area).list) }
    }

    func top(in area: Rect, _ model: DashboardModel) -> Int {
        rows(model).map { $0.top(height: ScenarioListLayout($0, in: area).list.rows) } ?? 0
    }

    private func rows(_ model: DashboardModel) -> ScenarioRows? {
        model.simulation.scenarios.map {
            ScenarioRows(
                $0.filtered(by: model.view[pane].filter.text), cursor: selected(in: model), keptTop: model.view[pane].keptTop)
        }
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let count = items(in: model).count
        guard let inner = drawBox(model, in: &frame, rect, right: "\(count)", empty: ""), let rows = rows(model) else { return }
        let isFocused = model.hasFocus(pane)
        let layout = ScenarioListLayout(rows, in: inner)
        layout.drawPlayer(in: &frame, ruleStyle: isFocused ? Theme.accent : Theme.rule)
        rows.draw(in: &frame, layout.list, isFocused: isFocused)
    }
}

extension ScenarioRows {
    /// Draws the part of the list around the cursor; `✓` marks the current response, `▶` a timeline that plays.
    func draw(in frame: inout Frame, _ rect: Rect, isFocused: Bool) {
        guard !rect.isEmpty else { return }
        let first = top(height: rect.rows)
        for (offset, row) in rows.dropFirst(first).prefix(rect.rows).enumerated() {
            let area = rect.row(offset)
            switch row {
            case .heading(let group): frame.write(TextLine(" \(group)", Theme.muted), in: area)
            case .item(let index):
                frame.write(line(index, columns: rect.columns), in: area)
                if index == cursor, isFocused { frame.restyle(area) { $0 = Theme.selection } }
            }
        }
        let edge = Rect(column: rect.endColumn - 1, row: rect.row, columns: 1, rows: rect.rows)
        if first > 0 { frame.write("↑", in: edge.row(0), style: Theme.muted) }
        if first + rect.rows < rows.count { frame.write("↓", in: edge.row(rect.rows - 1), style: Theme.muted) }
    }

    /// `▸ ✓ paused           a short message`; the summary only if some of it fits.
    private func line(_ index: Int, columns: Int) -> TextLine {
        let item = list.items[index]
        let mark = mark(item)
        let nameStyle = mark == " " ? Theme.text : Theme.accent.with(.bold)
        var line = TextLine((index == cursor ? "▸ " : "  ") + "\(mark) \(item.name)", nameStyle)
        let column = 4 + nameWidth + 2
        if column + 16 <= columns {
            let space = String(repeating: " ", count: max(1, column - line.width))
            let summary = CellText.truncate(item.summary, columns: columns - column - 1)
            line = line + TextLine(space + summary, Theme.muted)
        }
        return line
    }

    private func mark(_ item: Scenario) -> String {
        if list.isSelected(item) { return "✓" }
        return item.timeline.flatMap { list.playback(of: $0) }.map { PlayerLook($0.phase).glyph } ?? " "
    }
}

/// The position of the picker's box in a frame.
struct PickerLayout {
    let rows: ScenarioRows
    let box: Rect
    /// The area inside the box for player and list.
    let content: Rect
    private let inside: ScenarioListLayout
    /// The rule between list and footer, including the box's own borders.
    private let separator: Rect
    private let footer: Rect

    private static let widest = 72

    init(_ picker: ScenarioPicker, size: Size) {
        rows = ScenarioRows(picker.list, cursor: picker.cursor, keptTop: picker.keptTop)
        let hasFrame = size.columns >= 20 && size.rows >= 5
        let screen = Rect(size)
        guard hasFrame else {
            (box, content) = (screen, screen)
            (separator, footer) = (screen.row(-1), screen.row(-1))
            inside = ScenarioListLayout(rows, in: screen)
            return
        }
        let margin = size.columns >= 60 ? 4 : 0
        let extras = size.rows >= 10 ? 4 : 2
        let highest = size.rows - (size.rows >= 16 ? 2 : 0)
        // The height for all rows of the player and the list.
        let panel = rows.panel(height: highest - extras)
        let wanted = rows.rows.count + extras + (panel.map { $0.rows + 1 } ?? 0)
        box = screen.centered(
            Size(columns: min(Self.widest, size.columns - margin), rows: min(wanted, highest))
        )
        let inner = box.inset(columns: 1, rows: 1)
        let (above, footer) = inner.split(bottom: extras == 4 ? 1 : 0)
        let (content, rule) = above.split(bottom: extras == 4 ? 1 : 0)
        separator = Rect(column: box.column, row: rule.row, columns: box.columns, rows: rule.rows)
        (self.content, self.footer) = (content, footer)
        inside = ScenarioListLayout(rows, in: content)
    }

    /// The area of the list.
    var list: Rect { inside.list }

    func draw(in frame: inout Frame, _ picker: ScenarioPicker, stage: StageLook, _ subject: ClientPanel.Subject) {
        frame.fill(box)
        if content != box {
            let title = picker.client == nil ? "What the simulated server replies" : "Who the app says it is"
            frame.box(
                box, title: title, rightTitle: stage.badge, style: Theme.accent,
                titleStyle: Theme.accent.with(.bold), rightStyle: stage.style.with(.bold)
            )
        }
        if picker.showsKeys {
            let area = content.inset(columns: 1)
            frame.write(Table.lines(picker.help, columns: area.columns, glyphs: frame.glyphs), in: area)
        } else if let client = picker.client {
            client.draw(in: &frame, content, subject)
        } else {
            inside.drawPlayer(in: &frame, ruleStyle: Theme.accent)
            rows.draw(in: &frame, list, isFocused: true)
        }
        if !separator.isEmpty { frame.separator(separator, style: Theme.accent) }
        if picker.client == nil, picker.filter.isEditing || picker.filter.isActive {
            drawFilter(picker, in: &frame)
        } else {
            frame.keyHints(picker.hints, in: footer)
        }
    }

    /// Draws the text that filters the list, in place of the hints or of the last row.
    private func drawFilter(_ picker: ScenarioPicker, in frame: inout Frame) {
        let row = footer.isEmpty ? content.row(content.rows - 1) : footer
        frame.fill(row)
        let used = frame.write(TextLine([.init(" /", Theme.accent.with(.bold)), .init(picker.filter.text)]), in: row)
        if picker.filter.isEditing, used < row.columns { frame.cursor = Point(column: row.column + used, row: row.row) }
        let count = TextLine("\(picker.list.items.count) of \(picker.all.items.count) ", Theme.muted)
        let rest = row.split(left: used + 2).rest
        if count.width <= rest.columns { frame.write(count, in: rest, alignment: .right) }
    }
}
