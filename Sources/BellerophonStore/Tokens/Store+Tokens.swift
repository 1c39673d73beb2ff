#if Server
import BellerophonBase
import Digests
import Foundation
import GRDB

extension Store {
    /// The times after which a token may end by itself.
    package static let tokenLifetimes = Duration.seconds(60)...Duration.seconds(3660 * 86_400)

    /// Creates a token. It is returned only here; the store keeps its SHA-256.
    /// - Parameter grantor: the token that creates this one, which can't allow more; nil for a command on the store's machine.
    package func createToken(
        _ request: TokenRequest, by author: Author, grantor: TokenRecord? = nil
    ) async throws(StoreError) -> NewToken {
        try Self.check(request)
        try grantor?.checkGrant(of: request.scopes)
        let (token, now) = (Token.make(), now)
        let hash = try Self.hash(token)
        let record = try await database.write { database in
            try TokenTable(database: database).insert(request, hash: hash, by: author, at: now)
        }
        return NewToken(token: token, record: record)
    }

    private static func check(_ request: TokenRequest) throws(StoreError) {
        try checkTokenName(request.name)
        if let quota = request.quota, quota < 1 { throw .invalid("a token's quota must be at least 1 byte, found \(quota)") }
        guard !request.scopes.isEmpty else { throw .invalid("a token needs a scope", hint: "expected \(TokenScope.forms)") }
        if let length = request.expiresAfter, !tokenLifetimes.contains(length) {
            throw .invalid("a token must be valid for 1 minute to 10 years, found \(length.wholeSeconds) s")
        }
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
        try database.readList { try TokenTable(database: $0).all().map(\.record) }
    }

    /// The record of a token, which may be expired; nil if it is unknown or revoked.
    ///
    /// The duration does not reveal anything about the existing tokens.
    package func authenticate(_ presented: String) async throws(StoreError) -> TokenRecord? {
        guard presented.utf8.count <= Token.lengthLimit else { return nil }
        let hash = try Self.hash(presented)
        let rows = try database.read { try TokenTable(database: $0).all() }
        var found: TokenRecord?
        for row in rows where Token.areEqual(row.hash, hash) { found = row.record }
        guard let found, found.revokedAt == nil else { return nil }
        if !found.isExpired(at: now) { await noteUse(of: found) }
        return found
    }

    /// Whether a token has reached its end.
    package func isExpired(_ record: TokenRecord) -> Bool { record.isExpired(at: now) }

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

extension TokenRecord {
    /// Refuses scopes that this token does not have itself.
    fileprivate func checkGrant(of others: [TokenScope]) throws(StoreError) {
        guard let more = others.first(where: { other in !scopes.contains { $0.includes(other) } }) else { return }
        throw StoreError(
            .notGranted, "the token \(name) can't make a token with the scope \(more), which it does not have itself",
            hint: "ask somebody whose token has it, or make it on the server's machine")
    }
}
#endif
