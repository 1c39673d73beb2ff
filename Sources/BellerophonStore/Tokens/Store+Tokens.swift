import Digests
import Foundation
import GRDB
import Synchronization

extension Store {
    /// The times after which a token may end by itself.
    package static let tokenLifetimes = Duration.seconds(60)...Duration.seconds(3660 * 86_400)

    /// Creates a token. It is returned only here; the store keeps its SHA-256.
    ///
    /// A token that another one creates can't allow more than that one, and has its limits: it ends with it at the latest, and
    /// shares its quota. It also may not publish what takes two persons: who may do that is decided on the store's machine.
    package func createToken(_ request: TokenRequest, by author: Author) async throws(StoreError) -> NewToken {
        try Self.validate(request)
        let (token, now) = (Self.makeToken(), now)
        guard let hash = Self.tokenHash(token) else { throw StoreError(.failed, "this system offers no SHA-256") }
        let record = try await database.write { [self] database in
            let grantor = try checkedToken(of: author, for: .tokens, in: database)
            let request = try grantor?.limited(request, at: now) ?? request
            try ApprovalRule.stored(in: database).validate(request, isGranted: grantor != nil)
            return try TokenTable(database: database).insert(
                request, hash: hash, until: request.end(at: now) ?? grantor?.expiresAt, by: author, at: now)
        }
        return NewToken(token: token, record: record)
    }

    /// `blp_` and 32 random bytes as base64url.
    private static func makeToken() -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        return "blp_"
            + Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func validate(_ request: TokenRequest) throws(StoreError) {
        try StoreText.checkName(request.name, of: "a token")
        if let person = request.person { try StoreText.checkName(person, of: "a person") }
        if let quota = request.quota, quota < 1 { throw .invalid("a token's quota must be at least 1 byte, found \(quota)") }
        guard !request.scopes.isEmpty else { throw .invalid("a token needs a scope", hint: "expected \(TokenScope.forms)") }
        if let length = request.expiresAfter, !tokenLifetimes.contains(length) {
            throw .invalid("a token must be valid for 1 minute to 10 years, found \(length.components.seconds) s")
        }
    }

    /// Revokes a token permanently.
    package func revokeToken(
        name: String, by author: Author, reason: String? = nil
    ) async throws(StoreError) -> TokenRecord {
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        let now = now
        return try await database.write { [self] database in
            _ = try checkedToken(of: author, for: .tokens, in: database)
            return try TokenTable(database: database).revoke(name, by: author, reason: StoreText.singleLine(reason), at: now)
        }
    }

    /// All tokens, including revoked ones, by name.
    package func tokens() throws(StoreError) -> [TokenRecord] {
        try database.readList { try TokenTable(database: $0).rows("ORDER BY name").map(\.record) }
    }

    /// The record of a token, which may be expired; nil if it is unknown or revoked.
    ///
    /// It is found by its hash. How long that takes reveals nothing of other tokens, since nobody can choose a hash.
    package func authenticate(_ presented: String) throws(StoreError) -> TokenRecord? {
        guard let hash = Self.tokenHash(presented),
            let found = try database.read({ try TokenTable(database: $0).rows("WHERE hash = ?", [hash]) }).first?.record,
            found.revokedAt == nil
        else {
            return nil
        }
        if !found.isExpired(at: now) { recordUse(of: found) }
        return found
    }

    /// The token with which a change is made, as it is within the change. Who may make a change is decided here: the request began
    /// earlier, and its token may have been revoked, or may have ended, since it was authenticated.
    /// - Parameter needed: the scope that the change takes, as far as it is known before the store is read.
    /// - Returns: nil for an author without a token: a login on the store's machine, or the server on its own.
    /// - Throws: ``StoreError`` of kind `unknownToken`, `expiredToken` or `forbidden`.
    func checkedToken(
        of author: Author, for needed: TokenScope, in database: Database
    ) throws -> TokenRecord? {
        guard author.kind == .token else { return nil }
        guard let token = try TokenTable(database: database).record(author.name), token.revokedAt == nil else {
            throw StoreError(.unknownToken, "the token \(author.name) is not known, or was revoked; nothing was changed")
        }
        guard !isExpired(token) else {
            throw StoreError(.expiredToken, "the token \(author.name) has expired; nothing was changed")
        }
        try token.require(needed)
        return token
    }

    /// Whether a token has reached its end.
    package func isExpired(_ record: TokenRecord) -> Bool { record.isExpired(at: now) }

    /// Records a token's last use, to the minute, in the background: no request waits for the disk for it, and none fails if it can't be
    /// written.
    private func recordUse(of record: TokenRecord) {
        let now = now
        if let last = record.lastUsedAt, abs(now.timeIntervalSince(last)) < 60 { return }
        guard usedTokens.withLock({ $0.insert(record.name).inserted }) else { return }
        Task { [self] in
            try? await database.writeHere { try TokenTable(database: $0).recordUse(of: record.name, at: now) }
            _ = usedTokens.withLock { $0.remove(record.name) }
        }
    }

    /// The SHA-256 of a token in hexadecimal, as stored; nil without SHA-256, and for a text longer than any token.
    package static func tokenHash(_ presented: String) -> String? {
        presented.utf8.count <= 256 ? Digest(.sha256, of: Data(presented.utf8))?.hex : nil
    }
}

extension TokenRecord {
    /// - Throws: ``StoreError`` of kind `forbidden` if the token does not permit an action.
    func require(_ needed: TokenScope, hint: String? = nil) throws(StoreError) {
        guard !allows(needed) else { return }
        var error = StoreError(.forbidden, "the token \(name) does not permit this; nothing was changed", hint: hint)
        error.neededScope = needed
        throw error
    }

    /// The request for a token that is made with this one, with the limits that it inherits.
    /// - Throws: ``StoreError`` of kind `notGranted` if this token can't make it.
    fileprivate func limited(_ request: TokenRequest, at now: Date) throws(StoreError) -> TokenRequest {
        if let more = request.scopes.first(where: { other in !scopes.contains { $0.includes(other) } }) {
            throw refusal("a token with the scope \(more)", "it does not have it itself")
        }
        var request = request
        if let expiresAt, let end = request.end(at: now), end > expiresAt {
            throw refusal(
                "a token that ends after \(StoreJSON.text(of: expiresAt))", "it ends then itself",
                hint: "without --expires the new token ends then too")
        }
        if let quota {
            if let asked = request.quota, asked > quota {
                throw refusal(
                    "a token with a quota of more than \(quota) bytes", "this is its own quota",
                    hint: "without --quota the new token has the same; both together may have that much")
            }
            request.quota = request.quota ?? quota
        }
        return request
    }

    private func refusal(
        _ what: String, _ why: String, hint: String = "ask somebody whose token has it, or make it on the server's machine"
    ) -> StoreError {
        StoreError(.notGranted, "the token \(name) can't make \(what): \(why)", hint: hint)
    }
}
