import Bellerophon
import TerminalUI

/// The log of all events, newest first.
struct EventsPane: LogPane {
    let pane = Pane.events
    let slot = PaneSlot.log

    func items(in model: DashboardModel) -> [EventRecord] { model.service.history.events.reversed() }

    func text(of event: EventRecord, in model: DashboardModel) -> String { EventLine(event, in: model.screen.timeZone).text }

    func select(_ row: Int, in model: inout DashboardModel) {
        model.view[pane].record.select(row, in: model.shownEvents.map(\.id))
        // The inspector shows another event, from its start.
        model.view.scroll = 0
    }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        model.inspect()
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let (count, empty) = (model.service.history.events.count, "Nothing has happened yet.")
        guard let inner = drawBox(model, in: &frame, rect, right: "\(count)", empty: empty) else { return }
        let glyphs = frame.glyphs
        drawRows(model, in: &frame, inner) { event, _ in
            let line = EventLine(event, in: model.screen.timeZone)
            return TextLine([
                .init(line.time + ClockText.gap(columns: inner.columns), Theme.muted),
                .init("\(glyphs.text(line.glyph)) ", line.style.with(.bold)),
                .init(glyphs.text(line.words), line.style == Theme.muted ? Theme.muted : Theme.text),
            ])
        }
    }
}

extension DashboardModel {
    /// The events that pass the filter, newest first.
    var shownEvents: [EventRecord] { EventsPane().shown(in: self).map(\.item) }

    /// The event in the inspector: the selected one, else the newest.
    var inspectedEvent: EventRecord? { EventsPane().selectedRow(in: self)?.item }
}

extension ClockText {
    /// The space between a time and the following text, in a pane with this number of columns.
    static func gap(columns: Int) -> String { columns > 44 ? "  " : " " }
}
