package import Foundation
import StatusModel

/// A notice that a person has seen or dismissed. It is kept between two runs.
package struct SeenNotice: Codable, Equatable, Sendable {
    /// How urgent a notice is for the person. A notice that gets more urgent is a new one: what was seen or dismissed before does
    /// not silence it.
    package enum Step: String, Codable, Sendable {
        /// A rule is announced, and begins in more than 15 minutes.
        case announced
        /// An announced rule begins within 15 minutes.
        case soon
        /// An announced rule begins within 5 minutes.
        case imminent
        /// A notice of the level `info`, or an offer.
        case told
        /// A notice of the level `warn`.
        case warned
    }

    /// What is the same notice.
    package struct Key: Hashable, Codable, Sendable {
        /// The id of the rule.
        package var id: String
        package var step: Step
        /// The version to have; nil if the rule names none.
        package var to: String?
        /// When an announced rule begins: a rule that is put off is announced again. nil for a rule that holds.
        package var from: Date?
    }

    package var key: Key
    /// When it was shown last, or dismissed, by the time of the plan.
    package var date: Date
    /// Whether the person has dismissed it; it is not shown again then. nil for no.
    package var isDismissed: Bool?
}

extension [SeenNotice] {
    /// Adds a notice, in the place of an earlier entry for the same one. A dismissal stays.
    package mutating func add(_ seen: SeenNotice) {
        guard let index = firstIndex(where: { $0.key == seen.key }) else { return append(seen) }
        self[index].date = Swift.max(self[index].date, seen.date)
        if seen.isDismissed == true { self[index].isDismissed = true }
    }

    /// The most entries of one rule. Each change of its version or its time makes a new one.
    static var limitPerRule: Int { 8 }

    /// The newest entries of these rules only.
    package func kept(for rules: Set<String>) -> [SeenNotice] {
        var counts: [String: Int] = [:]
        let newest = reversed().filter { seen in
            counts[seen.key.id, default: 0] += 1
            return rules.contains(seen.key.id) && counts[seen.key.id, default: 0] <= Self.limitPerRule
        }
        return newest.reversed()
    }
}

extension StatusDocument {
    /// The ids of the rules in force.
    package var ruleIDs: Set<String> { Set(rulesInForce.map(\.id)) }
}
