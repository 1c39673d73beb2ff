import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// Who may make a change is decided in its transaction, whatever was known of the token before.
@Suite("Changes with a token", .onEveryEngine)
struct TokenChangeTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }
    private let ci = Author.token("ci")

    init() async throws { test = try await StoreUnderTest() }

    private static let some = #"{"id":"old","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"}"#
    private static let all = #"{"id":"all","effect":"pause"}"#

    private func token(_ scopes: String, expiresAfter: Duration? = nil) async throws {
        let request = TokenRequest(name: "ci", scopes: try TokenScope.list(scopes), expiresAfter: expiresAfter)
        _ = try await store.createToken(request, by: "root")
    }

    private func rules(_ rules: String..., remove: [String] = []) -> Publication {
        Publication(scope: .main, rules: RulesEdit(put: rules, remove: remove, everyone: true))
    }

    /// Every kind of change that a request can make, by its name.
    private func changes() async throws -> [(name: String, make: () async throws -> Void)] {
        let proposal = try await store.propose(Publication(action: .kill), by: "ada").id
        for text in ["one", "two"] { try await store.put("help", text) }
        let (store, ci) = (store, ci)
        let external = ExternalResource(url: "https://example.com/map", version: 1)
        return [
            ("publish", { _ = try await store.publish(Publication(action: .kill), by: ci) }),
            (
                "break glass",
                { _ = try await store.publish(Publication(action: .kill, reason: "fire"), by: ci, breaksGlass: true) }
            ),
            ("rules", { _ = try await store.publish(rules(Self.some), by: ci) }),
            ("propose", { _ = try await store.propose(Publication(action: .kill), by: ci) }),
            ("propose a rule", { _ = try await store.proposeRule(RuleChange(to: ApprovalRule(apps: ["a"])), by: ci) }),
            ("approve", { _ = try await store.approve(proposal, by: ci) }),
            ("reject", { _ = try await store.reject(proposal, by: ci) }),
            ("create a token", { _ = try await store.createToken(TokenRequest(name: "more", scopes: [.read]), by: ci) }),
            ("revoke a token", { _ = try await store.revokeToken(name: "ci", by: ci) }),
            ("put", { try await store.put("help", "three", by: ci) }),
            ("put a link", { _ = try await store.putExternal("map", external, by: ci) }),
            ("roll back", { _ = try await store.rollback("help", by: ci) }),
            ("delete", { _ = try await store.deleteResource("help", by: ci) }),
            ("prune", { _ = try await store.pruneResources(keeping: 1, by: ci) }),
        ]
    }

    @Test("A revoked token changes nothing, also if another machine has revoked it a moment ago")
    func revokedToken() async throws {
        try await token("publish,tokens")
        let changes = try await changes()
        let other = try test.reopened()
        _ = try await other.revokeToken(name: "ci", by: "root")
        let journal = try other.journal()
        for change in changes {
            #expect(await storeError { try await change.make() }?.kind == .unknownToken, "\(change.name)")
        }
        try other.catchUp()
        #expect(try other.journal() == journal, "nothing was written")
    }

    @Test("A token that has reached its end, one that permits less, and one that is not known change nothing")
    func tokenWithoutPermission() async throws {
        let changes = try await changes()
        let journal = try store.journal()
        for change in changes {
            #expect(await storeError { try await change.make() }?.kind == .unknownToken, "\(change.name)")
        }
        #expect(try store.journal() == journal)
        try await token("read", expiresAfter: .seconds(60))
        for change in changes {
            let error = await storeError { try await change.make() }
            #expect(error?.kind == .forbidden && error?.neededScope != nil, "\(change.name)")
        }
        test.clock.advance(by: 60)
        for change in changes {
            #expect(await storeError { try await change.make() }?.kind == .expiredToken, "\(change.name)")
        }
        #expect(try store.journal().count == journal.count + 1)
    }

    @Test("A token for rules does not lift what stops everybody, which an operator has published a moment ago")
    func rulesForSome() async throws {
        try await token("rules:default")
        _ = try await store.publish(rules(Self.some), by: ci)
        let edits = [
            rules(remove: ["all"]), rules(Self.some, remove: ["all"]), rules(#"{"id":"all","effect":"notice","message":"x"}"#),
        ]
        _ = try await store.publish(rules(Self.all), by: "ada")
        for edit in edits {
            let error = await storeError { try await store.publish(edit, by: ci) }
            #expect(error?.kind == .forbidden && error?.neededScope == .statuses(.main), "\(String(describing: error))")
            #expect(await storeError { try await store.propose(edit, by: ci) }?.kind == .forbidden)
            #expect(await storeError { try store.preview(edit, by: ci) }?.kind == .forbidden)
        }
        #expect(try test.document()?.contains(#""mirrors":["all"]"#) == true)
        // What changes nothing for everybody is still permitted.
        _ = try await store.publish(rules(remove: ["old"]), by: ci)
        #expect(try store.newestRow(of: .main)?.plan?.rules == [Self.all])
    }

    @Test("A token for rules stops nobody else by a bound that no version reaches, until the version was named")
    func everybodyByAnotherName() async throws {
        try await token("rules:default")
        let below = rules(#"{"id":"b","effect":"pause","only":{"versions":[{"below":"1.4"}]}}"#)
        let error = await storeError { try await store.publish(below, by: ci) }
        #expect(error?.neededScope == .statuses(.main) && error?.hint?.contains("below a version that no change") == true)
        #expect(await storeError { try await store.publish(rules(Self.share("99.99%")), by: ci) }?.kind == .forbidden)
        _ = try await store.publish(Publication(action: .update, requiredVersion: "1.4"), by: "ada")
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        #expect(try await store.publish(below, by: ci).plan?.rules.count == 1)
        let higher = rules(#"{"id":"b","effect":"pause","only":{"versions":[{"below":"1.4.1"}]}}"#)
        #expect(await storeError { try await store.publish(higher, by: ci) }?.kind == .forbidden)
        // A channel has the versions of its app.
        let beta = try Scope(app: "default", channel: "beta")
        let again = TokenRequest(name: "beta", scopes: try TokenScope.list("rules:default/beta"))
        _ = try await store.createToken(again, by: "root")
        let edit = Publication(scope: beta, rules: RulesEdit(put: below.rules?.put ?? []))
        _ = try await store.publish(edit, by: .token("beta"))
    }

    private static func share(_ part: String) -> String { #"{"id":"s","effect":"pause","only":{"share":"\#(part)"}}"# }

    @Test("A version that a token has named itself prepares no rule of it: it takes two persons like a kill")
    func preparedVersion() async throws {
        try await token("statuses:default,rules:default")
        _ = try await store.publish(Publication(action: .update, requiredVersion: "999999"), by: ci)
        _ = try await store.publish(Publication(action: .restore), by: ci)
        _ = try await store.publish(Publication(action: .update, requiredVersion: "1.5"), by: "ada")
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["default"]))
        let below = rules(#"{"id":"b","effect":"pause","only":{"versions":[{"below":"999998"}]}}"#)
        #expect(await storeError { try await store.publish(below, by: ci) }?.kind == .needsApproval)
        _ = try await store.publish(rules(#"{"id":"b","effect":"pause","only":{"versions":[{"below":"1.5"}]}}"#), by: ci)
        // For another person it is a version that somebody has published.
        _ = try await store.publish(below, by: "ada")
    }

    @Test("A request of a token for rules that is sent again finds its row, whatever was published meanwhile")
    func repeatedRequest() async throws {
        try await token("rules:default")
        let key = try RequestKey("one")
        let row = try await store.publish(rules(Self.some), by: ci, request: key)
        _ = try await store.publish(rules(Self.all), by: "ada")
        #expect(try await store.publish(rules(Self.some), by: ci, request: key) == row)
    }
}
