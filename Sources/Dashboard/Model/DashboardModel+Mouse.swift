import Bellerophon
import TerminalUI

extension DashboardModel {
    /// The wheel moves or scrolls. A click on a key in the footer acts like the key, another selects and opens.
    mutating func handle(_ event: MouseEvent) -> [DashboardEffect] {
        switch event.kind {
        case .press:
            if let key = frame(size: screen).key(at: event.at) { return handle(key) }
            switch page {
            case .panes: return press(at: event.at)
            case .services: return pressInServiceList(at: event.at)
            case .inspector, .help: return []
            }
        case .wheelDown: wheel(by: 3, at: event.at)
        case .wheelUp: wheel(by: -3, at: event.at)
        case .release: break
        }
        return []
    }

    private mutating func wheel(by lines: Int, at point: Point) {
        if page == .services { return moveService(by: lines) }
        if page != .panes { return scrollPage(by: lines) }
        if let pane = layout(size).pane(at: point), pane.isFocusable { focus = pane }
        move(by: lines)
    }

    /// Focuses a pane and selects a line. A click on a line that is already selected acts like Enter.
    private mutating func press(at point: Point) -> [DashboardEffect] {
        guard let pane = layout(size).pane(at: point), pane.isFocusable else { return [] }
        let wasFocused = focus == pane
        focus = pane
        guard let line = line(at: point, in: pane) else { return [] }
        keepTop(of: pane)
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
        case .services: serviceCursor
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
        case .services: serviceCursor = line
        case .scenarios: scenarioCursor = line
        case .state, .latency, .inspector: break
        }
    }

    private func count(of pane: Pane) -> Int {
        switch pane {
        case .events: shownEvents.count
        case .resources: resources.count
        case .services: services.rows.count
        default: history.transitions.count
        }
    }

    /// The line of a pane's list at a screen position; nil outside the list.
    private func line(at point: Point, in pane: Pane) -> Int? {
        if pane == .scenarios {
            return scenarioRows.flatMap { rows, area in area.contains(point) ? rows.index(at: point, in: area) : nil }
        }
        guard let area = layout(size).content(of: pane), area.contains(point), let top = top(of: pane) else { return nil }
        let line = top + point.row - area.row
        return line < count(of: pane) ? line : nil
    }

    /// The rows of the Scenarios pane and the area in which they are drawn; nil if the pane is not shown.
    private var scenarioRows: (ScenarioRows, Rect)? {
        guard let scenarios, let area = layout(size).content(of: .scenarios) else { return nil }
        let rows = ScenarioRows(scenarios, cursor: scenarioCursor, keptTop: tops[.scenarios])
        return (rows, ScenarioListLayout(rows, in: area).list)
    }

    /// The first visible line of a pane's list; nil if the pane is not shown or has no list.
    private func top(of pane: Pane) -> Int? {
        if pane == .scenarios { return scenarioRows.map { rows, area in rows.top(height: area.rows) } }
        guard let area = layout(size).content(of: pane), let selected = selectedLine(in: pane) else { return nil }
        return ListWindow.top(selected: selected, count: count(of: pane), height: area.rows, kept: tops[pane])
    }

    /// Keeps a list from moving under the pointer: until the selection leaves the visible part, the same line stays first.
    private mutating func keepTop(of pane: Pane) {
        tops[pane] = top(of: pane)
    }

    /// Follows the selection with the lists that a click has kept.
    mutating func followSelection(in pane: Pane) {
        if tops[pane] != nil { keepTop(of: pane) }
    }
}
