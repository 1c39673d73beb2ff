import BellerophonStore
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// Reading over a socket.
@Suite struct ReadingTests {
    @Test func conditionsAndHead() async throws {
        try await LiveServer.talk { client, _ in
            let whole = try client.answer(to: "/status")
            let tag = try #require(whole.field("ETag"))
            #expect(whole.code == 200)
            #expect(whole.body == #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#)
            for condition in ["\"x\", W/\(tag)", "*", tag] {
                let unchanged = try client.answer(to: "/status?cache=no", "If-None-Match: \(condition)")
                #expect(unchanged.code == 304)
                #expect(unchanged.field("ETag") == tag)
            }
            #expect(try client.answer(to: "/status", "If-None-Match: \"x\"").body == whole.body)
            for path in ["/status", "/alive", "/metrics", "/v1/apps/none/status"] {
                try client.send("HEAD \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
                let head = try client.answer(isHead: true)
                #expect(head.code == (path.contains("none") ? 404 : 200))
                #expect(head.field("Content-Length") != nil)
            }
            #expect(!client.hasInput)
        }
    }

    /// A proxy's clients send them (RFC 9112, section 3.2.2): the target's host takes precedence.
    @Test func anAbsoluteTargetIsAnsweredAsItsPathIs() async throws {
        try await LiveServer.talk { client, token, _ in
            let bytes = String(repeating: "0123456789abcdef", count: 8192)
            #expect(try client.put("http://status.example.com/v1/resources/big", bytes, token: token).code == 201)
            try client.get("HTTPS://status.example.com:8443/GBCloudBoxResourcesMeta/big?x=1")
            #expect(
                try client.answer().body.contains(#""url":"http://status.example.com:8443/GBCloudBoxResourcesData/big/1""#))
            #expect(try client.put("http://test/status?dryRun=true", #"{"action":"kill"}"#, token: token).code == 200)
            try client.send("GET http://test/alive HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{}")
            #expect(try client.answer().body == "777", "a body that nobody asked for is read over")
            try client.get("http://test/events")
            #expect(try client.readHead().contains("Content-Type: text/event-stream"))
        }
    }

    @Test(arguments: [
        ("http://a/status?x", "a", "/status?x"), ("HTTP://a:80", "a:80", "/"), ("https://[::1]:8?x=/", "[::1]:8", "/?x=/"),
    ])
    func anAbsoluteTargetIsTakenApart(text: String, host: String, path: String) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: text).inOriginForm
        #expect(head.headers["Host"] == [host])
        #expect(head.uri == path)
    }

    @Test(arguments: ["/status", "http:///status", "http:/a/status", "ftp://a/status", "*", "", "a:80"])
    func noOtherTargetIsAbsolute(text: String) {
        #expect(HTTPRequestHead(version: .http1_1, method: .GET, uri: text).inOriginForm.uri == text)
    }

    @Test func aConnectionEndsWhereTheClientAsksForIt() async throws {
        try await LiveServer.run { live in
            for request in [
                "GET /alive HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n", "GET /alive HTTP/1.0\r\n\r\n",
                "GET /metrics HTTP/1.0\r\n\r\n",
            ] {
                let end = try await live.talk { client in
                    try client.send(request)
                    return try client.readToEnd()
                }
                guard case .closed(let text) = end else { Issue.record("reset"); continue }
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(text.contains("\r\nConnection: close\r\n"))
            }
            try await live.talk { client in
                for _ in 1...2 {
                    try client.send("GET /alive HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(try client.answer().field("Connection") == "keep-alive")
                }
            }
        }
    }

    @Test func wrongMethodsAndPaths() async throws {
        try await LiveServer.talk { _, live in
            for (line, code, allow) in [
                ("DELETE /status", 405, "GET, HEAD, PUT"), ("POST /alive", 405, "GET, HEAD"), ("POST /ready", 405, "GET, HEAD"),
                ("DELETE /v1/journal", 405, "GET, HEAD"), ("PUT /events", 405, "GET, HEAD"),
                ("PUT /v1/resources/a/rollback", 405, "POST"), ("GET /v1/resources/a", 405, "PUT, DELETE"),
                ("BREW /status", 400, nil),
                ("GET /nothing", 404, nil), ("GET /v1/apps/none/status", 404, nil), ("GET /v1/apps/none/events", 404, nil),
                ("GET /status/", 404, nil), ("GET //status", 404, nil), ("PUT /status/", 404, nil), ("DELETE /status/", 404, nil),
                ("GET /v1/apps/default//status", 404, nil), ("GET /events/", 404, nil), ("GET /v1/journal/", 404, nil),
                ("GET /", 404, nil),
                ("GET http://test", 404, nil), ("DELETE http://test/status", 405, "GET, HEAD, PUT"), ("OPTIONS *", 404, nil),
                ("GET /GBCloudBoxResourcesMeta/none", 404, nil), ("GET /GBCloudBoxResourcesData/none", 404, nil),
                ("GET /GBCloudBoxResourcesData/..%2f..%2fetc", 404, nil),
            ] as [(String, Int, String?)] {
                let client = try WireClient(port: live.port)
                try client.send("\(line) HTTP/1.1\r\nHost: test\r\n\r\n")
                let answer = try client.answer()
                #expect(answer.code == code && answer.field("Allow") == allow, "\(line): \(answer)")
                // The members of RFC 9457, and a hint.
                #expect(answer.field("Content-Type") == "application/problem+json" && answer.problem != nil)
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
                let fields = try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
                #expect(fields.keys.sorted() == ["detail", "hint", "status", "title", "type"])
                #expect(fields["status"] as? Int == code)
            }
        }
    }

    @Test func partsOfAResource() async throws {
        try await LiveServer.run { live in
            let tag = "\"\(try await live.store.put("digits", "0123456789").sha256 ?? "")\""
            await live.server.refresh()
            try await live.talk { client in
                let path = "/GBCloudBoxResourcesData/digits/1"
                let whole = try client.answer(to: path)
                #expect(whole.body == "0123456789")
                #expect(whole.field("ETag") == tag)
                #expect(whole.field("Resource-Version") == "1")
                #expect(whole.field("X-Content-Type-Options") == "nosniff")
                #expect(whole.field("Cache-Control") == "public, max-age=31536000, immutable")
                #expect(try client.answer(to: path, "If-None-Match: \(tag)").code == 304)
                let tail = try client.answer(to: path, "Range: bytes=-3")
                #expect(tail.code == 206)
                #expect(tail.body == "789")
                #expect(tail.field("Content-Range") == "bytes 7-9/10")
                let beyond = try client.answer(to: path, "Range: bytes=10-")
                #expect(beyond.code == 416)
                #expect(beyond.field("Content-Range") == "bytes */10")
                #expect(try client.answer(to: path, "Range: bytes=1-1", "If-Range: \"other\"").body == "0123456789")
                try client.send("HEAD /GBCloudBoxResourcesData/digits HTTP/1.1\r\nHost: test\r\nRange: bytes=0-0\r\n\r\n")
                let head = try client.answer(isHead: true)
                #expect(head.code == 200)
                #expect(head.field("Content-Length") == "10")
                #expect(!client.hasInput)
            }
        }
    }
}
