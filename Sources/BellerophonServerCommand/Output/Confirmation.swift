#if Server
import BellerophonStore
import Foundation
import StatusModel

/// Asks for confirmation before a change that affects clients.
enum Confirmation {
    /// Shows exactly what will be published, for whom and for how long, and waits for confirmation.
    /// - Throws: ``CommandError`` without a terminal, or if the reply is no.
    static func ask(_ publication: Publication, of target: any OperatorTarget, createsApp: Bool) async throws {
        try checkTerminal(for: "a \(publication.action.rawValue)")
        let document = try await target.preview(publication, createsApp: createsApp)
        let now = try await target.status(publication.scope)
        try confirm(
            "Publish this?", to: target, text(publication, document: document, now: now, at: Date()),
            else: "nothing was published")
    }

    /// Shows a proposal and waits for confirmation.
    /// - Throws: ``CommandError`` without a terminal, or if the reply is no.
    static func ask(_ proposal: Proposal, of target: any OperatorTarget) async throws {
        let proposer = "\(proposal.proposedBy), at \(TimeText.text(proposal.proposedAt))"
        guard let scope = proposal.scope, let action = proposal.action else {
            return try ask(proposal, proposedBy: proposer, of: target)
        }
        try checkTerminal(for: "a \(action.rawValue)")
        let publication = Publication(
            scope: scope, action: action, endsAfter: proposal.endsAfter.map { .seconds($0) },
            reason: proposal.reason)
        let now = try await target.status(scope)
        let facts = text(
            publication, document: Data((proposal.document ?? "").utf8), now: now, at: Date(), proposedBy: proposer)
        try confirm("Publish this?", to: target, facts, else: "nothing was published")
    }

    private static func ask(_ proposal: Proposal, proposedBy: String, of target: any OperatorTarget) throws {
        try checkTerminal(for: "a change of the rule of two persons")
        var facts = FactList()
        facts.append("rule", proposal.ruleChange?.to.text)
        facts.append("now", proposal.ruleChange?.from.text)
        facts.append("why", proposal.reason ?? "no reason given")
        facts.append("by", proposedBy)
        try ask(facts, of: target, question: "Change the rule of two persons?")
    }

    /// Asks for confirmation of a change to resources.
    static func ask(_ facts: FactList, of target: any OperatorTarget, question: String) throws {
        try confirm(question, to: target, facts.text, else: "nothing was changed")
    }

    /// Whether a person can be asked.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// - Throws: ``CommandError`` without a terminal.
    static func checkTerminal(for change: String) throws {
        guard hasTerminal else {
            throw CommandError.usage(
                "not published: there is no terminal to confirm \(change) on",
                hint: "give --yes to publish it, or --dry-run to see what would be published"
            )
        }
    }

    private static func confirm(_ question: String, to target: any OperatorTarget, _ text: String, else refusal: String) throws {
        Output.note("To \(Output.line(target.description)):\n\n\(text)\n")
        try? FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandError(refusal, exitCode: 1) }
    }

    /// - Parameter proposedBy: who has proposed it, and when; nil if it is no proposal.
    static func text(
        _ publication: Publication, document: Data, now: StatusReport?, at date: Date, proposedBy: String? = nil
    ) -> String {
        let report = StatusReport(publication.scope, document: document, since: nil, entry: nil, at: date)
        var facts = FactList()
        facts.append("publish", report.state.badge)
        facts.append("to", audience(publication.scope))
        for field in StatusField.allCases {
            facts.append(field.label(in: .server), report.facts.fact(field)?.text ?? (field.level == .headline ? "none" : nil))
        }
        facts.append("for", duration(publication, at: date))
        facts.append("checks", report.retryInterval.map { "every \(DurationText.text(.seconds($0)))" })
        facts.append("why", publication.reason ?? "no reason given")
        facts.append("by", proposedBy)
        facts.append("now", now.map { present($0) } ?? "nothing was published for this app yet")
        facts.append("document", report.document)
        return facts.text
    }

    private static func audience(_ scope: Scope) -> String {
        if !scope.isMain { return "the channel \(scope.channel) of the app \(scope.app), no other channel" }
        return "the app \(scope.app), every channel"
    }

    private static func duration(_ publication: Publication, at date: Date) -> String {
        guard let length = publication.endsAfter else { return "until it is restored" }
        let end = date.addingTimeInterval(Double(length.components.seconds))
        return "\(DurationText.text(length)), until \(TimeText.text(end)); then the app is live"
    }

    private static func present(_ report: StatusReport) -> String {
        let since = report.since.map { " since \(TimeText.text($0))" } ?? ""
        return report.state.badge + since + (report.by.map { ", by \($0)" } ?? "")
    }
}
#endif
