package import Foundation
import SafeText

/// What the plan of a status means for an app at a time, for everything that shows a status: words for people and JSON for
/// scripts.
///
/// A status without rules has no plan to report, so its outputs are those of a program that knows no rules.
package struct PlanReport: Equatable, Sendable {
    private let verdict: Verdict
    /// Why the app may or may not run, as a clause.
    package let reason: String
    /// When the service is expected back; nil if the status does not say.
    package let backAt: Date?
    /// Whether the document has rules, and not only a required version or an expected end.
    package let hasRules: Bool
    /// Whether the list of rules can't be read, so that no rule counts.
    package let isUnreadable: Bool
    /// Whether the replies have no `Date`, so that this machine's clock alone decides when a rule begins and ends.
    package let usesWallClockOnly: Bool

    /// What restricts the app: `forceUpdate`, `apiInactive`, or the id of a rule; nil if the app may run.
    package var by: String? { verdict.restrictions.first?.by }
    /// The rule that restricts the app; nil if another part of the document or nothing does.
    package var coveringRule: String? { verdict.coveringRule }
    /// The conditions that hold for the app.
    package var because: [Verdict.Reason] { verdict.restrictions.first?.reasons ?? [] }
    /// Why the restriction applies to the app, in words: "1.4.0 is below 1.5.2"; nil if the app may run.
    package var cause: String? { verdict.restrictions.first?.because }
    /// When the restriction ends by itself; nil for never.
    package var until: Date? { verdict.restrictions.first?.until }
    package var notices: [Verdict.Notice] { verdict.notices }
    /// The labels of the rules that are not understood, and why.
    package var undecided: [StatusPlan.Undecided] { verdict.undecided }
    /// When the meaning of the status changes by itself; nil if it does not.
    package var next: Date? { verdict.next }
    package var changes: [Verdict.Change] { verdict.nextChanges }

    /// Of a status without a plan.
    package static let none = PlanReport(
        verdict: Verdict(restrictions: [], notices: [], undecided: [], next: nil, nextChanges: [], exemption: nil), reason: "",
        backAt: nil, hasRules: false, isUnreadable: false, usesWallClockOnly: false)

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
    /// - Returns: nil for a document that has neither rules nor a required version that decides.
    package init?(_ verdict: Verdict, of document: StatusDocument, usesWallClockOnly: Bool) {
        guard document.plan != nil || (document.requiresUpdate && document.requiredVersion != nil) else { return nil }
        let hasRules = document.plan.map { !$0.entries.isEmpty || $0.problem != nil } ?? false
        let isFree = verdict.restrictions.isEmpty && verdict.exemption == nil && hasRules
        self.init(
            verdict: verdict, reason: verdict.reason + (isFree ? ", and no rule covers the app" : ""), backAt: document.backAt,
            hasRules: hasRules, isUnreadable: document.plan?.problem != nil, usesWallClockOnly: usesWallClockOnly)
    }

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
        try members.encode(because.map(\.members), forKey: .because)
        try members.encode(until.map(PlanTime.text), forKey: .until)
        try members.encode(backAt.map(PlanTime.text), forKey: .backAt)
        try members.encode(notices.map(Self.members), forKey: .notices)
        try members.encode(undecided.map(\.label), forKey: .undecided)
        try members.encode(isUnreadable, forKey: .planUnreadable)
        try members.encode(next.map(PlanTime.text), forKey: .next)
        try members.encode(usesWallClockOnly ? "wall" : "server", forKey: .clock)
    }

    private static func members(of notice: Verdict.Notice) -> [String: String?] {
        let rule = notice.rule
        return [
            "id": rule.id, "effect": rule.effect.rawValue, "phase": notice.phase.rawValue, "level": rule.level.rawValue,
            "from": rule.from.map(PlanTime.text), "until": rule.until.map(PlanTime.text), "message": rule.message,
            "requiredVersion": rule.version, "link": rule.link,
        ]
    }
}

extension Verdict.Reason {
    /// The condition in JSON. All members are always present.
    package var members: [String: String?] { ["fact": fact, "is": value, "rule": rule] }
}
