#if Server
import BellerophonBase
import Foundation
import GRDB

/// The apps whose statuses take two persons: one proposes, and another one approves.
///
/// The rule applies to the statuses of the whole app, and not to those of its other channels. In an emergency one person may
/// publish a kill alone ("break glass"), which the journal records; two persons are needed to lift it.
///
/// A server writes the rule of its configuration to its store, so that commands on the store and other servers follow it too. The
/// journal records each change.
package struct ApprovalRule: Equatable, Sendable {
    /// The apps; `*` stands for all.
    package var apps: Set<String>
    /// How long a proposal can be approved, in seconds.
    package var lifetime: Int64

    /// One hour, in seconds.
    package static let usualLifetime: Int64 = 3600

    package init(apps: Set<String> = [], lifetime: Int64 = usualLifetime) {
        self.apps = apps
        self.lifetime = lifetime
    }

    /// Whether a status takes two persons.
    package func covers(_ scope: Scope) -> Bool {
        scope.isMain && (apps.contains(scope.app) || apps.contains("*"))
    }

    /// Whether a token with this scope may take part in publishing a status that takes two persons.
    package func concerns(_ scope: TokenScope) -> Bool {
        let examples = apps.contains("*") ? [scope.app ?? Scope.defaultApp] : apps
        return examples.contains { app in
            let status = Scope(checkedApp: app, channel: Scope.mainChannel)
            return covers(status) && scope.allows(.statuses(status))
        }
    }

    static func stored(in database: Database) throws -> ApprovalRule {
        guard let row = try Row.fetchOne(database, sql: "SELECT apps, lifetime FROM approval") else { return ApprovalRule() }
        return ApprovalRule(apps: Set((row["apps"] as String).split(separator: ",").map(String.init)), lifetime: row["lifetime"])
    }

    func write(to database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO approval (id, apps, lifetime) VALUES (1, ?, ?)
                ON CONFLICT (id) DO UPDATE SET apps = excluded.apps, lifetime = excluded.lifetime
                """, arguments: [apps.sorted().joined(separator: ","), lifetime])
    }

    /// The rule for the journal.
    var text: String {
        if apps.isEmpty { return "no status takes two persons" }
        let names = apps.contains("*") ? "all apps" : apps.sorted().joined(separator: ", ")
        return "statuses of \(names) take two persons; a proposal is valid for \(lifetime) s"
    }

    static func refusal(of publication: Publication) -> StoreError {
        let glass = publication.action == .kill ? "; in an emergency --break-glass --reason TEXT publishes a kill alone" : ""
        return StoreError(
            .needsApproval, "a \(publication.action.rawValue) of \(publication.scope) takes two persons; nothing was published",
            hint: "propose it with --propose, and another person approves it\(glass)")
    }

    /// Refuses a token with which one person could do what takes two.
    /// - Parameter isGranted: whether another token makes it.
    func check(_ request: TokenRequest, isGranted: Bool) throws(StoreError) {
        guard let scope = request.scopes.first(where: concerns) else { return }
        if request.scopes.contains(.tokens) {
            throw .invalid(
                "one token can't have the scopes \(scope) and tokens, because \(text)",
                hint: "make two tokens of the same --person: one with \(scope), and one with tokens")
        }
        guard isGranted else { return }
        throw StoreError(
            .notGranted, "a token with the scope \(scope) can't be made with another token, because \(text)",
            hint: "make it on the server's machine: bellerophon-server token create --name … --person … --scope \(scope)")
    }
}

extension Publication {
    /// Refuses what can't be published by one person in an emergency.
    func checkBreakingGlass() throws(StoreError) {
        guard action == .kill else {
            throw .invalid("only a kill can be published alone", hint: "propose the \(action.rawValue) with --propose")
        }
        guard StoreText.note(reason) != nil else {
            throw .invalid("publishing a kill alone takes a reason", hint: "give one with --reason")
        }
        guard endsAfter == nil else {
            throw .invalid(
                "a kill that one person publishes alone has no end of its own, because lifting it takes two persons",
                hint: "leave --for out")
        }
    }
}

extension Store {
    /// The rule in effect.
    package func approvalRule() throws(StoreError) -> ApprovalRule { try database.read { try ApprovalRule.stored(in: $0) } }

    /// Replaces the rule, if it is another one.
    package func setApprovalRule(_ rule: ApprovalRule, by author: Author = .server) async throws(StoreError) {
        guard try approvalRule() != rule else { return }
        let now = now
        try await database.write { database in
            // Another server may have written the same rule meanwhile.
            guard try ApprovalRule.stored(in: database) != rule else { return }
            try rule.write(to: database)
            _ = try JournalTable(database: database).append(
                JournalTable.Draft(at: now, author: author, action: "approval-rule", reason: rule.text))
        }
    }
}
#endif
