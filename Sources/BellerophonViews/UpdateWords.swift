package import Bellerophon
import Foundation
import StatusModel
import TerminalUI

/// What is said of a required update.
package enum UpdateWords {
    /// How the required version can be had, as a sentence without its full stop.
    package static func truth(_ report: UpdateReport, of content: OverlayContent) -> String {
        let source = report.source ?? "the source"
        let wanted = content.facts.fact(.requiredVersion)?.value
        switch report.state {
        case .asking:
            let goal = wanted ?? "a newer version"
            return report.source.map { "looking for \(goal) in \($0)" } ?? "looking for \(goal)"
        case .ready(let version): return report.action == nil ? "\(source) has \(version)" : "\(version) is ready"
        case .notYet(let best):
            let has = best.map { "\(source) has \($0) only" } ?? "\(source) has no version of it"
            guard let wanted else { return "\(has); a newer version is required" }
            return "\(has); \(wanted) is required" + (content.requiredSince.map { " since \($0)" } ?? "")
        case .unclear(let problem?): return "\(source) \(problem)"
        case .unclear(nil):
            if report.action != nil { return wanted.map { "it is not known whether \($0) can be had" } ?? "run" }
            return byHand(report)
        case .installed(let version):
            return content.app.version.map { "\(version) is installed, but \($0) runs" } ?? "\(version) is installed"
        case .unmoved(let attempt, let found):
            let place = report.path.map { " at \($0)" } ?? ""
            return "\"\(short(attempt.command))\" \(attempt.end), but \(found ?? "no version") is found\(place)"
        case .unproved(let attempt, let problem):
            let why = problem.map { ": \($0)" } ?? ""
            return "\"\(short(attempt.command))\" \(attempt.end), but the installed version is not known\(why)"
        case .failed(let attempt): return "\"\(short(attempt.command))\" \(attempt.end)"
        case .broken(let version, let end, _): return "\(version ?? "the new version") \(end) right after its start"
        }
    }

    /// What to do with a program whose source is only named.
    private static func byHand(_ report: UpdateReport) -> String {
        let place = report.path.map { " (\($0))" } ?? ""
        switch report.source {
        case let source?: return "it was installed with \(source)\(place); get the other version there"
        case nil: return "get it where you got it\(place)"
        }
    }

    /// A command in a sentence.
    private static func short(_ command: String) -> String {
        CellText.truncate(TextSanitizer.sanitize(command, keepingNewlines: false, limit: 200), columns: 60)
    }

    /// The report in a line for a program without a screen.
    package static func line(_ content: OverlayContent) -> String? {
        guard let report = content.update else { return nil }
        let sentence = truth(report, of: content)
        guard case .run(let command)? = report.action else { return sentence }
        return "\(sentence): \(TextSanitizer.sanitize(command.text, keepingNewlines: false, limit: 500))"
    }
}

extension OverlayContent {
    /// From when on the status requires the version, in words: `14:30:00`, `2026-12-01 00:00:00`; nil if it does not say it.
    fileprivate var requiredSince: String? { verdict?.requiredUpdate?.rule?.from.map { timeText($0) } }
}
