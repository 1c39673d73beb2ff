package import Foundation
import SafeText
import StatusModel

extension OverlayContent {
    /// When the view goes by itself, or when the service is expected back, as far as that is known and not over.
    package var endsAt: Date? {
        guard !isStoppedLocally, let plan else { return nil }
        let end = plan.until ?? (stage == .killed ? plan.backAt : nil)
        return end.flatMap { end in (planDate ?? date).map { $0 < end } ?? true ? end : nil }
    }

    /// ``endsAt`` in words, in the content's own time zone: `23:30`; with its date if it is more than twelve hours away.
    package var endText: String? { endsAt.map(planText) }

    /// A time of the plan in words.
    package func planText(_ time: Date) -> String { PlanTime.text(time, now: planDate ?? date, in: timeZone) }

    /// The version to go back to, if the status requires an older one than the installed one; nil if it requires an update.
    package var olderVersion: String? { stage == .updateRequired ? facts.olderVersion(installed: app.version) : nil }

    /// What the status says in a line, for a shell or a log: `vim is paused (demo.local): Back at 14:30.`
    /// - Parameters:
    ///   - name: the program's name.
    ///   - wasEnded: whether the program has run, and was ended because of it.
    package func summary(name: String, wasEnded: Bool = false) -> String {
        let phrase = wasEnded && stage == .killed ? endedState : state
        let state = phrase.with(["name": name, "host": host, "version": olderVersion ?? "", "time": endText ?? ""])
        let message = message.map { ": \(TextSanitizer.sanitize($0, keepingNewlines: false))" } ?? ""
        let link = stage == .updateRequired ? link.map { phrases.lines.getIt.with(["link": $0]) } ?? "" : ""
        return "\(state)\(message)\(link)"
    }

    private var endedState: String {
        let time = endText == nil ? "" : ", \(phrases.status.backAtInside)"
        return "\(phrases.lines.wasEnded) ({host}\(time))"
    }

    private var state: String {
        let lines = phrases.lines
        if standing.basis == .policy { return lines.unknown }
        if stage == .updateRequired { return olderVersion == nil ? lines.update : lines.goBack }
        return endText == nil ? lines.paused : lines.pausedUntil
    }
}
