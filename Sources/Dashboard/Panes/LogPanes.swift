import Bellerophon
import ProgramKit
import TerminalUI

extension DashboardModel {
    // MARK: Transitions

    func drawTransitions(in frame: inout Frame, _ rect: Rect) {
        let records = Array(history.transitions.reversed())
        let inner = drawBox(.transitions, in: &frame, rect, right: records.isEmpty ? "" : "\(records.count)")
        if records.isEmpty { return drawEmpty("Every change of state is kept here.", in: &frame, inner) }
        let selected = transitionSelection.index(in: records.map(\.id))
        drawLog(count: records.count, selected: selected, pane: .transitions, in: &frame, inner) { index in
            transitionLine(records[index], columns: inner.columns - 3)
        }
    }

    /// `14:02:11 ■→● live   paused 3m31s   200`: includes the former state's duration, and the cause of the change.
    private func transitionLine(_ record: TransitionRecord, columns: Int) -> TextLine {
        let transition = record.transition
        let from = StageLook(before: transition), to = StageLook(transition.to)
        var line = TextLine([
            .init(ClockText.time(record.date, in: timeZone) + Self.gap(columns), Theme.muted),
            .init(from.glyph, from.style), .init("→", Theme.muted),
            .init("\(to.glyph) \(CellText.padded(to.word, columns: 6))", to.style),
        ])
        if let lasted = transition.lasted { line = line + TextLine(" \(from.word) \(ClockText.compact(lasted))") }
        let cause = Self.cause(transition.cause)
        let space = columns - line.width - CellText.width(of: cause)
        return space < 1 ? line : line + TextLine(String(repeating: " ", count: space) + cause, Theme.muted)
    }

    /// The space between a time and the following text.
    private static func gap(_ columns: Int) -> String { columns > 44 ? "  " : " " }

    private static func cause(_ cause: Transition.Cause) -> String {
        switch cause {
        case .status(let code): code.map(String.init) ?? "status"
        case .restored: "last run"
        case .bundled: "bundled"
        case .policy: "policy"
        case .dismissed: "by the app"
        }
    }

    // MARK: Events

    func drawEvents(in frame: inout Frame, _ rect: Rect) {
        let events = shownEvents
        let right = filter.isActive ? "/\(filter.text)  \(events.count) of \(history.events.count)" : "\(events.count)"
        let inner = drawBox(.events, in: &frame, rect, right: history.events.isEmpty ? "" : right)
        if events.isEmpty {
            let text = filter.isActive ? "No event contains \"\(filter.text)\".\nEsc shows all." : "Nothing has happened yet."
            return drawEmpty(text, in: &frame, inner)
        }
        let selected = eventSelection.index(in: events.map(\.id))
        drawLog(count: events.count, selected: selected, pane: .events, in: &frame, inner) { index in
            let line = EventLine(events[index], in: timeZone)
            return TextLine([
                .init(line.time + Self.gap(inner.columns), Theme.muted), .init("\(line.glyph) ", line.style.with(.bold)),
                .init(line.words, line.style == Theme.muted ? Theme.muted : Theme.text),
            ])
        }
    }

    func drawLog(
        count: Int, selected: Int, pane: Pane, in frame: inout Frame, _ rect: Rect, line: (Int) -> TextLine
    ) {
        let first = ListWindow.top(selected: selected, count: count, height: rect.rows, kept: tops[pane])
        let state = ListState(selected: selected, first: first)
        frame.list(count: count, state: state, in: rect, isFocused: false, line: line)
        // One style for the whole row: the reverse of several colours would look uneven.
        if focus == pane, page == .panes { frame.restyle(rect.row(selected - first)) { $0 = Theme.selection } }
    }
}
