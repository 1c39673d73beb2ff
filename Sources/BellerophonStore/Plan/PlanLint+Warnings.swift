import BellerophonBase
import Foundation
import StatusModel

// What can be published, and may surprise its author.

extension PlanLint {
    mutating func findWarnings() {
        findLanguages(document.plan?.messages ?? [:], rule: nil, hasDefault: document.message != nil)
        for rule in rules {
            findUnknownFacts(rule)
            if rule.effect.stage != nil { findPrereleases(rule) }
            findLanguages(rule.messages, rule: rule.id, hasDefault: rule.message != nil)
            findMissingLanguages(rule)
            findTimes(rule)
            findMissingTexts(rule)
        }
    }

    // MARK: Conditions

    private mutating func findUnknownFacts(_ rule: Rule) {
        var known = context.knownFacts.union(AppFacts.namesOfEveryClient)
        let names = known.sorted()
        for name in (rule.only + rule.exemptingConditions).compactMap(\.factName) where known.insert(name).inserted {
            addWarning(
                rule.id, "No client is known to have the fact \(PlanWords.quoted(name)).",
                EditDistance.nearest(to: name, among: names).map { "Did you mean \"\($0)\"?" }
                    ?? "Check the name with the authors of the app.")
        }
    }

    private mutating func findPrereleases(_ rule: Rule) {
        for case .version(let ranges) in rule.only {
            for case .between(_, let below?) in ranges where !below.text.prefix(while: { $0 != "+" }).contains("-") {
                let release = below.text.prefix { $0 != "+" }
                addWarning(
                    rule.id, "\"below \(release)\" also covers prereleases such as \(release)-rc.1.",
                    "Write \"below \(release)-0\" to leave them out.")
            }
        }
    }

    // MARK: Texts

    private mutating func findLanguages(_ messages: [String: String], rule: String?, hasDefault: Bool) {
        let (list, plain) = rule == nil ? ("userMessages", "userMessage") : ("messages", "message")
        if !messages.isEmpty, !hasDefault {
            addWarning(
                rule, "\"\(list)\" has no default: people with other languages see no message.", "Add \"\(plain)\".")
        }
        let known = Set(messages.keys.map { $0.lowercased() })
        for tag in messages.keys.sorted() {
            let language = Self.language(of: tag)
            guard language.count < tag.count, !known.contains(language) else { continue }
            addWarning(
                rule, "People with another region of \(language) do not find the message in \(tag).",
                "Name it \"\(language)\", or add one for \"\(language)\".")
        }
    }

    /// The languages that other texts of the document have and this rule does not.
    private mutating func findMissingLanguages(_ rule: Rule) {
        guard rule.message != nil || !rule.messages.isEmpty else { return }
        let missing = Self.languages(document).subtracting(Self.languages(of: rule.messages)).sorted()
        guard !missing.isEmpty else { return }
        addWarning(
            rule.id,
            "The message is missing in \(missing.joined(separator: ", ")), in which other messages of this document are written.",
            "Add it to \"messages\", or with --message-file.")
    }

    private mutating func findMissingTexts(_ rule: Rule) {
        let texts = [rule.message].compactMap(\.self) + rule.messages.sorted { $0.key < $1.key }.map(\.value)
        if let time = texts.lazy.compactMap(Self.clockTime).first {
            addWarning(
                rule.id, "The message names the time \(PlanWords.quoted(time)), which is wrong in other time zones.",
                "Give \"until\" or \"from\": clients show them in the person's zone.")
        }
        if rule.effect.stage != nil, texts.isEmpty, document.message == nil {
            addWarning(rule.id, "The view has no message.", "Add \"message\": say why, and what to do.")
        }
        if rule.effect == .update, rule.version == nil, rule.link == nil, document.link == nil {
            addWarning(
                rule.id, "The update names neither a version nor a link, so that people do not know what to install.",
                "Add \"to\", \"link\" or both.")
        }
    }

    /// A time of day in a text: `23:30`, `11 pm`, `14 Uhr`, `23h30`.
    private static func clockTime(in text: String) -> String? {
        let patterns = [
            /\b(?:[01]?[0-9]|2[0-4]):[0-5][0-9]\b/, /\b(?:1[0-2]|0?[1-9])(?:[:.][0-5][0-9])?\s?(?:[ap]m\b|[ap]\.m\.)/,
            /\b(?:[01]?[0-9]|2[0-4])(?:[:.][0-5][0-9])?\s?uhr\b/, /\b(?:[01]?[0-9]|2[0-4])h[0-5][0-9]\b/,
        ]
        return patterns.lazy.compactMap { text.firstMatch(of: $0.ignoresCase()).map { String($0.output) } }.first
    }

    // MARK: Times

    private mutating func findTimes(_ rule: Rule) {
        let interval = document.interval.isFinite ? max(document.interval, 1) : 1
        if rule.effect.stage != nil, let from = rule.from, from > now {
            let lead = from.timeIntervalSince(max(rule.announce ?? now, now))
            let subject = rule.announce.map { $0 > now } == true ? "The announcement comes" : "The rule is published"
            if lead < 2 * interval {
                addWarning(
                    rule.id,
                    "\(subject) \(PlanWords.duration(lead)) before the rule begins, and clients check every \(PlanWords.duration(interval)): it does not reach all of them in time.",
                    "Leave at least \(PlanWords.duration(2 * interval)).")
            }
        }
        if rule.effect == .pause, let length = rule.until?.timeIntervalSince(rule.from ?? now), length > 86_400 {
            addWarning(rule.id, "The pause lasts \(PlanWords.duration(length)), more than a day.", "Check its \"until\".")
        }
    }
}
