import Bellerophon
import ProgramKit
import TerminalUI

extension Pane {
    static let events = Pane("events")
}

/// The log of all events, newest first.
struct EventsPane: LogPane {
    let pane = Pane.events
    let slot = PaneSlot.log

    func ids(in model: DashboardModel) -> [Int] { model.shownEvents.map(\.id) }

    func select(_ row: Int, in model: inout DashboardModel) {
        model.view[pane].record.select(row, in: ids(in: model))
        // The inspector shows another event, from its start.
        model.view.scroll = 0
    }

    func move(by rows: Int, in model: inout DashboardModel) { model.moveEvent(by: rows) }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        model.inspect()
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let (filter, all) = (model.view.filter, model.service.history.events)
        let events = model.shownEvents
        let right = filter.isActive ? "/\(filter.text)  \(events.count) of \(all.count)" : "\(events.count)"
        let inner = model.drawBox(pane, in: &frame, rect, right: all.isEmpty ? "" : right)
        if events.isEmpty {
            let text = filter.isActive ? "No event contains \"\(filter.text)\".\nEsc shows all." : "Nothing has happened yet."
            return model.drawEmpty(text, in: &frame, inner)
        }
        let selected = model.view[pane].record.index(in: events.map(\.id))
        drawRows(model, count: events.count, selected: selected, in: &frame, inner) { row in
            let line = EventLine(events[row], in: model.screen.timeZone)
            return TextLine([
                .init(line.time + ClockText.gap(columns: inner.columns), Theme.muted),
                .init("\(line.glyph) ", line.style.with(.bold)),
                .init(line.words, line.style == Theme.muted ? Theme.muted : Theme.text),
            ])
        }
    }
}

extension ClockText {
    /// The space between a time and the following text, in a pane with this number of columns.
    static func gap(columns: Int) -> String { columns > 44 ? "  " : " " }
}
