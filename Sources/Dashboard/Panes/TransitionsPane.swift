import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

extension Pane {
    static let transitions = Pane("transitions")
}

/// The changes of the stage.
struct TransitionsPane: LogPane {
    let pane = Pane.transitions
    let slot = PaneSlot.past
    let isHideable = true

    /// If the pane is alone in its column, its bottom border aligns with that of the latency, else of the state, if there is room.
    func height(in room: PaneRoom, _ model: DashboardModel) -> Int {
        if room.isShared { return room.isTall ? room.upper : max(4, room.upper - 2) }
        return room.isTall ? room.upper + room.lower : room.upper
    }

    func ids(in model: DashboardModel) -> [Int] { model.service.history.transitions.reversed().map(\.id) }

    /// Selects the transition's line in the event log and inspects it.
    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        let ids = ids(in: model)
        guard !ids.isEmpty else { return [] }
        let id = ids[selected(in: model)]
        model.view.filter.clear()
        let events = model.shownEvents.map(\.id)
        guard let row = events.firstIndex(of: id) else { return [] }
        model.view[.events].record.select(row, in: events)
        model.view.focus = .events
        model.inspect()
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let records = Array(model.service.history.transitions.reversed())
        let inner = model.drawBox(pane, in: &frame, rect, right: records.isEmpty ? "" : "\(records.count)")
        if records.isEmpty { return model.drawEmpty("Every change of state is kept here.", in: &frame, inner) }
        drawRows(model, count: records.count, selected: selected(in: model), in: &frame, inner) { row in
            Self.line(records[row], in: model.screen.timeZone, columns: inner.columns - 3)
        }
    }

    /// `14:02:11 ■→● live   paused 3m31s   200`: includes the former state's duration, and the cause of the change.
    private static func line(_ record: TransitionRecord, in zone: TimeZone, columns: Int) -> TextLine {
        let transition = record.transition
        let from = StageLook(before: transition), to = StageLook(transition.to)
        var line = TextLine([
            .init(ClockText.time(record.date, in: zone) + ClockText.gap(columns: columns), Theme.muted),
            .init(from.glyph, from.style), .init("→", Theme.muted),
            .init("\(to.glyph) \(CellText.padded(to.word, columns: 6))", to.style),
        ])
        if let lasted = transition.lasted { line = line + TextLine(" \(from.word) \(ClockText.compact(lasted))") }
        let cause = cause(transition.cause)
        let space = columns - line.width - CellText.width(of: cause)
        return space < 1 ? line : line + TextLine(String(repeating: " ", count: space) + cause, Theme.muted)
    }

    private static func cause(_ cause: Transition.Cause) -> String {
        switch cause {
        case .status(let code): code.map(String.init) ?? "status"
        case .restored: "last run"
        case .bundled: "bundled"
        case .policy: "policy"
        case .rule(let id): id
        case .facts: "app changed"
        case .dismissed: "by the app"
        }
    }
}
