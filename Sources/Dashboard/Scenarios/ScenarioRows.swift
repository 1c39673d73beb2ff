import ScenarioKit
import TerminalUI

/// The timelines and scenarios as rows under their headings, and the part of them that fits into a height.
struct ScenarioRows {
    enum Row: Equatable {
        case heading(String)
        /// The item's index in the list.
        case item(Int)
    }

    let list: ScenarioList
    let cursor: Int
    let rows: [Row]
    /// The first visible row, as long as the cursor is visible then; nil keeps the cursor in the middle.
    let keptTop: Int?

    init(_ list: ScenarioList, cursor: Int, keptTop: Int? = nil) {
        self.list = list
        self.cursor = cursor
        self.keptTop = keptTop
        var rows: [Row] = []
        var group = ""
        for index in list.items.indices {
            if list.heading(of: index) != group {
                group = list.heading(of: index)
                if !group.isEmpty { rows.append(.heading(group)) }
            }
            rows.append(.item(index))
        }
        self.rows = rows
    }

    /// The first visible row.
    func top(height: Int) -> Int {
        let selected = rows.firstIndex(of: .item(cursor)) ?? 0
        return ListWindow.top(selected: selected, count: rows.count, height: height, kept: keptTop)
    }

    /// The index of the item at a screen position; nil if there is none.
    func index(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point) else { return nil }
        let row = top(height: area.rows) + point.row - area.row
        guard rows.indices.contains(row), case .item(let index) = rows[row] else { return nil }
        return index
    }

    /// The columns of the longest name.
    var nameWidth: Int {
        list.items.map { CellText.width(of: $0.name) }.max() ?? 0
    }
}
