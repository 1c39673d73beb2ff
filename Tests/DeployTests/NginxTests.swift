import Bellerophon
import BellerophonTrust
import Foundation
import TestSupport
import Testing

/// The nginx configuration of `deploy/` in front of the real server.
@Suite(.enabled(if: Nginx.isThere, "\(Nginx.advice)"))
struct NginxTests {
    /// Cached copies live for one second, and nginx counts whole seconds.
    private let cacheTime = Duration.seconds(10)

    @Test func `a kill outlives its server, and a restore shows once that is back`() async throws {
        let deployment = try await Deployment()
        try deployment.publish(#"{"action":"kill","message":"Back soon.","retryInterval":15}"#)
        let killed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back soon."}"#
        #expect(try deployment.ask("GET", "/status").text == killed)

        try await deployment.killOrigin()
        try await eventually("copy of age", within: cacheTime) {
            let reply = try deployment.ask("GET", "/status")
            #expect(reply.status == 200)
            #expect(reply.text == killed)
            return reply.header("X-Cache-Status") == "STALE" ? () : nil
        }
        let missing = try deployment.ask("GET", "/GBCloudBoxResourcesMeta/never-asked")
        #expect(missing.status == 503)
        #expect(missing.header("Retry-After") == "5")

        try await deployment.startOrigin()
        try deployment.publish(#"{"action":"restore"}"#)
        try await eventually("restored status", within: cacheTime) {
            let reply = try deployment.ask("GET", "/status")
            #expect(reply.status == 200)
            return reply.text.contains(#""apiInactive":false"#) ? () : nil
        }
    }

    @Test func `a signed kill outlives its server, whoever hands it out`() async throws {
        let deployment = try await Deployment()
        let trusted = try deployment.trusted()
        try deployment.publish(#"{"action":"kill","message":"Back soon.","retryInterval":15}"#)
        try deployment.publish("text", to: "/v1/resources/help.txt", type: "application/octet-stream")
        let reply = try deployment.ask("GET", "/v1/apps/default/status.jws")
        #expect(reply.header("Content-Type") == "application/jose")
        let status = try trusted.verify(status: Data(reply.body), at: Date())
        #expect(String(decoding: status.document, as: UTF8.self).hasPrefix(#"{"apiInactive":true"#))
        let manifest = try deployment.ask("GET", "/GBCloudBoxResourcesMeta.jws/help.txt")
        #expect(throws: Never.self) { try trusted.verify(manifest: Data(manifest.body), of: "help.txt", at: Date()) }

        try await deployment.killOrigin()
        for (path, body) in [
            ("/v1/apps/default/status.jws", reply.body), ("/GBCloudBoxResourcesMeta.jws/help.txt", manifest.body),
        ] {
            let copy = try deployment.ask("GET", path)
            #expect(copy.status == 200)
            #expect(copy.body == body)
        }
    }

    @Test func `many polls are one request for the server`() async throws {
        let deployment = try await Deployment()
        let first = try deployment.ask("GET", "/status")
        let tag = try #require(first.header("ETag"))
        var misses = 0
        for number in 0..<200 {
            let reply = try deployment.ask("GET", "/status?around=\(number)", "If-None-Match: \(tag)")
            #expect(reply.status == 304)
            #expect(reply.body.isEmpty)
            if reply.header("X-Cache-Status") != "HIT" { misses += 1 }
        }
        // One per elapsed second; a slow machine may need many seconds for 200 requests.
        #expect(misses < 50)
        #expect(try deployment.ask("HEAD", "/status").header("Content-Length") == "\(first.body.count)")
    }

    @Test(arguments: ["/events", "/events.jws"])
    func `an event passes as it comes`(path: String) async throws {
        let deployment = try await Deployment()
        let trusted = try deployment.trusted()
        let stream = try WireClient(port: deployment.port)
        try stream.send("GET \(path) HTTP/1.1\r\nHost: \(DeployFolder.host)\r\n\r\n")
        let head = try stream.readHead()
        #expect(head.contains("200 OK"))
        #expect(head.contains("text/event-stream"))
        try deployment.publish(#"{"action":"kill","message":"through nginx","retryInterval":15}"#)
        var text = ""
        try await eventually("event") {
            while stream.hasInput { text += try stream.read(1) }
            let data = text.components(separatedBy: "\n\n").dropLast().last?.components(separatedBy: "data: ").last ?? ""
            let signed = try? trusted.verify(status: Data(data.utf8), at: Date()).document
            let document = signed.map { String(decoding: $0, as: UTF8.self) } ?? data
            return document.contains(#""userMessage":"through nginx""#) ? () : nil
        }
        #expect(text.hasPrefix("retry: ") || text.contains("\nretry: "))
    }

    @Test(arguments: [
        ("PUT", "/status"), ("PUT", "/status.jws"), ("POST", "/status"), ("DELETE", "/v1/apps/default/status"),
        ("PUT", "/GBCloudBoxResourcesData/help.txt"), ("POST", "/events"),
    ])
    func `nothing is published through nginx`(_ method: String, _ path: String) async throws {
        let deployment = try await Deployment()
        let before = try deployment.ask("GET", "/status", at: deployment.originPort).text
        let reply = try deployment.ask(
            method, path, deployment.authorization, "Content-Type: application/json",
            body: #"{"action":"kill","message":"no"}"#)
        #expect(reply.status == 403)
        #expect(reply.text.contains("publish on the server itself"))
        #expect(try deployment.ask("GET", "/status", at: deployment.originPort).text == before)
    }

    @Test func `what only an operator needs is not there`() async throws {
        let deployment = try await Deployment()
        for path in ["/metrics", "/v1/journal", "/v1/resources", "/", "/v1/apps/%2e%2e/status", "/status/", "//status"] {
            #expect(try deployment.ask("GET", path, deployment.authorization).status == 404, "\(path)")
        }
        #expect(try deployment.ask("PUT", "/v1/resources/x", deployment.authorization, body: "x").status == 404)
        #expect(try deployment.ask("GET", "/alive").text == "777")
    }

    /// A `$` at the end of a regular expression would also match before a newline.
    @Test func `a path with a newline at its end is another one`() async throws {
        let deployment = try await Deployment()
        try deployment.publish("words", to: "/v1/resources/help.txt", type: "application/octet-stream")
        for path in [
            "/status", "/v1/apps/default/status.jws", "/events", "/GBCloudBoxResourcesMeta/help.txt",
            "/GBCloudBoxResourcesData/help.txt/1",
        ] {
            let reply = try deployment.ask("GET", path + "%0a")
            #expect(reply.status == 404, "\(path)")
            #expect(reply.header("X-Cache-Status") == nil, "the server was not asked: \(path)")
        }
    }

    @Test func `a resource comes whole and in parts, cached and not`() async throws {
        let deployment = try await Deployment()
        let text = String(repeating: "0123456789abcdef", count: 300_000)
        try deployment.publish(text, to: "/v1/resources/book.txt", type: "application/octet-stream")
        let whole = "/GBCloudBoxResourcesData/book.txt/1"
        for expected in ["MISS", "HIT"] {
            let reply = try deployment.ask("GET", whole)
            #expect(reply.status == 200)
            #expect(reply.text == text)
            #expect(reply.header("X-Cache-Status") == expected)
            let end = try deployment.ask("GET", whole, "Range: bytes=-20")
            #expect(end.status == 206)
            #expect(end.text == "cdef0123456789abcdef")
            #expect(end.header("Content-Range") == "bytes 4799980-4799999/4800000")
        }
        #expect(try deployment.ask("GET", whole, "Range: bytes=4800000-").status == 416)
        try await deployment.killOrigin()
        #expect(try deployment.ask("GET", whole).text == text)
    }

    /// The host name in one client's request must not become the address that other clients receive.
    @Test(arguments: ["", DeployFolder.address])
    func `a name that is not ours poisons no manifest`(publicURL: String) async throws {
        let deployment = try await Deployment(publicURL: publicURL)
        try deployment.publish("words", to: "/v1/resources/help.txt", type: "application/octet-stream")
        let path = "/GBCloudBoxResourcesMeta/help.txt"
        let hostile = try deployment.ask("GET", path, host: "evil.example")
        #expect(hostile.status == 421)
        #expect(hostile.header("Content-Type") == "application/problem+json")
        #expect(!hostile.text.contains("evil.example"))
        #expect(try deployment.ask("GET", "http://evil.example" + path).status == 421)
        let reply = try deployment.ask("GET", path)
        #expect(reply.status == 200)
        #expect(reply.text.contains(#"://status.example.com/GBCloudBoxResourcesData/help.txt/1""#), "\(reply)")
        let isShared = reply.header("Cache-Control")?.hasPrefix("public, ") == true
        #expect(isShared == !publicURL.isEmpty, "\(reply)")
    }

    @Test func `an empty resource is one too`() async throws {
        let deployment = try await Deployment()
        try deployment.publish("", to: "/v1/resources/empty", type: "application/octet-stream")
        for path in ["/GBCloudBoxResourcesData/empty", "/GBCloudBoxResourcesData/empty/1"] {
            let reply = try deployment.ask("GET", path)
            #expect(reply.status == 200)
            #expect(reply.body.isEmpty)
        }
    }
}
