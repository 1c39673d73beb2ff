import Testing

@testable import HTTPTransport

@Suite("Response head")
struct ResponseHeadTests {
    /// The head after the lines of a text, and why it is refused.
    private func read(_ text: String, limit: Int? = nil) -> (head: ResponseHead, refusal: String?) {
        var head = ResponseHead()
        if let limit { head.limit = limit }
        for line in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() where !head.isWhole {
            if let refusal = head.read(line + [0x0A]) { return (head, refusal) }
        }
        return (head, nil)
    }

    private func refusal(_ lines: String...) -> String? {
        read((["HTTP/1.1 200 OK"] + lines).map { "\($0)\r\n" }.joined() + "\r\n").refusal
    }

    @Test func fieldsAreReadAsTheyStand() {
        let head = read("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag:  \"a:b\" \r\n\r\n").head
        #expect(head.isWhole && head.status == 200)
        #expect(head.joinedFields == ["Content-Type": "application/json", "ETag": "\"a:b\""])
    }

    @Test func aRepeatedFieldIsOneListInTheFirstSpelling() {
        let head = read("HTTP/1.1 200 OK\r\nBellerophon-Published: 1\r\nbellerophon-published: 2\r\n\r\n").head
        #expect(head.joinedFields == ["Bellerophon-Published": "1, 2"])
    }

    @Test func aFoldedLineGoesOnWithTheFieldBefore() {
        #expect(read("HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\n\r\n").head.joinedFields == ["A": "b c"])
    }

    @Test func interimResponsesAreNotTheResponse() {
        let head = read(
            "HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nB: 2\r\n\r\nHTTP/1.1 204 No\r\nC: 3\r\n\r\n"
        ).head
        #expect(head.status == 204)
        #expect(head.joinedFields == ["C": "3"])
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
    ])
    func aCutHeadIsNotWhole(text: String) {
        #expect(!read(text).head.isWhole)
    }

    @Test func aTrailerChangesNothing() {
        var head = read("HTTP/1.1 200 OK\r\n\r\n").head
        #expect(head.read(Array("Content-Length: 5\r\n".utf8)) == nil)
        #expect(head.read(Array("\r\n".utf8)) == nil)
        #expect(head.isWhole && head.status == 200 && head.joinedFields.isEmpty)
    }

    @Test func linesEndWithOrWithoutAReturn() {
        #expect(read("HTTP/1.1 200 OK\nA: b\n\n").head.joinedFields == ["A": "b"])
    }

    @Test(
        "A malformed field is ignored, and has no value if its name is readable",
        arguments: [
            ("no colon", nil), ("none", "none"), (": no name", nil), ("a b: c", nil), ("a\u{0}: b", "a"), ("a: b\u{0}", "a"),
            ("a: b\rc", "a"),
            ("é: b", nil), ("Bellerophon-Published : 5", "Bellerophon-Published"), ("x\r\n y", "x"), (" folded", nil),
        ] as [(String, String?)])
    func aMalformedLineIsIgnored(line: String, name: String?) {
        let head = read("HTTP/1.1 200 OK\r\n\(line)\r\nETag: \"a\"\r\n\r\n").head
        #expect(head.isWhole)
        #expect(head.joinedFields == ["ETag": "\"a\""].merging(name.map { [$0: ""] } ?? [:]) { $1 })
    }

    @Test func whatGoesOnInAMalformedLineHasNoValueEither() {
        #expect(read("HTTP/1.1 200 OK\r\nA: b\r\n c\u{0}\r\n d\r\n\r\n").head.joinedFields == ["A": ""])
    }

    @Test(
        "A malformed line that another reader could take for the end of the body is refused",
        arguments: [
            "Content-Length : 5", "Content-Length 5", "content-length\u{0}: 5", "Content-Length: 5\u{0}",
            "a: b\rContent-Length: 5",
            "Transfer-Encoding : chunked", "Transfer-Encoding", " Content-Length: 5", "Content-Encoding : gzip",
            "Connection : close",
            "a: b\rHTTP/1.1 200 OK", "Content -Length: 5",
        ])
    func aMalformedLineThatFramesIsRefused(line: String) {
        #expect(refusal(line) == "a line of its head is malformed")
    }

    @Test(arguments: [
        "HTTP/1.1", "HTTP/2 200", "HTTP/9.9 200 OK", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 abc", "HTTP/1.1 099 No", "A: b",
    ])
    func aMalformedStatusLineIsRefused(line: String) {
        #expect(read("\(line)\r\n\r\n").refusal != nil)
    }

    @Test func twoLengthsAreRefusedUnlessTheyAgree() {
        #expect(refusal("Content-Length: 4", "Content-Length: 4") == nil)
        #expect(refusal("Content-Length: 4", "Content-Length: 5") == "it states two different lengths")
        #expect(refusal("Content-Length: 4, 5") == "it states two different lengths")
    }

    @Test(arguments: ["-1", "+1", "1.0", "0x4", "9223372036854775808", "4 4"])
    func aLengthThatIsNoNumberOfBytesIsRefused(length: String) {
        #expect(refusal("Content-Length: \(length)") == "its length is not a number of bytes")
    }

    @Test("A compressed reply is refused")
    func compressedReplyIsRefused() {
        #expect(refusal("Content-Encoding: identity") == nil)
        #expect(refusal("Transfer-Encoding: chunked") == nil)
        for label in ["utf-8", "aws-chunked", "UTF8, identity", "none", ""] {
            #expect(refusal("Content-Encoding: \(label)") == nil)
        }
        #expect(refusal("Content-Encoding: aws-chunked, zstd") == "it is compressed as “zstd”, which was not asked for")
        #expect(refusal("Content-Encoding: GZIP") == "it is compressed as “gzip”, which was not asked for")
        #expect(refusal("Transfer-Encoding: gzip, chunked") == "it is encoded as “gzip”, which was not asked for")
    }

    private static let ambiguous = "its transfer coding is ambiguous"
    private static let twoEnds = "it states a length although it is sent in chunks"

    @Test(arguments: [
        ("Transfer-Encoding: chunked, identity", ambiguous), ("Transfer-Encoding: identity, chunked", ambiguous),
        ("Transfer-Encoding: identity", ambiguous), ("Transfer-Encoding: chunked, chunked", ambiguous),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", ambiguous), ("Transfer-Encoding:", ambiguous),
        ("Transfer-Encoding: chunked,", ambiguous),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", twoEnds),
        ("Content-Length: 0\r\nTransfer-Encoding: Chunked", twoEnds),
        ("Transfer-Encoding: chunked;q=1", "it is encoded as “chunked;q=1”, which was not asked for"),
        ("Transfer-Encoding:\r\n chunked", "a line of its head is malformed"),
        ("Content-Length:\r\n 5", "a line of its head is malformed"), ("Content-Length: 5,", "it states two different lengths"),
    ])
    func aBodyWithTwoPossibleEndsIsRefused(lines: String, why: String) {
        #expect(refusal(lines) == why)
    }

    @Test func anOldVersionHasNoChunks() {
        let why = "it is sent in chunks, which HTTP/1.0 does not have"
        #expect(read("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").refusal == why)
        #expect(read("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n").head.isWhole)
        #expect(read("HTTP/1.0 200 OK\r\n\r\n").head.isWhole)
    }

    @Test(arguments: [
        ("Content-Length: 5", "it has no body, but states a length"),
        ("Transfer-Encoding: chunked", "it has no body, but states a transfer coding"),
    ])
    func aReplyWithoutABodyStatesNone(line: String, why: String) {
        #expect(read("HTTP/1.1 204 No Content\r\n\(line)\r\n\r\n").refusal == why)
        #expect(read("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n").head.isWhole)
        #expect(read("HTTP/1.1 304 Not Modified\r\n\(line)\r\n\r\n").head.isWhole)
    }

    @Test func headsAreBoundedTogether() {
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        #expect(read(String(repeating: interim, count: 4), limit: 100).refusal == nil)
        #expect(read(String(repeating: interim, count: 5), limit: 100).refusal == "its head is larger than 100 bytes")
    }
}
