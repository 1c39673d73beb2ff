import BellerophonServer
import BellerophonStore
import Foundation

/// Asks for confirmation before a change that affects clients.
enum Confirmation {
    /// Shows exactly what will be published, for whom and for how long, and waits for confirmation.
    /// - Parameter newest: the newest row of the scope.
    /// - Returns: the ID of the row that the person agrees to replace; nil for none.
    /// - Throws: ``CommandError`` without a terminal, or if the reply is no.
    static func ask(
        _ publication: Publication, after newest: JournalEntry?, of target: OperatorTarget, createsApp: Bool,
        breaksGlass: Bool, fleet: Fleet? = nil
    ) async throws -> Int64? {
        try checkTerminal(for: publication.action.words)
        let document = try await target.preview(publication, createsApp: createsApp, breaksGlass: breaksGlass)
        let now = try await target.status(publication.scope)
        let review = await PublicationReview(
            publication, document: document, now: now, after: newest, at: Date(), fleet: fleet
        ).withPicture()
        try review.plan?.requireNoErrors()
        try confirm(review, to: target, else: "nothing was published")
        return review.replaces
    }

    /// Shows a proposal and waits for confirmation.
    /// - Throws: ``CommandError`` without a terminal, or if the reply is no.
    static func ask(_ proposal: Proposal, of target: OperatorTarget) async throws {
        try checkTerminal(for: proposal.action?.words ?? "a change of the rule of two persons")
        var (now, newest): (StatusReport?, JournalEntry?)
        if let scope = proposal.scope { (newest, now) = (try await target.newestRow(of: scope), try await target.status(scope)) }
        try confirm(
            await PublicationReview(proposal, now: now, after: newest, at: Date()).withPicture(), to: target,
            else: proposal.scope == nil ? "nothing was changed" : "nothing was published")
    }

    /// Asks for confirmation of a change to resources.
    static func ask(_ facts: FactList, of target: OperatorTarget, question: String) throws {
        try confirm(question, facts, to: target, else: "nothing was changed")
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

    private static func confirm(_ review: PublicationReview, to target: OperatorTarget, else refusal: String) throws {
        if let plan = review.plan { Output.writeError("\(plan.text)\n") }
        try confirm(review.question, review.list, to: target, else: refusal)
    }

    private static func confirm(
        _ question: String, _ facts: FactList, to target: OperatorTarget, else refusal: String
    ) throws {
        Output.writeError("To \(Output.line(target.description)):\n\n\(facts.text)\n")
        try? FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandError(refusal, exitCode: 1) }
    }
}

extension StatusAction {
    /// The action with its article.
    fileprivate var words: String {
        switch self {
        case .kill: "a kill"
        case .update: "an update"
        case .restore: "a restore"
        case .rules: "a change of rules"
        }
    }
}

extension PlanReview {
    /// - Throws: ``CommandError`` if the rules must not be published.
    func requireNoErrors() throws {
        guard let error = findings.first(where: { $0.level == .error }) else { return }
        for finding in findings.dropFirst() { Output.writeError(Output.line(finding.line)) }
        let place = error.rule.map { "\($0): " } ?? ""
        throw CommandError(
            "\(place)\(error.text)", hint: error.hint.map { "\($0) Nothing was published." } ?? "nothing was published",
            exitCode: SystemExit.dataError)
    }
}
