import ProgramKit
import ScenarioKit
import TerminalUI

/// What the simulated server can reply, and the player of a timeline.
struct ScenariosPane: ListPane {
    var pane = Pane.scenarios
    let slot = PaneSlot.choices

    /// The list in the picker.
    static let picker = ScenariosPane(pane: .picker)

    func isShown(in model: DashboardModel) -> Bool { model.hasScenarios }

    func items(in model: DashboardModel) -> [Scenario] { model.simulation.scenarios?.items ?? [] }

    func text(of item: Scenario, in model: DashboardModel) -> String { "\(item.name) \(item.summary)" }

    /// The scenarios that pass the filter, which finds by a few letters.
    func list(_ model: DashboardModel) -> ScenarioList {
        (model.simulation.scenarios ?? .empty).filtered(by: model.view[pane].filter.text)
    }

    func shown(in model: DashboardModel) -> [(index: Int, item: Scenario)] {
        let (shown, all) = (list(model).items, items(in: model))
        // Without a filter nothing is searched, because every frame asks for this.
        if shown.count == all.count { return all.enumerated().map { ($0, $1) } }
        return shown.compactMap { item in model.simulation.scenarios?.place(of: item).map { ($0, item) } }
    }

    func open(_ model: inout DashboardModel) -> [DashboardEffect] {
        model.itemAtCursor.map { [.barricade($0.command)] } ?? []
    }

    func row(at point: Point, in area: Rect, _ model: DashboardModel) -> Int? { rows(model).index(at: point, in: area) }

    func top(in area: Rect, _ model: DashboardModel) -> Int { rows(model).top(in: area) }

    func rows(_ model: DashboardModel) -> ScenarioRows {
        ScenarioRows(list(model), cursor: selected(in: model), keptTop: model.view[pane].keptTop)
    }

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect) {
        let count = items(in: model).count
        guard let inner = drawBox(model, in: &frame, rect, right: "\(count)", empty: "") else { return }
        rows(model).draw(in: &frame, inner, isFocused: model.hasFocus(pane))
    }
}
