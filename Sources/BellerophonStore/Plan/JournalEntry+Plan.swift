import BellerophonBase
import Foundation
import StatusModel

extension JournalEntry {
    /// The status of a row apart from its rules.
    package var base: RowPlan.Base {
        if unread != nil {
            var base = PlanRendering(reading: document ?? "").base
            base.endsAt = endsAt
            return base
        }
        return plan?.base ?? RowPlan.Base(action: statusAction ?? .restore, document: document ?? "", endsAt: endsAt)
    }

    /// What the row leaves to the rows after it.
    package var kept: RowPlan {
        var plan = plan ?? RowPlan(base: base)
        if plan.base.row == nil {
            (plan.base.row, plan.base.at, plan.base.who, plan.base.reason) = (id, at, who, reason)
            (plan.base.proposedBy, plan.base.breakGlass) = (proposedBy, breakGlass)
        }
        if !plan.rules.isEmpty { plan.rulesSet = plan.rulesSet ?? at }
        (plan.phase, plan.change, plan.continues, plan.replaces) = (nil, nil, nil, nil)
        return plan
    }

    /// The end of the kill or the update that this row has published; nil for one without an end, and for other rows.
    package var ownEnd: Date? { base.row == nil ? endsAt : nil }

    /// The ID of the newest row that records no phase: this one, or an earlier one. A phase is nobody's change.
    package var personsRow: Int64 { plan?.continues ?? id }

    /// When time alone changes the status next: a kill or an update ends, or a rule's phase begins. Nil for never.
    ///
    /// A row that can't be read has none: its next row would lose what it says, so that a newer version writes it.
    package var nextChange: Date? {
        unread == nil ? [endsAt, plan?.under?.endsAt, plan?.next?.at].compactMap(\.self).min() : nil
    }

    /// Whether the status has, or may have, rules.
    var hasRules: Bool { plan?.rules.isEmpty == false || unread != nil }

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
    func due(by reached: Date, at now: Date?) -> JournalEntry? {
        guard let next = nextChange, next <= reached else { return nil }
        // Of two that end together the hidden one is first, so that it is not shown in between.
        if let over = kept.standing.last(where: { $0.endsAt == next }) { return end(of: over, at: now ?? next) }
        guard let phase = plan?.next else { return nil }
        var draft = JournalEntry(
            at: now ?? phase.at, who: Author.server.name, action: Self.phaseAction, app: app, channel: channel,
            reason: "\(phase.rule) \(phase.kind.words)", author: .server)
        draft.set(kept.after(phase, continuing: personsRow))
        return draft
    }

    /// A row that removes a kill or an update whose time is over.
    private func end(of over: RowPlan.Base, at now: Date) -> JournalEntry {
        let plan = kept.after(endOf: over, else: .restored(scope ?? .main))
        let left = plan.standing.first.map { "; still there is \($0.summary)" } ?? ""
        var draft = JournalEntry(
            at: now, who: Author.server.name, action: Self.endAction, app: app, channel: channel,
            reason: "the time of #\(over.row ?? id) is over\(left)", ends: over.row, author: .server)
        draft.set(plan)
        return draft
    }

    /// Whether the status stops programs, its rules aside.
    var isBlocking: Bool { base.isBlocking }

    /// The action of a row that records a phase of a rule.
    package static let phaseAction = "phase"
    /// The action of a row that records the end of a kill or an update.
    package static let endAction = "end"
}

extension Publication {
    /// The row's plan after this publication.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - end: when the kill or the update ends; nil for never, and for other publications.
    ///   - reached: the time that all clocks have reached.
    func plan(after newest: JournalEntry?, until end: Date?, by reached: Date) throws(StoreError) -> RowPlan {
        try newest?.checkRead()
        var plan = newest?.kept ?? RowPlan(base: .restored(scope))
        let (former, time) = (plan.operatorRules, max(plan.asOf, reached))
        plan.replaces = replaces
        guard let edit = rules else {
            plan.setRules(former.filter { !$0.isOver(at: time.milliseconds) })
            plan.setTime(time)
            // Only a kill leaves an update as it is, so that an update never comes under a kill.
            plan.under = action == .kill ? plan.standing.last { $0.action == .update } : nil
            plan.base = RowPlan.Base(
                action: action, document: baseDocument(backAt: backAt(end, over: plan.under, by: reached)), endsAt: end)
            return plan
        }
        plan.setRules(try edit.applied(to: former, at: time.milliseconds))
        plan.setTime(time)
        (plan.change, plan.rulesSet) = (RowPlan.Change(from: former, to: plan.operatorRules), nil)
        return plan
    }

    /// When people are told that the service is back: as the author says, or at the end of a kill, unless an update outlasts it.
    private func backAt(_ end: Date?, over update: RowPlan.Base?, by reached: Date) -> Date? {
        // It may be over when a proposal is approved.
        if let backAt, backAt > reached { return backAt }
        guard action == .kill, let end, update.map({ $0.endsAt.map { $0 <= end } ?? false }) ?? true else { return nil }
        return Date(timeIntervalSince1970: end.timeIntervalSince1970.rounded(.up))
    }
}

extension RowPlan.Base {
    /// What is shown if there is no kill and no update.
    static func restored(_ scope: Scope) -> RowPlan.Base {
        RowPlan.Base(action: .restore, document: Publication(scope: scope, action: .restore).baseDocument())
    }
}

extension Publication {
    /// Whether it may change what every app of its scope gets: any one but a change of rules for some.
    /// - Parameters:
    ///   - newest: the newest row of the scope.
    ///   - plan: the plan of the publication's row.
    ///   - highest: the highest version that is known to exist.
    func isForEverybody(after newest: JournalEntry?, as plan: RowPlan, highest: AppVersion?, at now: Date) -> Bool {
        guard action == .rules else { return true }
        let former = RowPlan.coverage(newest?.plan, highest: highest, from: now)
        let coverage = RowPlan.coverage(plan, highest: highest, from: now)
        return former != coverage || coverage?.isPartial == true
    }

    /// The versions that it names.
    var versions: [String] {
        let rules = (rules?.put ?? []).compactMap { try? OperatorRule($0).rule }
        return [facts[.requiredVersion]].compactMap(\.self) + rules.flatMap(\.namedVersions)
    }

    /// What a plan is looked at with.
    package func lintContext(at now: Date) -> PlanLint.Context {
        PlanLint.Context(
            now: now, allowsEveryone: rules?.everyone ?? true, allowsAbsence: rules?.allowsAbsence ?? true,
            changed: Set((rules?.put ?? []).compactMap { (try? OperatorRule($0))?.rule.id }))
    }

    /// Refuses rules that would do what their author can't mean: see ``PlanLint``.
    func checkPlan(_ draft: JournalEntry) throws(StoreError) {
        guard let rules, !rules.put.isEmpty, let document = draft.document else { return }
        let errors = PlanLint.findings(Data(document.utf8), context: lintContext(at: draft.at)).filter { $0.level == .error }
        guard let first = errors.first else { return }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        throw .invalid(
            (first.rule.map { "\($0): " } ?? "") + first.text + more,
            hint: first.hint.map { "\($0) Nothing was published." } ?? "nothing was published")
    }
}

extension Rule {
    /// The versions that the rule requires or compares.
    fileprivate var namedVersions: [String] {
        let compared = (only + exemptingConditions).flatMap { condition -> [String] in
            guard case .version(let ranges) = condition else { return [] }
            return ranges.flatMap { range in
                switch range {
                case .exactly(let named): [named.text]
                case .between(let from, let below): [from?.text, below?.text].compactMap(\.self)
                }
            }
        }
        return [version].compactMap(\.self) + compared
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
