import Foundation

/// What one person has proposed and another one can carry out: a status, or a change of the rule of two persons.
package struct Proposal: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// It can be approved.
        case open
        case approved
        /// Somebody rejected it, or its author withdrew it.
        case rejected
        /// Nobody decided in time.
        case expired
    }

    /// The ID of its row in the journal.
    package let id: Int64
    /// The app of a status; nil for a change of the rule, as are ``channel``, ``action`` and ``document``.
    package let app: String?
    package let channel: String?
    package let action: StatusAction?
    /// The status document that would be published.
    package let document: String?
    /// After how many seconds the status would end by itself; nil if it would not.
    package let endsAfter: Double?
    /// The ID of the row whose kill or update it replaces; nil for none.
    package let replaces: Int64?
    /// The change of rules; nil for another status, and for a change of the rule of two persons.
    package let rules: RulesEdit?
    /// Nil for a status.
    package let ruleChange: RuleChange?
    package let reason: String?
    package let proposedAt: Date
    package let proposedBy: String
    package let expiresAt: Date
    package let state: State
    package let decidedAt: Date?
    package let decidedBy: String?
    /// The ID of the row that carried it out.
    package let entry: Int64?

    /// The app and channel of a status; nil for a change of the rule.
    package var scope: Scope? {
        guard let app, let channel else { return nil }
        return Scope(checkedApp: app, channel: channel)
    }

    /// What it is about, such as `default/main kill` or `approval-rule`.
    package var subject: String {
        guard let scope, let action else { return RuleChange.action }
        return "\(scope) \(action.rawValue)"
    }

    /// What a token needs in order to decide on it: for the rule, a scope for the statuses of all apps.
    var neededScope: TokenScope { scope.map { .statuses($0) } ?? .statuses }
}

/// What a proposal would change.
enum ProposedChange: Codable, Equatable, Sendable {
    case status(Publication)
    case rule(RuleChange)

    var publication: Publication? { if case .status(let publication) = self { publication } else { nil } }

    var ruleChange: RuleChange? { if case .rule(let change) = self { change } else { nil } }

    var reason: String? { publication?.reason ?? ruleChange?.reason }

    /// See ``Proposal/subject``.
    var subject: String { publication.map { "\($0.scope) \($0.action.rawValue)" } ?? RuleChange.action }

    /// For the journal's row of the proposal.
    var note: String? { ruleChange?.note ?? reason }

    /// What a token needs in order to propose it, as far as that is known before the store is read.
    var neededScope: TokenScope { publication.map { .rules($0.scope) } ?? .statuses }

    /// Whether a request for this change is the repetition of one for another change.
    func repeats(_ other: ProposedChange) -> Bool {
        // The rule may have changed since.
        publication == other.publication && ruleChange?.to == other.ruleChange?.to && reason == other.reason
    }
}
