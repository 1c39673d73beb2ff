import BellerophonBase
import Foundation
import StatusModel

// What must not be published.

extension PlanUnderLint {
    var errors: [PlanFinding] {
        tooLarge + notUnderstood + unusableMembers + neverMatching + absences + loops + everybody
    }

    private func error(_ rule: String?, _ text: String, _ hint: String? = nil) -> PlanFinding {
        PlanFinding(.error, rule: rule, text, hint: hint)
    }

    private var tooLarge: [PlanFinding] {
        var findings: [PlanFinding] = []
        if size > PlanLint.sizeLimit {
            findings.append(
                error(
                    nil,
                    "The document has \(PlanWords.number(size)) bytes; at most \(PlanWords.number(PlanLint.sizeLimit)) are allowed.",
                    "Remove rules that are over, or shorten their messages."))
        }
        if nodes.count > Rule.limit {
            findings.append(
                error(
                    nil, "The document has \(nodes.count) rules; clients read the first \(Rule.limit) only.",
                    "Remove rules, or join those that have the same effect."))
        }
        return findings
    }

    // MARK: What is not understood

    private var notUnderstood: [PlanFinding] {
        guard let plan = document.plan else { return [] }
        if let problem = plan.problem { return [error(nil, "The rules can't be read: \(problem).")] }
        let undecided = plan.undecided.map { undecided in
            error(
                undecided.label,
                "The rule is not understood and would not apply: \(undecided.problem)\(undecided.problem.hasSuffix("?") ? "" : ".")",
                hint(undecided.problem))
        }
        let exceptions = rules.flatMap { rule in
            rule.except.compactMap { exemption -> PlanFinding? in
                guard case .unreadable(let problem) = exemption else { return nil }
                return error(
                    rule.id, "An exception is not understood and would exempt every app: \(problem).",
                    "Correct the exception, or remove it.")
            }
        }
        return undecided + exceptions
    }

    private func hint(_ problem: String) -> String {
        switch problem {
        case _ where problem.contains("is not after \"from\""): "Choose an end that is later than the beginning."
        case _ where problem.contains("is after \"from\""): "Announce the rule before it begins."
        case _ where problem.contains("earlier rule has the id"): "Give the rule another id."
        case _ where problem.hasPrefix("the member"):
            "Correct it or remove it, or name it in \"optional\" if clients may ignore it. A rule has: \(Rule.members.joined(separator: ", "))."
        default: "Correct the rule, or remove it."
        }
    }

    // MARK: Members

    /// The rules that are understood, with their objects.
    var objects: [(rule: Rule, members: [String: JSONNode])] {
        zip(document.plan?.entries ?? [], nodes).compactMap { entry, node in
            entry.rule.flatMap { rule in node.members.map { (rule, $0) } }
        }
    }

    /// Members that are only shown, and that clients would ignore.
    private var unusableMembers: [PlanFinding] {
        objects.flatMap { rule, members in
            func isGiven(_ name: String) -> Bool {
                guard let node = members[name] else { return false }
                if case .null = node.value { return false }
                return true
            }
            var findings: [PlanFinding] = []
            func addUnlessUsable(_ name: String, _ isUsable: Bool, _ hint: String) {
                guard isGiven(name), !isUsable else { return }
                findings.append(error(rule.id, "Clients can't use the value of \"\(name)\" and would ignore it.", hint))
            }
            addUnlessUsable("to", rule.version != nil, "Give a version such as \"1.5.2\".")
            addUnlessUsable("link", rule.link != nil, "Give an http or https address without spaces and without a user name.")
            addUnlessUsable(
                "level", members["level"]?.string.map { Rule.Level(rawValue: $0) != nil } ?? false, "Give \"info\" or \"warn\".")
            addUnlessUsable("message", rule.message != nil, "Give a text, or leave the message out.")
            addUnlessUsable("messages", !rule.messages.isEmpty, "Give 1 to 16 texts by language tag, such as {\"de\": \"…\"}.")
            return findings
        }
    }

    // MARK: Rules without effect

    private var neverMatching: [PlanFinding] {
        rules.flatMap { rule -> [PlanFinding] in
            if let until = rule.until, until <= now {
                return [error(rule.id, "The rule ended on \(PlanWords.time(until)).", "Remove it, or choose a later end.")]
            }
            let empty = emptyRanges(of: rule)
            if !empty.isEmpty { return empty }
            for case .share(let share) in rule.only where share.hundredths == 0 {
                return [
                    error(rule.id, "The share \(share.text) contains no installation.", "Raise the share, or remove the rule.")
                ]
            }
            // An exception that is not understood has an error of its own.
            let isUnderstood = rule.except.allSatisfy { if case .unreadable = $0 { false } else { true } }
            guard isUnderstood, canMatch(rule) == false else { return [] }
            return canMatch(rule, withoutExceptions: true) == true
                ? [error(rule.id, "The exceptions exempt every app that the rule is for.", "Remove an exception.")]
                : [error(rule.id, "No app can have all the facts that the rule asks for.", "Correct its conditions.")]
        }
    }

    private func emptyRanges(of rule: Rule) -> [PlanFinding] {
        return (rule.only + rule.exemptingConditions).flatMap { condition -> [VersionRange] in
            switch condition {
            case .version(let ranges), .osVersion(let ranges): ranges.filter(\.isEmpty)
            case .fact, .share: []
            }
        }.map { error(rule.id, "No version is \($0.text).", "Give a \"from\" that is lower than \"below\".") }
    }

    // MARK: Exceptions by absence

    /// Exceptions that compare a fact that the app says of itself: an app that does not say it is exempt.
    private var absences: [PlanFinding] {
        guard !context.allowsAbsence else { return [] }
        return rules.flatMap { rule in
            rule.namesOfExemptingFacts.compactMap { name -> PlanFinding? in
                let text =
                    "The exception for \(PlanWords.quoted(name)) also exempts every app that does not say \(PlanWords.quoted(name))."
                guard let fleet = context.fleet else {
                    return error(
                        rule.id, text,
                        "Ask for the fact in \"only\" instead, allow the absence, or give a fleet that shows how many these are.")
                }
                guard fleet.columns.contains(name) else {
                    return error(rule.id, text, "\(fleet.name) has no column \(PlanWords.quoted(name)) to count them; add it.")
                }
                return nil
            }
        }
    }

    // MARK: The whole plan

    private var loops: [PlanFinding] {
        UpdateLoop.all(in: document, from: now).map { loop in
            error(
                loop.path.first { $0 != "forceUpdate" }, loop.text,
                "Limit the rule to versions below its \"to\", or let all of them lead to a version that no update covers.")
        }
    }

    /// Rules without conditions.
    private var everybody: [PlanFinding] {
        guard !context.allowsEveryone else { return [] }
        return rules.filter { $0.restrictsEveryApp && context.changed?.contains($0.id) ?? true }.compactMap { rule in
            let span = RuleMatrix.Span.between(from: rule.from.flatMap { $0 > now ? $0 : nil }, until: rule.until)
            guard span.reaches(beyond: now) else { return nil }
            return error(
                rule.id, "The rule covers every app \(span.text).", "Allow it with --everyone, or limit the rule with conditions."
            )
        }
    }
}

extension Rule {
    /// Whether it restricts, and has no conditions.
    fileprivate var restrictsEveryApp: Bool { effect.stage != nil && only.isEmpty && except.isEmpty }

    /// The names of the facts that an app says of itself, that an exception compares and that the rule itself does not ask for.
    var namesOfExemptingFacts: [String] {
        func names(_ conditions: [Condition]) -> [String] {
            conditions.compactMap { if case .fact(let name, _) = $0 { name } else { nil } }
        }
        let asked = AppFacts.namesOfEveryClient + names(only)
        var found: [String] = []
        for name in names(exemptingConditions) where !asked.contains(name) && !found.contains(name) { found.append(name) }
        return found
    }
}

extension VersionRange {
    /// Whether no version is in the range.
    var isEmpty: Bool {
        guard case .between(let from, let below?) = self, let lowest = AppVersion("0-0") else { return false }
        return (from?.version ?? lowest) >= below.version
    }
}
