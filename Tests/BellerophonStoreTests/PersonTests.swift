import BellerophonStore
import Foundation
import TestSupport
import Testing

/// Who counts as one person where two are needed.
@Suite("Persons", .onEveryEngine)
struct PersonTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }
    private let rule = ApprovalRule(apps: ["*"])

    init() async throws {
        test = try await StoreUnderTest()
    }

    @discardableResult
    private func token(
        _ name: String, _ scopes: String = "publish", person: String? = nil, by maker: String? = nil
    ) async throws -> TokenRecord {
        let request = TokenRequest(name: name, person: person, scopes: try TokenScope.list(scopes))
        return try await store.createToken(request, by: maker.map { .token($0) } ?? "root").record
    }

    /// Whether one token can approve what another one proposes, both ways.
    private func areTwo(_ one: Author, _ other: Author) async throws -> Bool {
        var results: Set<Bool> = []
        for (proposer, approver) in [(one, other), (other, one)] {
            let proposal = try await store.propose(Publication(action: .kill), by: proposer)
            let error = await storeError { try await store.approve(proposal.id, by: approver) }
            #expect(error == nil || error?.kind == .needsApproval, "\(error?.message ?? "")")
            if error != nil { _ = try await store.reject(proposal.id, by: proposer) }
            results.insert(error == nil)
        }
        #expect(results.count == 1, "\(one.name) and \(other.name) must be told apart in both directions, or in none")
        return results == [true]
    }

    /// Tokens that were made before there was a rule of two persons.
    @Test("A token and the tokens created with it count as one person")
    func createdTokensAreOnePerson() async throws {
        try await token("ada", "publish,tokens")
        try await token("bob")
        try await token("child", "publish,tokens", by: "ada")
        try await token("sibling", person: "carol", by: "ada")
        try await token("grandchild", person: "bob-2", by: "child")
        try await store.tightenApprovalRule(to: rule)
        let family: [Author] = ["ada", "child", "sibling", "grandchild"].map { .token($0) }
        for (index, one) in family.enumerated() {
            for other in family[(index + 1)...] { #expect(try await !areTwo(one, other), "\(one.name) and \(other.name)") }
            #expect(try await areTwo(one, .token("bob")), "\(one.name)")
        }
        // A revoked token still connects those that were made with it.
        for name in ["ada", "child"] { _ = try await store.revokeToken(name: name, by: "root") }
        #expect(try await !areTwo(.token("sibling"), .token("grandchild")))
        #expect(try test.reopened().verifyChain().problem == nil)
    }

    @Test func aPersonCountsOnceWhateverTokensTheyHave() async throws {
        try await store.tightenApprovalRule(to: rule)
        #expect(try await token("ada-desk", person: "ada").person == "ada")
        try await token("ada-phone", person: "ada")
        #expect(try await token("bob").person == "bob")
        #expect(try await !areTwo(.token("ada-desk"), .token("ada-phone")))
        #expect(try await areTwo(.token("ada-desk"), .token("bob")))
        // A login on the machine is a person too.
        #expect(try await !areTwo(.token("ada-phone"), "ada"))
        #expect(try await areTwo(.token("ada-phone"), "eve"))
        let reasons = try store.journal().filter { $0.action == "token-create" }.map(\.reason)
        #expect(reasons == ["scope publish", "scope publish, for ada", "scope publish, for ada"])
        #expect(await storeError { try await token("x", person: "Ada Lovelace") }?.kind == .invalid)
        let other = try test.reopened()
        try other.catchUp()
        #expect(try other.tokens() == store.tokens())
    }

    @Test func aNameOfAnotherPersonHidesNobody() async throws {
        try await token("ada", "publish,tokens")
        try await token("bob")
        try await token("eve", person: "bob", by: "ada")
        // What it proposes is not counted as what the other person has proposed.
        for _ in 0..<Store.openProposalLimit { _ = try await store.propose(Publication(action: .kill), by: .token("eve")) }
        #expect(await storeError { try await store.propose(Publication(action: .kill), by: .token("ada")) }?.kind == .conflict)
        for id in try store.proposals().map(\.id) { _ = try await store.reject(id, by: .token("bob")) }
        try await store.tightenApprovalRule(to: rule)
        // It counts as whom it names, and as its maker.
        #expect(try await !areTwo(.token("eve"), .token("ada")))
        #expect(try await !areTwo(.token("eve"), .token("bob")))
    }

    @Test("A token cannot both publish under the approval rule and create tokens")
    func publishTokenMakesNoTokens() async throws {
        try await token("old", "publish,tokens")
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["notes"]))
        #expect(try store.tokensBeyondRule() == ["old"])
        for scopes in ["publish,tokens", "tokens,statuses", "statuses:notes,tokens", "tokens,statuses:notes/main"] {
            let error = await storeError { try await token("new", scopes) }
            #expect(error?.kind == .invalid && error?.hint?.contains("two tokens of the same --person") == true, "\(scopes)")
        }
        // Over the network nobody makes a token that takes part.
        for scopes in ["publish", "statuses", "statuses:notes"] {
            let error = await storeError { try await token("new", scopes, by: "old") }
            #expect(error?.kind == .notGranted && error?.hint?.contains("on the server's machine") == true, "\(scopes)")
        }
        for scopes in ["tokens,statuses:notes/beta", "tokens,statuses:other", "tokens,resources"] {
            try await token("n-\(UUID().uuidString.lowercased())", scopes, by: "old")
        }
        try await token("ada")
        try await token("ada-tokens", "tokens", person: "ada")
        _ = try await store.revokeToken(name: "old", by: "root")
        #expect(try store.tokensBeyondRule() == [])
    }

    // MARK: What a token gives on

    @Test func aTokenHasTheLimitsOfTheOneThatMadeIt() async throws {
        let request = TokenRequest(
            name: "parent", scopes: [.resources, .tokens], quota: 1000, expiresAfter: .seconds(60))
        let parent = try await store.createToken(request, by: "root").record
        func child(_ name: String, quota: Int64? = nil, seconds: Int? = nil) async throws -> TokenRecord {
            let request = TokenRequest(
                name: name, scopes: [.resources], quota: quota, expiresAfter: seconds.map { .seconds($0) })
            return try await store.createToken(request, by: .token("parent")).record
        }
        let inherited = try await child("inherited")
        #expect(inherited.expiresAt == parent.expiresAt && inherited.quota == 1000 && inherited.createdBy == "parent")
        #expect(try await child("less", quota: 10, seconds: 60).quota == 10)
        test.clock.advance(by: 1)
        for (quota, seconds) in [(1001, nil), (nil, 60)] as [(Int64?, Int?)] {
            #expect(await storeError { try await child("more", quota: quota, seconds: seconds) }?.kind == .notGranted)
        }
        // What a token may have is for all that were made with it.
        func put(_ bytes: Int, _ token: String) async throws {
            try await store.put("a", token + String(repeating: "x", count: bytes - token.utf8.count), by: .token(token))
        }
        try await put(600, "inherited")
        let error = await storeError { try await put(600, "parent") }
        #expect(error?.message == "the token parent may have 1000 bytes of resources; it has 600, and 600 would be added")
        #expect(await storeError { try await put(11, "less") }?.message.hasPrefix("the token less may have 10") == true)
        _ = try await store.revokeToken(name: "parent", by: "root")
        #expect(await storeError { try await child("late") }?.kind == .unknownToken, "it was revoked since it asked")
    }
}
