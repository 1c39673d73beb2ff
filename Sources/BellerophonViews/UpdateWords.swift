package import Bellerophon
import Foundation
import StatusModel
import TerminalUI

/// What is said of a required update.
package enum UpdateWords {
    /// How the required version can be had, as a sentence without its full stop.
    package static func truth(_ report: UpdateReport, of content: OverlayContent) -> String {
        let words = content.phrases.update
        let source = report.source ?? words.source
        let wanted = content.facts.fact(.requiredVersion)?.value
        switch report.state {
        case .asking:
            let goal = wanted ?? words.newerVersion
            return report.source.map { words.lookingIn.with(["version": goal, "source": $0]) }
                ?? words.looking.with(["version": goal])
        case .ready(let version):
            return (report.action == nil ? words.has : words.ready).with(["source": source, "version": version])
        case .notYet(let best):
            let has = (best == nil ? words.hasNone : words.hasOnly).with(["source": source, "version": best ?? ""])
            guard let wanted else { return "\(has); \(words.newerRequired)" }
            let since = content.verdict?.requiredUpdate?.rule?.from.map(content.timeText)
            let required = since == nil ? words.required : words.requiredSince
            return "\(has); " + required.with(["version": wanted, "time": since ?? ""])
        case .unclear(let problem?): return words.problem.with(["source": source, "problem": problem.text(content.phrases)])
        case .unclear(nil):
            if report.action != nil { return wanted.map { words.unclear.with(["version": $0]) } ?? words.runIt }
            let place = report.path.map { " (\($0))" } ?? ""
            return report.source.map { words.installedWith.with(["source": $0, "place": place]) }
                ?? words.getItThere.with(["place": place])
        case .installed(let version):
            return content.app.version.map { words.installedButRuns.with(["version": version, "running": $0]) }
                ?? words.installed.with(["version": version])
        case .unmoved(let attempt, let found):
            return words.unmoved.with([
                "command": short(attempt.command), "end": attempt.end.text(content.phrases), "version": found ?? words.noVersion,
                "place": report.path.map { words.place.with(["path": $0]) } ?? "",
            ])
        case .unproved(let attempt, let problem):
            return words.unproved.with(["command": short(attempt.command), "end": attempt.end.text(content.phrases)])
                + (problem.map { ": \($0.text(content.phrases))" } ?? "")
        case .failed(let attempt):
            return words.failed.with(["command": short(attempt.command), "end": attempt.end.text(content.phrases)])
        case .broken(let version, let end, _):
            return words.broken.with(["version": version ?? words.newVersion, "end": end.text(content.phrases)])
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
        return "\(sentence): \(shown(command.text))"
    }

    /// A command in a line, of at most 500 bytes. The question before it shows all of it.
    static func shown(_ command: String) -> String { TextSanitizer.sanitize(command, keepingNewlines: false, limit: 500) }
}
