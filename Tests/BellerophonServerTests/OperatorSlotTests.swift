import Foundation
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// A kill can be published whatever other requests the server handles.
@Suite struct OperatorSlotTests {
    @Test func aRequestWithoutATokenIsRefusedAndItsConnectionStays() async throws {
        try await LiveServer.talk { client, _ in
            for _ in 1...2 {
                let refused = try client.answer(to: "/v1/journal", "Authorization: Basic abc")
                #expect(refused.code == 401)
                #expect(refused.field("WWW-Authenticate") == #"Bearer realm="bellerophon""#)
                #expect(refused.field("Connection") == nil)
            }
            #expect(try client.answer(to: "/alive").code == 200)
            let refused = try client.put("/status", #"{"action":"kill"}"#)
            #expect(refused.code == 401)
            #expect(refused.field("Connection") == "close", "the body was not read")
            guard case .closed = try client.readToEnd() else { throw TestError("a reset") }
        }
    }

    /// Every endpoint that needs no token. Whoever adds one decides here that everybody may use it.
    private static let open: Set = [
        "GET /alive", "GET /ready", "GET /metrics",
        "GET /status", "GET /v1/apps/:app/status", "GET /v1/apps/:app/channels/:channel/status",
        "GET /status.jws", "GET /v1/apps/:app/status.jws", "GET /v1/apps/:app/channels/:channel/status.jws",
        "GET /events", "GET /v1/apps/:app/events", "GET /v1/apps/:app/channels/:channel/events",
        "GET /events.jws", "GET /v1/apps/:app/events.jws", "GET /v1/apps/:app/channels/:channel/events.jws",
        "GET /GBCloudBoxResourcesMeta/:name", "GET /GBCloudBoxResourcesMeta.jws/:name",
        "GET /GBCloudBoxResourcesData/:name", "GET /GBCloudBoxResourcesData/:name/:version",
        "GET /console", "GET /console/console.js", "GET /console/console.css", "GET /console/icon.svg",
    ]

    @Test("Every endpoint refuses a request without a token, except for those that everybody may use")
    func requestsWithoutATokenAreRefused() async throws {
        try await LiveServer.run({ $0.hasConsole = true }) { live in
            let endpoints = live.server.loops[0].endpoints.all
            let answered = try await live.talk { _ in
                try endpoints.filter { endpoint in
                    let names = ["app": "default", "channel": "main", "name": "a", "version": "1", "id": "1"]
                    let path = endpoint.path.description.replacing(/:(\w+)/) { names[String($0.1)] ?? "" }
                    let client = try WireClient(port: live.port)
                    try client.send("\(endpoint.method.rawValue) \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
                    return try !client.readHead().hasPrefix("HTTP/1.1 401 ")
                }
            }
            #expect(Set(answered.map { "\($0.method.rawValue) \($0.path)" }) == Self.open)
        }
    }

    @Test func slowUploadsKeepNobodyFromPublishing() async throws {
        try await LiveServer.talk { client, token, live in
            // From here the server has accepted the token.
            #expect(try client.put("/status", #"{"action":"restore"}"#, token: token).code == 201)
            let uploads = try (1...64).map { number in
                let upload = try WireClient(port: live.port)
                try upload.begin("/v1/resources/r\(number)", 1_000_000, token: token, WireClient.waiting)
                return upload
            }
            let heads = try uploads.map { try $0.readHead().prefix(13) }
            #expect(heads.filter { $0 == "HTTP/1.1 100 " }.count == 8, "a quarter of the places is the share of one token")
            #expect(heads.filter { $0 == "HTTP/1.1 429 " }.count == 56)
            for _ in 1...5 { #expect(try client.put("/status", #"{"action":"kill"}"#, token: token).code == 201) }
            #expect(try client.answer(to: "/v1/journal", "Authorization: Bearer \(token)").code == 200)
            withExtendedLifetime(uploads) {}
        }
    }

    /// The journal is being read, and more readers wait than the server has threads for them.
    @Test func readersOfTheJournalKeepNobodyFromPublishing() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            var made: [String] = []
            for name in ["a", "b"] {
                let request = TokenRequest(name: name, scopes: [try TokenScope("read")])
                made.append(try await live.store.createToken(request, by: "test").token)
            }
            let readers = made
            await live.server.refresh()
            let (isReading, mayEnd) = (Watched(false), DispatchSemaphore(value: 0))
            let reading = Task {
                try await onOwnThread {
                    try live.store.database.readList { _ in
                        isReading.update { $0 = true }
                        mayEnd.wait()
                    }
                }
            }
            _ = try await isReading.wait(for: "reader") { $0 ? true : nil }
            do {
                defer { mayEnd.signal() }
                try await live.talk { client in
                    let waiting = try (0..<16).map { number in
                        let reader = try WireClient(port: live.port)
                        try reader.get("/v1/journal?since=1", "Authorization: Bearer \(readers[number % 2])")
                        return reader
                    }
                    for message in ["one", "two"] {
                        let kill = try client.put("/status", #"{"action":"kill","message":"\#(message)"}"#, token: token)
                        #expect(kill.code == 201)
                        #expect(try client.answer(to: "/status").body.contains(message))
                    }
                    #expect(waiting.allSatisfy { !$0.hasInput })
                    mayEnd.signal()
                    for reader in waiting { #expect(try reader.answer().code == 200) }
                }
            }
            try await reading.value
        }
    }

    @Test func oneAddressHasOnlyItsShareOfTheDownloads() async throws {
        try await LiveServer.run({
            $0.limits.downloadsPerAddress = 1; $0.limits.exemptsLoopback = false
        }) { live in
            let token = try await live.token()
            try await live.store.put("large", String(repeating: "x", count: 24_000_000))
            try await live.talk { client in
                #expect(try client.put("/status", #"{"action":"restore"}"#, token: token).code == 201)
                var stalled: WireClient? = try WireClient(port: live.port)
                try stalled?.get("/GBCloudBoxResourcesData/large/1")
                #expect(try stalled?.readHead().hasPrefix("HTTP/1.1 200 OK\r\n") == true)
                let refused = try client.answer(to: "/GBCloudBoxResourcesData/large/1", "Range: bytes=0-0")
                #expect(refused.code == 429)
                #expect(refused.field("Retry-After") == "5")
                stalled = nil
                // The server notices the end a moment later.
                let released = try client.answer(to: "/GBCloudBoxResourcesData/large/1", "Range: bytes=0-0") { $0.code != 429 }
                #expect(released.code == 206)
            }
        }
    }
}
