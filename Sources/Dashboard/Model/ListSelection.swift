import TerminalUI

/// The selection in a log that grows at its top: a record, or none while it follows the newest one.
struct ListSelection: Equatable {
    /// The selected record's id; nil follows the newest.
    private(set) var id: Int?

    /// The selected index in a list of ids, newest first: that of the record, or of the nearest remaining one.
    func index(in ids: [Int]) -> Int {
        guard let id, !ids.isEmpty else { return 0 }
        return ids.firstIndex { $0 <= id } ?? ids.count - 1
    }

    /// Selects an index, limited to the list. At the top it follows the newest record again.
    mutating func select(_ index: Int, in ids: [Int]) {
        let place = min(max(index, 0), max(ids.count - 1, 0))
        id = place == 0 ? nil : ids[place]
    }
}

/// The visible part of a list.
enum ListWindow {
    /// The first visible line.
    /// - Parameter kept: the line that stays first while the selected one is visible; nil puts the selected one in the middle
    ///   if possible.
    static func top(selected: Int, count: Int, height: Int, kept: Int? = nil) -> Int {
        ListState(selected: selected, first: kept ?? selected - height / 2).revealed(count: count, rows: height).first
    }
}
