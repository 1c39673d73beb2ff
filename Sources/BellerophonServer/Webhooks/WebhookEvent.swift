import BellerophonStore
import Foundation

/// What happened, as a hook gets it.
package struct WebhookEvent: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A status was published.
        case publish
        /// The time of a status is over.
        case end
        /// A rule is announced, begins or ends.
        case phase
        /// A status was proposed to a second person, a proposal was rejected, or the rule has changed.
        case proposal
        case resource
        case token
        /// The server can't read or write its store, or has another problem.
        case failure
        case recovery
        /// A timed status ends soon, or an app has been stopped for long.
        case reminder
        case test
    }

    package let event: Kind
    /// The same when the event is delivered again, and different for every other event of the store.
    package let id: String
    /// The first digits of the store's identity.
    package let store: String
    package let at: Date
    /// What happened, as one line for a person.
    package let text: String
    /// The journal's row of a change, and the row that a reminder is about.
    package var row: JournalEntry?
    /// Why the server is not ready, or what a reminder says.
    package var problems: [String]?
}

extension WebhookEvent {
    /// The event of a row.
    init(_ row: JournalEntry, store: String) {
        let kind: Kind =
            if row.ends != nil {
                .end
            } else if row.action == JournalEntry.phaseAction {
                .phase
            } else if row.scope != nil {
                .publish
            } else if row.subject != nil || row.action == "approval-rule" {
                .proposal
            } else {
                row.resource != nil ? .resource : .token
            }
        self.init(event: kind, id: "\(store)-\(row.id)", store: store, at: row.at, text: Self.text(row), row: row)
    }

    /// Such as `kill of default/main by ada, until 14:30: disk swap`.
    private static func text(_ row: JournalEntry) -> String {
        if row.action == JournalEntry.phaseAction {
            return "\(row.scope?.description ?? ""): the rule \(row.reason ?? "")"
        }
        var text = row.action
        if let proposal = row.subject?.split(separator: " ").last { text += " \(proposal)" }
        if let subject = row.subjectScope?.description ?? row.resource ?? row.token { text += " of \(subject)" }
        text += " by \(row.who)"
        if row.proposal != nil, let proposer = row.proposedBy { text += ", proposed by \(proposer)" }
        if let change = row.plan?.change { text += ": \(change.text)" }
        if row.breakGlass == true { text += " alone (break glass)" }
        if let end = row.ownEnd { text += ", until \(TimeText.text(end))" }
        return text + (row.reason.map { ": \($0)" } ?? "")
    }

    package init(_ kind: Kind, _ problems: [String], store: String, at date: Date, row: JournalEntry? = nil) {
        let number = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let name = row.map { "\(kind.rawValue)-\($0.id)-\(number)" } ?? "\(kind.rawValue)-\(number)"
        let text = problems.isEmpty ? kind.rawValue : "\(kind.rawValue): \(problems.joined(separator: "; "))"
        self.init(event: kind, id: "\(store)-\(name)", store: store, at: date, text: text, row: row, problems: problems)
    }
}
