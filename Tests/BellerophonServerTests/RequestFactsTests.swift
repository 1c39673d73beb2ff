import NIOHTTP1
import Testing

@testable import BellerophonServer

@Suite struct RequestFactsTests {
    private func facts(_ fields: [(String, String)], version: HTTPVersion = .http1_1, uri: String = "/") -> RequestFacts {
        RequestFacts(HTTPRequestHead(version: version, method: .GET, uri: uri, headers: HTTPHeaders(fields)))
    }

    @Test func theConnectionsFate() {
        #expect(facts([("Host", "a")]).persistence == .implied)
        #expect(facts([("Host", "a"), ("Connection", "Close")]).persistence == .close)
        #expect(facts([("Host", "a"), ("connection", "TE, close")]).persistence == .close)
        #expect(facts([], version: .http1_0).persistence == .close)
        #expect(facts([("Connection", "Keep-Alive")], version: .http1_0).persistence == .keepAlive)
        #expect(facts([("Host", "a"), ("Upgrade", "h2c")]).persistence == .close)
    }

    @Test func theBody() {
        #expect(!facts([("Host", "a")]).hasBody)
        #expect(!facts([("Host", "a"), ("Content-Length", "0")]).hasBody)
        #expect(facts([("Host", "a"), ("Content-Length", "5")]).contentLength == 5)
        #expect(facts([("Host", "a"), ("Transfer-Encoding", "Chunked")]).isChunked)
        #expect(facts([("Host", "a"), ("EXPECT", "100-Continue")]).expectsContinue)
    }

    @Test(
        "A request with ambiguous or unsupported framing headers is refused and closes the connection",
        arguments: [
            ([("Host", "a"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked")], 400),
            ([("Host", "a"), ("Transfer-Encoding", "gzip, chunked")], 501),
            ([("Host", "a"), ("Transfer-Encoding", "identity")], 501),
            ([("Host", "a"), ("Content-Length", "-1")], 400), ([("Host", "a"), ("Content-Length", "5, 6")], 400),
            ([("Host", "a"), ("Content-Length", "5"), ("Content-Length", "6")], 400),
            ([], 400), ([("Host", "a"), ("Host", "a")], 400), ([("Host", "a"), ("Expect", "200-ok")], 417),
        ] as [([(String, String)], Int)])
    func ambiguousRequestIsRefused(fields: [(String, String)], code: Int) {
        let facts = facts(fields)
        #expect(facts.problem?.code == code)
        #expect(facts.persistence == .close)
    }

    @Test func aLongTargetIsRefused() {
        #expect(facts([("Host", "a")], uri: "/" + String(repeating: "a", count: 8191)).problem == nil)
        #expect(facts([("Host", "a")], uri: "/" + String(repeating: "a", count: 8192)).problem?.code == 414)
    }
}
