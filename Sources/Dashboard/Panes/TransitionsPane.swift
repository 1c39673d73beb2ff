import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

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

    func items(in model: DashboardModel) -> [TransitionRecord] { model.service.history.transitions.reversed() }

    func text(of record: TransitionRecord, in model: DashboardModel) -> String {
        Self.line(record, in: model.screen.timeZone, columns: nil).text
    }

    /// Selects the transition's line in the event log and inspects it.
    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        guard let record = selectedRow(in: model)?.item else { return [] }
        model.inspect(event: record.id)
        return []
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let (count, empty) = (model.service.history.transitions.count, "Every change of state is kept here.")
        guard let inner = drawBox(model, in: &frame, rect, right: "\(count)", empty: empty) else { return }
        drawRows(model, in: &frame, inner) { record, _ in
            Self.line(record, in: model.screen.timeZone, columns: inner.columns - 3)
        }
    }

    /// `14:02:11 ■→● live   paused 3m31s   200`: includes the former state's duration, and the cause of the change.
    /// - Parameter columns: the width of the line; nil for the shortest one.
    private static func line(_ record: TransitionRecord, in zone: TimeZone, columns: Int?) -> TextLine {
        let transition = record.transition
        let from = StageLook(before: transition), to = StageLook(transition.to)
        var line = TextLine([
            .init(ClockText.time(record.date, in: zone) + ClockText.gap(columns: columns ?? 0), Theme.muted),
            .init(from.glyph, from.style), .init("→", Theme.muted),
            .init("\(to.glyph) \(CellText.padded(to.word, columns: 6))", to.style),
        ])
        if let lasted = transition.lasted { line = line + TextLine(" \(from.word) \(ClockText.compact(lasted))") }
        let cause = cause(transition.cause)
        let space = columns.map { $0 - line.width - CellText.width(of: cause) } ?? 1
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
