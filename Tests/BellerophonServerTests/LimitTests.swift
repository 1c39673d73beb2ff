import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The server's limits for clients with too many requests.
@Suite struct LimitTests {
    private static func refusal(_ live: LiveServer, _ text: String) async throws -> WireAnswer {
        try await live.talk { client in
            try client.send(text)
            let answer = try client.answer()
            guard case .closed = try client.readToEnd() else { throw TestError("a reset in place of an end") }
            return answer
        }
    }

    @Test(
        "An invalid or oversized request is refused and its connection is closed",
        arguments: [
            ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("PUT /status HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("PUT /status HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
            ("PUT /status HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
            ("PUT /status HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: magic\r\n\r\n{}", 417),
            ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET /" + String(repeating: "a", count: 40_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: 200) + "\r\n", 431),
        ])
    func invalidRequestIsRefused(text: String, code: Int) async throws {
        try await LiveServer.run { live in
            let answer = try await Self.refusal(live, text)
            #expect(answer.code == code, "\(text.prefix(60)): \(answer.head)")
            #expect(answer.field("Connection") == "close")
        }
    }

    /// Sends a piece again and again until the server replies.
    private static func drip(_ piece: String, _ client: WireClient) throws -> WireAnswer {
        let deadline = ContinuousClock.now + patience
        while !client.hasInput, ContinuousClock.now < deadline {
            try client.send(piece)
            usleep(20_000)
        }
        return try client.answer()
    }

    @Test func aHeaderThatDripsIsEndedInTime() async throws {
        try await LiveServer.run({ $0.limits.headerTime = .milliseconds(200) }) { live in
            let answer = try await live.talk { client in
                try client.send("GET /status HTTP/1.1\r\n")
                return try Self.drip("X: a\r\n", client)
            }
            #expect(answer.code == 408)
        }
    }

    @Test func aBodyThatDripsIsEndedInTime() async throws {
        try await LiveServer.run({ $0.limits.bodyTime = .milliseconds(200) }) { live in
            let token = try await live.token()
            let answer = try await live.talk { client in
                try client.begin("/status", 10_000, token: token)
                return try Self.drip(" ", client)
            }
            #expect(answer.code == 408)
        }
    }

    @Test func aConnectionWithoutARequestIsClosed() async throws {
        try await LiveServer.run({ $0.limits.idleTime = .milliseconds(200) }) { live in
            let ends = try await live.talk { client in
                let fresh = try client.readToEnd()
                let used = try WireClient(port: live.port)
                _ = try used.answer(to: "/alive")
                return [fresh, try used.readToEnd()]
            }
            #expect(ends == [.closed(""), .closed("")])
        }
    }

    @Test func beyondTheLimitAConnectionIsToldToComeBack() async throws {
        try await LiveServer.talk({
            $0.limits.connections = 2; $0.limits.streams = 2
        }) { first, live in
            _ = try first.answer(to: "/alive")
            let second = try WireClient(port: live.port)
            try second.get("/events")
            _ = try second.readHead()
            let third = try WireClient(port: live.port)
            let answer = try third.answer(to: "/status")
            #expect(answer.code == 503)
            #expect(answer.field("Retry-After") == "5")
            guard case .closed = try third.readToEnd() else { throw TestError("a reset") }
            // An accepted connection continues.
            #expect(try first.answer(to: "/status").code == 200)
        }
    }

    @Test("A request over the concurrency limit gets HTTP 503 while status reads continue")
    func excessRequestIsShed() async throws {
        try await LiveServer.talk({ $0.limits.concurrentRequests = 1 }) { busy, token, live in
            let other = try WireClient(port: live.port)
            // From here the server has accepted the token.
            #expect(try other.put("/status", #"{"action":"restore"}"#, token: token).code == 201)
            try busy.begin("/status", 20, token: token, WireClient.waiting)
            #expect(try busy.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
            let shed = try other.put("/status", #"{"action":"kill"}"#, token: token)
            #expect(shed.code == 503)
            #expect(shed.field("Retry-After") == "1")
            #expect(shed.field("Connection") == "close", "the body was not read")
            let third = try WireClient(port: live.port)
            #expect(try third.answer(to: "/status").body.contains(#""apiInactive":false"#))
            try busy.send(#"{"action":"restore"}"#)
            #expect(try busy.answer().code == 201)
            // The place is free again after the response.
            #expect(try third.put("/status", #"{"action":"kill"}"#, token: token).code == 201)
            #expect(try third.answer(to: "/metrics").body.contains("bellerophon_shed_total 1\n"))
        }
    }

    @Test("Stalled downloads use up only their own limit and do not block publishing")
    func stalledDownloadsSparePublishing() async throws {
        try await LiveServer.run({ $0.limits.concurrentRequests = 2 }) { live in
            let token = try await live.token()
            let file = live.folder.url.appendingPathComponent("large")
            try Data(count: 24_000_000).write(to: file)
            _ = try await live.store.putResource("large", file: file, by: "test")
            try await live.talk { client in
                let stalled = try (1...2).map { _ in try WireClient(port: live.port) }
                for reader in stalled {
                    try reader.get("/GBCloudBoxResourcesData/large/1")
                    #expect(try reader.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
                }
                #expect(
                    try client.answer(to: "/GBCloudBoxResourcesData/large/1").code == 503,
                    "the downloads have a limit of their own")
                #expect(try client.put("/status", #"{"action":"kill"}"#, token: token).code == 201)
                #expect(try client.answer(to: "/v1/journal", "Authorization: Bearer \(token)").code == 200)
                #expect(try client.answer(to: "/metrics").body.contains("bellerophon_active_requests 3\n"))
                withExtendedLifetime(stalled) {}
            }
        }
    }

    @Test func aLargeResourceGoesInAndOutInOrder() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let size = 12_000_000
            try await live.talk { client in
                let block = String(repeating: "0123456789abcdef", count: 4096)
                try client.begin("/v1/resources/big", size, token: token)
                var left = size
                while left > 0 {
                    let part = min(left, block.utf8.count)
                    try client.send(part == block.utf8.count ? block : String(block.prefix(part)))
                    left -= part
                }
                let put = try client.answer()
                #expect(put.code == 201, "\(put.body)")
                let resource = try StoreJSON.value(ResourceVersion.self, from: Data(put.body.utf8))
                #expect(resource.size == Int64(size))
                #expect(
                    try client.answer(to: "/GBCloudBoxResourcesData/big", "Range: bytes=8000000-8000015").body
                        == "0123456789abcdef")
                try client.get("/GBCloudBoxResourcesData/big", "Connection: close")
                let head = try client.readHead()
                #expect(head.contains("Content-Length: \(size)\r\n"))
                #expect(try client.readBytesToEnd().count == size)
            }
        }
    }

    @Test("An upload over the size limit is refused while it is received")
    func oversizedUploadIsRefused() async throws {
        try await LiveServer.run({ $0.limits.resourceSize = 1000 }) { live in
            let token = try await live.token()
            try await live.talk { client in
                try client.send(
                    "PUT /v1/resources/big HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer \(token)\r\n\r\n"
                )
                try client.send("7d0\r\n" + String(repeating: "a", count: 2000) + "\r\n")
                #expect(try client.answer().code == 413)
            }
            #expect(try live.store.resources().isEmpty)
        }
    }
}
