import BellerophonStore
import Foundation
import StatusModel

/// What a person is asked before a change that affects clients: exactly what will be published, for whom and for how long.
///
/// The command prints it, and the server sends it to the console.
package struct PublicationReview: Encodable, Sendable {
    package let question: String
    package let facts: FactList
    /// The ID of the row that the publish has to name because it replaces it; nil for none.
    package private(set) var replaces: Int64?
    /// What a change of rules does; nil for other changes.
    package private(set) var plan: PlanReview?
    /// The languages in which people have messages now, or get messages of rules, and not this one; nil if there are none.
    package var missingLanguages: String? { facts.facts.first { $0.name == "missing" }?.value }
}

extension PublicationReview {
    /// The question before a proposal is approved.
    /// - Parameters:
    ///   - now: what clients get; nil if nothing was published for the app, and for a change of the rule.
    ///   - newest: the newest row of its scope.
    package init(_ proposal: Proposal, now: StatusReport?, after newest: JournalEntry?, at date: Date) async {
        let proposer = "\(proposal.proposedBy), at \(TimeText.text(proposal.proposedAt))"
        guard let publication = Publication(proposal) else {
            var list = FactList()
            list.append("rule", proposal.ruleChange?.to.text)
            list.append("now", proposal.ruleChange?.from?.text)
            list.append("why", proposal.reason ?? "no reason given")
            list.append("by", proposer)
            self.init(question: "Change the rule of two persons?", facts: list)
            return
        }
        await self.init(
            publication, document: Data((proposal.document ?? "").utf8), now: now, after: newest, at: date,
            proposedBy: proposer)
    }

    /// The question before a publish.
    /// - Parameters:
    ///   - document: what clients will get.
    ///   - now: what clients get; nil if nothing was published for the app.
    ///   - newest: the newest row of the scope.
    ///   - isAlone: whether one person publishes a kill that may take two.
    ///   - proposer: who has proposed it, and when; nil if nobody has.
    package init(
        _ publication: Publication, document: Data, now: StatusReport?, after newest: JournalEntry?, at date: Date,
        isAlone: Bool = false, proposedBy proposer: String? = nil, fleet: Fleet? = nil
    ) async {
        let (isRules, standing) = (publication.action == .rules, newest?.kept.standing ?? [])
        let update = publication.action == .kill ? standing.last { $0.action == .update } : nil
        let end = publication.endsAfter.map { date.addingTimeInterval($0 / .seconds(1)) }
        let replaces = publication.replaces ?? publication.weakened(in: newest, until: end)?.row
        let report = StatusReport(publication.scope, document: document, since: nil, entry: nil, at: date)
        var list = FactList()
        list.append("publish", isRules ? "rules" : report.state.badge)
        list.append("to", Self.audience(publication.scope))
        for field in StatusField.allCases where !isRules {
            list.append(field.label(in: .server), report.facts.fact(field)?.text ?? (field.level == .headline ? "none" : nil))
            if field == .message { list.append(report.messages) }
        }
        list.append("missing", isRules ? nil : Self.missingLanguages(report, now))
        list.append("for", isRules ? nil : Self.duration(publication, until: end, over: update))
        list.append("back", publication.backAt.map { "people are told \(TimeText.text($0))" })
        list.append("checks", report.retryInterval.map { "every \(DurationText.text(.seconds($0)))" })
        list.append("why", publication.reason ?? "no reason given")
        list.append("how", isAlone ? "alone (break glass); if it takes two persons, lifting it does too" : nil)
        list.append("by", proposer)
        list.append("now", now.map(Self.present) ?? "nothing was published for this app yet")
        for entry in standing where publication.action == .restore || entry.row == replaces {
            list.append(publication.action == .restore ? "ends" : "replaces", entry.summary)
        }
        list.append("document", report.document)
        self.init(
            question: Self.question(publication, replacing: replaces), facts: list, replaces: replaces,
            plan: isRules
                ? await PlanReview(publication, former: now?.document, newer: report.document, at: date, fleet: fleet) : nil)
    }

    /// - Parameters:
    ///   - report: what is to be published.
    ///   - now: what clients get.
    private static func missingLanguages(_ report: StatusReport, _ now: StatusReport?) -> String? {
        guard report.facts[.message] != nil else { return nil }
        let own = PlanLint.languages(of: report.messages)
        let missing = report.languages.union(now?.languages ?? []).subtracting(own).sorted()
        return missing.isEmpty
            ? nil : "\(missing.joined(separator: ", ")); other messages are published in these languages"
    }

    private static func audience(_ scope: Scope) -> String {
        if !scope.isMain { return "the channel \(scope.channel) of the app \(scope.app), no other channel" }
        return "the app \(scope.app), every channel"
    }

    /// - Parameter update: what stands under a kill.
    private static func duration(_ publication: Publication, until end: Date?, over update: RowPlan.Base?) -> String {
        guard let length = publication.endsAfter, let end else { return "until it is restored" }
        let isLive = update.map { $0.endsAt.map { $0 <= end } ?? false } ?? true
        let after = isLive ? "the app is live" : "it is stopped by \(update?.summary ?? "")"
        return "\(DurationText.text(length)), until \(TimeText.text(end)); then \(after)"
    }

    /// Whoever forgets a unit is asked for what it means.
    private static func question(_ publication: Publication, replacing row: Int64?) -> String {
        let length = publication.endsAfter.flatMap { $0 < .seconds(60) ? " for only \(DurationText.text($0))" : nil } ?? ""
        return "Publish this\(length)" + (row.map { ", and replace #\($0)?" } ?? "?")
    }

    private static func present(_ report: StatusReport) -> String {
        let since = report.since.map { " since \(TimeText.text($0))" } ?? ""
        return report.state.badge + since + (report.authors.map { ", by \($0)" } ?? "")
    }
}

extension Publication {
    /// What a proposal publishes; nil for a change of the rule of two persons.
    fileprivate init?(_ proposal: Proposal) {
        guard let scope = proposal.scope, let action = proposal.action else { return nil }
        self.init(
            scope: scope, action: action, endsAfter: proposal.endsAfter.map { .seconds($0) }, reason: proposal.reason)
        (rules, replaces) = (proposal.rules, proposal.replaces)
    }
}
