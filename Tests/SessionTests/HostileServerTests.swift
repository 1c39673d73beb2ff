import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of the ``HostileServer`` with a client that reads raw bytes.
@Suite struct HostileServerTests {
    @Test func answersOnAConnectionThatStaysOpen() async throws {
        let server = try HostileServer(.status(#"{"a":1}"#))
        let client = try WireClient(port: server.port)
        for number in 1...3 {
            try client.get("/status?n=\(number)")
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}"
            #expect(try client.read(answer.utf8.count) == answer)
        }
        #expect(server.requests.map(\.path) == ["/status?n=1", "/status?n=2", "/status?n=3"])
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        #expect(server.requests.map(\.method) == ["GET", "GET", "GET"])
        #expect(server.requests[0].header("HOST") == "test")
    }

    @Test func followsTheQueueThenTheReply() async throws {
        let server = try HostileServer(.status("{}"))
        server.enqueue(.failure(500), .busy(retryAfter: "120"))
        #expect(try await status(server.url()).0 == 500)
        let (code, _, headers) = try await status(server.url())
        #expect(code == 503)
        #expect(headers["Retry-After"] == "120")
        #expect(try await status(server.url()).0 == 200)
        server.answer { $0.path == "/there" ? .noContent : .failure(404) }
        #expect(try await status(server.url("/there")).0 == 204)
        #expect(try await status(server.url("/elsewhere")).0 == 404)
    }

    @Test func answers304ToItsOwnTagOnly() async throws {
        let server = try HostileServer(.status("{}", etag: #""v1""#))
        let client = try WireClient(port: server.port)
        try client.get("/", #"If-None-Match: "v1""#)
        #expect(try client.readHead().hasPrefix("HTTP/1.1 304 Not Modified\r\nETag: \"v1\""))
        try client.get("/", #"If-None-Match: "v0""#)
        #expect(try client.readHead().hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test func hangsUntilTheClientLeaves() async throws {
        let server = try HostileServer(.hang)
        var client: WireClient? = try WireClient(port: server.port)
        try client?.get("/")
        #expect(try await server.request(number: 1).path == "/")
        #expect(client?.hasInput == false)
        client = nil
        #expect(try await server.exchange(number: 1).ending == .clientLeft)
    }

    @Test func dripsTheBodyWithTheHeadAtOnce() async throws {
        let server = try HostileServer(.drip(Answer(text: "abc"), every: .milliseconds(5)))
        let client = try WireClient(port: server.port)
        try client.get("/")
        #expect(try client.readHead().contains("Content-Length: 3"))
        #expect(try client.read(3) == "abc")
        let exchange = try await server.exchange(number: 1)
        #expect(exchange.bodyBytesSent == 3)
    }

    @Test func dripsForEverUntilTheClientLeaves() async throws {
        let server = try HostileServer(.endlessDrip(every: .milliseconds(1)))
        var client: WireClient? = try WireClient(port: server.port)
        try client?.get("/")
        #expect(try client?.readHead().contains("Content-Length") == false)
        #expect(try client?.read(20) == String(repeating: " ", count: 20))
        client = nil
        let exchange = try await server.exchange(number: 1)
        #expect(exchange.ending == .clientLeft)
        #expect(exchange.bodyBytesSent >= 20)
    }

    @Test func stopsAnOversizedBodyWhenTheClientLeaves() async throws {
        let server = try HostileServer(.oversized(bytes: 1_000_000_000, announced: true))
        var client: WireClient? = try WireClient(port: server.port)
        try client?.get("/")
        #expect(try client?.readHead().contains("Content-Length: 1000000000") == true)
        client = nil
        let exchange = try await server.exchange(number: 1)
        #expect(exchange.ending == .clientLeft)
        #expect(exchange.bodyBytesSent < 100_000_000)
    }

    @Test func sendsAWholeOversizedBodyToWhoReadsIt() async throws {
        let server = try HostileServer(.oversized(bytes: 1_000_000, announced: false))
        #expect(try await status(server.url()).1.count == 1_000_000)
    }

    @Test func breaksABodyOff() async throws {
        let server = try HostileServer(.truncated(Answer(text: "0123456789"), after: 4))
        let client = try WireClient(port: server.port)
        try client.get("/")
        #expect(try client.readHead().contains("Content-Length: 10"))
        #expect(try client.readToEnd() == .closed("0123"))
    }

    @Test func resetsInTheMiddleOfABody() async throws {
        let server = try HostileServer(.reset(Answer(text: "0123456789"), after: 4))
        let client = try WireClient(port: server.port)
        try client.get("/")
        _ = try client.readHead()
        #expect(try client.readToEnd() == .reset("0123"))
    }

    @Test func sendsBytesThatAreNoHTTP() async throws {
        let server = try HostileServer(.garbage)
        let client = try WireClient(port: server.port)
        try client.get("/")
        #expect(try client.readToEnd() == .closed("220 mail.example ESMTP ready\r\n"))
        server.reply = .hangUp
        let second = try WireClient(port: server.port)
        try second.get("/")
        #expect(try second.readToEnd() == .closed(""))
    }

    @Test func delaysTheHead() async throws {
        let server = try HostileServer(.after(.milliseconds(60), .status("{}")))
        #expect(try await status(server.url()).0 == 200)
        server.reply = .slowHead(Answer(text: "{}"), every: .milliseconds(1))
        #expect(try await status(server.url()).1 == Data("{}".utf8))
    }

    @Test func redirects() async throws {
        let target = try HostileServer(.status(#"{"target":true}"#))
        let server = try HostileServer(.redirect(to: target.url("/here").absoluteString))
        let (code, body, _) = try await status(server.url())
        #expect(code == 200)
        #expect(String(decoding: body, as: UTF8.self) == #"{"target":true}"#)
        #expect(target.requests.map(\.path) == ["/here"])
    }

    @Test func compresses() async throws {
        let text = String(repeating: #"{"message":"下一个"}"#, count: 5000)
        let server = try HostileServer(.gzip(text))
        #expect(String(decoding: try await status(server.url()).1, as: UTF8.self) == text)
    }

    @Test func inflatesABombToItsSize() async throws {
        let folder = try TestFolder()
        let server = try HostileServer(.gzipBomb(inflatedBytes: 1_000_000))
        let client = try WireClient(port: server.port)
        try client.get("/", "Connection: close")
        #expect(try client.readHead().contains("Content-Encoding: gzip"))
        let body = try client.readBytesToEnd()
        #expect(body.count < 7000)
        let file = folder.url.appendingPathComponent("bomb.gz")
        try Data(body).write(to: file)
        // The stream has no checksum, so gzip reports an error after it has printed all spaces.
        let counted = try await runCommand("/bin/sh", ["-c", #"gzip -dc <"$1" 2>/dev/null | wc -c"#, "sh", file.path])
        let count = try #require(Int(counted.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(count >= 1_000_000)
        #expect(count < 1_000_000 + 2 * 2064)
    }

    @Test func diesAndComesBackOnTheSamePort() async throws {
        let server = try HostileServer(.hang)
        let port = server.port
        let client = try WireClient(port: port)
        try client.get("/")
        _ = try await server.request(number: 1)
        try server.stop()
        #expect(try client.readToEnd() == .closed(""))
        #expect(try await server.exchange(number: 1).ending == .stopped)
        #expect(throws: TestError.self) { try WireClient(port: port) }
        server.reply = .status("{}")
        try server.start()
        #expect(server.port == port)
        #expect(try await status(server.url()).0 == 200)
        #expect(server.requests.count == 2)
    }

    @Test func closesItsPortInTheEnd() async throws {
        var server: HostileServer? = try HostileServer(.hang)
        let port = try #require(server?.port)
        let client = try WireClient(port: port)
        try client.get("/")
        _ = try await server?.request(number: 1)
        server = nil
        #expect(try client.readToEnd() == .closed(""))
        #expect(throws: TestError.self) { try WireClient(port: port) }
    }

    @Test func aRequestThatDoesNotComeFailsByName() async throws {
        let server = try HostileServer()
        let failure = await #expect(throws: TestError.self) {
            _ = try await server.request(number: 1, within: .milliseconds(20), file: "Here.swift", line: 9)
        }
        #expect(failure?.description.hasPrefix("Here.swift:9: no request 1 within 0.02 seconds") == true)
    }

    private func status(_ url: URL) async throws -> (Int, Data, [String: String]) {
        let session = URLSession(configuration: .ephemeral)
        // Foundation on Linux cancels tasks without protection against the end of one.
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: url)
        let http = try #require(response as? HTTPURLResponse)
        let headers = http.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields["\(field.key)"] = "\(field.value)"
        }
        return (http.statusCode, data, headers)
    }
}
