import TerminalUI

/// The name of a pane, or of the picker's list.
enum Pane: String, Sendable {
    case state, latency, scenarios, services, transitions, plan, resources, events, inspector, picker

    var name: String { rawValue }
    var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// A part of the dashboard with its own box: its place, its rows and what they do, and its drawing.
///
/// A new pane is a name, a type in a file of its own, and a line in ``Pane/all``. Layout, focus, keys, mouse and the palette use
/// the list.
protocol PaneContent: Sendable {
    var pane: Pane { get }
    var slot: PaneSlot { get }
    /// Whether the pane can have the focus, and be shown alone if there is room for only one.
    var isFocusable: Bool { get }
    /// Whether a content file may hide the pane.
    var isHideable: Bool { get }
    /// Whether there is something to show.
    func isShown(in model: DashboardModel) -> Bool
    /// The rows of the box, if the slot does not give it the remaining ones.
    func height(in room: PaneRoom, _ model: DashboardModel) -> Int

    /// The number of rows without the filter; nil for a pane without a list.
    func total(in model: DashboardModel) -> Int?
    /// The number of rows to choose from.
    func count(in model: DashboardModel) -> Int
    func selected(in model: DashboardModel) -> Int
    /// Selects a row, limited to the list.
    func select(_ row: Int, in model: inout DashboardModel)
    /// Selects a row further down, or further up if negative.
    func move(by rows: Int, in model: inout DashboardModel)
    /// Performs Enter, or a click on the selected row.
    func open(_ model: inout DashboardModel) -> [DashboardEffect]

    /// The row at a position inside the box; nil if there is none.
    /// - Parameter area: the area inside the box.
    func row(at point: Point, in area: Rect, _ model: DashboardModel) -> Int?
    /// The first visible row.
    func top(in area: Rect, _ model: DashboardModel) -> Int

    func draw(_ model: DashboardModel, in frame: inout Frame, _ rect: Rect)
}

/// A pane without rows that is shown wherever there is room.
extension PaneContent {
    var isFocusable: Bool { true }
    var isHideable: Bool { false }
    func isShown(in model: DashboardModel) -> Bool { true }
    func height(in room: PaneRoom, _ model: DashboardModel) -> Int { room.lower }
    func total(in model: DashboardModel) -> Int? { nil }
    func count(in model: DashboardModel) -> Int { 0 }
    func open(_ model: inout DashboardModel) -> [DashboardEffect] { [] }
}

/// Rows from the top of the box, one in each line.
extension PaneContent {
    func selected(in model: DashboardModel) -> Int { model.view[pane].row }

    func select(_ row: Int, in model: inout DashboardModel) {
        model.view[pane].row = min(max(row, 0), max(0, count(in: model) - 1))
    }

    func move(by rows: Int, in model: inout DashboardModel) {
        select(selected(in: model) + rows, in: &model)
    }

    func row(at point: Point, in area: Rect, _ model: DashboardModel) -> Int? {
        let row = top(in: area, model) + point.row - area.row
        return row < count(in: model) ? row : nil
    }

    func top(in area: Rect, _ model: DashboardModel) -> Int {
        ListWindow.top(
            selected: selected(in: model), count: count(in: model), height: area.rows, kept: model.view[pane].keptTop)
    }
}
