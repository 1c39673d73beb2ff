import Bellerophon
import TerminalUI

extension DashboardModel {
    /// The wheel moves or scrolls; a click selects and opens.
    mutating func handle(_ event: MouseEvent) -> [DashboardEffect] {
        switch event.kind {
        case .press: return page == .panes ? press(at: event.at) : []
        case .wheelDown: wheel(by: 3, at: event.at)
        case .wheelUp: wheel(by: -3, at: event.at)
        case .release: break
        }
        return []
    }

    private mutating func wheel(by lines: Int, at point: Point) {
        if page != .panes { return scrollPage(by: lines) }
        if let pane = layout(size).pane(at: point), pane.isFocusable { focus = pane }
        move(by: lines)
    }

    /// Focuses a pane and selects a line. A click on a scenario, or on a line that is already selected, acts like Enter.
    private mutating func press(at point: Point) -> [DashboardEffect] {
        guard let pane = layout(size).pane(at: point), pane.isFocusable else { return [] }
        let wasFocused = focus == pane
        focus = pane
        guard let line = line(at: point, in: pane) else { return [] }
        if pane == .scenarios {
            scenarioCursor = line
            return open()
        }
        let isSelected = line == selectedLine(in: pane)
        select(line, in: pane)
        return wasFocused && isSelected ? open() : []
    }

    private func selectedLine(in pane: Pane) -> Int? {
        switch pane {
        case .events: eventSelection.index(in: shownEvents.map(\.id))
        case .transitions: transitionSelection.index(in: history.transitions.reversed().map(\.id))
        case .scenarios: scenarioCursor
        case .resources: resourceCursor
        case .state, .latency, .inspector: nil
        }
    }

    private mutating func select(_ line: Int, in pane: Pane) {
        switch pane {
        case .events:
            eventSelection.select(line, in: shownEvents.map(\.id))
            scroll = 0
        case .transitions: transitionSelection.select(line, in: history.transitions.reversed().map(\.id))
        case .resources: resourceCursor = line
        case .scenarios, .state, .latency, .inspector: break
        }
    }

    private func count(of pane: Pane) -> Int {
        switch pane {
        case .events: shownEvents.count
        case .resources: resources.count
        default: history.transitions.count
        }
    }

    /// The line of a pane's list at a screen position; nil outside the list.
    private func line(at point: Point, in pane: Pane) -> Int? {
        guard let area = layout(size).content(of: pane), area.contains(point) else { return nil }
        if pane == .scenarios {
            return scenarios.flatMap { scenarios in
                let rows = ScenarioRows(scenarios, cursor: scenarioCursor)
                return rows.index(at: point, in: ScenarioListLayout(rows, in: area).list)
            }
        }
        guard let selected = selectedLine(in: pane) else { return nil }
        let count = count(of: pane)
        let line = ListWindow.top(selected: selected, count: count, height: area.rows) + point.row - area.row
        return line < count ? line : nil
    }
}
