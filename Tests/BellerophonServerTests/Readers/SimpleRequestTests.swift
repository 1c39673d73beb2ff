import Testing

@testable import BellerophonServer

/// What can be answered without the parser, and what is for the parser.
@Suite struct SimpleRequestTests {
    private static let plain = "GET /status HTTP/1.1\r\nHost: a\r\n\r\n"

    private func scan(_ text: String, at start: Int = 0) -> SimpleRequest? {
        Array(text.utf8).withUnsafeBytes { SimpleRequest($0, at: start) }
    }

    private func path(_ text: String) -> String? {
        scan(text).map { String(decoding: Array(text.utf8)[$0.path], as: UTF8.self) }
    }

    @Test func theMethodThePathAndTheConditionAreFound() throws {
        let text = "HEAD /v1/apps/a.b/status?x=/?y HTTP/1.1\r\nhOST: a\r\nIf-None-Match: \t\"1\", W/\"2\" \r\nAccept:\r\n\r\n"
        let request = try #require(scan(text))
        #expect(request.isHead)
        #expect(path(text) == "/v1/apps/a.b/status")
        #expect(request.condition.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == "\"1\", W/\"2\" ")
        #expect(request.end == text.utf8.count)
        #expect(scan(Self.plain)?.isHead == false)
        #expect(scan(Self.plain)?.condition == nil)
    }

    @Test func laterBytesDoNotMatter() {
        for rest in ["", "GET", "\0\u{ff}", Self.plain, "\r\n"] {
            #expect(scan(Self.plain + rest) == scan(Self.plain))
            #expect(scan("xyz" + Self.plain + rest, at: 3)?.end == 3 + Self.plain.utf8.count)
        }
    }

    @Test func anIncompleteRequestIsNone() {
        let bytes = Array(Self.plain.utf8)
        for count in bytes.indices {
            #expect(bytes[..<count].withUnsafeBytes { SimpleRequest($0, at: 0) } == nil, "\(count)")
        }
    }

    @Test(arguments: [
        "Connection: keep-alive", "connection:Keep-Alive", "Accept: */*", "X-Long: \(String(repeating: "a", count: 3000))",
    ])
    func isAnsweredWith(field: String) {
        #expect(scan("GET / HTTP/1.1\r\n\(field)\r\nHost: a\r\n\r\n") != nil)
    }

    @Test(arguments: [
        "Connection: close", "Connection: keep-alive, upgrade", "Connection: keep-alive ", "Connection:",
        "Proxy-Connection: close",
        "Content-Length: 0", "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: h2c", "Host: b", "A : b", ": b", "A",
        " a: b", "A: b\r\n c", "A: \u{1}", "A: ä", "A: b\rc", "A: b\nC: d", "(A): b", "A: \u{7f}",
        "X-Long: \(String(repeating: "a", count: 5000))",
        (0...SimpleRequest.maximumFields).map { "A\($0): b" }.joined(separator: "\r\n"),
        "If-None-Match: *\r\nIf-None-Match: *",
    ])
    func theParserReads(field: String) {
        #expect(scan("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n") == nil)
    }

    @Test(arguments: [
        "GET / HTTP/1.0", "GET / HTTP/1.1 ", "GET / HTTP/2.0", "GET  / HTTP/1.1", "GET /", "get / HTTP/1.1", "POST / HTTP/1.1",
        "GET * HTTP/1.1", "GET http://a/ HTTP/1.1", "GET /a#b HTTP/1.1", "GET /ä HTTP/1.1", "GET /a\tb HTTP/1.1",
        "HEADER / HTTP/1.1",
        "GET /\"a\" HTTP/1.1", "OPTIONS / HTTP/1.1", "\r\nGET / HTTP/1.1", " GET / HTTP/1.1",
    ])
    func theParserReads(line: String) {
        #expect(scan("\(line)\r\nHost: a\r\n\r\n") == nil)
    }

    @Test func theParserReadsARequestWithoutHost() {
        #expect(scan("GET / HTTP/1.1\r\n\r\n") == nil)
        #expect(scan("GET / HTTP/1.1\nHost: a\n\n") == nil)
    }
}
