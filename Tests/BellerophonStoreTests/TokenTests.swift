import BellerophonStore
import Foundation
import TestSupport
import Testing

@Suite("Tokens of a store", .onEveryEngine)
struct TokenTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    @Test func aTokenIsGivenOutOnceAndNeverKept() async throws {
        let created = try await test.store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada")
        let (token, record) = (created.token, created.record)
        #expect(token.wholeMatch(of: /blp_[A-Za-z0-9_-]{43}/) != nil)
        #expect(record.name == "ci" && record.createdBy == "ada" && record.createdAt == test.clock.now)
        #expect(try test.reopened().authenticate(token)?.name == "ci")
        for name in try FileManager.default.contentsOfDirectory(atPath: test.store.folder.path)
        where name.hasPrefix("store.sqlite") {
            let bytes = try Data(contentsOf: test.store.folder.appendingPathComponent(name))
            #expect(bytes.range(of: Data(token.utf8)) == nil)
        }
        let other = try await test.store.createToken(TokenRequest(name: "other", scopes: [.read]), by: "ada").token
        #expect(other != token)
    }

    @Test("A malformed token is refused")
    func malformedTokenIsRefused() async throws {
        let token = try await test.store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada").token
        for wrong in [
            "", "blp_", String(token.dropLast()), token + "A", token.uppercased(), String(repeating: "x", count: 100_000),
        ] {
            #expect(try test.store.authenticate(wrong) == nil)
        }
    }

    @Test("A revoked token is refused, and its name cannot be used again")
    func revokedTokenKeepsItsName() async throws {
        let token = try await test.store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada").token
        let revoked = try await test.store.revokeToken(name: "ci", by: "ada", reason: "leaked")
        #expect(revoked.revokedAt == test.clock.now)
        #expect(!revoked.allows(.read))
        #expect(try test.store.authenticate(token) == nil)
        let error = await storeError { try await test.store.createToken(TokenRequest(name: "ci", scopes: [.read]), by: "ada") }
        #expect(error?.message == "there is a token named ci already, a revoked one")
        #expect(try test.store.journal().map(\.action) == ["token-revoke", "token-create"])
        #expect(await storeError { try await test.store.revokeToken(name: "x", by: "ada") }?.kind == .notFound)
        for invalid in [TokenRequest(name: "a b", scopes: [.read]), TokenRequest(name: "n", scopes: [])] {
            #expect(await storeError { try await test.store.createToken(invalid, by: "ada") }?.kind == .invalid)
        }
    }

    @Test func aTokenSaysWhenItWasUsedLast() async throws {
        let token = try await test.store.createToken(TokenRequest(name: "ci", scopes: [.read]), by: "ada").token
        #expect(try test.store.tokens().first?.lastUsedAt == nil)
        // It is written in the background.
        func use(isSeenAt time: Date) async throws {
            try await eventually("last use") {
                _ = try test.store.authenticate(token)
                return try test.store.tokens().first?.lastUsedAt == time ? () : nil
            }
        }
        let first = test.clock.now
        try await use(isSeenAt: first)
        test.clock.advance(by: 30)
        _ = try test.store.authenticate(token)
        #expect(try test.store.tokens().first?.lastUsedAt == first)
        test.clock.advance(by: 31)
        try await use(isSeenAt: test.clock.now)
    }

    @Test func aTokenExpires() async throws {
        let request = TokenRequest(name: "ci", scopes: [.publish], expiresAfter: .seconds(3600))
        let created = try await test.store.createToken(request, by: "ada")
        #expect(created.record.expiresAt == test.clock.now.addingTimeInterval(3600))
        #expect(try test.store.journal().first?.reason?.contains("until 20") == true)
        #expect(!test.store.isExpired(created.record))
        test.clock.advance(by: 3600)
        let found = try #require(try test.reopened().authenticate(created.token))
        #expect(test.store.isExpired(found) && found.lastUsedAt == nil)
        for seconds in [59, 3661 * 86_400] {
            let wrong = TokenRequest(name: "other", scopes: [.read], expiresAfter: .seconds(seconds))
            #expect(await storeError { try await test.store.createToken(wrong, by: "ada") }?.kind == .invalid)
        }
    }

    @Test func aTokenGivesNoMoreThanItHas() async throws {
        func grantor(_ scopes: String) async throws -> TokenRecord {
            let name = scopes.replacing("/", with: "-").replacing(":", with: ".").replacing(",", with: "_")
            let request = TokenRequest(name: name, scopes: try TokenScope.list(scopes))
            return try await test.store.createToken(request, by: "ada").record
        }
        func grants(_ scopes: String, by grantor: TokenRecord) async throws -> Bool {
            let name = "made-\(UUID().uuidString.lowercased())"
            let request = TokenRequest(name: name, scopes: try TokenScope.list(scopes))
            let error = await storeError { try await test.store.createToken(request, by: .token(grantor.name)) }
            #expect(error == nil || error?.kind == .notGranted || error?.kind == .forbidden)
            return error == nil
        }
        let notes = try await grantor("tokens,statuses:notes")
        for same in ["statuses:notes", "statuses:notes/beta,read:notes", "tokens", "read"] {
            #expect(try await grants(same, by: notes), "\(same)")
        }
        for more in ["publish", "statuses", "statuses:other", "resources", "statuses:notes,resources"] {
            #expect(try await !grants(more, by: notes), "\(more)")
        }
        let all = try await grantor("tokens,publish")
        #expect(try await grants("publish,statuses:any/channel,resources,read:any,tokens", by: all))
        let beta = try await grantor("statuses:notes/beta")
        #expect(try await !grants("statuses:notes", by: beta))
        #expect(try await !grants("tokens", by: beta))
    }
}
