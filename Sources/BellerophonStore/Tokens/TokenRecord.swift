import Foundation

/// A token's stored data, which does not include the token itself.
package struct TokenRecord: Codable, Equatable, Sendable {
    /// The author's name in the journal: 1 to 64 of `a-z 0-9 . _ -`. It is never used for another token.
    package let name: String
    package let scopes: [TokenScope]
    package let createdAt: Date
    /// The author's name: a login on the store's machine, such as `ada@host`, or the name of the token that made this one.
    package let createdBy: String
    /// To the minute.
    package private(set) var lastUsedAt: Date?
    package private(set) var revokedAt: Date?
    /// The maximum total size in bytes of all resource versions published with the token; nil for no limit.
    package private(set) var quota: Int64?

    /// When the token ends by itself; nil for never.
    package private(set) var expiresAt: Date?
    /// Whom the token is for: the token's own name unless it was made for another person. Names are compared in small letters.
    package let person: String

    /// Whether the token permits an action until it expires.
    package func allows(_ needed: TokenScope) -> Bool {
        revokedAt == nil && scopes.contains { $0.allows(needed) }
    }

    package func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Whether the token is for a whole app, for all apps, or for tokens, and not only for channels, resources or reading. Some
    /// places are kept for such tokens, so that no other one locks the persons out who can stop an app.
    package var isForApps: Bool { scopes.contains { $0 == .tokens || $0.coversApp } }

    /// Whether the token may read about an app.
    package func mayRead(_ app: String) -> Bool { readableApps?.contains(app) ?? true }

    /// The apps that the token may read about; nil for all.
    package var readableApps: Set<String>? {
        let apps = scopes.map(\.app)
        return apps.contains(nil) ? nil : Set(apps.compactMap(\.self))
    }

    /// Whether the token may read about a proposal. The rule is about all apps.
    package func mayRead(_ proposal: Proposal) -> Bool { proposal.app.map(mayRead) ?? (readableApps == nil) }
}
