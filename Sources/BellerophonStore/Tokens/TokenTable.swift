import BellerophonBase
import Foundation
import GRDB

/// What the rows about tokens say, by the view of ``Schema``.
struct TokenTable {
    let database: Database

    /// Tokens with their hashes, which may be revoked or expired.
    func rows(_ clause: String, _ arguments: StatementArguments = []) throws -> [(hash: String, record: TokenRecord)] {
        try Row.fetchAll(database, sql: "SELECT * FROM token \(clause)", arguments: arguments).map { row in
            func date(_ column: String) -> Date? { (row[column] as Int64?).map { Date(milliseconds: $0) } }
            let record = TokenRecord(
                name: row["name"], scopes: TokenScope.stored(row["scopes"]), createdAt: Date(milliseconds: row["created_at"]),
                createdBy: row["created_by"], lastUsedAt: date("last_used_at"), revokedAt: date("revoked_at"),
                quota: row["quota"], expiresAt: date("expires_at"), person: row["person"])
            return (row["hash"], record)
        }
    }

    /// - Parameter expiresAt: when the token ends; nil for never.
    func insert(
        _ draft: TokenRequest, hash: String, until expiresAt: Date?, by author: Author, at now: Date
    ) throws -> TokenRecord {
        if let taken = try record(draft.name) {
            throw StoreError(
                .conflict, "there is a token named \(draft.name) already\(taken.revokedAt == nil ? "" : ", a revoked one")",
                hint: "take another name: the journal tells people apart by it"
            )
        }
        let scopes = draft.scopes.map(\.description).joined(separator: ",")
        let person = draft.person.map { $0 == draft.name ? "" : ", for \($0)" } ?? ""
        let bound = draft.quota.map { ", at most \($0) bytes of resources" } ?? ""
        let end = expiresAt.map { ", until \(StoreJSON.text(of: $0))" } ?? ""
        let body = RowBody.token(
            hash: hash, scopes: scopes, person: draft.person ?? draft.name, quota: draft.quota,
            expiresAt: expiresAt?.milliseconds)
        _ = try JournalTable(database: database).append(
            JournalEntry(
                at: now, who: author.name, action: "token-create", token: draft.name,
                reason: "scope \(scopes)\(person)\(bound)\(end)", author: author), body)
        return try existing(draft.name)
    }

    func revoke(_ name: String, by author: Author, reason: String?, at now: Date) throws -> TokenRecord {
        let record = try existing(name)
        guard record.revokedAt == nil else { return record }
        _ = try JournalTable(database: database).append(
            JournalEntry(at: now, who: author.name, action: "token-revoke", token: name, reason: reason, author: author))
        return try existing(name)
    }

    func recordUse(of name: String, at now: Date) throws {
        try database.execute(
            sql: "INSERT INTO token_use (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
            arguments: [name, now.milliseconds])
    }

    /// A token, the token that made it, and so on up to one that was made on the machine, with revoked ones; in no order.
    func line(of name: String) throws -> [TokenRecord] {
        // The name of a login has an "@", which no name of a token has.
        try rows(
            """
            WHERE name IN (
                WITH RECURSIVE line(name) AS (
                    SELECT ? UNION SELECT token.created_by FROM token JOIN line ON token.name = line.name
                )
                SELECT name FROM line
            )
            """, [name]
        ).map(\.record)
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

    func existing(_ name: String) throws -> TokenRecord {
        guard let record = try record(name) else {
            throw StoreError(.notFound, "there is no token named \(JSONText.quoted(name))")
        }
        return record
    }

    func record(_ name: String) throws -> TokenRecord? { try rows("WHERE name = ?", [name]).first?.record }
}
