import Foundation
import StatusModel

/// What a scope has in a row of the journal: a kill and an update at most, and rules.
///
/// A person changes one of them, and each row has all. A phase of a rule changes none: its row has the same rules, and a later
/// ``asOf``. The end of a kill or an update removes that one alone. What clients get follows from the row alone; see
/// ``PlanRendering``.
package struct RowPlan: Codable, Equatable, Sendable {
    /// The status apart from its rules.
    package struct Base: Codable, Equatable, Sendable {
        package var action: StatusAction
        /// The document without rules.
        package var document: String
        /// When a kill or an update ends by itself; nil for never.
        package var endsAt: Date?
        /// The ID of the row that set it; nil if this row did.
        package var row: Int64?
        /// When it was set, by whom and why; nil if this row did.
        package var at: Date?
        package var who: String?
        package var reason: String?
        package var proposedBy: String?
        package var breakGlass: Bool?

        /// Whether it stops programs.
        package var isBlocking: Bool { action == .kill || action == .update }
    }

    /// A time at which a rule begins to do something else.
    package struct Phase: Codable, Equatable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case announce, from, until

            /// What the rule does then: `is announced`, `begins`, `ends`.
            package var words: String {
                switch self {
                case .announce: "is announced"
                case .from: "begins"
                case .until: "ends"
                }
            }
        }

        /// The id of the rule.
        package let rule: String
        package let kind: Kind
        package let at: Date
    }

    /// What a person has changed: the ids of rules.
    package struct Change: Codable, Equatable, Sendable {
        package var added: [String] = []
        package var changed: [String] = []
        package var removed: [String] = []
    }

    /// What is shown: the kill if there is one, otherwise the update; a restore if there is neither.
    package var base: Base
    /// The update that stands under a kill, and is shown once the kill has ended; nil for none.
    package var under: Base?
    /// The ID of the row whose kill or update this row has replaced, as its author has said; nil if the author has named none.
    package var replaces: Int64?
    /// The rules in their order, each as the text of a JSON object.
    package var rules: [String]
    /// The time for which clients get the rules: every phase up to it has happened.
    package var asOf: Date
    /// The phase that the row records; nil for a row of a person.
    package var phase: Phase?
    /// The phase that comes next; nil if there is none.
    package private(set) var next: Phase?
    /// When a person has published the rules; nil if this row did.
    package var rulesSet: Date?
    /// What the row changes in the rules; nil if it does not.
    package var change: Change?
    /// The newest row before this one that records no phase; nil if this one does not either.
    package var continues: Int64?
    /// The highest versions that statuses for every app have named, the highest one first; nil for none.
    private(set) var named: [NamedVersion]?

    /// A version that is known to exist, because somebody who may stop every app has named it.
    struct NamedVersion: Codable, Equatable, Sendable {
        let version: String
        /// The name of the token that has named it; nil for a person on the machine.
        let token: String?
    }

    /// A plan without rules.
    init(base: Base) {
        (self.base, rules, asOf) = (base, [], Date(timeIntervalSince1970: 0))
    }

    /// The kill and the update that stand, the one that is shown first.
    package var standing: [Base] { [base, under].compactMap(\.self).filter(\.isBlocking) }

    /// Whether the other columns of a row would not say all of it.
    var saysMore: Bool {
        !rules.isEmpty || under != nil || base.row != nil || replaces != nil || change != nil || named != nil
    }

    /// Sets the rules; ``setTime(_:)`` follows.
    mutating func setRules(_ rules: [OperatorRule]) { self.rules = rules.map(\.text) }

    /// Sets the time for which clients get the rules.
    mutating func setTime(_ time: Date) {
        asOf = time
        next = nextPhase(of: operatorRules)
    }

    /// The id of a rule; nil if it can't be read.
    package static func id(of rule: String) -> String? { (try? OperatorRule(stored: rule))?.rule.id }

    /// The rules. Each could be read when the plan was: see ``init(stored:)``.
    var operatorRules: [OperatorRule] { rules.compactMap { try? OperatorRule(stored: $0) } }

    /// The phases that are to come, in the order of the rules.
    package var phases: [Phase] { next == nil ? [] : operatorRules.flatMap(\.phases).filter { $0.at > asOf } }

    private func nextPhase(of rules: [OperatorRule]) -> Phase? {
        let phases = rules.flatMap(\.phases).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        let later = phases.drop { $0.at < asOf }
        // Several can happen at the same time, each with a row of its own.
        let same = later.prefix { $0.at == asOf }
        if let phase, let index = same.firstIndex(of: phase) { return later[(index + 1)...].first }
        return later.dropFirst(same.count).first
    }

    /// The plan after a phase.
    /// - Parameter row: the newest row before it that records no phase.
    func after(_ phase: Phase, continuing row: Int64) -> RowPlan {
        var plan = self
        (plan.phase, plan.continues) = (phase, row)
        plan.setTime(max(asOf, phase.at))
        return plan
    }

    /// The plan after the end of its kill or its update.
    /// - Parameters:
    ///   - entry: one of ``standing``.
    ///   - restored: what is shown if none of them is left.
    func after(endOf entry: Base, else restored: Base) -> RowPlan {
        var plan = self
        if entry == base { plan.base = under ?? restored }
        plan.under = nil
        plan.setTime(max(asOf, entry.endsAt ?? asOf))
        return plan
    }

    /// When the rules of a plan cover every app; of none, never.
    /// - Parameter highest: the highest version that is known to exist.
    static func coverage(_ plan: RowPlan?, highest: AppVersion?, from now: Date) -> PlanCoverage? {
        guard let plan, let document = try? StatusDocument(json: Data(plan.document.utf8)) else { return nil }
        let coverage = PlanCoverage(document, highest: highest, from: now)
        return coverage.everybody.isEmpty && !coverage.isPartial ? nil : coverage
    }

    /// Adds versions that are known from now on. Of each token and of the persons on the machine one is enough, and two names are.
    mutating func name(_ versions: [String], by author: Author) {
        let all = versions.map { NamedVersion(version: $0, token: author.tokenName) } + (named ?? [])
        let sorted = all.compactMap { one in AppVersion(one.version).map { (one, $0) } }.sorted { $0.1 > $1.1 }.map(\.0)
        guard let first = sorted.first else { return }
        named = [first] + sorted.filter { $0.token != first.token }.prefix(1)
    }

    /// The highest version that is known to exist; nil if none is.
    /// - Parameter author: who asks. What a token has named by itself does not count for it, since it could prepare its rules so.
    func highestVersion(for author: Author) -> AppVersion? {
        (named ?? []).filter { $0.token == nil || $0.token != author.tokenName }.compactMap { AppVersion($0.version) }.max()
    }

    /// The document of a scope that has no other rules.
    var document: String { PlanRendering(self, base: base).document }
}
