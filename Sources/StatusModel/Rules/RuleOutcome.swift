package import Foundation

/// What one rule means for an app at a time, and why: what a preview prints for every rule.
package struct RuleOutcome: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The rule holds for the app.
        case holds
        /// The rule is announced; it holds from this time on.
        case announced(from: Date)
        /// The rule says nothing before this time.
        case waits(until: Date)
        /// The rule has ended.
        case over(since: Date)
        /// A condition does not hold.
        case noMatch
        /// A set of exceptions exempts the app.
        case exempt
        /// The rule is not understood.
        case undecided
    }

    /// The id of the rule, or its place in the list, such as `#3`.
    package let label: String
    /// The rule; nil if it is not understood.
    package let rule: Rule?
    package let state: State
    /// Why, as a clause.
    package internal(set) var because: String
    /// The conditions that decided it.
    package let reasons: [Verdict.Reason]
    /// Why, by the contract's code.
    package let reason: RuleReason
}

/// Why a rule means what it means for an app, as the contract names it. The reading of a rule, and then its evaluation, goes through these
/// in order, and the first one that applies is the reason.
package enum RuleReason: String, CaseIterable, Sendable {
    // The rule is not understood.
    case badRule, badID, twice, badOptional, badMember, badEffect, badOnly, badExcept, badTime
    // It is not for the app: a condition fails, or depends on a fact that is not known; a set exempts, would exempt by a fact that is not
    // known, or is not understood.
    case noMatch, unknown, exempt, exemptUnknown, exemptUnclear
    // It is for the app, at some time.
    case over, waits, announced, holds
}

extension StatusDocument {
    /// What every rule of the document means for an app at a time, in the order of the list. Empty without rules.
    /// - Parameters: as for ``verdict(for:at:)``.
    package func outcomes(for app: AppFacts, at time: Date?) -> [RuleOutcome] {
        guard let plan else { return [] }
        let (client, time) = (Client(app), time ?? .always)
        func held(_ problem: String) -> RuleOutcome? {
            var outcome = plan.held?.rule.outcome(for: client, at: time)
            outcome?.because += ", as before, because now \(problem)"
            return outcome
        }
        if let problem = plan.problem { return [held(problem)].compactMap(\.self) }
        return plan.entries.map { entry in
            switch entry {
            case .rule(let rule): return rule.outcome(for: client, at: time)
            case .undecided(let undecided):
                if undecided.label == plan.held?.rule.id, let held = held(undecided.problem) { return held }
                return RuleOutcome(
                    label: undecided.label, rule: nil, state: .undecided, because: undecided.problem, reasons: [],
                    reason: undecided.reason)
            }
        }
    }
}

extension Rule {
    fileprivate func outcome(for client: Client, at time: Date) -> RuleOutcome {
        let reasons = only.map { $0.reason(for: client) }
        func outcome(
            _ state: RuleOutcome.State, _ reason: RuleReason, _ because: String, _ reasons: [Verdict.Reason]
        ) -> RuleOutcome {
            RuleOutcome(label: id, rule: self, state: state, because: because, reasons: reasons, reason: reason)
        }
        if only.truth(for: client) != .holds {
            let against = reasons.filter { $0.truth == .fails }
            let deciding = against.isEmpty ? reasons.filter { $0.truth == .unknown } : against
            return outcome(.noMatch, against.isEmpty ? .unknown : .noMatch, deciding.clause, deciding)
        }
        if let exemption = except.first(where: { $0.exempts(client) }) {
            switch exemption {
            case .conditions(let conditions):
                let reasons = conditions.map { $0.reason(for: client) }
                return outcome(
                    .exempt, conditions.truth(for: client) == .holds ? .exempt : .exemptUnknown,
                    conditions.isEmpty ? "an exception is for every app" : reasons.clause, reasons)
            case .unreadable(let problem):
                return outcome(.exempt, .exemptUnclear, "an exception is not understood: \(problem)", [])
            }
        }
        let because = reasons.cause
        if let until, time >= until { return outcome(.over(since: until), .over, because, reasons) }
        if let from, time < from {
            if let announce, time < announce { return outcome(.waits(until: announce), .waits, because, reasons) }
            return announce == nil
                ? outcome(.waits(until: from), .waits, because, reasons)
                : outcome(.announced(from: from), .announced, because, reasons)
        }
        return outcome(.holds, .holds, because, reasons)
    }
}
