import TerminalUI

/// A pane with a list, which a person can filter. Its rows stay in their places, one in each line.
protocol ListPane: PaneContent {
    associatedtype Item

    /// Every row, without the filter.
    func items(in model: DashboardModel) -> [Item]
    /// The text in which the filter searches.
    func text(of item: Item, in model: DashboardModel) -> String
    /// The rows that pass the filter, each with its place in the whole list.
    func shown(in model: DashboardModel) -> [(index: Int, item: Item)]
}

extension ListPane {
    func total(in model: DashboardModel) -> Int? { items(in: model).count }
    func count(in model: DashboardModel) -> Int { shown(in: model).count }

    func shown(in model: DashboardModel) -> [(index: Int, item: Item)] {
        let filter = model.view[pane].filter
        return items(in: model).enumerated().compactMap { index, item in
            !filter.isActive || filter.matches(text(of: item, in: model)) ? (index, item) : nil
        }
    }

    /// The selected row; nil if the filter leaves none.
    func selectedRow(in model: DashboardModel) -> (index: Int, item: Item)? {
        let (rows, place) = (shown(in: model), selected(in: model))
        return rows.indices.contains(place) ? rows[place] : nil
    }

    // The model keeps the place in the whole list, so that a change of the filter leaves the selection on its row.

    func selected(in model: DashboardModel) -> Int {
        let (rows, row) = (shown(in: model), model.view[pane].row)
        return rows.firstIndex { $0.index >= row } ?? max(0, rows.count - 1)
    }

    func select(_ place: Int, in model: inout DashboardModel) {
        let rows = shown(in: model)
        guard !rows.isEmpty else { return }
        model.view[pane].row = rows[min(max(place, 0), rows.count - 1)].index
    }

    // MARK: Drawing

    /// Draws the box, and a text in place of the rows if there are none. Returns the area of the rows.
    /// - Parameters:
    ///   - right: at the right of the title; a filter takes its place.
    ///   - empty: in place of the rows of an empty list.
    func drawBox(
        _ model: DashboardModel, in frame: inout Frame, _ rect: Rect, right: String, empty: String
    ) -> Rect? {
        let (filter, total) = (model.view[pane].filter, items(in: model).count)
        let count = filter.isActive ? count(in: model) : total
        let inner = model.drawBox(
            pane, in: &frame, rect,
            right: total == 0 ? "" : filter.isActive ? "/\(filter.text)  \(count) of \(total)" : right)
        guard count == 0 else { return inner }
        model.drawEmpty(total == 0 ? empty : "No line contains \"\(filter.text)\".\nEsc shows all.", in: &frame, inner)
        return nil
    }

    /// Draws the visible rows, and highlights the selected one if the pane has the focus.
    func drawRows(_ model: DashboardModel, in frame: inout Frame, _ area: Rect, line: (_ item: Item, _ index: Int) -> TextLine) {
        let (rows, selected) = (shown(in: model), selected(in: model))
        let first = top(in: area, model)
        frame.list(
            count: rows.count, state: ListState(selected: selected, first: first), in: area, isFocused: false
        ) { line(rows[$0].item, rows[$0].index) }
        // One style for the whole row: the reverse of several colours would look uneven.
        if model.hasFocus(pane) { frame.restyle(area.row(selected - first)) { $0 = Theme.selection } }
    }
}

/// A pane with a log that grows at its top. The selection stays on its record.
protocol LogPane: ListPane where Item: Identifiable<Int> {}

extension LogPane {
    private func ids(in model: DashboardModel) -> [Int] { shown(in: model).map(\.item.id) }

    func selected(in model: DashboardModel) -> Int { model.view[pane].record.index(in: ids(in: model)) }

    func select(_ row: Int, in model: inout DashboardModel) {
        model.view[pane].record.select(row, in: ids(in: model))
    }
}
