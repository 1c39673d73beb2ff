import BellerophonBase
import Foundation
import GRDB

/// The apps whose statuses take two persons: one proposes, and another one approves.
///
/// The rule applies to the statuses of the whole app, and not to those of its other channels. In an emergency one person may
/// publish a kill alone ("break glass"), which the journal records; two persons are needed to lift it.
///
/// The store has the rule, so that commands on the store and all servers follow the same one. A server adds the apps of its
/// configuration to it. To take an app out again, or to let proposals be approved for longer, takes two persons, as what the rule
/// protects does: see ``Store/proposeRule(_:by:request:)``. The journal records each change.
package struct ApprovalRule: Codable, Equatable, Sendable {
    /// The apps; `*` stands for all, and then is the only one.
    package var apps: Set<String> {
        didSet { apps = Self.simplified(apps) }
    }
    /// How long a proposal can be approved, in seconds: one of ``lifetimes``.
    package var lifetime: Int64

    /// One hour, in seconds.
    package static let usualLifetime: Int64 = 3600
    /// In seconds: 1 minute to 7 days.
    package static let lifetimes: ClosedRange<Int64> = 60...604_800

    package init(apps: Set<String> = [], lifetime: Int64 = usualLifetime) {
        self.apps = Self.simplified(apps)
        self.lifetime = lifetime
    }

    private static func simplified(_ apps: Set<String>) -> Set<String> { apps.contains("*") ? ["*"] : apps }

    /// Names of apps, separated by commas, or `*`; an empty text for none.
    /// - Returns: nil if one is no name of an app.
    package static func apps(in list: String) -> Set<String>? {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        if names == [""] { return [] }
        return names.allSatisfy { $0 == "*" || (try? Scope(app: $0)) != nil } ? Set(names) : nil
    }

    /// The names of the apps, separated by commas.
    package var list: String { apps.sorted().joined(separator: ",") }

    /// Whether a status takes two persons. A change of rules does if it changes when everybody is covered.
    package func covers(_ scope: Scope) -> Bool {
        scope.isMain && (apps.contains(scope.app) || apps.contains("*"))
    }

    /// Whether a token with this scope may take part in publishing a status that takes two persons.
    package func concerns(_ scope: TokenScope) -> Bool {
        let examples = apps.contains("*") ? [scope.app ?? Scope.defaultApp] : apps
        return examples.contains { scope.allows(.statuses(Scope(checkedApp: $0, channel: Scope.mainChannel))) }
    }

    /// This rule, made as strict as another one: the apps of both, and the shorter time.
    func joined(with other: ApprovalRule) -> ApprovalRule {
        if apps.isEmpty { return other }
        if other.apps.isEmpty { return self }
        return ApprovalRule(apps: apps.union(other.apps), lifetime: min(lifetime, other.lifetime))
    }

    static func stored(in database: Database) throws -> ApprovalRule {
        let sql = "SELECT * FROM journal WHERE action = 'approval-rule' ORDER BY id DESC LIMIT 1"
        guard let row = try Row.fetchOne(database, sql: sql), case .rule(let rule)? = try RowBody(row) else {
            return ApprovalRule()
        }
        return rule
    }

    /// The rule for a person, and for the journal.
    package var text: String {
        if apps.isEmpty { return "no status takes two persons" }
        let names = apps.contains("*") ? "all apps" : apps.sorted().joined(separator: ", ")
        return "statuses of \(names) take two persons; a proposal is valid for \(lifetime) s"
    }

    static func refusal(of publication: Publication) -> StoreError {
        let glass = publication.action == .kill ? "; in an emergency --break-glass --reason TEXT publishes a kill alone" : ""
        let why = publication.action == .rules ? "; \(StatusDecision.everybody)" : ""
        return StoreError(
            .needsApproval, "a \(publication.action.rawValue) of \(publication.scope) takes two persons; nothing was published",
            hint: "propose it with --propose, and another person approves it\(glass)\(why)")
    }

    /// Refuses a token with which one person could do what takes two.
    /// - Parameter isGranted: whether another token makes it.
    func validate(_ request: TokenRequest, isGranted: Bool) throws(StoreError) {
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

    /// The apps are one text, as in the settings.
    private struct Stored: Codable {
        let apps: String
        let lifetime: Int64
    }

    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard let apps = Self.apps(in: stored.apps) else {
            throw StoreError.invalid("\(JSONText.quoted(stored.apps)) are no names of apps")
        }
        self.init(apps: apps, lifetime: stored.lifetime)
    }

    package func encode(to encoder: any Encoder) throws { try Stored(apps: list, lifetime: lifetime).encode(to: encoder) }
}

extension Publication {
    /// Refuses what can't be published by one person in an emergency.
    func checkBreakingGlass() throws(StoreError) {
        guard action == .kill else {
            throw .invalid("only a kill can be published alone", hint: "propose the \(action.rawValue) with --propose")
        }
        guard StoreText.singleLine(reason) != nil else {
            throw .invalid("publishing a kill alone takes a reason", hint: "give one with --reason")
        }
        guard endsAfter == nil else {
            throw .invalid(
                "a kill that one person publishes alone has no end of its own, because lifting it takes two persons",
                hint: "leave --for out")
        }
    }
}
