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

    /// The player above the list, if `height` rows are enough for both.
    func panel(height: Int) -> PlayerPanel? {
        list.shownPlayback(at: cursor).flatMap {
            PlayerPanel($0, speed: list.speed, height: height, listRows: rows.count)
        }
    }

    /// Divides an area between the player and the list; there is no player if nothing plays or there is no room. Between them
    /// is a rule if there is room.
    private func parts(of rect: Rect) -> (panel: PlayerPanel?, player: Rect, rule: Rect, list: Rect) {
        let panel = panel(height: rect.rows)
        let (player, rest) = rect.split(top: panel?.rows ?? 0)
        let hasRule = panel.map { $0.form != .line && rest.rows >= 5 } ?? false
        let (rule, list) = rest.split(top: hasRule ? 1 : 0)
        return (panel, player, rule, list)
    }

    private func top(height: Int) -> Int {
        let selected = rows.firstIndex(of: .item(cursor)) ?? 0
        return ListWindow.top(selected: selected, count: rows.count, height: height, kept: keptTop)
    }

    /// The first visible row, in an area for player and list.
    func top(in rect: Rect) -> Int { top(height: parts(of: rect).list.rows) }

    /// The index of the item at a screen position; nil if there is none.
    func index(at point: Point, in rect: Rect) -> Int? {
        let area = parts(of: rect).list
        guard area.contains(point) else { return nil }
        let row = top(height: area.rows) + point.row - area.row
        guard rows.indices.contains(row), case .item(let index) = rows[row] else { return nil }
        return index
    }

    /// The columns of the longest name.
    var nameWidth: Int {
        list.items.map { CellText.width(of: $0.name) }.max() ?? 0
    }

    // MARK: Drawing

    /// Draws the player and the list, and the rule between them as a part of the surrounding box.
    func draw(in frame: inout Frame, _ rect: Rect, isFocused: Bool) {
        let (panel, player, rule, list) = parts(of: rect)
        panel?.draw(in: &frame, player)
        if !rule.isEmpty {
            let whole = Rect(column: rule.column - 1, row: rule.row, columns: rule.columns + 2, rows: 1)
            frame.separator(whole, style: isFocused ? Theme.accent : Theme.rule)
        }
        drawList(in: &frame, list, isFocused: isFocused)
    }

    /// Draws the part of the list around the cursor; `✓` marks the current response, `▶` a timeline that plays.
    private func drawList(in frame: inout Frame, _ rect: Rect, isFocused: Bool) {
        guard !rect.isEmpty else { return }
        let first = top(height: rect.rows)
        for (offset, row) in rows.dropFirst(first).prefix(rect.rows).enumerated() {
            let area = rect.row(offset)
            switch row {
            case .heading(let group): frame.write(TextLine(" \(group)", Theme.muted), in: area)
            case .item(let index):
                frame.write(line(index, columns: rect.columns), in: area)
                if index == cursor, isFocused { frame.restyle(area) { $0 = Theme.selection } }
            }
        }
        let edge = Rect(column: rect.endColumn - 1, row: rect.row, columns: 1, rows: rect.rows)
        if first > 0 { frame.write("↑", in: edge.row(0), style: Theme.muted) }
        if first + rect.rows < rows.count { frame.write("↓", in: edge.row(rect.rows - 1), style: Theme.muted) }
    }

    /// `▸ ✓ paused           a short message`; the summary only if some of it fits.
    private func line(_ index: Int, columns: Int) -> TextLine {
        let item = list.items[index]
        let mark = mark(item)
        let nameStyle = mark == " " ? Theme.text : Theme.accent.with(.bold)
        var line = TextLine((index == cursor ? "▸ " : "  ") + "\(mark) \(item.name)", nameStyle)
        let column = 4 + nameWidth + 2
        if column + 16 <= columns {
            let space = String(repeating: " ", count: max(1, column - line.width))
            let summary = CellText.truncate(item.summary, columns: columns - column - 1)
            line = line + TextLine(space + summary, Theme.muted)
        }
        return line
    }

    private func mark(_ item: Scenario) -> String {
        if list.isSelected(item) { return "✓" }
        return item.timeline.flatMap { list.playback(of: $0) }.map { PlayerLook($0.phase).glyph } ?? " "
    }
}

extension Frame {
    /// Draws a rule from one border of a box to the other.
    mutating func separator(_ rect: Rect, style: Style) {
        rule(rect, style: style)
        write("├", at: rect.origin, style: style)
        write("┤", at: Point(column: rect.endColumn - 1, row: rect.row), style: style)
    }
}

extension ScenarioList {
    /// The player that is shown and controlled by keys: that of the request under the cursor, else the first.
    func shownPlayback(at cursor: Int) -> Playback? {
        let request = items.indices.contains(cursor) ? items[cursor].request : nil
        return playbacks.first { $0.request == request } ?? playbacks.first
    }
}
