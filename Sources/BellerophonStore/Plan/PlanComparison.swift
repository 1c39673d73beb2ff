import Foundation
import StatusModel

/// What a change of rules changes in the document that clients get, in words.
package struct PlanComparison {
    private let former: StatusDocument
    private let newer: StatusDocument
    private let now: Date
    private let fleet: Fleet?

    /// The most times at which the fleet is counted.
    private static let countLimit = 32

    /// - Parameters:
    ///   - former: what is served now.
    ///   - newer: what would be served.
    ///   - now: the present time. What is over is not mentioned.
    ///   - fleet: the apps that are counted; nil for no numbers.
    package init(former: StatusDocument, newer: StatusDocument, now: Date, fleet: Fleet? = nil) {
        (self.former, self.newer, self.now, self.fleet) = (former, newer, now, fleet)
    }

    /// A sentence for each change, and the numbers of the fleet. Empty without a fleet if nothing changes.
    package var sentences: [String] { mirrors + rules + counts }

    // MARK: Rules

    private var mirrors: [String] {
        let (before, ids) = (former.plan?.mirrors ?? [], newer.plan?.mirrors ?? [])
        guard before != ids else { return [] }
        return [
            "apiInactive repeats \(ids.isEmpty ? "no rule" : ids.joined(separator: " and ")) for clients that do not know rules."
        ]
    }

    /// A sentence for each rule that is new, changed or removed.
    private var rules: [String] {
        let known = Dictionary(former.rules.map { ($0.id, $0) }) { first, _ in first }
        let ids = Set(newer.rules.map(\.id))
        var sentences = newer.rules.compactMap { rule -> String? in
            guard let before = known[rule.id] else { return sentence(rule) + "." }
            return before == rule ? nil : changed(rule, before: before)
        }
        sentences += former.rules.filter { !ids.contains($0.id) }.map { rule in
            rule.until.map { $0 <= now } ?? false
                ? "\(rule.id) is removed; it is over." : "\(rule.id) no longer \(verb(rule)) \(rule.audience)."
        }
        let (before, after) = (former.rules.map(\.id).filter(ids.contains), newer.rules.map(\.id).filter { known[$0] != nil })
        if before != after { sentences.append("The order of the rules changes to \(after.joined(separator: ", ")).") }
        return sentences
    }

    private func verb(_ rule: Rule) -> String {
        switch rule.effect {
        case .update, .pause: "covers"
        case .offer: "offers \(rule.version ?? "an update") to"
        case .notice: "tells"
        }
    }

    /// The rule without its message: `min-15 covers version below 1.5.2 from 15 December 2026 00:00 UTC: update required`.
    private func sentence(_ rule: Rule) -> String {
        "\(rule.id) \(verb(rule)) \(rule.audience) \(PlanWords.times(rule, now))\(effect(rule))\(announcement(rule))"
    }

    private func changed(_ rule: Rule, before: Rule) -> String {
        let (now, then) = (sentence(rule), sentence(before))
        var parts = now == then ? [] : ["\(now). Before: \(then)"]
        if rule.message != before.message || rule.messages != before.messages {
            let message = rule.message.map { "the message \(PlanWords.quoted($0))" } ?? "no default message"
            let tags = rule.messages.keys.sorted().joined(separator: ", ")
            parts.append("\(rule.id) has \(message)\(tags.isEmpty ? "" : ", and messages in \(tags)")")
        }
        if rule.link != before.link { parts.append("\(rule.id) has \(rule.link.map { "the link \($0)" } ?? "no link")") }
        if rule.level != before.level { parts.append("\(rule.id) has the level \(rule.level.rawValue)") }
        return parts.map { $0 + "." }.joined(separator: " ")
    }

    private func effect(_ rule: Rule) -> String {
        switch rule.effect {
        case .update: ": update required" + (rule.version.map { " to \($0)" } ?? "")
        case .pause: ": paused"
        case .notice: rule.message.map { ": \(PlanWords.quoted($0))" } ?? ""
        case .offer: ""
        }
    }

    private func announcement(_ rule: Rule) -> String {
        guard let announce = rule.announce, let from = rule.from, from > now else { return "" }
        return announce > now ? ", announces it on \(PlanWords.time(announce))" : ", announces it from now on"
    }

    // MARK: Numbers

    /// How many apps of the fleet are covered now and at each time at which a rule begins or ends, and what it has no column for.
    private var counts: [String] {
        guard let fleet else { return [] }
        let boundaries = Set((former.rules + newer.rules).flatMap { [$0.from, $0.until].compactMap(\.self) }).filter { $0 > now }
        let counts = ([now] + boundaries.sorted()).prefix(Self.countLimit).map { time in
            let (before, after) = (fleet.covered(by: former, at: time), fleet.covered(by: newer, at: time))
            return "Covered at \(PlanWords.time(time)): \(PlanWords.number(after)) of \(PlanWords.number(fleet.count))"
                + (before == after ? "." : ", before the change \(PlanWords.number(before)).")
        }
        let compared = newer.rules.filter { $0.effect.stage != nil }.flatMap { $0.only + $0.exemptingConditions }
        var known = Set(fleet.columns)
        let missing = compared.compactMap { condition in
            if case .osVersion = condition { "osVersion" } else { condition.factName }
        }.filter { known.insert($0).inserted }
        return counts
            + missing.map {
                "\(fleet.name) has no column \(PlanWords.quoted($0)), which a rule compares; the numbers are wrong without it."
            }
    }
}
