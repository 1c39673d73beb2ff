import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import TerminalUI

/// An event as one line of the log: time, glyph and words.
struct EventLine: Equatable {
    let time: String
    let glyph: String
    let words: String
    /// The colour of the glyph and of a heading.
    let style: Style

    /// The line for searching and copying.
    var text: String { "\(time) \(glyph) \(words)" }

    init(_ event: EventRecord, in zone: TimeZone) {
        time = ClockText.time(event.date, in: zone)
        (glyph, words, style) = Self.parts(event.kind, next: event.next) {
            PlanTime.text($0, now: event.planDate ?? event.date, in: zone)
        }
    }

    private static func parts(
        _ kind: EventRecord.Kind, next: NextCheck?, _ time: (Date) -> String
    ) -> (glyph: String, words: String, style: Style) {
        switch kind {
        case .answer(let reply, let verdict): ("✓", answer(reply, verdict), StageLook(verdict.stage).style)
        case .failure(let error, let kept, _): ("×", "\(error.shortText), still \(kept.word)", Theme.warning)
        case .transition(let transition): change(transition)
        case .clamp(let clamp):
            ("!", "interval \(ClockText.requested(clamp.requested)) → \(clamp.used.briefText)", Theme.warning)
        case .remark(let text): ("!", text, Theme.warning)
        case .stale(let age, let policy):
            ("!", "stale after \(ClockText.compact(age)): \(StandingLook.words(policy))", Theme.warning)
        case .message(let message): ("i", message.map { "message: \(firstLine(of: $0))" } ?? "message taken back", Theme.accent)
        case .plan(let plan): (PlanLook.glyph, PlanLook.news(plan, time), Theme.accent)
        case .asked(let cause): ("·", asked(cause), Theme.muted)
        case .alreadyPending: ("·", "a check was under way already", Theme.muted)
        case .replyDropped: ("·", "late reply dropped", Theme.muted)
        case .replyOutdated: ("·", "older than the present status, ignored", Theme.muted)
        case .pushOutdated: (StreamLook.glyph, "pushed, but older than the present status, ignored", Theme.muted)
        case .stream(let report): stream(report, next)
        case .scenario(_, let response): ("»", "scenario: \(response)", Theme.accent)
        case .content(let text): ("↓", text, Theme.accent)
        case .timeline(let text): ("▶", text, Theme.accent)
        }
    }

    /// `200   41 ms   78 B  live`, in aligned columns.
    private static func answer(_ reply: StatusReply, _ verdict: Verdict) -> String {
        let word = verdict.stage.word
        guard let metadata = reply.metadata else { return "status given  \(word)" }
        guard !metadata.isPushed else { return "\(StreamLook.glyph)   pushed \(bytes(metadata))  \(word)" }
        let code = metadata.httpStatus.map(String.init) ?? "—"
        let latency = CellText.padded(ClockText.latency(metadata.latency), columns: 6, alignment: .right)
        return "\(code) \(latency) \(bytes(metadata))  \(word)"
    }

    private static func bytes(_ metadata: ExchangeMetadata) -> String {
        CellText.padded(ClockText.bytes(metadata.bytes), columns: 6, alignment: .right)
    }

    private static func stream(_ report: StreamReport, _ next: NextCheck?) -> (String, String, Style) {
        switch report {
        case .connecting, .retryScheduled: return (StreamLook.glyph, "stream connecting", Theme.muted)
        case .opened(let heartbeat):
            return (StreamLook.glyph, "stream open, heartbeat \(ClockText.compact(heartbeat))", Theme.live)
        case .closed(let error, _):
            let retry = next.map { ", retry in \(ClockText.compact($0.wait))" } ?? ""
            return ("×", "stream: \(error.shortText)\(retry)", Theme.warning)
        case .event(let event):
            let words = event.resource.map { "resource \($0.name) version \($0.version)" } ?? "stream event \(event.name)"
            return ("»", TextSanitizer.sanitize(words, keepingNewlines: false, limit: 200), Theme.accent)
        }
    }

    private static func change(_ transition: Transition) -> (String, String, Style) {
        let from = StageLook(before: transition), to = StageLook(transition.to)
        let lasted = transition.lasted.map { " after \(ClockText.compact($0))" } ?? ""
        let rule = if case .rule(let id) = transition.cause { ", \(transition.ruleText(id))" } else { "" }
        return (to.glyph, "\(from.word) → \(to.word)\(lasted)\(rule)", to.style)
    }

    private static func asked(_ cause: CheckCause) -> String {
        switch cause {
        case .start: "first check"
        case .timer: "scheduled check"
        case .person: "check requested"
        case .resumed: "check after a break"
        case .updated: "check after an update"
        case .program: "check requested by the app"
        case .fallback: "check after stream loss"
        case .age: "check because of the status's age"
        }
    }

    private static func firstLine(of text: String) -> String {
        text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    }
}
