package import Foundation

/// What a document has beside the fields of the original: its rules, and what belongs to them.
package struct StatusPlan: Sendable {
    /// A place in the list of rules.
    package enum Entry: Equatable, Sendable {
        case rule(Rule)
        case undecided(Undecided)

        /// The rule; nil if it is not understood.
        package var rule: Rule? {
            if case .rule(let rule) = self { rule } else { nil }
        }
    }

    /// A rule that is not understood. It restricts nothing.
    package struct Undecided: Equatable, Sendable {
        /// The id, or the place in the list, such as `#3`, if the id can't be read or belongs to an earlier rule.
        package let label: String
        /// Why it is not understood, as a clause.
        package let problem: String
        /// Why it is not understood, by the contract's code.
        package let reason: RuleReason
    }

    /// The rules that count, in their order: at most ``Rule/limit``.
    package var entries: [Entry] = []
    /// Why the list of rules can't be read; nil if it can. No rule of it counts.
    package var problem: String?
    /// The ids of rules that `apiInactive` repeats for clients that do not know rules. Empty for a flag that stands for itself.
    package var mirrors: [String] = []
    /// When the service is expected back. It is shown and decides nothing.
    package var backAt: Date?
    /// `userMessage` by language tag.
    package var messages: [String: String] = [:]
    /// The rule that covered the app before the document made it unreadable. It goes on to count in the place of the unreadable one.
    package var held: Held?
    /// The text of the whole document, to be kept and read again.
    package var text: String

    /// A rule of an earlier document.
    package struct Held: Equatable, Sendable {
        package let rule: Rule
        /// The text of the document that contains it.
        package let text: String
    }

    package init(text: String) { self.text = text }

    /// The rule with this id, if it is understood.
    package func rule(_ id: String) -> Rule? { entries.lazy.compactMap(\.rule).first { $0.id == id } }

    /// Whether the document has a rule with this id that is not understood, or its rules can't be read at all.
    func isUndecided(_ id: String) -> Bool {
        problem != nil || entries.contains { if case .undecided(let undecided) = $0 { undecided.label == id } else { false } }
    }

    /// The rules that are not understood.
    package var undecided: [Undecided] {
        entries.compactMap { if case .undecided(let undecided) = $0 { undecided } else { nil } }
    }

    /// Whether a rule that counts asks for a fact of the client.
    package func asks(for fact: String) -> Bool {
        (entries.compactMap(\.rule) + (held.map { [$0.rule] } ?? [])).contains { rule in
            (rule.only + rule.exemptingConditions).contains { if case .fact(fact, _) = $0 { true } else { false } }
        }
    }

    /// Whether `apiInactive` only repeats rules that this client has understood.
    var isMirroringOnly: Bool { problem == nil && !mirrors.isEmpty && mirrors.allSatisfy { rule($0) != nil } }
}

extension StatusPlan: Equatable {
    /// Plans are equal if they mean the same. The text with its white space does not count.
    package static func == (one: StatusPlan, two: StatusPlan) -> Bool {
        one.entries == two.entries && one.problem == two.problem && one.mirrors == two.mirrors && one.backAt == two.backAt
            && one.messages == two.messages && one.held?.rule == two.held?.rule
    }
}

extension StatusDocument {
    /// The document with the rule that covers the app now, if this document makes that rule unreadable: a cover does not end because of
    /// something that is not understood.
    /// - Parameters:
    ///   - id: the id of the rule that covers the app; nil if another part of the document or nothing does. A rule that the earlier
    ///     document has held is held on in any case.
    ///   - earlier: the document that has the rule.
    package func holding(_ id: String?, of earlier: StatusDocument?) -> StatusDocument {
        guard let plan, let known = earlier?.plan else { return self }
        let covering = id.flatMap(known.rule).map { StatusPlan.Held(rule: $0, text: known.text) }
        guard let held = [covering, known.held].compactMap(\.self).first(where: { plan.isUndecided($0.rule.id) }) else {
            return self
        }
        var document = self
        document.plan?.held = held
        return document
    }

    /// The document as it was received, without a rule of an earlier one.
    package var asReceived: StatusDocument {
        guard plan?.held != nil else { return self }
        var document = self
        document.plan?.held = nil
        return document
    }
}
