import BellerophonBase
import Foundation
import GRDB

/// What the rows about tokens say, by the view of ``Schema``.
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
        let expiresAt = draft.end(at: now)
        let scopes = draft.scopes.map(\.description).joined(separator: ",")
        let person = draft.person.map { $0 == draft.name ? "" : ", for \($0)" } ?? ""
        let bound = draft.quota.map { ", at most \($0) bytes of resources" } ?? ""
        let end = expiresAt.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        try append(
            "token-create", draft.name, by: author, reason: "scope \(scopes)\(person)\(bound)\(end)", at: now,
            body: .token(
                hash: hash, scopes: scopes, person: draft.person ?? draft.name, quota: draft.quota,
                expiresAt: expiresAt?.milliseconds))
        return try existing(draft.name)
    }

    func revoke(_ name: String, by author: Author, reason: String?, at now: Date) throws -> TokenRecord {
        let record = try existing(name)
        guard record.revokedAt == nil else { return record }
        try append("token-revoke", name, by: author, reason: reason, at: now)
        return try existing(name)
    }

    func recordUse(of name: String, at now: Date) throws {
        try database.execute(
            sql: "INSERT INTO token_use (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
            arguments: [name, now.milliseconds])
    }

    /// The token with a hash, which may be revoked or expired.
    func record(hash: String) throws -> TokenRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM token WHERE hash = ?", arguments: [hash]).map { TokenRecord($0) }
    }

    /// The tokens that are not revoked, by their hashes.
    func active() throws -> [String: KnownToken] {
        let tokens = try all().filter { $0.record.revokedAt == nil }
        return Dictionary(tokens.map { ($0.hash, KnownToken($0.record)) }, uniquingKeysWith: { first, _ in first })
    }

    /// A token, the token that made it, and so on up to one that was made on the machine, with revoked ones; in no order.
    func line(of name: String) throws -> [TokenRecord] {
        // The name of a login has an "@", which no name of a token has.
        try Row.fetchAll(
            database,
            sql: """
                WITH RECURSIVE line(name) AS (
                    SELECT ? UNION SELECT token.created_by FROM token JOIN line ON token.name = line.name
                )
                SELECT token.* FROM token JOIN line ON token.name = line.name
                """, arguments: [name]
        ).map { TokenRecord($0) }
    }

    /// The size in bytes of the resource versions of a token and of all tokens that were made with it, directly or not.
    func usedBytes(of name: String) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                WITH RECURSIVE made(name) AS (
                    SELECT ? UNION SELECT token.name FROM token JOIN made ON token.created_by = made.name
                )
                SELECT total(size) FROM resource_version
                WHERE owner IS NOT NULL AND owner IN (SELECT name FROM made) AND url IS NULL
                """, arguments: [name]) ?? 0
    }

    private func append(
        _ action: String, _ name: String, by author: Author, reason: String?, at now: Date, body: RowBody? = nil
    ) throws {
        _ = try JournalTable(database: database)
            .append(JournalTable.Draft(at: now, author: author, action: action, token: name, reason: reason, body: body))
    }

    func existing(_ name: String) throws -> TokenRecord {
        guard let record = try record(name) else {
            throw StoreError(.notFound, "there is no token named \(JSONText.quoted(name))")
        }
        return record
    }

    func record(_ name: String) throws -> TokenRecord? { try hashed(name)?.record }

    func hashed(_ name: String) throws -> (hash: String, record: TokenRecord)? {
        try Row.fetchOne(database, sql: "SELECT * FROM token WHERE name = ?", arguments: [name]).map {
            ($0["hash"], TokenRecord($0))
        }
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
            expiresAt: (row["expires_at"] as Int64?).map { Date(milliseconds: $0) },
            person: row["person"]
        )
    }
}
