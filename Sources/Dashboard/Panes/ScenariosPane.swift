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
        rows(model).flatMap { $0.index(at: point, in: area) }
    }

    func top(in area: Rect, _ model: DashboardModel) -> Int {
        rows(model).map { $0.top(in: area) } ?? 0
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
        rows.draw(in: &frame, inner, isFocused: model.hasFocus(pane))
    }
}
