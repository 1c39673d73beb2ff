import Bellerophon
import TerminalUI

extension Pane {
    /// Every pane, in the order in which Tab reaches them if there is room for only one.
    static let all: [any PaneContent] = [
        StatePane(),
        LatencyPane(),
        ScenariosPane(),
        ServicesPane(),
        TransitionsPane(),
        PlanPane(),
        ResourcesPane(),
        EventsPane(),
        InspectorPane(),
    ]

    private static let contents = Dictionary(uniqueKeysWithValues: (all + [ScenariosPane.picker]).map { ($0.pane, $0) })

    var content: any PaneContent { Self.contents[self] ?? EventsPane() }
}

extension DashboardModel {
    /// The panes with something to show that no content file has hidden.
    var places: [any PaneContent] {
        Pane.all.filter { !screen.content.hidden.contains($0.pane) && $0.isShown(in: self) }
    }

    func layout(_ size: Size) -> DashboardLayout { DashboardLayout(size, self) }

    /// The panes that Tab cycles through: with one column, those that can be shown in it; else the visible panes.
    var panes: [Pane] {
        let layout = layout(size)
        guard layout.form == .columns else {
            return places.filter { $0.isFocusable && $0.slot != .detail }.map(\.pane)
        }
        return layout.areas.map(\.pane)
    }

    /// Whether a pane is shown with the focus.
    func hasFocus(_ pane: Pane) -> Bool { view.focus == pane && view.page == .panes }
}
