#if Server
import BellerophonBase
import Digests
import Foundation
import GRDB

extension Store {
    /// Creates a token. It is returned only here; the store keeps its SHA-256.
    /// - Parameters:
    ///   - name: 1 to 64 of `a-z 0-9 . _ -`, never used before, because it identifies the author in the journal.
    ///   - quota: the maximum total size in bytes of all resource versions published with the token; nil for no limit.
    package func createToken(
        name: String, scopes: [TokenScope], quota: Int64? = nil, by author: Author
    ) async throws(StoreError) -> (token: String, record: TokenRecord) {
        try Self.checkTokenName(name)
        if let quota, quota < 1 { throw .invalid("a token's quota must be at least 1 byte, found \(quota)") }
        guard !scopes.isEmpty else { throw .invalid("a token needs a scope: publish or read") }
        let (token, now) = (Token.make(), now)
        let hash = try Self.hash(token)
        let record = try await database.write { database in
            try TokenTable(database: database).insert(name, hash: hash, scopes: scopes, quota: quota, by: author, at: now)
        }
        return (token, record)
    }

    /// Revokes a token permanently.
    package func revokeToken(
        name: String, by author: Author, reason: String? = nil
    ) async throws(StoreError) -> TokenRecord {
        try StoreText.check(reason, "reason", limit: StoreText.reasonLimit)
        let now = now
        return try await database.write { database in
            try TokenTable(database: database).revoke(name, by: author, reason: StoreText.note(reason), at: now)
        }
    }

    /// All tokens, including revoked ones, by name.
    package func tokens() throws(StoreError) -> [TokenRecord] {
        try database.read { try TokenTable(database: $0).all().map(\.record) }
    }

    /// The record of a token; nil if it is unknown or revoked.
    ///
    /// The duration does not reveal anything about the existing tokens.
    package func authenticate(_ presented: String) async throws(StoreError) -> TokenRecord? {
        guard presented.utf8.count <= Token.lengthLimit else { return nil }
        let hash = try Self.hash(presented)
        let rows = try database.read { try TokenTable(database: $0).all() }
        var found: TokenRecord?
        for row in rows where Token.areEqual(row.hash, hash) { found = row.record }
        guard let found, found.revokedAt == nil else { return nil }
        await noteUse(of: found)
        return found
    }

    /// Records a token's last use, to the minute. A failed write does not reject the token.
    private func noteUse(of record: TokenRecord) async {
        let now = now
        if let last = record.lastUsedAt, abs(now.timeIntervalSince(last)) < 60 { return }
        try? await database.writeHere { database in
            try TokenTable(database: database).noteUse(of: record.name, at: now)
        }
    }

    /// The SHA-256 of a token in hexadecimal, as stored; nil for a text longer than any token.
    package static func tokenHash(_ presented: String) -> String? {
        guard presented.utf8.count <= Token.lengthLimit else { return nil }
        return try? hash(presented)
    }

    private static func hash(_ token: String) throws(StoreError) -> String {
        guard let digest = Digest(.sha256, of: Data(token.utf8)) else {
            throw StoreError(.failed, "this system offers no SHA-256")
        }
        return digest.hex
    }

    private static func checkTokenName(_ name: String) throws(StoreError) {
        do {
            _ = try Scope(app: name)
        } catch {
            throw .invalid("\(JSONText.quoted(String(name.prefix(80)))) is no name of a token", hint: error.hint)
        }
    }
}

/// Access to the table of tokens.
struct TokenTable {
    let database: Database

    func all() throws -> [(hash: String, record: TokenRecord)] {
        try Row.fetchAll(database, sql: "SELECT * FROM token ORDER BY name").map { ($0["hash"], TokenRecord($0)) }
    }

    func insert(
        _ name: String, hash: String, scopes: [TokenScope], quota: Int64?, by author: Author, at now: Date
    ) throws -> TokenRecord {
        if let taken = try record(name) {
            throw StoreError(
                .conflict, "there is a token named \(name) already\(taken.revokedAt == nil ? "" : ", a revoked one")",
                hint: "take another name: the journal tells people apart by it"
            )
        }
        let scopes = TokenScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: ",")
        try database.execute(
            sql: "INSERT INTO token (name, hash, scopes, created_at, created_by, quota) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [name, hash, scopes, now.milliseconds, author.name, quota]
        )
        let bound = quota.map { ", at most \($0) bytes of resources" } ?? ""
        try note("token-create", name, by: author, reason: "scope \(scopes)\(bound)", at: now)
        return try existing(name)
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

    /// The names of the tokens that are not revoked, by their hashes.
    func activeNames() throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT hash, name FROM token WHERE revoked_at IS NULL")
        return Dictionary(rows.map { ($0["hash"] as String, $0["name"] as String) }, uniquingKeysWith: { first, _ in first })
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
            scopes: (row["scopes"] as String).split(separator: ",").compactMap { TokenScope(rawValue: String($0)) },
            createdAt: Date(milliseconds: row["created_at"]), createdBy: row["created_by"],
            lastUsedAt: (row["last_used_at"] as Int64?).map { Date(milliseconds: $0) },
            revokedAt: (row["revoked_at"] as Int64?).map { Date(milliseconds: $0) }, quota: row["quota"]
        )
    }
}
#endif
