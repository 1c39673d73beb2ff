import Bellerophon
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
        return lines.map { name, value in
            "\(name):".padding(toLength: 10, withPad: " ", startingAt: 0) + value.replacing("\n", with: "\n          ")
        }.joined(separator: "\n")
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
        let state =
            switch outcome.state {
            case .holds: "holds"
            case .announced(let from): "is announced, begins \(PlanTime.text(from))"
            case .waits(let until): "waits until \(PlanTime.text(until))"
            case .over(let since): "is over since \(PlanTime.text(since))"
            case .noMatch: "does not match"
            case .exempt: "exempts the client"
            case .undecided: "is not understood"
            }
        return "\(name) \(state): \(outcome.because)"
    }

    /// What happens at a boundary: `update min-15 begins`.
    private func changes(at time: Date) -> String {
        outcomes.compactMap { outcome in
            guard let rule = outcome.rule else { return nil }
            let name = "\(rule.effect.rawValue) \(rule.id)"
            switch outcome.state {
            case .holds: return rule.until == time ? "\(name) ends" : nil
            case .announced(let from): return from == time ? "\(name) begins" : nil
            case .waits(let until) where until == time: return rule.from == time ? "\(name) begins" : "\(name) is announced"
            case .waits, .over, .noMatch, .exempt, .undecided: return nil
            }
        }.joined(separator: ", ")
    }
}

// MARK: JSON

extension PreviewReport: Encodable {
    private enum Key: String, CodingKey {
        case stage, by, reason, because, until, notices, next, client, at, rules, remarks
    }

    /// The names of the document. Times are as in a rule, and absent values are left out, except `by`, `message` and `next`.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        let first = verdict.restrictions.first
        try object.encode(stage.rawValue, forKey: .stage)
        try object.encode(first?.by, forKey: .by)
        try object.encode(verdict.reason, forKey: .reason)
        try object.encode(Self.reasons(first?.reasons ?? []), forKey: .because)
        try object.encodeIfPresent(first?.until.map(PlanTime.text), forKey: .until)
        try facts.encode(to: encoder, always: [.message])
        try object.encode(verdict.notices.map(NoticeObject.init), forKey: .notices)
        try object.encode(verdict.next.map(PlanTime.text), forKey: .next)
        try object.encode(ClientObject(client), forKey: .client)
        try object.encode(PlanTime.text(time), forKey: .at)
        try object.encode(outcomes.map(RuleObject.init), forKey: .rules)
        if !document.remarks.isEmpty { try object.encode(document.remarks, forKey: .remarks) }
    }

    private struct Because: Encodable {
        let fact: String
        let `is`: String?
        let rule: String
    }

    private static func reasons(_ reasons: [Verdict.Reason]) -> [Because] {
        reasons.map { Because(fact: $0.fact, is: $0.value, rule: $0.rule) }
    }

    private struct ClientObject: Encodable {
        let version: String?
        let osVersion: String?
        let id: String?
        let facts: [String: String]

        init(_ client: AppFacts) {
            (version, osVersion, id, facts) = (client.version, client.osVersion, client.installID, client.values)
        }
    }

    private struct NoticeObject: Encodable {
        let id: String
        let effect: String
        let phase: String
        let level: String
        let message: String?
        let requiredVersion: String?
        let link: String?
        let from: String?
        let until: String?

        init(_ notice: Verdict.Notice) {
            let rule = notice.rule
            (id, effect, phase) = (rule.id, rule.effect.rawValue, notice.phase.rawValue)
            level = (rule.effect == .notice ? rule.level : .info).rawValue
            (message, requiredVersion, link) = (rule.message, rule.version, rule.link)
            (from, until) = (rule.from.map(PlanTime.text), rule.until.map(PlanTime.text))
        }
    }

    private struct RuleObject: Encodable {
        let rule: String
        let effect: String?
        let state: String
        let reason: String
        let because: [Because]
        let announce: String?
        let from: String?
        let until: String?

        init(_ outcome: RuleOutcome) {
            (rule, reason) = (outcome.label, outcome.because)
            effect = outcome.rule?.effect.rawValue
            state = outcome.state.name
            because = PreviewReport.reasons(outcome.reasons)
            announce = outcome.rule?.announce.map(PlanTime.text)
            from = outcome.rule?.from.map(PlanTime.text)
            until = outcome.rule?.until.map(PlanTime.text)
        }
    }
}

extension RuleOutcome.State {
    /// The state for scripts.
    fileprivate var name: String {
        switch self {
        case .holds: "holds"
        case .announced: "announced"
        case .waits: "waits"
        case .over: "over"
        case .noMatch: "noMatch"
        case .exempt: "exempt"
        case .undecided: "undecided"
        }
    }
}
