import Foundation
import StatusModel

/// What changes from one document to another one: in words, and as the tables of both.
package struct PlanComparison: Encodable, Equatable, Sendable {
    /// How many apps of a fleet are covered at a time.
    package struct Count: Encodable, Equatable, Sendable {
        /// The time, as in a rule.
        package let at: String
        package let former: FleetPart
        package let newer: FleetPart
    }

    /// A sentence for each change of a rule or of the base fields. Empty if nothing changes.
    package let sentences: [String]
    /// The counts of the fleet now and at each time at which a rule begins or ends; empty without a fleet.
    package let counts: [Count]
    /// What the numbers do not tell; empty without a fleet.
    package let remarks: [String]
    package let former: RuleMatrix
    package let newer: RuleMatrix

    /// The most times at which the fleet is counted.
    package static let countLimit = 32

    /// - Parameters:
    ///   - former: what is served now.
    ///   - newer: what would be served.
    ///   - now: the present time. What is over is not mentioned.
    ///   - fleet: the apps that are counted; nil for no numbers.
    package init(former: StatusDocument, newer: StatusDocument, now: Date, fleet: Fleet? = nil) {
        self.former = RuleMatrix(former)
        self.newer = RuleMatrix(newer)
        let differences = PlanDifferences(former: former, newer: newer, now: now, fleet: fleet)
        sentences = differences.base + differences.rules
        let boundaries = Set((former.rules + newer.rules).flatMap { [$0.from, $0.until].compactMap(\.self) }).filter { $0 > now }
        counts =
            fleet.map { fleet in
                ([now] + boundaries.sorted()).prefix(Self.countLimit).map { time in
                    Count(
                        at: PlanTime.text(time), former: fleet.coverage(of: former, at: time),
                        newer: fleet.coverage(of: newer, at: time))
                }
            } ?? []
        remarks =
            fleet?.missingColumns(for: newer).map {
                "\(fleet?.name ?? "The fleet") has no column \(PlanWords.quoted($0)), which a rule compares; the numbers are wrong without it."
            } ?? []
    }

    /// The difference and both tables as text of at most 80 columns.
    package var text: String {
        let difference = sentences.isEmpty ? ["Nothing changes."] : sentences
        return (difference + countLines + remarks).joined(separator: "\n") + "\n\nNow:\n\n" + MatrixText(former).text
            + "\n\nThen:\n\n" + MatrixText(newer).text
    }

    /// The counts of the fleet in words.
    package var countLines: [String] {
        counts.map { count in
            let time = PlanTime.date(count.at).map(PlanWords.time) ?? count.at
            return "Covered at \(time): \(PlanWords.number(count.newer.covered)) of \(PlanWords.number(count.newer.of))"
                + (count.former == count.newer ? "." : ", before the change \(PlanWords.number(count.former.covered)).")
        }
    }
}

/// The differences of two documents in words.
struct PlanDifferences {
    let former: StatusDocument
    let newer: StatusDocument
    let now: Date
    let fleet: Fleet?

    // MARK: Rules

    /// A sentence for each rule that is new, changed or removed.
    var rules: [String] {
        let known = Dictionary(former.rules.map { ($0.id, $0) }) { first, _ in first }
        let ids = Set(newer.rules.map(\.id))
        let (formerIDs, newerIDs) = (
            former.rules.map(\.id).filter(ids.contains), newer.rules.map(\.id).filter { known[$0] != nil }
        )
        var sentences = newer.rules.compactMap { rule -> String? in
            guard let before = known[rule.id] else { return sentence(rule) + number(rule) + "." }
            return before == rule ? nil : changed(rule, before: before)
        }
        sentences += former.rules.filter { !ids.contains($0.id) }.map { rule in
            let isOver = rule.until.map { $0 <= now } ?? false
            return isOver
                ? "\(rule.id) is removed; it is over." : "\(rule.id) no longer \(verb(rule)) \(subject(rule))\(number(rule))."
        }
        if formerIDs != newerIDs { sentences.append("The order of the rules changes to \(newerIDs.joined(separator: ", ")).") }
        let undecided = newer.plan?.undecided ?? []
        return sentences + undecided.map { "\($0.label) is not understood and does not apply: \($0.problem)." }
    }

    private func verb(_ rule: Rule) -> String {
        switch rule.effect {
        case .update, .pause: "covers"
        case .offer: "offers \(rule.version ?? "an update") to"
        case .notice: "tells"
        }
    }

    private func subject(_ rule: Rule) -> String { PlanWords.audience(rule) }

    /// The rule without its message: `min-15 covers below 1.5.2 on linux from 15 December 2026 00:00 UTC: update required`.
    private func sentence(_ rule: Rule) -> String {
        "\(rule.id) \(verb(rule)) \(subject(rule)) \(times(rule))\(effect(rule))\(announcement(rule))"
    }

    private func changed(_ rule: Rule, before: Rule) -> String {
        let (now, then) = (sentence(rule), sentence(before))
        var parts: [String] = []
        if now != then { parts.append(now + number(rule) + ". Before: \(then)") }
        if rule.message != before.message || rule.messages != before.messages {
            parts.append(
                "\(rule.id) has "
                    + (rule.message.map { "the message \(PlanWords.quoted($0))" } ?? "no default message")
                    + (rule.messages.isEmpty ? "" : ", and messages in \(rule.messages.keys.sorted().joined(separator: ", "))"))
        }
        if rule.link != before.link { parts.append("\(rule.id) has \(rule.link.map { "the link \($0)" } ?? "no link")") }
        if rule.level != before.level { parts.append("\(rule.id) has the level \(rule.level.rawValue)") }
        return parts.map { $0 + "." }.joined(separator: " ")
    }

    private func times(_ rule: Rule) -> String {
        let start = rule.from.flatMap { $0 > now ? "from \(PlanWords.time($0))" : nil } ?? "from now on"
        return start + (rule.until.map { " until \(PlanWords.time($0))" } ?? "")
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

    /// How many apps of the fleet the rule covers by itself when it has begun.
    private func number(_ rule: Rule) -> String {
        guard let fleet, rule.effect.stage != nil else { return "" }
        let alone = Rule(id: rule.id, effect: rule.effect, only: rule.only, except: rule.except)
        return ", \(fleet.coverage(of: StatusDocument([alone]), at: now).text(fleet: fleet.name))"
    }

    // MARK: Base

    /// A sentence for each change of the fields beside the rules.
    var base: [String] {
        var sentences: [String] = []
        if isStopped(former) != isStopped(newer) {
            sentences.append(
                isStopped(newer)
                    ? "The service is stopped for every app (apiInactive)." : "The service is no longer stopped (apiInactive).")
        }
        if mirrors(former) != mirrors(newer) {
            let ids = mirrors(newer)
            sentences.append(
                ids.isEmpty
                    ? "apiInactive repeats no rule for clients that do not know rules."
                    : "apiInactive repeats \(ids.joined(separator: " and ")) for clients that do not know rules.")
        }
        if update(former) != update(newer) {
            sentences.append(
                update(newer).map { "\($0) must update (forceUpdate)." }
                    ?? "\(update(former) ?? "Every app") no longer must update (forceUpdate).")
        }
        if former.message != newer.message {
            sentences.append(newer.message.map { "The message is \(PlanWords.quoted($0))." } ?? "There is no message any more.")
        }
        if former.plan?.messages ?? [:] != newer.plan?.messages ?? [:] {
            let tags = newer.plan?.messages.keys.sorted() ?? []
            sentences.append(
                tags.isEmpty
                    ? "There are no messages in other languages any more."
                    : "The messages in \(tags.joined(separator: ", ")) change.")
        }
        if former.link != newer.link { sentences.append(newer.link.map { "The link is \($0)." } ?? "There is no link any more.") }
        if former.backAt != newer.backAt {
            sentences.append(
                newer.backAt.map { "The service is expected back on \(PlanWords.time($0))." }
                    ?? "No time is given for the service's return.")
        }
        if former.interval != newer.interval {
            sentences.append(
                "Clients check every \(PlanWords.duration(newer.interval)); before, every \(PlanWords.duration(former.interval))."
            )
        }
        return sentences
    }

    private func isStopped(_ document: StatusDocument) -> Bool {
        document.verdict(for: AppFacts(), at: nil).restrictions.contains { $0.by == "apiInactive" }
    }

    private func mirrors(_ document: StatusDocument) -> [String] {
        document.isInactive && !isStopped(document) ? document.plan?.mirrors ?? [] : []
    }

    private func update(_ document: StatusDocument) -> String? {
        guard document.requiresUpdate else { return nil }
        return document.requiredVersion.map { "Every app below \($0)" } ?? "Every app"
    }
}
