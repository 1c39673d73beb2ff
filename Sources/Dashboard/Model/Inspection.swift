import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// The inspector's text about an event: the facts, the rule that applied, the next wait, and the raw reply.
struct Inspection: Equatable {
    typealias Line = TextLine.Span

    struct Section: Equatable {
        let title: String
        var lines: [Line]

        /// The title's first word in lower case, for a table.
        var label: String { title.split(separator: " ").first.map { $0.lowercased() } ?? "" }
    }

    let heading: EventLine
    let sections: [Section]

    /// The text for the clipboard.
    var plainText: String {
        let body = sections.map { ([$0.title] + $0.lines.map { "  \($0.text)" }).joined(separator: "\n") }
        return ([heading.text] + body).joined(separator: "\n\n") + "\n"
    }

    init(_ event: EventRecord, of service: ServiceModel, zone: TimeZone) {
        let check = service.history.check(of: event)
        var excerpt: String?
        let time = { (date: Date) in PlanTime.text(date, now: check?.planDate ?? event.planDate ?? event.date, in: zone) }
        heading = EventLine(event, in: zone)
        var sections: [Section] = []
        switch check?.kind {
        case .answer(let reply, let verdict)?:
            excerpt = reply.metadata?.excerpt
            sections.append(Section(title: "Reply", lines: Self.facts(reply.metadata)))
            sections.append(Section(title: "Why", lines: Self.rule(verdict, check.flatMap(service.history.change))))
            let rules = service.machine.outcomes(of: reply.document, at: check?.planDate)
            if !rules.isEmpty { sections.append(Section(title: "Rules", lines: rules.map { PlanLook.line($0, time) })) }
            if let next = PlanReport(verdict, of: reply.document, usesWallClockOnly: false)?.nextText(time) {
                sections.append(Section(title: "Coming", lines: [Line(next)]))
            }
            sections += Self.document(reply.document, saying: verdict.facts(of: reply.document), service.app.version)
        case .failure(let error, let kept, let inARow)?:
            excerpt = error.metadata?.excerpt
            sections.append(Section(title: "Failure", lines: Self.facts(of: error)))
            sections.append(Section(title: "Why", lines: Self.rule(kept, inARow)))
        default:
            sections.append(Section(title: "What", lines: Self.explanation(of: event.kind, time)))
        }
        if let next = check?.next {
            sections.append(Section(title: "Next check", lines: Self.wait(next, service.machine.policy)))
        }
        if let excerpt, !excerpt.isEmpty {
            sections.append(Section(title: "Raw reply", lines: Self.lines(of: excerpt, style: Theme.muted)))
        }
        self.sections = sections
    }
}

extension Inspection {
    // MARK: Facts

    private static func facts(_ metadata: ExchangeMetadata?) -> [Line] {
        guard let metadata else { return [Line("The app's own code fetched the status; no exchange is known.")] }
        var facts: [String] = metadata.isPushed ? ["pushed over the stream, \(ClockText.bytes(metadata.bytes))"] : []
        if let id = metadata.eventID { facts.append("id \(TextSanitizer.sanitize(id, keepingNewlines: false, limit: 80))") }
        if let code = metadata.httpStatus { facts.append("HTTP \(code)") }
        if !metadata.isPushed { facts.append("\(ClockText.latency(metadata.latency)), \(ClockText.bytes(metadata.bytes))") }
        if metadata.isNotModified { facts.append("not modified: the document is the one before") }
        if let wait = metadata.retryAfter { facts.append("Retry-After: \(wait.briefText)") }
        return [Line(facts.joined(separator: " · "))]
    }

    private static func facts(of error: StatusError) -> [Line] {
        [Line(error.description, Theme.warning)] + (error.metadata.map { facts($0) } ?? [])
    }

    private static func document(_ document: StatusDocument, saying facts: StatusFacts, _ installed: String?) -> [Section] {
        let headlines = facts.all(.headline).map { fact in
            Section(title: fact.field.label(in: .details).capitalized, lines: Self.lines(of: fact.text))
        }
        let lines =
            facts.all(.detail).map { fact in
                fact.field.form == .webAddress
                    ? Line(fact.value, Theme.link.linked(to: fact.value))
                    : Line("\(fact.field.label(in: .check)) \(fact.text(installed: installed))")
            } + document.remarks.map { Line("! \($0)", Theme.warning) }
        return headlines + (lines.isEmpty ? [] : [Section(title: "Document", lines: lines)])
    }

    private static func lines(of text: String, style: Style = Theme.text) -> [Line] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Line(String($0), style) }
    }

    // MARK: Rules

    /// Why a valid document meant what it meant.
    private static func rule(_ verdict: Verdict, _ change: Transition?) -> [Line] {
        let others = verdict.restrictions.dropFirst().map(\.by).joined(separator: ", ")
        let cause = verdict.restrictions.first.map { first in
            (first.isRule ? "\(first.by): " : "") + first.because + (others.isEmpty ? "" : " and takes precedence over \(others)")
        }
        let rule =
            switch verdict.stage {
            case .updateRequired: "update required"
            case .killed: "the service is paused"
            case .active, .unknown: "the app may run"
            }
        return [Line("\(cause ?? "Neither apiInactive nor forceUpdate is set"): \(rule)."), outcome(change)]
    }

    private static func outcome(_ change: Transition?) -> Line {
        guard let change else { return Line("The state stays as it was.", Theme.muted) }
        let from = StageLook(before: change), to = StageLook(change.to)
        return Line("\(from.glyph) \(from.word) → \(to.glyph) \(to.word)", to.style)
    }

    private static func rule(_ kept: Stage, _ inARow: Int) -> [Line] {
        let state = kept == .unknown ? "no status is known yet, and the app runs" : "still \(kept.word)"
        return [
            Line("A failed check never changes the state: \(state)."),
            Line(inARow == 1 ? "1st consecutive failure." : "\(inARow) consecutive failures.", Theme.muted),
        ]
    }

    private static func wait(_ next: NextCheck, _ policy: PollPolicy) -> [Line] {
        let isVaried = next.origin == .server || next.origin == .configuration
        let due = "next in \(next.wait.briefText)"
        let every = "every \(next.interval.briefText) (\(next.origin == .server ? "requested by the server" : "configured"))"
        var lines = [Line(isVaried ? "\(every), \(due)" : "\(due), \(origin(next.origin))")]
        if let clamp = next.clamp {
            let bounds = "\(policy.minimumInterval.briefText) … \(policy.maximumInterval.briefText)"
            lines.append(
                Line(
                    "! \(ClockText.requested(clamp.requested)) was requested; clamped to "
                        + "\(clamp.used.briefText) (allowed: \(bounds))",
                    Theme.warning))
        }
        return lines
    }

    /// The interval between checks, and what set it.
    static func interval(_ next: NextCheck) -> String {
        switch next.origin {
        case .server, .configuration: "every \(next.interval.briefText) (\(origin(next.origin)))"
        case .backoff, .retryAfter, .safety: "\(next.wait.briefText), \(origin(next.origin))"
        }
    }

    /// The origin of a wait, as a phrase.
    private static func origin(_ origin: NextCheck.Origin) -> String {
        switch origin {
        case .server: "server"
        case .configuration: "configured"
        case .backoff: "backoff with jitter"
        case .retryAfter: "Retry-After"
        case .safety: "safety check"
        }
    }

    private static func explanation(of kind: EventRecord.Kind, _ time: (Date) -> String) -> [Line] {
        if case .plan(let plan) = kind { return PlanLook.lines(plan, time) }
        let text =
            switch kind {
            case .transition(let transition): explanation(of: transition)
            case .stale(let age, let policy): StandingLook.explanation(age, policy)
            case .asked: "A check has begun outside the schedule. Its end is the next event."
            case .alreadyPending:
                "A check was requested while one was under way. Nothing was done: its reply is about to come."
            case .replyDropped:
                "A reply came for a check that had been abandoned: late, twice or out of order. It changed nothing."
            case .content(let text): "New content has come over the air: \(text). It is in use since then, without a restart."
            case .replyOutdated:
                "A check brought a status older than the present one, or without a readable date: a cache between here and the "
                    + "server. It changed nothing."
            case .pushOutdated:
                "The stream brought a status older than the present one, or without a readable date: it leads to a server that "
                    + "lags behind. It changed nothing."
            case .stream(let report): explanation(of: report)
            case .timeline(let text): "A timeline of the simulated server: \(text)."
            case .scenario(let request, let response):
                "The simulated server replies to \"\(request)\" with \"\(response)\" from here on."
            case .message(let message): message ?? "The status has no message any longer."
            case .remark(let text): text
            case .clamp(let clamp): "\(ClockText.requested(clamp.requested)) was requested; \(clamp.used.briefText) is used."
            case .answer, .failure, .plan: ""
            }
        return [Line(text)]
    }

    private static func explanation(of report: StreamReport) -> String {
        switch report {
        case .connecting, .retryScheduled: "A connection to the stream has begun."
        case .opened(let heartbeat):
            "The server pushes changes from here on. It sends at least one message every \(heartbeat.briefText); when three such "
                + "times pass in silence, the stream is given up."
        case .closed(let error, let lasted):
            "\(error.description). " + (lasted.map { "The stream was open for \($0.briefText)." } ?? "The stream never lived.")
        case .event(let event):
            TextSanitizer.sanitize(String(decoding: event.data.prefix(2048), as: UTF8.self), keepingNewlines: true, limit: 2048)
        }
    }

    private static func explanation(of transition: Transition) -> String {
        switch transition.cause {
        case .status: "A valid status said so."
        case .restored: "This was the state when the app last ran. Only a valid status changes it, not a restart."
        case .bundled: "The status that ships with the app set this state. The first valid status of the server replaces it."
        case .policy(.closed): "Nothing recent is known, and the configuration closes the app until a valid status comes."
        case .policy: "Nothing recent is known, and the configuration lets the app run until a valid status comes."
        case .rule(let id):
            "The \(transition.ruleText(id)), because its time has come. No reply was needed, and the document is the same."
        case .facts: "What is known of the app has changed, such as its version. The document is the same."
        case .dismissed: "The app itself took the overlay away. The state is unknown until the next valid status."
        }
    }
}

extension DashboardModel {
    /// The inspector's text about an event.
    func inspection(of event: EventRecord) -> Inspection { Inspection(event, of: service, zone: screen.timeZone) }
}

extension History {
    /// The check that an event is, or that caused it.
    func check(of event: EventRecord) -> EventRecord? {
        switch event.kind {
        case .answer, .failure: event
        case .transition(let transition):
            if case .status = transition.cause { events.last { $0.isCheck && $0.id < event.id } } else { nil }
        case .clamp, .remark, .message, .replyOutdated: events.last { $0.isCheck && $0.id < event.id }
        case .asked, .alreadyPending, .replyDropped, .pushOutdated, .stale, .scenario, .timeline, .content, .stream, .plan: nil
        }
    }

    /// The change of stage that a check caused.
    func change(by check: EventRecord) -> Transition? {
        for event in events.drop(while: { $0.id <= check.id }) {
            if event.isCheck { return nil }
            if case .transition(let transition) = event.kind, case .status = transition.cause { return transition }
        }
        return nil
    }
}
