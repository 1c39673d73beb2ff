#if Server
import BellerophonBase
import Foundation
import StatusModel

extension JournalEntry {
    /// The status of a row apart from its rules.
    package var base: RowPlan.Base {
        if unread != nil { return PlanRendering(reading: document ?? "").base }
        return plan?.base ?? RowPlan.Base(action: statusAction ?? .restore, document: document ?? "")
    }

    /// What the row leaves to the rows after it.
    var keptBase: RowPlan.Base {
        var base = base
        if base.row == nil {
            (base.row, base.at, base.who, base.reason) = (id, at, who, reason)
            (base.proposedBy, base.breakGlass) = (proposedBy, breakGlass)
        }
        return base
    }

    /// The plan in a later row that publishes the same again; nil if there is none.
    var restatedPlan: RowPlan? {
        guard var plan else { return nil }
        (plan.base, plan.phase, plan.change, plan.continues) = (keptBase, nil, nil, nil)
        plan.rulesSet = plan.rulesSet ?? at
        return plan
    }

    /// The ID of the newest row that records no phase: this one, or an earlier one. A phase is nobody's change.
    package var personsRow: Int64 { plan?.continues ?? id }

    /// When time alone changes the status next: its base ends, or a rule's phase begins. Nil for never.
    ///
    /// A row that can't be read has none: its next row would lose what it says, so that a newer version writes it.
    package var nextChange: Date? { unread == nil ? [endsAt, plan?.next?.at].compactMap(\.self).min() : nil }

    /// Whether the status has, or may have, rules.
    var hasRules: Bool { plan != nil || unread != nil }

    /// The row, if this version can read it.
    var ifRead: JournalEntry? { unread == nil ? self : nil }

    /// Refuses to make another row from one that can't be read, which would lose what it says.
    /// - Throws: ``StoreError`` of kind `newerStore`.
    package func checkRead() throws(StoreError) {
        guard let unread else { return }
        throw StoreError(
            .newerStore,
            "the newest row of \(scope ?? .main), #\(id) \(action) by \(who), can't be read by this version: \(unread); "
                + "nothing was published",
            hint:
                "publish with the newest version of bellerophon-server, or bring the store back if 'history verify' says that the "
                + "row is damaged; in an emergency kill --break-glass --reason TEXT stops everybody, and drops the row's rules")
    }

    /// The row that follows this one by time alone; nil if none is due.
    /// - Parameters:
    ///   - reached: the time that all clocks have reached.
    ///   - now: the time of the row; nil for the time at which it is due.
    func due(by reached: Date, at now: Date?) -> JournalTable.Draft? {
        guard let next = nextChange, next <= reached else { return nil }
        if let endsAt, endsAt == next { return JournalTable.Draft(endOf: self, at: now ?? next) }
        guard let phase = plan?.next, let next = plan?.after(phase, continuing: personsRow) else { return nil }
        var draft = JournalTable.Draft(
            at: now ?? phase.at, author: .server, action: Self.phaseAction, scope: scope,
            reason: "\(phase.rule) \(phase.kind.words)", document: next.document, endsAt: endsAt)
        draft.plan = next
        draft.plan?.base = keptBase
        draft.plan?.rulesSet = plan?.rulesSet ?? at
        return draft
    }

    /// The action of a row that records a phase of a rule.
    package static let phaseAction = "phase"
}

extension Publication {
    /// The row's plan after this publication; nil if there are no rules, before and after.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - reached: the time that all clocks have reached.
    func plan(after newest: JournalEntry?, by reached: Date) throws(StoreError) -> RowPlan? {
        try newest?.checkRead()
        let former = newest?.plan
        let time = max(former?.asOf ?? .distantPast, reached)
        guard let edit = rules else {
            guard let former, !former.rules.isEmpty else { return nil }
            let rules = former.operatorRules.filter { !$0.isOver(at: time.milliseconds) }
            var plan = RowPlan(base: .init(action: action, document: baseDocument), rules: rules, asOf: time)
            plan.rulesSet = former.rulesSet ?? newest?.at
            return plan
        }
        let rules = try edit.applied(to: former?.operatorRules ?? [], at: time.milliseconds)
        let base = newest?.keptBase ?? .init(action: .restore, document: Publication(scope: scope, action: .restore).baseDocument)
        let change = RowPlan.Change(from: former?.operatorRules ?? [], to: rules)
        return RowPlan(base: base, rules: rules, asOf: time, change: change)
    }
}

extension Publication {
    /// Whether it may change what every app of its scope gets: any one but a change of rules for some.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - plan: the plan of the publication's row.
    func isForEverybody(after newest: JournalEntry?, as plan: RowPlan?, at now: Date) -> Bool {
        action != .rules || RowPlan.coverage(newest?.plan, from: now) != RowPlan.coverage(plan, from: now)
    }

    /// What a token needs in order to publish it.
    func permission(after newest: JournalEntry?, as plan: RowPlan?, at now: Date) -> TokenPermission {
        isForEverybody(after: newest, as: plan, at: now) ? .statuses(scope) : .rules(scope)
    }

    /// What a plan is looked at with. What covered everybody before may go on to do so.
    /// - Parameters:
    ///   - former: the document before this publication.
    ///   - newer: the document after it.
    package func lintContext(from former: StatusDocument?, to newer: StatusDocument, at now: Date) -> PlanLint.Context {
        let changed = (rules?.put ?? []).compactMap { (try? OperatorRule($0))?.rule.id }
        let isWithin = former.map { PlanCoverage(newer, from: now).isWithin(PlanCoverage($0, from: now)) } ?? false
        return PlanLint.Context(
            now: now, allowsEveryone: rules?.everyone ?? true || isWithin, allowsAbsence: rules?.allowsAbsence ?? true,
            changed: Set(changed))
    }

    /// Refuses rules that would do what their author can't mean: see ``PlanLint``.
    /// - Parameter newest: the newest row before the draft.
    func checkPlan(_ draft: JournalTable.Draft, after newest: JournalEntry?) throws(StoreError) {
        guard let rules, !rules.put.isEmpty, let document = draft.document,
            let newer = try? StatusDocument(json: Data(document.utf8))
        else { return }
        let former = newest?.document.flatMap { try? StatusDocument(json: Data($0.utf8)) }
        let context = lintContext(from: former, to: newer, at: draft.at)
        let errors = PlanLint.findings(Data(document.utf8), context: context).filter { $0.level == .error }
        guard let first = errors.first else { return }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        throw .invalid(
            (first.rule.map { "\($0): " } ?? "") + first.text + more,
            hint: first.hint.map { "\($0) Nothing was published." } ?? "nothing was published")
    }
}

extension RowPlan.Change {
    init(from former: [OperatorRule], to newer: [OperatorRule]) {
        func ids(_ rules: [OperatorRule]) -> [String] { rules.map(\.rule.id) }
        let known = Dictionary(former.map { ($0.rule.id, $0) }) { first, _ in first }
        self.init(
            added: ids(newer.filter { known[$0.rule.id] == nil }),
            changed: ids(newer.filter { rule in known[rule.rule.id].map { $0 != rule } ?? false }),
            removed: ids(former).filter { !ids(newer).contains($0) })
    }

    /// `+min-15 ~ro -old`: added, changed and removed.
    package var text: String {
        (added.map { "+\($0)" } + changed.map { "~\($0)" } + removed.map { "-\($0)" }).joined(separator: " ")
    }
}
#endif
