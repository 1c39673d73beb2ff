#if Server
import BellerophonBase
import Foundation
import GRDB

/// The apps whose statuses take two persons: one proposes, and another one approves.
///
/// The rule applies to the statuses of the whole app, and not to those of its other channels. In an emergency one person may
/// publish a kill alone ("break glass"), which the journal records; two persons are needed to lift it.
///
/// A server keeps the rule of its configuration in its store, so that commands on its machine follow it too.
package struct ApprovalRule: Codable, Equatable, Sendable {
    /// The apps; `*` stands for all.
    package var apps: Set<String>
    /// How long a proposal can be approved, in seconds.
    package var lifetime: Double

    /// One hour, in seconds.
    package static let usualLifetime = 3600.0

    package init(apps: Set<String> = [], lifetime: Double = usualLifetime) {
        self.apps = apps
        self.lifetime = lifetime
    }

    /// Whether a status takes two persons.
    package func covers(_ scope: Scope) -> Bool {
        scope.isMain && (apps.contains(scope.app) || apps.contains("*"))
    }

    static func stored(in database: Database) throws -> ApprovalRule {
        let text = try String.fetchOne(database, sql: "SELECT value FROM property WHERE name = 'approval'")
        return try text.map { try StoreJSON.value(ApprovalRule.self, from: Data($0.utf8)) } ?? ApprovalRule()
    }

    static func refusal(of publication: Publication) -> StoreError {
        let glass = publication.action == .kill ? "; in an emergency --break-glass --reason TEXT publishes a kill alone" : ""
        return StoreError(
            .needsApproval, "a \(publication.action.rawValue) of \(publication.scope) takes two persons; nothing was published",
            hint: "propose it with --propose, and another person approves it\(glass)")
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

    /// Replaces the rule on this machine.
    package func setApprovalRule(_ rule: ApprovalRule) async throws(StoreError) {
        guard try approvalRule() != rule else { return }
        let text = String(decoding: try StoreJSON.data(rule), as: UTF8.self)
        try await database.writeHere { database in
            try database.execute(
                sql: """
                    INSERT INTO property (name, value) VALUES ('approval', ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """, arguments: [text])
        }
    }
}
#endif
