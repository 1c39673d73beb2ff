import Bellerophon
import TerminalUI

extension DashboardModel {
    /// The wheel moves or scrolls. A click on a key in the footer acts like the key, another selects and opens.
    mutating func handle(_ event: MouseEvent) -> [DashboardEffect] {
        switch event.kind {
        case .press:
            if let key = frame(size: screen.size).key(at: event.at) { return handle(key) }
            switch view.page {
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
        if view.page == .panes, let pane = layout(size).pane(at: point), pane.content.isFocusable { view.focus = pane }
        move(by: lines)
    }

    /// Focuses a pane and selects a line. A click on a line that is already selected acts like Enter.
    private mutating func press(at point: Point) -> [DashboardEffect] {
        guard let pane = layout(size).pane(at: point), pane.content.isFocusable else { return [] }
        let wasFocused = view.focus == pane
        view.focus = pane
        guard let area = layout(size).content(of: pane), area.contains(point),
            let row = pane.content.row(at: point, in: area, self)
        else { return [] }
        keepTop(of: pane)
        let isSelected = row == pane.content.selected(in: self)
        pane.content.select(row, in: &self)
        return wasFocused && isSelected ? pane.content.open(&self) : []
    }

    /// Keeps a list from moving under the pointer: until the selection leaves the visible part, the same row stays first.
    mutating func keepTop(of pane: Pane) {
        view[pane].keptTop = layout(size).content(of: pane).map { pane.content.top(in: $0, self) }
    }
}
