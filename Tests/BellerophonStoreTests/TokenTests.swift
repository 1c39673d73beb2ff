#if Server
import BellerophonStore
import Foundation
import TestSupport
import Testing

@Suite("Tokens of a store", .onEveryEngine, .timeLimit(.minutes(10)))
struct TokenTests {
    @Test func aTokenIsGivenOutOnceAndNeverKept() async throws {
        let test = try StoreUnderTest()
        let (token, record) = try await test.store.createToken(name: "ci", scopes: [.publish], by: "ada")
        #expect(token.wholeMatch(of: /blp_[A-Za-z0-9_-]{43}/) != nil)
        #expect(record.name == "ci" && record.createdBy == "ada" && record.createdAt == test.clock.now)
        #expect(try await test.reopened().authenticate(token)?.name == "ci")
        for name in try FileManager.default.contentsOfDirectory(atPath: test.store.folder.path)
        where name.hasPrefix("store.sqlite") {
            let bytes = try Data(contentsOf: test.store.folder.appendingPathComponent(name))
            #expect(bytes.range(of: Data(token.utf8)) == nil)
        }
        let other = try await test.store.createToken(name: "other", scopes: [.read], by: "ada").token
        #expect(other != token)
    }

    @Test func scopesSayWhatATokenMay() async throws {
        let test = try StoreUnderTest()
        let publish = try await test.store.createToken(name: "p", scopes: [.publish], by: "ada").record
        let read = try await test.store.createToken(name: "r", scopes: [.read], by: "ada").record
        #expect(publish.allows(.publish) && publish.allows(.read))
        #expect(!read.allows(.publish) && read.allows(.read))
        #expect(await storeError { try await test.store.createToken(name: "n", scopes: [], by: "ada") }?.kind == .invalid)
    }

    @Test func whatIsNoTokenOpensNothing() async throws {
        let test = try StoreUnderTest()
        let token = try await test.store.createToken(name: "ci", scopes: [.publish], by: "ada").token
        for wrong in [
            "", "blp_", String(token.dropLast()), token + "A", token.uppercased(), String(repeating: "x", count: 100_000),
        ] {
            #expect(try await test.store.authenticate(wrong) == nil)
        }
    }

    @Test func aRevokedTokenOpensNothingAndItsNameStaysTaken() async throws {
        let test = try StoreUnderTest()
        let token = try await test.store.createToken(name: "ci", scopes: [.publish], by: "ada").token
        let revoked = try await test.store.revokeToken(name: "ci", by: "ada", reason: "leaked")
        #expect(revoked.revokedAt == test.clock.now)
        #expect(!revoked.allows(.read))
        #expect(try await test.store.authenticate(token) == nil)
        let error = await storeError { try await test.store.createToken(name: "ci", scopes: [.read], by: "ada") }
        #expect(error?.message == "there is a token named ci already, a revoked one")
        #expect(try test.store.journal().map(\.action) == ["token-revoke", "token-create"])
        #expect(await storeError { try await test.store.revokeToken(name: "x", by: "ada") }?.kind == .notFound)
        #expect(await storeError { try await test.store.createToken(name: "a b", scopes: [.read], by: "ada") }?.kind == .invalid)
    }

    @Test func aTokenSaysWhenItWasUsedLast() async throws {
        let test = try StoreUnderTest()
        let token = try await test.store.createToken(name: "ci", scopes: [.read], by: "ada").token
        #expect(try test.store.tokens().first?.lastUsedAt == nil)
        _ = try await test.store.authenticate(token)
        let first = test.clock.now
        #expect(try test.store.tokens().first?.lastUsedAt == first)
        test.clock.advance(by: 30)
        _ = try await test.store.authenticate(token)
        #expect(try test.store.tokens().first?.lastUsedAt == first)
        test.clock.advance(by: 31)
        _ = try await test.store.authenticate(token)
        #expect(try test.store.tokens().first?.lastUsedAt == test.clock.now)
    }
}
#endif
