import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// Something that a program without a screen reports.
package enum PlainEvent: Equatable, Sendable {
    /// The program started; with the status's authentication in words.
    case started(SessionLogRecord.Session, trust: String)
    /// The stage changed.
    case transition(Transition, Details)
    /// The message changed while the stage did not; nil if it was taken back.
    case message(String?)
    /// The rules of the status say something else than before.
    case plan(PlanReport)
    /// A notice of the rule with this id begins, or is announced; with its words.
    case noticeBegan(String, String)
    /// A notice is over; with the words that it has without the present time.
    case noticeEnded(String, String)
    /// A check failed, for another reason than the one before it.
    case failed(String, kept: Stage, next: Duration?)
    /// A check succeeded after this number of failures.
    case recovered(failures: Int)
    /// The stream opened or closed; the text says so.
    case stream(String)
    /// A warning.
    case remark(String)
    /// The caption of a step that is presented, after its place: `2/6: The operator publishes a pause.`
    case caption(String)
    /// The result of what the person has asked for.
    case notice(String)
    /// What the person has asked to hear: lines without the time.
    case listing([String])
    /// The program ended; the text names the cause: `quit`, `SIGTERM`.
    case ended(String)

    var isListing: Bool { if case .listing = self { true } else { false } }

    /// What a status says beside the stage.
    package struct Details: Equatable, Sendable {
        package var facts: StatusFacts
        /// What the rules of the status say; nil if it has none.
        package var plan: PlanReport?
        package var installedVersion: String?
        /// What the person can do.
        package var actions: [PlainAction]

        package init(
            _ facts: StatusFacts = StatusFacts(), plan: PlanReport? = nil, installedVersion: String? = nil,
            actions: [PlainAction] = []
        ) {
            (self.facts, self.plan) = (facts, plan)
            self.installedVersion = installedVersion
            self.actions = actions
        }

        package init(_ content: OverlayContent, actions: [PlainAction]) {
            self.init(content.facts.limited(to: content.stage), installedVersion: content.app.version, actions: actions)
            plan = content.plan
        }
    }
}

/// What a person can type, followed by Enter.
package enum PlainAction: Equatable, Sendable {
    case check
    /// Runs the update command, which is the value.
    case update(String)
    /// The next step of a presentation.
    case next
    /// The step before.
    case previous
    /// Says the state with the whole text of the view.
    case status
    case help
    case quit

    /// The letter to type, and the words that mean the same.
    private var names: [String] {
        switch self {
        case .check: ["r", "check"]
        case .update: ["u"]
        case .next: ["n", "next"]
        case .previous: ["b", "back"]
        case .status: ["s", "status"]
        case .help: ["?", "help", "h"]
        case .quit: ["q", "quit", "exit"]
        }
    }

    /// Whether a line that was typed means this action: its letter, or a word for it.
    package func isMeant(by line: String) -> Bool { line == letter || names.dropFirst().contains(line.lowercased()) }

    /// The letter to type.
    package var letter: String { names[0] }
}

// MARK: Text

extension PlainEvent {
    /// The event in lines for people, without the time. No line contains a line end or a control character.
    /// - Parameters:
    ///   - date: the present time.
    ///   - zone: the time zone of times in the lines.
    package func lines(at date: Date, in zone: TimeZone, _ phrases: PlainPhrases) -> [String] {
        texts(phrases) { PlanTime.text($0, now: date, in: zone) }.map { TextSanitizer.sanitize($0, keepingNewlines: false) }
    }

    private func texts(_ phrases: PlainPhrases, _ time: (Date) -> String) -> [String] {
        switch self {
        case .started(let session, let trust):
            let app = [session.app.name, session.app.version].compactMap { $0 }.joined(separator: " ")
            let values: KeyValuePairs = [
                "source": session.source, "app": app, "trust": session.isSimulated ? phrases.simulated : trust,
            ]
            return [phrases.watching.with(values)]
        case .transition(let transition, let details):
            return [phrases.sentence(transition)] + details.lines(phrases, time)
        case .plan(let plan):
            let text = plan.hasRules ? phrases.next(plan, time) ?? phrases.nothingChanges : phrases.noRules
            return [phrases.plan.with(["text": text])]
        case .noticeBegan(_, let text): return [phrases.notice.with(["text": text])]
        case .noticeEnded(_, let text): return [phrases.noticeOver.with(["text": text])]
        case .message(let message):
            return [message.map { phrases.message.with(["text": $0]) } ?? phrases.messageGone]
        case .failed(let reason, let kept, let next):
            let state = kept == .unknown ? phrases.unknownStatus : phrases.stillText(kept)
            return [
                phrases.failed.with(["reason": reason, "state": state])
                    + (next.map { phrases.nextCheck.with(["time": $0.briefText]) } ?? "")
            ]
        case .recovered(let failures):
            return [(failures == 1 ? phrases.recoveredOnce : phrases.recovered).with(["count": "\(failures)"])]
        case .stream(let text), .notice(let text): return [text]
        case .listing(let lines): return lines
        case .remark(let text): return [phrases.warning.with(["text": text])]
        case .caption(let text): return [phrases.caption.with(["text": text])]
        case .ended(let how): return [phrases.ended.with(["how": how])]
        }
    }
}

extension PlainEvent.Details {
    fileprivate func lines(_ phrases: PlainPhrases, _ time: (Date) -> String) -> [String] {
        phrases.sentences(facts, installed: installedVersion) + (plan.map { lines(of: $0, phrases, time) } ?? [])
            + actions.map(phrases.sentence)
    }

    /// Why the app may not run and until when, and what comes. Notices have lines of their own.
    private func lines(of plan: PlanReport, _ phrases: PlainPhrases, _ time: (Date) -> String) -> [String] {
        guard plan.by != nil else { return [] }
        let end =
            plan.until.map { phrases.until.with(["time": time($0)]) }
            ?? plan.backAt.map { phrases.backAt.with(["time": time($0)]) }
        return [phrases.why.with(["reason": plan.reason])] + (end.map { [$0] } ?? [])
            + (plan.hasRules ? phrases.next(plan, time).map { [$0] } ?? [] : [])
    }
}

// MARK: JSON

extension PlainEvent {
    /// The event as one JSON object, without a line terminator. The names are those of the journal.
    ///
    /// ```json
    /// {"time":"2026-01-31T14:02:11.250Z","event":"transition","from":"active","to":"killed","cause":"status",
    ///  "httpStatus":200,"lastedSeconds":63.2,"message":"Back at noon.","requiredVersion":null,"link":null}
    /// ```
    /// - Parameters:
    ///   - service: the service's name; nil if the program watches only one.
    ///   - session: added as `app`, `version`, `source` and `simulated`; nil leaves them out.
    package func json(of service: String? = nil, at date: Date, in session: SessionLogRecord.Session? = nil) -> String {
        let start: JSONNode.Members = [
            ("time", .text(SessionLogRecord.time(date))), ("service", service.map { .printable($0) }),
        ]
        return JSONNode.object(start + (session?.members ?? []) + members).line
    }

    /// The members after the time, with the name of the event.
    private var members: JSONNode.Members {
        func event(_ name: String, _ members: JSONNode.Members) -> JSONNode.Members { [("event", .text(name))] + members }
        func event(_ name: String, text: String) -> JSONNode.Members { event(name, [("text", .printable(text))]) }
        switch self {
        case .started(let session, let trust): return event("start", session.members + [("trust", .printable(trust))])
        case .transition(let transition, let details):
            let facts = StatusField.allCases.map { ($0.rawValue, JSONNode.printable(details.facts[$0])) }
            let plan = details.plan.map { JSONNode.members(of: $0) } ?? []
            return event("transition", transition.members + [("lastedSeconds", .time(transition.lasted))] + facts + plan)
        case .plan(let plan): return event("plan", JSONNode.members(of: plan))
        case .message(let message): return event("message", [("message", .printable(message))])
        case .noticeBegan(let id, let text): return event("noticeBegan", text: text) + [("rule", .printable(id))]
        case .noticeEnded(let id, let text): return event("noticeEnded", text: text) + [("rule", .printable(id))]
        case .failed(let reason, let kept, let next):
            return event(
                "failure",
                [("reason", .printable(reason)), ("stage", .text(kept.rawValue)), ("nextCheckSeconds", .time(next))])
        case .recovered(let failures): return event("recovery", [("failures", .number(failures))])
        case .stream(let text): return event("stream", text: text)
        case .remark(let text): return event("warning", text: text)
        case .caption(let text): return event("caption", text: text)
        case .notice(let text): return event("notice", text: text)
        case .listing(let lines): return event("notice", text: lines.joined(separator: "\n"))
        case .ended(let how): return event("end", [("how", .printable(how))])
        }
    }
}

extension SessionLogRecord.Session {
    var members: JSONNode.Members {
        [
            ("app", .printable(app.name)), ("version", .printable(app.version)), ("source", .printable(source)),
            ("simulated", .bool(isSimulated)),
        ]
    }
}

extension Transition {
    /// The stages and the cause.
    var members: JSONNode.Members {
        let cause: JSONNode.Members =
            switch cause {
            case .status(let code): [("cause", .text("status")), ("httpStatus", code.map { .number($0) } ?? .null)]
            case .policy(let policy): [("cause", .text("policy")), ("policy", .text(policy.rawValue))]
            case .rule(let id): [("cause", .text("rule")), ("rule", .printable(id))]
            case .restored: [("cause", .text("restored"))]
            case .bundled: [("cause", .text("bundled"))]
            case .facts: [("cause", .text("facts"))]
            case .dismissed: [("cause", .text("dismissed"))]
            }
        return [("from", .text(from.rawValue)), ("to", .text(to.rawValue))] + cause
    }
}
