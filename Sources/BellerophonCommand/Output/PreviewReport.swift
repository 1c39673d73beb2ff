import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// What a status means for a client at a time, as text and as JSON.
struct PreviewReport {
    private let document: StatusDocument
    private let client: AppFacts
    private let time: Date
    private let verdict: Verdict
    private let outcomes: [RuleOutcome]

    init(_ document: StatusDocument, client: AppFacts, at time: Date) {
        (self.document, self.client, self.time) = (document, client, time)
        verdict = document.verdict(for: client, at: time)
        outcomes = document.outcomes(for: client, at: time)
    }

    var stage: Stage { verdict.stage }

    /// What the person reads.
    private var facts: StatusFacts { verdict.facts(of: document).limited(to: stage) }

    // MARK: Text

    var text: String {
        var lines = [("stage", stage.title), ("reason", verdict.reason)]
        if let until = verdict.restrictions.first?.until { lines.append(("until", PlanTime.text(until))) }
        lines += facts.all.map { ($0.field.label(in: .check), $0.value) }
        lines += verdict.notices.map { ("notice", Self.text(of: $0)) }
        lines.append(("next", verdict.next.map { "\(PlanTime.text($0)): \(changes(at: $0))" } ?? "nothing changes by itself"))
        lines += [("client", clientText), ("at", PlanTime.text(time))]
        lines += outcomes.map { ("rule", Self.text(of: $0)) }
        lines += document.remarks.map { ("remark", $0) }
        return StandardOutput.text(of: lines)
    }

    private var clientText: String {
        let named =
            [("version", client.version), ("osVersion", client.osVersion), ("id", client.installID)]
            + client.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let known = named.compactMap { name, value in
            value.map { TextSanitizer.sanitize("\(name) \($0)", keepingNewlines: false, limit: 400) }
        }
        return known.isEmpty ? "nothing is known of it" : known.joined(separator: ", ")
    }

    /// `update min-15, from 2026-12-15T00:00:00Z: 1.4 loses data.`
    private static func text(of notice: Verdict.Notice) -> String {
        let rule = notice.rule
        let phase = notice.phase == .announced ? rule.from.map { ", from \(PlanTime.text($0))" } ?? "" : ""
        let level = rule.effect == .notice && rule.level == .warn ? ", warning" : ""
        let texts = [rule.message, rule.version.map { "version \($0)" }, rule.link].compactMap(\.self)
        return "\(rule.effect.rawValue) \(rule.id)\(level)\(phase)" + (texts.isEmpty ? "" : ": " + texts.joined(separator: "\n"))
    }

    /// `update bad-16 does not match: 1.4.0 is not from 1.6.0 to below 1.6.4`
    private static func text(of outcome: RuleOutcome) -> String {
        let name = outcome.rule.map { "\($0.effect.rawValue) \(outcome.label)" } ?? outcome.label
        return "\(name) \(words(for: outcome.state).text): \(outcome.because)"
    }

    /// The state of a rule for scripts and for people.
    private static func words(for state: RuleOutcome.State) -> (name: String, text: String) {
        switch state {
        case .holds: ("holds", "holds")
        case .announced(let from): ("announced", "is announced, begins \(PlanTime.text(from))")
        case .waits(let until): ("waits", "waits until \(PlanTime.text(until))")
        case .over(let since): ("over", "is over since \(PlanTime.text(since))")
        case .noMatch: ("noMatch", "does not match")
        case .exempt: ("exempt", "exempts the client")
        case .undecided: ("undecided", "is not understood")
        }
    }

    /// What happens at the next boundary: `update min-15 begins`.
    private func changes(at time: Date) -> String {
        verdict.nextChanges.compactMap { change in
            let rule = outcomes.lazy.compactMap(\.rule).first { $0.id == change.id }
            // A rule may be announced when it begins.
            return rule.map { "\($0.effect.rawValue) \($0.from == time ? "\($0.id) begins" : change.text)" }
        }.joined(separator: ", ")
    }
}

// MARK: JSON

extension PreviewReport: Encodable {
    private enum Key: String, CodingKey {
        case stage, by, reason, because, until, notices, next, client, at, rules, remarks
        case version, osVersion, id, facts
        case rule, effect, state, announce, from
    }

    var json: String { JSONText.sanitized(encoding: self) ?? "" }

    /// The names of the document. Times are as in a rule, and absent values are left out, except `by`, `message` and `next`.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        let first = verdict.restrictions.first
        try object.encode(stage.rawValue, forKey: .stage)
        try object.encode(first?.by, forKey: .by)
        try object.encode(verdict.reason, forKey: .reason)
        try object.encode(Self.members(of: first?.reasons ?? []), forKey: .because)
        try object.encodeIfPresent(first?.until.map(PlanTime.text), forKey: .until)
        try facts.encode(to: encoder, always: [.message])
        try object.encode(verdict.notices.map(Self.members), forKey: .notices)
        try object.encode(verdict.next.map(PlanTime.text), forKey: .next)
        var known = object.nestedContainer(keyedBy: Key.self, forKey: .client)
        try known.encodeIfPresent(client.version, forKey: .version)
        try known.encodeIfPresent(client.osVersion, forKey: .osVersion)
        try known.encodeIfPresent(client.installID, forKey: .id)
        try known.encode(client.values, forKey: .facts)
        try object.encode(PlanTime.text(time), forKey: .at)
        var rules = object.nestedUnkeyedContainer(forKey: .rules)
        for outcome in outcomes { try Self.encode(outcome, in: rules.nestedContainer(keyedBy: Key.self)) }
        if !document.remarks.isEmpty { try object.encode(document.remarks, forKey: .remarks) }
    }

    private static func encode(_ outcome: RuleOutcome, in container: KeyedEncodingContainer<Key>) throws {
        var members = container
        try members.encode(outcome.label, forKey: .rule)
        try members.encodeIfPresent(outcome.rule?.effect.rawValue, forKey: .effect)
        try members.encode(words(for: outcome.state).name, forKey: .state)
        try members.encode(outcome.because, forKey: .reason)
        try members.encode(Self.members(of: outcome.reasons), forKey: .because)
        try members.encodeIfPresent(outcome.rule?.announce.map(PlanTime.text), forKey: .announce)
        try members.encodeIfPresent(outcome.rule?.from.map(PlanTime.text), forKey: .from)
        try members.encodeIfPresent(outcome.rule?.until.map(PlanTime.text), forKey: .until)
    }

    private static func members(of reasons: [Verdict.Reason]) -> [[String: String]] {
        reasons.map { reason in ["fact": reason.fact, "is": reason.value, "rule": reason.rule].compactMapValues(\.self) }
    }

    private static func members(of notice: Verdict.Notice) -> [String: String] {
        let rule = notice.rule
        let members = [
            "id": rule.id, "effect": rule.effect.rawValue, "phase": notice.phase.rawValue,
            "level": (rule.effect == .notice ? rule.level : .info).rawValue, "message": rule.message,
            "requiredVersion": rule.version, "link": rule.link, "from": rule.from.map(PlanTime.text),
            "until": rule.until.map(PlanTime.text),
        ]
        return members.compactMapValues(\.self)
    }
}
