import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// What happens to the program under the view, in words.
enum ProgramWords {
    /// The longest name of a program, in columns.
    private static let nameColumns = 30
    /// The longest text of an app about itself, in bytes.
    private static let textLimit = 200

    /// At least one line and at most `rows`. One line, except for a text of the app's own, so that the layout stays when the
    /// program's state changes.
    static func lines(_ content: OverlayContent, columns: Int, rows: Int) -> [String] {
        guard content.program == .own, let own = ownText(content.app) else {
            return [OverlayWords.longest(texts(content), columns: columns)]
        }
        let lines = CellText.wrapEvenly(own, columns: columns)
        guard lines.count > rows else { return lines }
        return lines[..<(rows - 1)] + [CellText.truncate(CellText.wrap(own, columns: columns)[rows - 1] + " …", columns: columns)]
    }

    static func style(_ content: OverlayContent) -> Style {
        if case .ending = content.program { return Theme.warning.with(.bold) }
        return content.tree?.notHeld.isEmpty ?? true ? Theme.text : Theme.warning
    }

    private static func ownText(_ app: AppInfo) -> String? {
        let text = app.whileCovered.map { TextSanitizer.sanitize($0, keepingNewlines: false, limit: textLimit) } ?? ""
        return text.isEmpty ? nil : text
    }

    /// The longest text first.
    private static func texts(_ content: OverlayContent) -> [String] {
        let app = TextSanitizer.sanitize(content.app.name, keepingNewlines: false)
        let name = CellText.truncate(app, columns: nameColumns)
        switch content.program {
        case .own: return ["\(name) is still running underneath", "\(name) is still running", "still running"]
        case .busy:
            return [
                "\(name) is busy and takes no keys; Control-C ends it", "busy, takes no keys; Control-C ends it",
                "busy, takes no keys",
            ]
        case .notStarted where content.localStop != nil:
            return ["\(name) has not started; it starts when the stop is released", "\(name) has not started", "not started yet"]
        case .notStarted:
            return ["\(name) has not started; it starts when the status clears", "\(name) has not started", "not started yet"]
        case .running:
            return [
                "\(name) continues underneath, and unsaved work is kept", "\(name) continues; unsaved work is kept",
                "\(name) continues underneath", "\(name) continues", "continues",
            ]
        case .paused where content.tree?.pausedSince != nil: return paused(content, name: name)
        case .paused:
            return [
                "\(name) is stopped and continues afterwards; unsaved work is kept",
                "\(name) is stopped and continues afterwards",
                "\(name) is stopped meanwhile", "\(name) is stopped", "stopped meanwhile",
            ]
        case .stopped: return ["\(name) was stopped, and stays stopped when this view goes", "\(name) was stopped", "stopped"]
        case .ending(let left) where left <= .zero: return ["\(name) is being ended", "being ended"]
        case .ending(let left):
            let time = end(content, after: left)
            return [
                "\(name) is asked to end, and will be ended \(time)", "\(name) will be ended \(time)", "\(name) ends \(time)",
                "ends \(time)",
            ]
        }
    }

    /// Since when the program and everything that it has started are stopped, and what is not.
    private static func paused(_ content: OverlayContent, name: String) -> [String] {
        guard let tree = content.tree, let since = tree.pausedSince else { return [] }
        let time = content.timeText(since)
        let missed = tree.notHeld.count
        if missed > 0 {
            let count = missed == 1 ? "1 process is not held" : "\(missed) processes are not held"
            return [
                "\(name) is stopped, but \(count): \(tree.notHeld.joined(separator: ", "))",
                "\(name) is stopped, but \(count)", "\(count)", "\(missed) not held",
            ]
        }
        let others = tree.processes - 1
        let whole = others < 1 ? "\(name) is" : "\(name) and \(others) more process\(others == 1 ? "" : "es") are"
        return [
            "\(whole) stopped since \(time), and continue\(others < 1 ? "s" : "") afterwards",
            "\(whole) stopped since \(time)", "\(name) is stopped since \(time)", "\(name) is stopped", "stopped meanwhile",
        ]
    }

    /// `in 00:17`; a time of day on a view that stands still.
    private static func end(_ content: OverlayContent, after left: Duration) -> String {
        guard content.reducesMotion, let now = content.now else { return "in \(OverlayWords.clock(left))" }
        return "at \(content.timeText(now.addingTimeInterval(left.inSeconds)))"
    }
}
