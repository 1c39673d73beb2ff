import StatusModel

extension StatusDocument {
    /// A document with rules, and without flags.
    init(_ rules: [Rule]) {
        var plan = StatusPlan(text: "")
        plan.entries = rules.map { .rule($0) }
        self.init(isInactive: false, requiresUpdate: false, interval: 60, facts: StatusFacts(), plan: plan)
    }
}

/// Something in a plan that its author should know before it is published.
package struct PlanFinding: Encodable, Equatable, Sendable {
    package enum Level: String, Encodable, Sendable {
        /// The plan must not be published.
        case error
        /// The plan can be published, and may do something that its author does not expect.
        case warning
    }

    package let level: Level
    /// The id of the rule, or its place in the list, such as `#3`, if the id can't be read; nil for the document as a whole.
    package let rule: String?
    /// What is wrong, as a sentence.
    package let text: String
    /// What to do about it, as a sentence; nil if the text says it.
    package let hint: String?

    package init(_ level: Level, rule: String?, _ text: String, hint: String? = nil) {
        (self.level, self.rule, self.text, self.hint) = (level, rule, text, hint)
    }

    /// The finding in a line: `error: min-15: The rule requires … Use …`.
    package var line: String {
        "\(level.rawValue): " + (rule.map { "\($0): " } ?? "") + text + (hint.map { " \($0)" } ?? "")
    }
}
