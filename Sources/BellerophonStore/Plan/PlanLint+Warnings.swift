import BellerophonBase
import Foundation
import StatusModel

// What can be published, and may surprise its author.

extension PlanUnderLint {
    var warnings: [PlanFinding] {
        let base = sizeWarning + languages(document.plan?.messages ?? [:], rule: nil, hasDefault: document.message != nil)
        return base + ignoredMembers + rules.flatMap(warnings) + overlaps
    }

    /// Members that a rule has for clients of later numbers of the contract.
    private var ignoredMembers: [PlanFinding] {
        objects.flatMap { rule, members in
            members.keys.filter { !Rule.members.contains($0) }.sorted().map { name in
                warning(
                    rule.id, "Clients of contract 1.0 do not know the member \(PlanWords.quoted(name)) and ignore it.",
                    "Make sure that the rule is right without it.")
            }
        }
    }

    private func warnings(_ rule: Rule) -> [PlanFinding] {
        let checks = [
            unknownFacts, absent, prereleases, ruleLanguages, missingLanguages, announcement, longPause, clockTimes,
            missingTexts,
        ]
        return checks.flatMap { $0(rule) }
    }

    private func warning(_ rule: String?, _ text: String, _ hint: String? = nil) -> PlanFinding {
        PlanFinding(.warning, rule: rule, text, hint: hint)
    }

    private var sizeWarning: [PlanFinding] {
        guard size > PlanLint.sizeWarning, size <= PlanLint.sizeLimit else { return [] }
        return [
            warning(
                nil, "The document has \(PlanWords.number(size)) bytes, and clients with keys fetch all of it at each check.",
                "Shorten messages, or remove rules that are no longer needed.")
        ]
    }

    // MARK: Conditions

    private func unknownFacts(_ rule: Rule) -> [PlanFinding] {
        var names: [String] = []
        for case .fact(let name, _) in rule.only + rule.exemptingConditions where !names.contains(name) { names.append(name) }
        let known = context.knownFacts.union(AppFacts.namesOfEveryClient)
        return names.filter { !known.contains($0) }.map { name in
            let nearest = EditDistance.nearest(to: name, among: known.sorted())
            return warning(
                rule.id, "No client is known to have the fact \(PlanWords.quoted(name)).",
                nearest.map { "Did you mean \"\($0)\"?" } ?? "Check the name with the authors of the app.")
        }
    }

    /// How many apps of the fleet an exception exempts because they do not say a fact.
    private func absent(_ rule: Rule) -> [PlanFinding] {
        guard let fleet = context.fleet, !rule.namesOfExemptingFacts.isEmpty else { return [] }
        let count = fleet.exemptedByAbsence(rule)
        guard count.covered > 0 else { return [] }
        return [
            warning(
                rule.id, "The exceptions exempt \(count.text(fleet: fleet.name)) because these apps do not say a fact.",
                "Ask for the fact in \"only\" if they should be covered.")
        ]
    }

    private func prereleases(_ rule: Rule) -> [PlanFinding] {
        guard rule.effect.stage != nil else { return [] }
        return rule.only.flatMap { condition -> [PlanFinding] in
            guard case .version(let ranges) = condition else { return [] }
            return ranges.compactMap { range in
                guard case .between(_, let below?) = range, !range.isEmpty else { return nil }
                let release = String(below.text.prefix { $0 != "+" })
                guard !release.contains("-") else { return nil }
                return warning(
                    rule.id, "\"below \(release)\" also covers prereleases such as \(release)-rc.1.",
                    "Write \"below \(release)-0\" to leave them out.")
            }
        }
    }

    // MARK: Texts

    private func ruleLanguages(_ rule: Rule) -> [PlanFinding] {
        languages(rule.messages, rule: rule.id, hasDefault: rule.message != nil)
    }

    private func languages(_ messages: [String: String], rule: String?, hasDefault: Bool) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        let (list, plain) = rule == nil ? ("userMessages", "userMessage") : ("messages", "message")
        if !messages.isEmpty, !hasDefault {
            findings.append(
                warning(
                    rule, "\"\(list)\" has no default: people with other languages see no message.", "Add \"\(plain)\"."))
        }
        let known = Set(messages.keys.map { $0.lowercased() })
        for tag in messages.keys.sorted() {
            let language = PlanLint.language(of: tag)
            guard language.count < tag.count, !known.contains(language) else { continue }
            findings.append(
                warning(
                    rule, "People with another region of \(language) do not find the message in \(tag).",
                    "Name it \"\(language)\", or add one for \"\(language)\"."))
        }
        return findings
    }

    /// The languages that other texts of the document have and this rule does not.
    private func missingLanguages(_ rule: Rule) -> [PlanFinding] {
        guard rule.message != nil || !rule.messages.isEmpty else { return [] }
        let missing = PlanLint.languages(document).subtracting(PlanLint.languages(of: rule.messages)).sorted()
        guard !missing.isEmpty else { return [] }
        return [
            warning(
                rule.id,
                "The message is missing in \(missing.joined(separator: ", ")), in which other messages of this document are written.",
                "Add it to \"messages\", or with --message-file.")
        ]
    }

    private func clockTimes(_ rule: Rule) -> [PlanFinding] {
        let texts = ([rule.message] + rule.messages.sorted { $0.key < $1.key }.map(\.value)).compactMap(\.self)
        guard let found = texts.lazy.compactMap({ Self.clockTime(in: $0) }).first else { return [] }
        return [
            warning(
                rule.id, "The message names the time \(PlanWords.quoted(found)), which is wrong in other time zones.",
                "Give \"until\" or \"from\": clients show them in the person's zone.")
        ]
    }

    /// A time of day in a text: `23:30`, `11 pm`, `14 Uhr`, `23h30`.
    static func clockTime(in text: String) -> String? {
        let patterns = [
            /\b(?:[01]?[0-9]|2[0-4]):[0-5][0-9]\b/, /\b(?:1[0-2]|0?[1-9])(?:[:.][0-5][0-9])?\s?(?:[ap]m\b|[ap]\.m\.)/,
            /\b(?:[01]?[0-9]|2[0-4])(?:[:.][0-5][0-9])?\s?uhr\b/, /\b(?:[01]?[0-9]|2[0-4])h[0-5][0-9]\b/,
        ]
        return patterns.lazy.compactMap { text.firstMatch(of: $0.ignoresCase()).map { String($0.output) } }.first
    }

    private func missingTexts(_ rule: Rule) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        if rule.effect.stage != nil, rule.message == nil, rule.messages.isEmpty, document.message == nil {
            findings.append(warning(rule.id, "The view has no message.", "Add \"message\": say why, and what to do."))
        }
        if rule.effect == .update, rule.version == nil, rule.link == nil, document.link == nil {
            findings.append(
                warning(
                    rule.id, "The update names neither a version nor a link, so that people do not know what to install.",
                    "Add \"to\", \"link\" or both."))
        }
        return findings
    }

    // MARK: Times

    private func announcement(_ rule: Rule) -> [PlanFinding] {
        guard rule.effect.stage != nil, let from = rule.from, from > now else { return [] }
        let interval = document.interval.isFinite ? max(document.interval, 1) : 1
        let lead = from.timeIntervalSince(max(rule.announce ?? now, now))
        guard lead < 2 * interval else { return [] }
        let subject = rule.announce.map { $0 > now } == true ? "The announcement comes" : "The rule is published"
        return [
            warning(
                rule.id,
                "\(subject) \(PlanWords.duration(lead)) before the rule begins, and clients check every \(PlanWords.duration(interval)): it does not reach all of them in time.",
                "Leave at least \(PlanWords.duration(2 * interval)).")
        ]
    }

    private func longPause(_ rule: Rule) -> [PlanFinding] {
        guard rule.effect == .pause, let until = rule.until else { return [] }
        let length = until.timeIntervalSince(rule.from ?? now)
        guard length > 86_400 else { return [] }
        return [warning(rule.id, "The pause lasts \(PlanWords.duration(length)), more than a day.", "Check its \"until\".")]
    }

    private var overlaps: [PlanFinding] {
        let pauses = rules.filter { $0.effect == .pause && $0.until != nil && $0.until ?? now > now }
        return pauses.indices.flatMap { index in
            pauses[..<index].compactMap { earlier -> PlanFinding? in
                let later = pauses[index]
                let start = max(earlier.from ?? now, later.from ?? now)
                guard let end = [earlier.until, later.until].compactMap(\.self).min(), start < end,
                    Rule.canShareAnApp(earlier, later)
                else { return nil }
                // Either of them may be the changed one.
                let subject = context.changed.map { $0.contains(later.id) } ?? true ? later : earlier
                let other = subject == later ? earlier : later
                return warning(
                    subject.id, "The pause overlaps with \(other.id) from \(PlanWords.time(start)) until \(PlanWords.time(end)).",
                    "Join both, or move one of them.")
            }
        }
    }
}

extension Rule {
    /// Whether an app can have the facts that both rules ask for, as far as single facts tell.
    fileprivate static func canShareAnApp(_ one: Rule, _ two: Rule) -> Bool {
        for case .fact(let name, let values) in one.only {
            for case .fact(let other, let others) in two.only where other == name {
                if Set(values).isDisjoint(with: others) { return false }
            }
        }
        return one.versionBounds.allSatisfy { bounds in
            two.versionBounds.allSatisfy { others in bounds.contains { bound in others.contains(where: bound.meets) } }
        }
    }

    /// The versions that each condition on the version asks for.
    private var versionBounds: [[VersionBounds]] {
        only.compactMap { if case .version(let ranges) = $0 { ranges.map(VersionBounds.init) } else { nil } }
    }
}

/// Where a range of versions begins and ends.
private struct VersionBounds {
    private let from: AppVersion?
    private let below: AppVersion?
    private let isExact: Bool

    init(_ range: VersionRange) {
        switch range {
        case .between(let from, let below): (self.from, self.below, isExact) = (from?.version, below?.version, false)
        case .exactly(let named): (from, below, isExact) = (named.version, named.version, true)
        }
    }

    /// Whether a version is in both ranges.
    func meets(_ other: VersionBounds) -> Bool { !isBefore(other) && !other.isBefore(self) }

    private func isBefore(_ other: VersionBounds) -> Bool {
        guard let below, let start = other.from else { return false }
        return isExact ? below < start : below <= start
    }
}
