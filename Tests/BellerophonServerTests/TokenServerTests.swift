import BellerophonServer
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// What tokens allow over HTTP, and how they are managed there.
@Suite("Tokens over HTTP")
struct TokenServerTests {
    private static let kill = #"{"action":"kill"}"#

    private static func get(_ client: WireClient, _ path: String, _ token: String) throws -> WireAnswer {
        try client.answer(to: path, "Authorization: Bearer \(token)")
    }

    @Test func aTokenOfOneAppPublishesAndReadsForItAlone() async throws {
        try await LiveServer.run { live in
            _ = try await live.store.publish(Publication(action: .kill), by: "ada")
            let token = try await live.token([try TokenScope("statuses:notes")])
            let resources = try await live.token([.resources])
            try await live.talk { client in
                #expect(try client.put("/v1/resources/help", "x", token: resources).code == 201)
                #expect(try client.put("/status", Self.kill, token: resources).code == 403)
                #expect(try client.put("/v1/apps/notes/status?new=true", Self.kill, token: token).code == 201)
                #expect(try client.put("/v1/apps/notes/channels/beta/status", Self.kill, token: token).code == 404)
                #expect(
                    try client.put("/v1/apps/notes/channels/beta/status?new=true", Self.kill, token: token).code == 201)
                let other = try client.put("/status", Self.kill, token: token)
                #expect(other.code == 403 && other.problem == .forbidden)
                #expect(other.field("WWW-Authenticate")?.contains(#"scope="statuses:default/main""#) == true)
                #expect(try client.put("/v1/resources/help", "x", token: token).code == 403)
                #expect(try client.put("/v1/resources?keep=1", "", token: token, method: "DELETE").code == 403)
                #expect(try Self.get(client, "/v1/tokens", token).code == 403)
                let rows = try StoreJSON.value(
                    [JournalEntry].self, from: Data(try Self.get(client, "/v1/journal", token).body.utf8))
                #expect(rows.map(\.app) == ["notes", "notes"], "the rows of other apps are theirs")
                #expect(try Self.get(client, "/v1/journal?app=default", token).body == "[]")
                let scopes = try StoreJSON.value([Scope].self, from: Data(try Self.get(client, "/v1/statuses", token).body.utf8))
                #expect(Set(scopes.map(\.app)) == ["notes"])
            }
        }
    }

    @Test(
        "A revoked token publishes nothing, also with a body that arrives after the acknowledged revocation",
        arguments: [
            ("PUT", "/status", "{\"action\":\"kill\"}"), ("PUT", "/v1/resources/help", "bytes of a resource"),
            ("POST", "/v1/tokens", "{\"name\":\"more\",\"scopes\":\"read\"}"),
        ])
    func lateBodyOfRevokedToken(method: String, path: String, body: String) async throws {
        try await LiveServer.run { live in
            let lost = try await live.token([.publish, .tokens])
            let admin = try await live.token([.tokens])
            try await live.talk { client in
                try client.begin(path, body.utf8.count, token: lost, method: method, WireClient.waiting)
                // The token was looked at before that.
                #expect(try client.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
                let other = try WireClient(port: live.port)
                #expect(try other.put("/v1/tokens/test-publish-tokens", "", token: admin, method: "DELETE").code == 200)
                try client.send(body)
                let answer = try client.answer()
                #expect(answer.code == 401 && answer.problem == .unknownToken, "\(answer.body)")
                #expect(answer.field("WWW-Authenticate")?.contains("invalid_token") == true)
                try other.get("/metrics")
                #expect(
                    try other.answer().body.contains("bellerophon_authentication_failures_total{reason=\"unknown\"} 1\n"))
            }
            #expect(try live.store.journal().map(\.action) == ["token-revoke", "token-create", "token-create"])
        }
    }

    @Test func tokensAreMadeListedAndRevokedByCommands() async throws {
        try await LiveServer.run { live in
            let admin = try await live.token([.tokens, try TokenScope("statuses:notes")])
            let more = try await live.command(["token", "create", "--name", "more", "--scope", "publish"], token: admin)
            #expect(more.status == .exited(77) && more.standardError.contains("the scope publish"), "\(more)")

            let made = try await live.command(
                [
                    "token", "create", "--name", "ci", "--scope", "statuses:notes/beta", "--scope", "read:notes", "--expires",
                    "90d",
                ],
                token: admin)
            #expect(made.status == .exited(0), "\(made)")
            #expect(made.standardError.contains("token ci (statuses:notes/beta,read:notes, until 20"))
            let token = made.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
            let kill = ["kill", "--app", "notes", "--channel", "beta", "--new", "--yes"]
            #expect(try await live.command(kill, token: token).status == .exited(0))

            let list = try await live.command(["token", "list", "--json"], token: admin)
            let records = try StoreJSON.value([TokenRecord].self, from: Data(list.standardOutput.utf8))
            #expect(try records == live.store.tokens())
            #expect(try await live.command(["token", "list"], token: token).status == .exited(77))

            let revoked = try await live.command(["token", "revoke", "ci", "--reason", "left the team"], token: admin)
            #expect(revoked.standardOutput == "token ci is revoked\n", "\(revoked)")
            #expect(try await live.command(kill, token: token).status == .exited(77))
            let row = try #require(try live.store.journal().first)
            #expect(row.action == "token-revoke" && row.who.hasPrefix("test-tokens") && row.reason == "left the team")
        }
    }

    @Test("A new token belongs to its person and cannot exceed the limits of its creator")
    func tokenInheritsMakersLimits() async throws {
        try await LiveServer.run({ $0.approval.apps = ["default"] }) { live in
            let request = TokenRequest(
                name: "maker", person: "ada", scopes: [.tokens, .resources], quota: 1000, expiresAfter: .seconds(60))
            let maker = try await live.store.createToken(request, by: "root")
            try await live.talk { client throws in
                func make(_ body: String) throws -> WireAnswer {
                    try client.put("/v1/tokens", body, token: maker.token, method: "POST")
                }
                let made = try make(#"{"name":"ci","person":"build","scopes":"resources"}"#)
                #expect(made.code == 201, "\(made.body)")
                let record = try StoreJSON.value(NewToken.self, from: Data(made.body.utf8)).record
                #expect(record.person == "build" && record.createdBy == "maker")
                #expect(record.quota == 1000 && record.expiresAt == maker.record.expiresAt)
                let longer = try make(#"{"name":"long","scopes":"read","expiresAfter":3600}"#)
                #expect(longer.code == 403 && longer.problem == .notGranted, "\(longer.body)")
                #expect(try make(#"{"name":"ci-2","person":"A B","scopes":"read"}"#).code == 400)
            }
            let one = try await runServerCommand(
                [
                    "token", "create", "--name", "x", "--person", "eve", "--scope", "publish", "--json", "--store",
                    live.store.folder.path,
                ])
            #expect(one.standardOutput.contains(#""person":"eve""#), "\(one)")
        }
    }

    @Test func anExpiredTokenIsToldSo() async throws {
        let folder = try TestFolder()
        let place = folder.url.appendingPathComponent("store")
        let earlier = try Store(folder: place, creates: true, clock: .still { Date().addingTimeInterval(-7200) })
        let request = TokenRequest(name: "ci", scopes: [.publish], expiresAfter: .seconds(3600))
        let token = try await earlier.createToken(request, by: "ada").token
        let store = try Store(folder: place)
        try await LiveServer.run(store: store) { live in
            try await live.talk { client in
                let answer = try client.put("/status", Self.kill, token: token)
                #expect(answer.code == 401 && answer.problem == .expiredToken)
            }
        }
    }
}
