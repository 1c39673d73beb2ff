import BellerophonServer
import BellerophonStore
import Foundation

/// Asks for confirmation before a change that affects clients.
enum Confirmation {
    /// Shows what a person is to know before a publish, and waits for confirmation.
    /// - Throws: ``CommandError`` with the refusal if the reply is no.
    static func ask(
        _ review: PublicationReview, of target: OperatorTarget, else refusal: String = "nothing was published"
    ) throws {
        if let plan = review.plan { Output.writeError("\(plan.text)\n") }
        try ask(review.question, review.facts, of: target, else: refusal)
    }

    /// Shows what a change does, and waits for confirmation.
    static func ask(
        _ question: String, _ facts: FactList, of target: OperatorTarget, else refusal: String = "nothing was changed"
    ) throws {
        Output.writeError("To \(Output.line(target.description)):\n\n\(facts.text)\n")
        try? FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandError(refusal, exitCode: 1) }
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
}

extension StatusAction {
    /// The action with its article.
    var words: String {
        switch self {
        case .kill, .restore: "a \(rawValue)"
        case .update: "an update"
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
