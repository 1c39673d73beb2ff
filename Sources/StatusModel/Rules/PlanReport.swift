package import Foundation
import SafeText

/// What the plan of a status means for an app at a time, for everything that shows a status: words for people and JSON for
/// scripts.
///
/// A status without rules has no plan to report, so its outputs are those of a program that knows no rules.
package struct PlanReport: Equatable, Sendable {
    /// What restricts the app: `forceUpdate`, `apiInactive`, or the id of a rule; nil if the app may run.
    package let by: String?
    /// The rule that restricts the app; nil if another part of the document or nothing does.
    package let coveringRule: String?
    /// The conditions that hold for the app.
    package let because: [Verdict.Reason]
    /// Why the restriction applies to the app, in words: "1.4.0 is below 1.5.2"; nil if the app may run.
    package let cause: String?
    /// Why the app may or may not run, as a clause.
    package let reason: String
    /// When the restriction ends by itself; nil for never.
    package let until: Date?
    /// When the service is expected back; nil if the status does not say.
    package let backAt: Date?
    package let notices: [Verdict.Notice]
    /// The labels of the rules that are not understood, and why.
    package let undecided: [StatusPlan.Undecided]
    /// Whether the document has rules, and not only a required version or an expected end.
    package let hasRules: Bool
    /// Whether the list of rules can't be read, so that no rule counts.
    package let isUnreadable: Bool
    /// When the meaning of the status changes by itself; nil if it does not.
    package let next: Date?
    package let changes: [Verdict.Change]
    /// Whether the replies have no `Date`, so that this machine's clock alone decides when a rule begins and ends.
    package let usesWallClockOnly: Bool

    /// - Returns: nil for a document that has neither rules nor a required version that decides.
    package init?(_ verdict: Verdict, of document: StatusDocument, usesWallClockOnly: Bool) {
        guard document.plan != nil || (document.requiresUpdate && document.requiredVersion != nil) else { return nil }
        hasRules = document.plan.map { !$0.entries.isEmpty || $0.problem != nil } ?? false
        let first = verdict.restrictions.first
        by = first?.by
        coveringRule = verdict.coveringRule
        because = first?.reasons ?? []
        cause = first?.because
        let isFree = verdict.restrictions.isEmpty && verdict.exemption == nil && hasRules
        reason = verdict.reason + (isFree ? ", and no rule covers the app" : "")
        until = first?.until
        backAt = document.backAt
        notices = verdict.notices
        undecided = verdict.undecided
        isUnreadable = document.plan?.problem != nil
        next = verdict.next
        changes = verdict.nextChanges
        self.usesWallClockOnly = usesWallClockOnly
    }

    /// Of a status without a plan.
    package static let none = PlanReport()

    private init() {
        (by, coveringRule, cause, reason, until, backAt, next) = (nil, nil, nil, "", nil, nil, nil)
        (because, notices, undecided, changes) = ([], [], [], [])
        (hasRules, isUnreadable, usesWallClockOnly) = (false, false, false)
    }

    /// What the rules say of the app. What is only shown, such as the expected end of a pause, does not belong to it.
    package struct News: Equatable, Sendable {
        private let rule: String?
        private let notices: [[String]]
        private let undecided: [String]
        private let isUnreadable: Bool
        private let next: Date?
        private let changes: [Verdict.Change]

        package init(_ plan: PlanReport?) {
            let plan = plan ?? .none
            rule = plan.coveringRule
            notices = plan.notices.map { [$0.rule.id, $0.phase.rawValue] }
            undecided = plan.undecided.map(\.label)
            isUnreadable = plan.isUnreadable
            (next, changes) = (plan.next, plan.changes)
        }
    }
}

extension Verdict.Notice {
    /// `mw-1205 (pause) begins 22:00, ends 23:30: We are moving the disks.`, `ro (notice) holds: Search is read-only.`
    /// - Parameter time: a time in words.
    package func text(_ time: (Date) -> String) -> String {
        let begin = phase == .announced ? rule.from.map { "begins \(time($0))" } ?? "" : "holds"
        let end = rule.until.map { phase == .announced ? ", ends \(time($0))" : " until \(time($0))" } ?? ""
        let message = rule.message.map { ": \(TextSanitizer.sanitize($0, keepingNewlines: false))" } ?? ""
        return "\(rule.id) (\(rule.effect.rawValue)) \(begin)\(end)\(message)"
    }
}

extension PlanReport {
    /// The next change: `22:00, mw-1205 begins`; nil if there is none.
    /// - Parameter time: a time in words.
    package func nextText(_ time: (Date) -> String) -> String? {
        next.map { date in ([time(date)] + changes.map(\.text)).joined(separator: ", ") }
    }
}

extension RuleOutcome {
    /// What the rule does now: `holds until 23:30`, `announced, begins 22:00`, `no match`.
    /// - Parameter time: a time in words.
    package func stateText(_ time: (Date) -> String) -> String {
        let end = rule?.until.map { " until \(time($0))" } ?? ""
        return switch state {
        case .holds: "holds\(end)"
        case .announced(let from): "announced, begins \(time(from))"
        case .waits(let until): rule?.announce == until ? "announced from \(time(until)) on" : "begins \(time(until))"
        case .over(let since): "over since \(time(since))"
        case .noMatch: "no match"
        case .exempt: "exempt"
        case .undecided: "not understood"
        }
    }
}

// MARK: In JSON

/// The members of a report beside the others of an object. All of them are always present.
///
/// ```json
/// {"because":[{"fact":"version","is":"1.4.0","rule":"below 1.5.2"}],"backAt":null,"by":"min-15","clock":"server",
///  "next":"2026-12-05T22:00:00Z","notices":[],"planUnreadable":false,"undecided":["#3"],"until":null}
/// ```
extension PlanReport: Encodable {
    private enum Key: String, CodingKey {
        case by, because, until, backAt, notices, undecided, planUnreadable, next, clock
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(by, forKey: .by)
        try members.encode(because.map(ReasonMembers.init), forKey: .because)
        try members.encode(until.map(PlanTime.text), forKey: .until)
        try members.encode(backAt.map(PlanTime.text), forKey: .backAt)
        try members.encode(notices.map(NoticeMembers.init), forKey: .notices)
        try members.encode(undecided.map(\.label), forKey: .undecided)
        try members.encode(isUnreadable, forKey: .planUnreadable)
        try members.encode(next.map(PlanTime.text), forKey: .next)
        try members.encode(usesWallClockOnly ? "wall" : "server", forKey: .clock)
    }

    /// A condition that holds.
    package struct ReasonMembers: Encodable {
        private let reason: Verdict.Reason

        package init(_ reason: Verdict.Reason) { self.reason = reason }

        private enum Key: String, CodingKey { case fact, `is`, rule }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(reason.fact, forKey: .fact)
            try members.encode(reason.value, forKey: .is)
            try members.encode(reason.rule, forKey: .rule)
        }
    }

    private struct NoticeMembers: Encodable {
        let notice: Verdict.Notice

        private enum Key: String, CodingKey { case id, effect, phase, level, from, until, message, requiredVersion, link }

        func encode(to encoder: any Encoder) throws {
            let rule = notice.rule
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(rule.id, forKey: .id)
            try members.encode(rule.effect.rawValue, forKey: .effect)
            try members.encode(notice.phase.rawValue, forKey: .phase)
            try members.encode(rule.level.rawValue, forKey: .level)
            try members.encode(rule.from.map(PlanTime.text), forKey: .from)
            try members.encode(rule.until.map(PlanTime.text), forKey: .until)
            try members.encode(rule.message, forKey: .message)
            try members.encode(rule.version, forKey: .requiredVersion)
            try members.encode(rule.link, forKey: .link)
        }
    }
}
