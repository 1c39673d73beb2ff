#if Server
import BellerophonBase
import Foundation
import GRDB

/// Access to the table of tokens.
struct TokenTable {
    let database: Database

    func all() throws -> [(hash: String, record: TokenRecord)] {
        try Row.fetchAll(database, sql: "SELECT * FROM token ORDER BY name").map { ($0["hash"], TokenRecord($0)) }
    }

    func insert(_ draft: TokenRequest, hash: String, by author: Author, at now: Date) throws -> TokenRecord {
        if let taken = try record(draft.name) {
            throw StoreError(
                .conflict, "there is a token named \(draft.name) already\(taken.revokedAt == nil ? "" : ", a revoked one")",
                hint: "take another name: the journal tells people apart by it"
            )
        }
        let expiresAt = draft.expiresAfter.map { Date(milliseconds: now.milliseconds + $0.milliseconds) }
        let scopes = draft.scopes.map(\.description).joined(separator: ",")
        try database.execute(
            sql: """
                INSERT INTO token (name, hash, scopes, created_at, created_by, quota, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                draft.name, hash, scopes, now.milliseconds, author.name, draft.quota, expiresAt?.milliseconds,
            ]
        )
        let bound = draft.quota.map { ", at most \($0) bytes of resources" } ?? ""
        let end = expiresAt.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        try note("token-create", draft.name, by: author, reason: "scope \(scopes)\(bound)\(end)", at: now)
        return try existing(draft.name)
    }

    func revoke(_ name: String, by author: Author, reason: String?, at now: Date) throws -> TokenRecord {
        let record = try existing(name)
        guard record.revokedAt == nil else { return record }
        try database.execute(sql: "UPDATE token SET revoked_at = ? WHERE name = ?", arguments: [now.milliseconds, name])
        try note("token-revoke", name, by: author, reason: reason, at: now)
        return try existing(name)
    }

    func noteUse(of name: String, at now: Date) throws {
        try database.execute(sql: "UPDATE token SET last_used_at = ? WHERE name = ?", arguments: [now.milliseconds, name])
    }

    /// The tokens that are not revoked, by their hashes.
    func active() throws -> [String: KnownToken] {
        let tokens = try all().filter { $0.record.revokedAt == nil }
        return Dictionary(tokens.map { ($0.hash, KnownToken($0.record)) }, uniquingKeysWith: { first, _ in first })
    }

    /// In bytes; nil if the token has no quota.
    func quota(of name: String) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT quota FROM token WHERE name = ? AND quota IS NOT NULL", arguments: [name])
    }

    private func note(_ action: String, _ name: String, by author: Author, reason: String?, at now: Date) throws {
        _ = try JournalTable(database: database)
            .append(JournalTable.Draft(at: now, author: author, action: action, token: name, reason: reason))
    }

    private func existing(_ name: String) throws -> TokenRecord {
        guard let record = try record(name) else {
            throw StoreError(.notFound, "there is no token named \(JSONText.quoted(name))")
        }
        return record
    }

    private func record(_ name: String) throws -> TokenRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM token WHERE name = ?", arguments: [name]).map { TokenRecord($0) }
    }
}

extension TokenRecord {
    fileprivate init(_ row: Row) {
        self.init(
            name: row["name"],
            scopes: TokenScope.stored(row["scopes"]),
            createdAt: Date(milliseconds: row["created_at"]), createdBy: row["created_by"],
            lastUsedAt: (row["last_used_at"] as Int64?).map { Date(milliseconds: $0) },
            revokedAt: (row["revoked_at"] as Int64?).map { Date(milliseconds: $0) }, quota: row["quota"],
            expiresAt: (row["expires_at"] as Int64?).map { Date(milliseconds: $0) }
        )
    }
}
#endif
