import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The server's limits for clients with too many requests.
@Suite struct LimitTests {
    @Test("An invalid or oversized request is refused and its connection is closed")
    func invalidRequestIsRefused() async throws {
        try await LiveServer.run { live in
            for (text, code) in [
                ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
                ("PUT /status HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
                ("PUT /status HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
                ("PUT /status HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
                ("GET /" + String(repeating: "a", count: 40_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431),
                ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n", 431),
                ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: 200) + "\r\n", 431),
            ] {
                try await live.talk { client in
                    try client.send(text)
                    let answer = try client.answer()
                    #expect(answer.code == code, "\(text.prefix(60)): \(answer.head)")
                    #expect(answer.field("Connection") == "close")
                    guard case .closed = try client.readToEnd() else { throw TestError("a reset in place of an end") }
                }
            }
        }
    }

    @Test("A request that is not complete in time gets HTTP 408", arguments: [false, true])
    func slowRequestIsEnded(hasBody: Bool) async throws {
        try await LiveServer.talk({
            if hasBody { $0.limits.bodyTime = .milliseconds(200) } else { $0.limits.headerTime = .milliseconds(200) }
        }) { client, token, _ in
            if hasBody { try client.begin("/status", 10_000, token: token) } else { try client.send("GET /status HTTP/1.1\r\n") }
            #expect(try client.answer().code == 408)
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

    @Test func aLargeResourceGoesInAndOutInOrder() async throws {
        try await LiveServer.talk { client, token, _ in
            let text = (0..<400_000).map { String($0 + 1_000_000_000) }.joined()
            #expect(try client.put("/v1/resources/big", text, token: token).code == 201)
            try client.get("/GBCloudBoxResourcesData/big", "Connection: close")
            #expect(try client.readHead().contains("Content-Length: \(text.utf8.count)\r\n"))
            #expect(try client.readBytesToEnd() == Array(text.utf8))
        }
    }

    @Test("An upload over the size limit is refused while it is received")
    func oversizedUploadIsRefused() async throws {
        try await LiveServer.talk({ $0.limits.resourceSize = 1000 }) { client, token, live in
            try client.send(
                "PUT /v1/resources/big HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer \(token)\r\n\r\n"
            )
            try client.send("7d0\r\n" + String(repeating: "a", count: 2000) + "\r\n")
            #expect(try client.answer().code == 413)
            #expect(try live.store.resources().isEmpty)
        }
    }
}
