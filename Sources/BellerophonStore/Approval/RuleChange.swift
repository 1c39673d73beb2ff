import BellerophonBase
import Foundation

/// A change of the rule of two persons, as it is requested and as it is proposed.
package struct RuleChange: Codable, Equatable, Sendable {
    /// The rule that held when the change was proposed; nil in a request.
    package internal(set) var from: ApprovalRule?
    package let to: ApprovalRule
    package let reason: String?

    /// The action of the journal's row of a change that was made, and the subject of one that was proposed.
    package static let action = "approval-rule"

    package init(to rule: ApprovalRule, reason: String? = nil) { (to, self.reason) = (rule, reason) }

    /// For the journal.
    var note: String { [to.text, reason].compactMap(\.self).joined(separator: ": ") }

    /// Parses a request's body. Unknown fields are errors.
    ///
    /// ```json
    /// {"apps": "notes,payments", "lifetime": 3600, "reason": "the beta is over"}
    /// ```
    package init(json: Data) throws(StoreError) {
        var fields = try RequestFields(json)
        guard let list = try fields.text("apps") else {
            throw .invalid("apps is missing", hint: "names of apps, separated by commas, * for all, or an empty text for none")
        }
        guard let apps = ApprovalRule.apps(in: list) else {
            throw .invalid("apps must be names of apps separated by commas, or *")
        }
        let lifetime = try fields.integer("lifetime")
        self.init(
            to: ApprovalRule(apps: apps, lifetime: lifetime ?? ApprovalRule.usualLifetime), reason: try fields.text("reason"))
        try fields.finish()
    }

    /// The body of a request for this change.
    package var json: Data {
        JSONNode.object([
            ("apps", .text(to.list)), ("lifetime", .number(to.lifetime)), ("reason", reason.map(JSONNode.text)),
        ]).data
    }

    func validate() throws(StoreError) {
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        guard ApprovalRule.lifetimes.contains(to.lifetime) else {
            throw .invalid("lifetime must be 60 to 604800 seconds, found \(to.lifetime)")
        }
    }
}

extension Store {
    /// The rule in effect.
    package func approvalRule() throws(StoreError) -> ApprovalRule { try database.read { try ApprovalRule.stored(in: $0) } }

    /// Makes the rule as strict as another one, such as that of a server's configuration. It never becomes less strict.
    /// - Returns: the rule in effect, which may be stricter than the other one.
    @discardableResult
    package func tightenApprovalRule(
        to rule: ApprovalRule, by author: Author = .server
    ) async throws(StoreError) -> ApprovalRule {
        let stored = try approvalRule()
        guard stored.joined(with: rule) != stored else { return stored }
        let now = now
        return try await database.write { database in
            // Another server may have changed the rule meanwhile.
            let stored = try ApprovalRule.stored(in: database)
            let joined = stored.joined(with: rule)
            guard joined != stored else { return stored }
            _ = try JournalTable(database: database).append(
                JournalEntry(at: now, who: author.name, action: RuleChange.action, reason: joined.text, author: author),
                .rule(joined))
            return joined
        }
    }

    /// Proposes a change of the rule, which another person can approve until the proposal expires.
    /// - Parameter request: the caller's key for this request; a repeated request is performed only once.
    package func proposeRule(
        _ change: RuleChange, by author: Author, request: RequestKey? = nil
    ) async throws(StoreError) -> Proposal {
        try change.validate()
        return try await propose(
            .rule(RuleChange(to: change.to, reason: StoreText.singleLine(change.reason))), by: author, request: request)
    }

    /// The names of tokens that are not revoked, and with which one person may publish what takes two and make tokens too. Only
    /// tokens that are older than the rule can.
    package func tokensBeyondRule() throws(StoreError) -> [String] {
        let (rule, now) = (try approvalRule(), now)
        return try tokens().filter { token in
            token.revokedAt == nil && !token.isExpired(at: now) && token.scopes.contains(.tokens)
                && token.scopes.contains(where: rule.concerns)
        }.map(\.name)
    }
}
