import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of the ``HostileServer`` with a client that reads raw bytes.
@Suite struct HostileServerTests {
    @Test func answers304ToItsOwnTagOnly() async throws {
        let server = try HostileServer(.status("{}", etag: #""v1""#))
        let client = try WireClient(port: server.port)
        try client.get("/", #"If-None-Match: "v1""#)
        #expect(try client.readHead().hasPrefix("HTTP/1.1 304 Not Modified\r\nETag: \"v1\""))
        try client.get("/", #"If-None-Match: "v0""#)
        #expect(try client.readHead().hasPrefix("HTTP/1.1 200 OK"))
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

    private func status(_ url: URL) async throws -> (Int?, Data) {
        let session = URLSession(configuration: .ephemeral)
        // Foundation on Linux cancels tasks without protection against the end of one.
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: url)
        return ((response as? HTTPURLResponse)?.statusCode, data)
    }
}
