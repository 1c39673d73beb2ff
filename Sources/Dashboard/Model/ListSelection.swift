/// What is selected in a log that grows at its top: a record, or nothing while it follows the newest.
struct ListSelection: Equatable {
    /// The selected record's id; nil follows the newest.
    private(set) var id: Int?

    /// The selected place in a list of ids, newest first: the record's own, or the nearest one still there.
    func index(in ids: [Int]) -> Int {
        guard let id, !ids.isEmpty else { return 0 }
        return ids.firstIndex { $0 <= id } ?? ids.count - 1
    }

    /// Moves by a number of lines, stopping at both ends. Back at the top it follows the newest again.
    mutating func move(by lines: Int, in ids: [Int]) {
        guard !ids.isEmpty else { return id = nil }
        select(index(in: ids) + lines, in: ids)
    }

    /// Selects a place, the nearest one where there is none.
    mutating func select(_ index: Int, in ids: [Int]) {
        let place = min(max(index, 0), max(ids.count - 1, 0))
        id = place == 0 ? nil : ids[place]
    }
}

/// The part of a list that is shown.
enum ListWindow {
    /// The first line shown, so that the selected one stands in the middle where it can.
    static func top(selected: Int, count: Int, height: Int) -> Int {
        min(max(0, selected - height / 2), max(0, count - height))
    }
}
