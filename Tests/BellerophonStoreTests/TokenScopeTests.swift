import BellerophonStore
import Foundation
import TestSupport
import Testing

@Suite struct TokenScopeTests {
    @Test(arguments: [
        "publish", "statuses", "statuses:notes", "statuses:notes/beta", "resources", "tokens", "read", "read:notes",
    ])
    func aScopeIsReadAndWritten(text: String) throws {
        let scope = try TokenScope(text)
        #expect(scope.description == text)
        #expect(try StoreJSON.value(TokenScope.self, from: StoreJSON.data(scope)) == scope)
    }

    @Test(arguments: [
        "", "admin", "Publish", "publish:notes", "resources:notes", "read:notes/beta", "statuses:", "statuses:a/",
        "statuses:a/b/c",
        "statuses:A", "statuses:a b", " read",
    ])
    func anotherTextIsNoScope(text: String) async throws {
        #expect(await storeError { _ = try TokenScope(text) }?.kind == .invalid)
    }

    @Test func aScopePermitsItsOwnAppsAndChannels() throws {
        let (notes, beta) = (try Scope(app: "notes"), try Scope(app: "notes", channel: "beta"))
        func allowed(_ text: String) throws -> [Bool] {
            let scope = try TokenScope(text)
            return [.main, notes, beta].map { scope.allows(.statuses($0)) } + [scope.allows(.resources), scope.allows(.tokens)]
        }
        #expect(try allowed("publish") == [true, true, true, true, false])
        #expect(try allowed("statuses") == [true, true, true, false, false])
        #expect(try allowed("statuses:notes") == [false, true, true, false, false])
        #expect(try allowed("statuses:notes/beta") == [false, false, true, false, false])
        #expect(try allowed("statuses:notes/main") == [false, true, false, false, false])
        #expect(try allowed("resources") == [false, false, false, true, false])
        #expect(try allowed("tokens") == [false, false, false, false, true])
        #expect(try allowed("read:notes") == [false, false, false, false, false])
    }

    @Test func severalScopesAreAListWithoutRepetition() throws {
        #expect(try TokenScope.list("statuses:a,resources,statuses:a").map(\.description) == ["statuses:a", "resources"])
    }

    @Test(arguments: [
        (#"{"name":"ci","scopes":"statuses:notes,read","quota":10,"expiresAfter":3600}"#, true),
        (#"{"name":"ci","scopes":"read"}"#, true),
        (#"{"name":"ci"}"#, false), (#"{"scopes":"read"}"#, false), (#"{"name":"ci","scopes":["read"]}"#, false),
        (#"{"name":"ci","scopes":"read","more":1}"#, false), (#"{"name":"ci","scopes":"read","expiresAfter":1e300}"#, false),
        (#"{"name":"ci","scopes":"read","expiresAfter":"1h"}"#, false), ("", false),
    ])
    func aRequestIsReadStrictly(json: String, isValid: Bool) async throws {
        let request = try? TokenRequest(json: Data(json.utf8))
        #expect((request != nil) == isValid)
        guard let request else { return }
        #expect(try TokenRequest(json: request.json) == request)
    }
}
