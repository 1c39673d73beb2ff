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
        let words = content.phrases.program
        func named(_ phrases: [String], _ time: String = "") -> [String] {
            phrases.map { $0.with(["name": name, "time": time]) }
        }
        switch content.program {
        case .own: return named(words.own)
        case .busy: return named(words.busy)
        case .notStarted:
            return named([content.localStop == nil ? words.waitsForStatus : words.waitsForRelease] + words.notStarted)
        case .running: return named(words.running)
        case .paused where content.tree?.pausedSince != nil: return paused(content, name: name)
        case .paused: return named(words.paused)
        case .stopped: return named(words.stopped)
        case .ending(let left) where left <= .zero: return named(words.ending)
        case .ended: return named(words.ending)
        case .ending(let left): return named(words.endingAtTime, end(content, after: left))
        }
    }

    /// Since when the program and everything that it has started are stopped, and what is not.
    private static func paused(_ content: OverlayContent, name: String) -> [String] {
        guard let tree = content.tree, let since = tree.pausedSince else { return [] }
        let words = content.phrases.program
        let missed = tree.notHeld.count
        if missed > 0 {
            let held = content.phrases.count(missed, words.notHeld)
            let list = tree.notHeld.joined(separator: ", ")
            return words.pausedBut.map { $0.with(["name": name, "held": held, "list": list]) }
                + [held, words.notHeldShort.with(["count": "\(missed)"])]
        }
        let time = content.timeText(since)
        let alone = (words.pausedAlone + words.paused.suffix(2)).map { $0.with(["name": name, "time": time]) }
        let others = tree.processes - 1
        guard others > 0 else { return alone }
        let values: KeyValuePairs = ["name": name, "others": content.phrases.count(others, words.others), "time": time]
        return words.pausedWith.map { $0.with(values) } + alone.dropFirst()
    }

    /// `in 00:17`; a time of day on a view that stands still.
    private static func end(_ content: OverlayContent, after left: Duration) -> String {
        guard content.reducesMotion, let now = content.now else {
            return content.phrases.program.inTime.with(["time": ClockText.countdown(left)])
        }
        return content.phrases.program.atTime.with(["time": content.timeText(now.addingTimeInterval(left.inSeconds))])
    }
}
