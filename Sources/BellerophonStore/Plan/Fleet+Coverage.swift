import Foundation
import StatusModel

/// A part of a fleet.
package struct FleetPart: Encodable, Equatable, Sendable {
    /// The number of apps in the part. It is an estimate if the fleet has no ids and a rule has a share.
    package let covered: Int
    /// The number of apps of the fleet.
    package let of: Int

    /// The part in words: `about 12 % of the fleet of fleet.csv (1,204 of 10,033)`.
    package func text(fleet name: String) -> String {
        "\(percent) of the fleet of \(name) (\(PlanWords.number(covered)) of \(PlanWords.number(of)))"
    }

    private var percent: String {
        if covered == 0 { return "nothing" }
        if covered == of { return "100 %" }
        let percent = Int((Double(covered) / Double(max(of, 1)) * 100).rounded())
        return percent == 0 ? "less than 1 %" : percent == 100 ? "more than 99 %" : "about \(percent) %"
    }
}

extension Fleet {
    /// How many apps a document covers at a time.
    ///
    /// An app without an id belongs to a share in proportion: 10 % of 200 apps are 20.
    package func coverage(of document: StatusDocument, at time: Date) -> FleetPart {
        part { Self.portion(of: document, covering: $0, at: time) }
    }

    /// How many apps the exceptions of a rule exempt because they do not say a fact.
    package func exemptedByAbsence(_ rule: Rule) -> FleetPart {
        let document = StatusDocument([rule])
        return part { facts in
            let outcome = document.outcomes(for: facts, at: nil).first
            guard outcome?.state == .exempt, let reasons = outcome?.reasons else { return 0 }
            return reasons.contains { $0.truth == .unknown } && !reasons.contains { $0.truth == .fails } ? 1 : 0
        }
    }

    /// The facts that the rules of a document compare and that the fleet has no column for.
    package func missingColumns(for document: StatusDocument) -> [String] {
        var names: [String] = []
        for rule in document.rules {
            for condition in rule.only + rule.exemptingConditions {
                switch condition {
                case .osVersion: names.append("osVersion")
                case .fact(let name, _): names.append(name)
                case .version, .share: continue
                }
            }
        }
        var known = Set(columns)
        return names.filter { known.insert($0).inserted }
    }

    private func part(_ portion: (AppFacts) -> Double) -> FleetPart {
        let covered = entries.reduce(0.0) { $0 + Double($1.count) * portion($1.facts) }
        return FleetPart(covered: min(count, Int(covered.rounded())), of: count)
    }

    /// The part of the installations with these facts that a document covers, 0 to 1.
    private static func portion(of document: StatusDocument, covering facts: AppFacts, at time: Date) -> Double {
        if document.verdict(for: facts, at: time).stage.isBlocked { return 1 }
        guard facts.installID == nil else { return 0 }
        // Draws are independent of each other. Of the shares with one draw the largest one contains all others.
        var largest: [String: Int] = [:]
        for rule in document.rules where rule.effect.stage != nil {
            for case .share(let share) in rule.only where rule.covers(facts, at: time, beside: share) {
                largest[share.draw] = max(largest[share.draw] ?? 0, share.hundredths)
            }
        }
        return 1 - largest.values.reduce(1) { $0 * (1 - Double($1) / 10_000) }
    }
}

extension Rule {
    /// Whether the rule covers an app that is in its share.
    fileprivate func covers(_ app: AppFacts, at time: Date, beside share: Share) -> Bool {
        let rest = only.filter { $0 != .share(share) }
        return StatusDocument([Rule(id: id, effect: effect, only: rest, except: except, from: from, until: until)])
            .verdict(for: app, at: time).stage.isBlocked
    }
}
