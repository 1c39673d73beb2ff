import TerminalUI

/// The timelines and scenarios as lines under their headings, and which of them a given height shows.
struct ScenarioRows {
    enum Row: Equatable {
        case heading(String)
        /// The item's place in the list.
        case item(Int)
    }

    let list: ScenarioList
    let cursor: Int
    let rows: [Row]

    init(_ list: ScenarioList, cursor: Int) {
        self.list = list
        self.cursor = cursor
        var rows: [Row] = []
        var group = ""
        for (index, item) in list.items.enumerated() {
            if item.group != group {
                group = item.group
                if !group.isEmpty { rows.append(.heading(group)) }
            }
            rows.append(.item(index))
        }
        self.rows = rows
    }

    /// The first row shown.
    func top(height: Int) -> Int {
        let selected = rows.firstIndex(of: .item(cursor)) ?? 0
        return ListWindow.top(selected: selected, count: rows.count, height: height)
    }

    /// The item that stands at a place of the screen.
    func index(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point) else { return nil }
        let row = top(height: area.rows) + point.row - area.row
        guard rows.indices.contains(row), case .item(let index) = rows[row] else { return nil }
        return index
    }

    /// The columns that the longest name takes.
    var nameWidth: Int {
        list.items.map { CellText.width(of: $0.name) }.max() ?? 0
    }
}
