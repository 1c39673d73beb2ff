import BellerophonStore
import Foundation
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

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
        try await LiveServer.talk { client, _ in
            let paths = ["/alive", "/nothing", "/status", "/metrics", "/alive", "/v1/journal", "/status"]
            try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined())
            let answers = try paths.map { _ in try client.answer() }
            #expect(answers.map(\.code) == [200, 404, 200, 200, 200, 401, 200])
            #expect(answers[0].body == "777")
            #expect(answers[2].body == answers[6].body)
            #expect(answers[3].body.hasPrefix("# HELP bellerophon_requests_total"))
            #expect(answers[4].body == "777")
        }
    }

    @Test func anUnusualRequestGetsTheSameAnswer() async throws {
        try await LiveServer.talk { client, _ in
            let usual = try client.answer(to: "/status")
            try client.send("GET /status HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{}")
            #expect(try client.answer().body == usual.body)
            try client.send(
                "GET http://test/status?x=1 HTTP/1.1\r\nHost: test\r\nIf-None-Match: \(usual.field("ETag") ?? "")\r\n\r\n")
            #expect(try client.answer().code == 304)
            try client.send("GET http://test/alive HTTP/1.1\r\nHost: test\r\n\r\n")
            #expect(try client.answer().body == "777")
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
            try client.get("http://test/events")
            #expect(try client.readHead().contains("Content-Type: text/event-stream"))
        }
    }

    @Test(arguments: [
        ("http://a/status?x", "a", "/status?x"), ("HTTP://a:80", "a:80", "/"), ("https://[::1]:8?x=/", "[::1]:8", "/?x=/"),
    ])
    func anAbsoluteTargetIsTakenApart(text: String, host: String, path: String) throws {
        let target = try #require(AbsoluteTarget(text))
        #expect(target.host == host)
        #expect(target.path == path)
    }

    @Test(arguments: ["/status", "http:///status", "http:/a/status", "ftp://a/status", "*", "", "a:80"])
    func noOtherTargetIsAbsolute(text: String) {
        #expect(AbsoluteTarget(text) == nil)
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

    @Test(
        arguments: [
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
        ] as [(String, Int, String?)])
    func wrongMethodsAndPaths(line: String, code: Int, allow: String?) async throws {
        try await LiveServer.run { live in
            let answer = try await live.talk { client in
                try client.send("\(line) HTTP/1.1\r\nHost: test\r\n\r\n")
                return try client.answer()
            }
            #expect(answer.code == code)
            #expect(answer.field("Allow") == allow)
            // The members of RFC 9457, and a hint.
            #expect(answer.field("Content-Type") == "application/problem+json" && answer.problem != nil)
            #expect(answer.field("X-Content-Type-Options") == "nosniff")
            let fields = try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
            #expect(fields.keys.sorted() == ["detail", "hint", "status", "title", "type"])
            #expect(fields["status"] as? Int == code)
        }
    }

    @Test func partsOfAResource() async throws {
        try await LiveServer.run { live in
            let file = URL(fileURLWithPath: try live.folder.write("0123456789", to: "digits"))
            let put = try await live.store.putResource("digits", file: file, by: "test")
            let tag = "\"\(put.resource.sha256 ?? "")\""
            // The server sees a resource of another process at its next poll.
            try await eventually("the resource") {
                try await live.talk { try $0.answer(to: "/GBCloudBoxResourcesMeta/digits") }.code == 200 ? true : nil
            }
            try await live.talk { client in
                func get(_ fields: String...) throws -> WireAnswer {
                    let lines = ["GET /GBCloudBoxResourcesData/digits/1 HTTP/1.1", "Host: test"] + fields
                    try client.send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
                    return try client.answer()
                }
                let whole = try get()
                #expect(whole.body == "0123456789")
                #expect(whole.field("ETag") == tag)
                #expect(whole.field("Resource-Version") == "1")
                #expect(whole.field("X-Content-Type-Options") == "nosniff")
                #expect(whole.field("Cache-Control") == "public, max-age=31536000, immutable")
                #expect(try get("If-None-Match: \(tag)").code == 304)
                let tail = try get("Range: bytes=-3")
                #expect(tail.code == 206)
                #expect(tail.body == "789")
                #expect(tail.field("Content-Range") == "bytes 7-9/10")
                let beyond = try get("Range: bytes=10-")
                #expect(beyond.code == 416)
                #expect(beyond.field("Content-Range") == "bytes */10")
                #expect(try get("Range: bytes=1-1", "If-Range: \"other\"").body == "0123456789")
                #expect(try get("Range: bytes=1-1", "If-Range: \(tag)").body == "1")
                #expect(try get("Range: bytes=0-1,-1").body == "0123456789", "one of several parts is ignored")
                try client.send("HEAD /GBCloudBoxResourcesData/digits HTTP/1.1\r\nHost: test\r\nRange: bytes=0-0\r\n\r\n")
                let head = try client.answer(isHead: true)
                #expect(head.code == 200)
                #expect(head.field("Content-Length") == "10")
                #expect(!client.hasInput)
            }
        }
    }
}
