import StatusModel

// What must not be published.

extension PlanLint {
    mutating func findErrors(size: Int) {
        if size > Self.sizeLimit {
            addError(
                nil,
                "The document has \(PlanWords.number(size)) bytes; at most \(PlanWords.number(Self.sizeLimit)) are allowed.",
                "Remove rules that are over, or shorten their messages.")
        }
        if ruleCount > Rule.limit {
            addError(
                nil, "The document has \(ruleCount) rules; clients read the first \(Rule.limit) only.",
                "Remove rules, or join those that have the same effect.")
        }
        if let problem = document.plan?.problem { addError(nil, "The rules can't be read: \(problem).") }
        for entry in document.plan?.entries ?? [] {
            switch entry {
            case .undecided(let undecided):
                let end = undecided.problem.hasSuffix("?") ? "" : "."
                addError(
                    undecided.label, "The rule is not understood and would not apply: \(undecided.problem)\(end)",
                    undecided.reason == .badMember
                        ? "Correct it or remove it, or name it in \"optional\" if clients may ignore it. A rule has: \(Rule.members.joined(separator: ", "))."
                        : "Correct the rule, or remove it.")
            case .rule(let rule):
                findNoMatch(rule)
                findAbsences(rule)
                if !context.allowsEveryone, context.changed?.contains(rule.id) ?? true { findEverybody(rule) }
            }
        }
        findRepeatedUpdates()
    }

    /// A rule that is over, or that no app can match.
    private mutating func findNoMatch(_ rule: Rule) {
        if let until = rule.until, until <= now {
            return addError(rule.id, "The rule ended on \(PlanWords.time(until)).", "Remove it, or choose a later end.")
        }
        let empty = (rule.only + rule.exemptingConditions).flatMap(\.versionRanges).filter(\.isEmpty)
        for range in empty { addError(rule.id, "No version is \(range.text).", "Give a \"from\" that is lower than \"below\".") }
        for case .share(let share) in rule.only where share.hundredths == 0 && empty.isEmpty {
            return addError(
                rule.id, "The share \(share.text) contains no installation.", "Raise the share, or remove the rule.")
        }
        guard empty.isEmpty, canMatch(rule.only, except: rule.except) == false else { return }
        if canMatch(rule.only) == true {
            addError(rule.id, "The exceptions exempt every app that the rule is for.", "Remove an exception.")
        } else {
            addError(rule.id, "No app can have all the facts that the rule asks for.", "Correct its conditions.")
        }
    }

    /// Exceptions for a fact that apps say of themselves, and that the rule itself does not ask for: an app that does not say it is exempt.
    private mutating func findAbsences(_ rule: Rule) {
        guard !context.allowsAbsence else { return }
        var asked = AppFacts.namesOfEveryClient + rule.only.compactMap(\.factName)
        for name in rule.exemptingConditions.compactMap(\.factName) where !asked.contains(name) {
            asked.append(name)
            addError(
                rule.id,
                "The exception for \(PlanWords.quoted(name)) also exempts every app that does not say \(PlanWords.quoted(name)).",
                "Ask for the fact in \"only\" instead, or allow the absence.")
        }
    }

    /// A rule without conditions.
    private mutating func findEverybody(_ rule: Rule) {
        guard rule.effect.stage != nil, rule.only.isEmpty, rule.except.isEmpty, rule.until.map({ $0 > now }) ?? true else {
            return
        }
        addError(
            rule.id, "The rule covers every app \(PlanWords.times(rule, now)).",
            "Allow it with --everyone, or limit the rule with conditions.")
    }

    /// Updates that do not end the need to update: an app that has the required version is covered by an update again, at some time from
    /// now on.
    private mutating func findRepeatedUpdates() {
        let matrix = RuleMatrix(document)
        // The versions that updates lead to, by the name of what requires them.
        var targets: [String: String] = [:]
        for rule in rules where rule.effect == .update { targets[rule.id] = rule.version }
        if document.requiresUpdate, let required = document.requiredVersion, AppVersion(required) != nil {
            targets["forceUpdate"] = required
        }
        let updated = Dictionary(
            uniqueKeysWithValues: Set(targets.values).map { version in
                (version, RuleMatrix(document, .init(facts: AppFacts(version: version))).rows.flatMap(\.lines))
            })
        var known: Set<Set<String>> = []
        for (column, span) in matrix.times.enumerated() where span.reaches(beyond: now) {
            for line in matrix.rows.flatMap(\.lines) where line.cells[column].stage == .updateRequired {
                guard let by = line.cells[column].by, let to = targets[by] else { continue }
                for next in updated[to] ?? [] where next.cells[column].stage == .updateRequired {
                    // A flag without a version requires an update of every version, on purpose.
                    guard let again = next.cells[column].by, again != "forceUpdate" || targets[again] != nil,
                        !known.contains([by, again]), next.meets(line)
                    else { continue }
                    known.insert([by, again])
                    let target = targets[again].map { "to \($0)" } ?? "to no version"
                    addError(
                        by == "forceUpdate" ? again : by,
                        by == again
                            ? "The update requires \(to) and covers \(to) itself, so that an app is never finished."
                            : "An app that has been updated must update again: by \(by) to \(to), then by \(again) \(target).",
                        "Limit the rule to versions below its \"to\", or let all of them lead to a version that no update covers."
                    )
                }
            }
        }
    }
}

extension RuleMatrix.Line {
    /// Whether a combination of facts belongs to both lines.
    fileprivate func meets(_ other: RuleMatrix.Line) -> Bool {
        cases.contains { one in
            other.cases.contains { zip(one, $0).allSatisfy { !Set($0).isDisjoint(with: $1) } }
        }
    }
}

extension Condition {
    /// The name of the fact that is compared, other than a version.
    var factName: String? { if case .fact(let name, _) = self { name } else { nil } }

    /// The ranges of versions, of the app or of its system; empty for other facts.
    var versionRanges: [VersionRange] {
        switch self {
        case .version(let ranges), .osVersion(let ranges): ranges
        case .fact, .share: []
        }
    }
}

extension VersionRange {
    /// Whether no version is in the range.
    var isEmpty: Bool {
        guard case .between(let from, let below?) = self else { return false }
        return (from?.version ?? .lowest) >= below.version
    }
}
