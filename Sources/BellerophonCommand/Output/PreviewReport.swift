import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
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

extension PreviewReport {
    /// The names of the document. Times are as in a rule, and absent values are left out, except `by`, `message` and `next`.
    var json: String {
        let first = verdict.restrictions.first
        let known: JSONNode.Members = [
            ("version", Self.text(client.version)), ("osVersion", Self.text(client.osVersion)),
            ("id", Self.text(client.installID)),
            ("facts", .sorted(client.values.map { (TextSanitizer.printable($0.key), .printable($0.value)) })),
        ]
        let own: JSONNode.Members = [
            ("stage", .text(stage.rawValue)), ("by", .printable(first?.by)), ("reason", .printable(verdict.reason)),
            ("because", Self.array(first?.reasons ?? [])), ("until", Self.time(first?.until)),
            ("notices", .array(verdict.notices.map(Self.object))), ("next", Self.time(verdict.next) ?? .null),
            ("client", .sorted(known)), ("at", Self.time(time)), ("rules", .array(outcomes.map(Self.object))),
            ("remarks", document.remarks.isEmpty ? nil : .printable(document.remarks)),
        ]
        return JSONNode.sorted(own + facts.members).line
    }

    private static func text(_ text: String?) -> JSONNode? { text.map { .printable($0) } }
    private static func time(_ date: Date?) -> JSONNode? { date.map { .text(PlanTime.text($0)) } }

    private static func object(_ outcome: RuleOutcome) -> JSONNode {
        .sorted([
            ("rule", .printable(outcome.label)), ("effect", text(outcome.rule?.effect.rawValue)),
            ("state", .text(words(for: outcome.state).name)), ("reason", .printable(outcome.because)),
            ("because", array(outcome.reasons)), ("announce", time(outcome.rule?.announce)),
            ("from", time(outcome.rule?.from)), ("until", time(outcome.rule?.until)),
        ])
    }

    private static func array(_ reasons: [Verdict.Reason]) -> JSONNode {
        .array(reasons.map { .sorted([("fact", text($0.fact)), ("is", text($0.value)), ("rule", text($0.rule))]) })
    }

    private static func object(_ notice: Verdict.Notice) -> JSONNode {
        let rule = notice.rule
        return .sorted([
            ("id", .printable(rule.id)), ("effect", .text(rule.effect.rawValue)), ("phase", .text(notice.phase.rawValue)),
            ("level", .text((rule.effect == .notice ? rule.level : .info).rawValue)), ("message", text(rule.message)),
            ("requiredVersion", text(rule.version)), ("link", text(rule.link)), ("from", time(rule.from)),
            ("until", time(rule.until)),
        ])
    }
}
