/// The selected item of a list and its first visible item.
public struct ListState: Equatable, Sendable {
    /// The index of the selected item.
    public var selected: Int
    /// The index of the first visible item.
    public var first: Int

    /// Creates a state.
    public init(selected: Int = 0, first: Int = 0) {
        self.selected = selected
        self.first = first
    }

    /// Moves the selection, stopping at both ends.
    public mutating func move(by offset: Int, count: Int) {
        let target = selected.addingReportingOverflow(offset)
        selected = target.overflow ? (offset < 0 ? 0 : count - 1) : target.partialValue
        selected = max(0, min(selected, count - 1))
    }

    /// The same state with a valid and visible selection, scrolled no more than necessary.
    public func revealed(count: Int, rows: Int) -> ListState {
        guard count > 0, rows > 0 else { return ListState() }
        let selected = min(max(0, selected), count - 1)
        let lowest = max(0, selected - rows + 1)
        let first = min(max(self.first, lowest), selected, max(0, count - rows))
        return ListState(selected: selected, first: max(0, first))
    }

    /// The item at a row of the list's rectangle, for a mouse press; nil if the row shows no item.
    public func item(atRow row: Int, count: Int, rows: Int) -> Int? {
        let index = revealed(count: count, rows: rows).first + row
        return (0..<rows).contains(row) && index < count ? index : nil
    }
}

extension Frame {
    /// Draws a list: `▸` before the selected item, `↑` and `↓` at the right edge if more items are above or below.
    /// - Parameters:
    ///   - isFocused: whether the selected row is drawn in reverse.
    ///   - line: returns the text of one item; called only for visible items.
    public mutating func list(
        count: Int, state: ListState, in rect: Rect, isFocused: Bool = true, line: (Int) -> TextLine
    ) {
        guard !rect.isEmpty, count > 0 else { return }
        let view = state.revealed(count: count, rows: rect.rows)
        let end = min(count, view.first + rect.rows)
        for index in view.first..<end {
            let row = rect.row(index - view.first)
            let isSelected = index == view.selected
            write(TextLine(isSelected ? "▸ " : "  ", Theme.strong) + line(index), in: row)
            if isSelected, isFocused { restyle(row) { $0 = $0.with(.reverse) } }
        }
        let edge = Rect(column: rect.endColumn - 1, row: rect.row, columns: 1, rows: rect.rows)
        if view.first > 0 { write("↑", in: edge.row(0), style: Theme.muted) }
        if end < count { write("↓", in: edge.row(rect.rows - 1), style: Theme.muted) }
    }
}
