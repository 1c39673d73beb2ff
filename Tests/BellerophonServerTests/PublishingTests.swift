import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// Publishing over HTTP.
@Suite struct PublishingTests {
    private static let kill = #"{"action":"kill","message":"Back soon.","retryInterval":15,"reason":"drill"}"#

    @Test func aPublishIsReadAsSoonAsItIsAcknowledged() async throws {
        try await LiveServer.talk { client, token, live in
            let reader = try WireClient(port: live.port)
            for round in 1...5 {
                let message = "round \(round)"
                let answer = try client.put("/status", #"{"action":"kill","message":"\#(message)"}"#, token: token)
                #expect(answer.code == 201)
                let entry = try StoreJSON.value(JournalEntry.self, from: Data(answer.body.utf8))
                #expect(entry.action == "kill")
                #expect(entry.who == "test-publish")
                #expect(try reader.answer(to: "/status").body == entry.document)
            }
            let restored = try client.put(
                "/v1/apps/shop/channels/beta/status?new=true", #"{"action":"restore"}"#, token: token)
            #expect(restored.code == 201)
            #expect(try reader.answer(to: "/v1/apps/shop/channels/beta/status").body.contains(#""apiInactive":false"#))
        }
    }

    @Test func aDryRunChangesNothing() async throws {
        try await LiveServer.talk { client, token, live in
            let shown = try client.put("/status?dryRun=true", Self.kill, token: token)
            #expect(shown.code == 200)
            #expect(shown.body == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back soon."}"#)
            #expect(try client.answer(to: "/status").body.contains(#""apiInactive":false"#))
            // A misspelt parameter must not publish.
            let typo = try client.put("/status?dry-run=true", Self.kill, token: token)
            #expect(typo.code == 400 && typo.problem == .invalidRequest)
            #expect(try client.put("/status?dryRun=yes", Self.kill, token: token).code == 400)
            #expect(try live.store.journal().filter { $0.action == "kill" }.isEmpty)
        }
    }

    @Test("An unknown or repeated query field is refused, and nothing is changed")
    func unknownQueryFieldIsRefused() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            for text in ["one", "two"] { try await live.store.put("help.txt", text) }
            let rows = try live.store.journal().map(\.id)
            for (method, target, body) in [
                ("PUT", "/status?dryrun=true", Self.kill), ("PUT", "/status?dryRun=true&dryRun=true", Self.kill),
                ("PUT", "/v1/apps/notes/status?new=true&dryrun=true", Self.kill),
                ("PUT", "/v1/resources/help.txt?dryrun=true", "three"),
                ("POST", "/v1/resources/help.txt/rollback?dryrun=true", ""),
                ("DELETE", "/v1/resources/help.txt?version=1&dryrun=true", ""),
                ("DELETE", "/v1/resources?keep=1&dryrun=true", ""),
            ] {
                try await live.talk { client in
                    let answer = try client.put(target, body, token: token, method: method)
                    #expect(answer.code == 400 && answer.problem == .invalidRequest, "\(method) \(target): \(answer.body)")
                    #expect(answer.body.lowercased().contains("dryrun"), "\(method) \(target): \(answer.body)")
                }
            }
            #expect(try live.store.journal().map(\.id) == rows)
        }
    }

    @Test func onlyATokenThatMayPublishPublishes() async throws {
        try await LiveServer.talk(scopes: [.read]) { client, reading, live throws in
            #expect(try client.put("/status", Self.kill, token: reading).code == 403)
            #expect(try client.put("/v1/resources/a", "bytes", token: reading).code == 403)
            #expect(try client.put("/v1/resources/a/rollback", "", token: reading, method: "POST").code == 403)
            #expect(try client.answer(to: "/v1/journal", "Authorization: bearer \(reading)").code == 200)
            #expect(try client.answer(to: "/v1/journal", "Authorization: Basic \(reading)").code == 401)
            #expect(try live.store.journal().filter { $0.action == "kill" }.isEmpty)
        }
    }

    @Test func aWrongBodyIsRefusedWithWhatIsWrong() async throws {
        try await LiveServer.talk { client, token, _ in
            let wrong = try client.put("/status", #"{"action":"kill","mesage":"x"}"#, token: token)
            #expect(wrong.code == 400 && wrong.body.contains("mesage"), "\(wrong.body)")
            #expect(try client.put("/status", "", token: token).code == 400)
            #expect(try client.put("/v1/apps/-bad/status?new=true", #"{"action":"kill"}"#, token: token).code == 400)
        }
    }

    @Test func resourcesArePutListedAndRolledBack() async throws {
        try await LiveServer.talk { client, token, _ in
            #expect(try client.put("/v1/resources/help.txt?reason=first", "one", token: token).code == 201)
            let again = try client.put("/v1/resources/help.txt", "one", token: token)
            #expect(again.code == 200)
            #expect(try client.put("/v1/resources/help.txt?version=7", "two", token: token).code == 201)
            let wrong = try client.put(
                "/v1/resources/help.txt?md5=\(String(repeating: "0", count: 32))", "three", token: token)
            #expect(wrong.code == 422)
            #expect(try client.put("/v1/resources/help.txt?version=7", "four", token: token).code == 409)
            #expect(try client.put("/v1/resources/help.txt?version=x", "four", token: token).code == 400)
            #expect(try client.put("/v1/resources/help.txt?dryRun=true", "five", token: token).code == 200)
            #expect(try client.answer(to: "/GBCloudBoxResourcesData/help.txt").body == "two")
            let doubled = try client.put(
                "/v1/resources/help.txt/rollback", #"{"version":1,"version":7}"#, token: token, method: "POST")
            #expect(doubled.code == 400)
            #expect(doubled.body.contains(#"the field \"version\" is given twice"#))
            let back = try client.put("/v1/resources/help.txt/rollback", #"{"version":1}"#, token: token, method: "POST")
            #expect(back.code == 201, "\(back.body)")
            #expect(try client.answer(to: "/GBCloudBoxResourcesMeta/help.txt").body.contains(#""v":8"#))
            #expect(try client.answer(to: "/GBCloudBoxResourcesData/help.txt").body == "one")
            let versions = try StoreJSON.value(
                [ResourceVersion].self,
                from: Data(try client.answer(to: "/v1/resources?name=help.txt", "Authorization: Bearer \(token)").body.utf8))
            #expect(versions.map(\.version) == [8, 7, 1])
        }
    }

    @Test func anExternalResourcePointsElsewhere() async throws {
        try await LiveServer.talk { client, token, _ in
            let put = try client.put(
                "/v1/resources/film", #"{"v":3,"url":"https://cdn.example.com/film"}"#, token: token,
                "Content-Type: application/vnd.bellerophon.external+json"
            )
            #expect(put.code == 201, "\(put.body)")
            #expect(
                try client.answer(to: "/GBCloudBoxResourcesMeta/film").body.contains(#""url":"https://cdn.example.com/film""#))
            let data = try client.answer(to: "/GBCloudBoxResourcesData/film")
            #expect(data.code == 302)
            #expect(data.field("Location") == "https://cdn.example.com/film")
        }
    }

    @Test("The server sends 100 Continue only for an authorized request")
    func continueIsSentWhenAuthorized() async throws {
        try await LiveServer.talk { client, token, live in
            try client.begin("/status", 20, WireClient.waiting)
            #expect(try client.answer().code == 401)
            guard case .closed = try client.readToEnd() else { throw TestError("a reset") }
            let allowed = try WireClient(port: live.port)
            try allowed.begin("/status", 20, token: token, WireClient.waiting)
            #expect(try allowed.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
            try allowed.send(#"{"action":"restore"}"#)
            #expect(try allowed.answer().code == 201)
        }
    }

    @Test func chunkedBodiesAreRead() async throws {
        try await LiveServer.talk { client, token, _ in
            try client.send(
                "PUT /status HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer \(token)\r\n\r\n")
            try client.send("9\r\n{\"action\"\r\nb\r\n:\"restore\"}\r\n0\r\n\r\n")
            #expect(try client.answer().code == 201)
            #expect(try client.answer(to: "/alive").body == "777")
        }
    }

    @Test("A store whose database file was replaced refuses writes but can still be read")
    func replacedStoreRefusesWrites() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let file = live.store.folder.appendingPathComponent("store.sqlite")
            let aside = live.folder.url.appendingPathComponent("aside.sqlite")
            try await live.talk { client in
                #expect(try client.put("/status", #"{"action":"kill","message":"one"}"#, token: token).code == 201)
                try FileManager.default.moveItem(at: file, to: aside)
                for _ in 1...2 {
                    let refused = try client.put("/status", #"{"action":"restore"}"#, token: token)
                    #expect(refused.code == 503)
                    #expect(refused.problem == .storeUnavailable)
                    #expect(try client.put("/v1/resources/a", "bytes", token: token).code == 503)
                    #expect(try client.answer(to: "/status").body.contains(#""userMessage":"one""#))
                    // A different file under that name is refused too.
                    try Data("other".utf8).write(to: file)
                }
                try FileManager.default.removeItem(at: file)
                try FileManager.default.moveItem(at: aside, to: file)
                #expect(try client.put("/status", #"{"action":"restore"}"#, token: token).code == 201)
            }
        }
    }

    @Test("An invalid upload is refused before its body is sent")
    func invalidUploadIsRefusedEarly() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            try await live.store.put("a", "bytes", version: 2)
            for (target, code) in [("a?version=1", 409), ("a?version=2&dryRun=true", 409), ("a?version=0", 400), (".a", 400)] {
                try await live.talk { client in
                    try client.begin("/v1/resources/\(target)", 1_000_000, token: token, WireClient.waiting)
                    #expect(try client.answer().code == code, "\(target)")
                }
            }
        }
    }
}
