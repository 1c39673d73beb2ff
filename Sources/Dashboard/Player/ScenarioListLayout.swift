import ScenarioKit
import TerminalUI

/// Divides a pane or the picker between the player and the list.
struct ScenarioListLayout {
    /// Nil if nothing plays or there is no room.
    let panel: PlayerPanel?
    let player: Rect
    /// A row between player and list; empty if there is little room.
    let rule: Rect
    let list: Rect

    init(_ rows: ScenarioRows, in rect: Rect) {
        panel = rows.panel(height: rect.rows)
        let (player, rest) = rect.split(top: panel?.rows ?? 0)
        let hasRule = panel.map { $0.form != .line && rest.rows >= 5 } ?? false
        let (rule, below) = rest.split(top: hasRule ? 1 : 0)
        (self.player, self.rule, self.list) = (player, rule, below)
    }

    /// Draws the player, and the rule as a part of the surrounding box.
    func drawPlayer(in frame: inout Frame, ruleStyle: Style) {
        panel?.draw(in: &frame, player)
        guard !rule.isEmpty else { return }
        frame.separator(
            Rect(column: rule.column - 1, row: rule.row, columns: rule.columns + 2, rows: 1), style: ruleStyle)
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

extension ScenarioRows {
    /// The player above the list, if `height` rows are enough for both.
    func panel(height: Int) -> PlayerPanel? {
        list.shownPlayback(at: cursor).flatMap {
            PlayerPanel($0, speed: list.speed, height: height, listRows: rows.count)
        }
    }
}

extension ScenarioList {
    /// The player that is shown and controlled by keys: that of the request under the cursor, else the first.
    func shownPlayback(at cursor: Int) -> Playback? {
        let request = items.indices.contains(cursor) ? items[cursor].request : nil
        return playbacks.first { $0.request == request } ?? playbacks.first
    }
}
