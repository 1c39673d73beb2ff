import ProgramKit
import ScenarioKit
import TerminalUI

/// The position of the picker's box in a frame.
struct PickerLayout {
    private let rows: ScenarioRows
    let box: Rect
    /// The area inside the box for player and list.
    let content: Rect
    /// The rule between list and footer, including the box's own borders.
    private let separator: Rect
    private let footer: Rect

    private static let widest = 72

    init(_ model: DashboardModel, size: Size) {
        rows = ScenariosPane.picker.rows(model)
        let hasFrame = size.columns >= 20 && size.rows >= 5
        let margin = size.columns >= 60 ? 4 : 0
        let extras = !hasFrame ? 0 : size.rows >= 10 ? 4 : 2
        let highest = size.rows - (size.rows >= 16 ? 2 : 0)
        // The height for all rows of the player and the list.
        let panel = rows.panel(height: highest - extras)
        let wanted = rows.rows.count + extras + (panel.map { $0.rows + 1 } ?? 0)
        let place = Rect(size).centered(Size(columns: min(Self.widest, size.columns - margin), rows: min(wanted, highest)))
        box = hasFrame ? place : Rect(size)
        let footerRows = extras == 4 ? 1 : 0
        let (above, footer) = (hasFrame ? box.inset(columns: 1, rows: 1) : box).split(bottom: footerRows)
        let (content, rule) = above.split(bottom: footerRows)
        separator = Rect(column: box.column, row: rule.row, columns: box.columns, rows: rule.rows)
        (self.content, self.footer) = (content, footer)
    }

    /// Draws the picker; the rest of the frame stays unchanged. It shows the app's stage, because it may cover the only other
    /// indication.
    func draw(_ model: DashboardModel, in frame: inout Frame) {
        let (stage, client) = (StageLook(of: model.service.machine), model.simulation.picker?.client)
        frame.fill(box)
        if content != box {
            let title = client == nil ? "What the simulated server replies" : "Who the app says it is"
            frame.box(
                box, title: title, rightTitle: stage.badge, style: Theme.accent,
                titleStyle: Theme.accent.with(.bold), rightStyle: stage.style.with(.bold)
            )
        }
        if model.simulation.picker?.showsKeys == true {
            let area = content.inset(columns: 1)
            frame.write(Table.lines(model.pickerHelp, columns: area.columns, glyphs: frame.glyphs), in: area)
        } else if let client {
            client.draw(in: &frame, content, model.clientSubject)
        } else {
            rows.draw(in: &frame, content, isFocused: true)
        }
        if !separator.isEmpty { frame.separator(separator, style: Theme.accent) }
        if client == nil, model.view[.picker].filter.isEditing || model.view[.picker].filter.isActive {
            // In place of the hints, or of the last row.
            let row = footer.isEmpty ? content.row(content.rows - 1) : footer
            frame.fill(row)
            model.drawFilter(of: .picker, in: &frame, row)
        } else {
            frame.keyHints(model.pickerHints, in: footer)
        }
    }
}
