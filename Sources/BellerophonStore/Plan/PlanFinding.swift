import BellerophonBase
import Foundation
import StatusModel

extension StatusDocument {
    /// A document with rules, and without flags.
    init(_ rules: [Rule]) {
        var plan = StatusPlan(text: "")
        plan.entries = rules.map { .rule($0) }
        self.init(isInactive: false, requiresUpdate: false, interval: 60, facts: StatusFacts(), plan: plan)
    }

    /// A document with rules in JSON, and without flags.
    package init(rules: [String]) throws(JSONError) {
        let fields = #""apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null"#
        try self.init(json: Data("{\(fields),\"rules\":[\(rules.joined(separator: ","))]}".utf8))
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

    /// The finding in a line: `error: min-15: The rule requires … Use …`.
    package var line: String {
        "\(level.rawValue): " + (rule.map { "\($0): " } ?? "") + text + (hint.map { " \($0)" } ?? "")
    }
}
