import Bellerophon
import TestSupport

extension FaultTable {
    static let cut = "the connection was cut"
    static let noAnswer = "the server closed the connection without a reply"
    static let notHTTP = "the reply is not HTTP"
    static let tooLarge = "the reply is larger than 65536 bytes"
    static let incompleteStatus = "not a status document: the body is broken or incomplete, not JSON"
    /// The start of the transport's own error texts, which differ between its versions.
    static let broken = "no complete reply: *"

    static let empty = "not a status document: the body is empty"
    static let compressed = "no complete reply: it is compressed as “gzip”, which was not asked for"

    // MARK: Connections that fail

    static let connections: [FaultCase] = [
        FaultCase("refused", .refused, .error(["could not connect to the server"])),
        FaultCase(
            "DNS failure", .unknownHost,
            .error(["the server's name was not found", "no complete reply within 2 s"]), deadline: .seconds(2)
        ),
        FaultCase("reset before the request is read", .resetConnections, .error([cut, noAnswer, broken])),
        .refuses("reset after the request", cut, noAnswer) { _ in .wire([.reset]) },
        .refuses("reset within the head", cut, noAnswer) {
            .wire([.send(String($0.response("Content-Length: 80").prefix(30))), .wait(.milliseconds(50)), .reset])
        },
        .refuses("reset after the head", cut, noAnswer, broken) { .reset(Answer(text: $0.document), after: 0) },
        .refuses("reset within the body", cut, noAnswer, broken) { .reset(Answer(text: $0.document), after: 40) },
        .refuses("reset before the last byte", cut, noAnswer, broken) {
            .reset(Answer(text: $0.document), after: $0.document.utf8.count - 1)
        },
        .believes("reset after the body") { .reset(Answer(text: $0.document), after: $0.document.utf8.count) },
        .refuses("empty reply", noAnswer) { _ in .hangUp },
        .refuses("half a status line", noAnswer, cut) { _ in .raw(Array("HTTP/1.1 2".utf8)) },
    ]

    // MARK: Timeouts

    static let silences: [FaultCase] = [
        .neverEnds("hang before headers") { _ in .hang },
        .neverEnds("hang within the head") { _ in .wire([.send("HTTP/1.1 200 OK\r\nContent-"), .hang]) },
        .neverEnds("hang after the head") {
            .wire([.send("HTTP/1.1 200 OK\r\n\(json)\r\nContent-Length: \($0.document.utf8.count)\r\n\r\n"), .hang])
        },
        .neverEnds("hang before the last byte") {
            .wire([.send(String($0.response(json, "Content-Length: \($0.document.utf8.count)").dropLast())), .hang])
        },
        .neverEnds("drip in headers") { .slowHead(Answer(text: $0.document), every: .milliseconds(20)) },
        .neverEnds("drip in body") { .drip(Answer(text: $0.document), every: .milliseconds(20)) },
        .neverEnds("drip without end") { _ in .endlessDrip(every: .milliseconds(5)) },
        .neverEnds("drip of chunks") {
            .wire([
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .drip(String(repeating: "1\r\n \r\n", count: 500), every: .milliseconds(2)), .send($0.document),
            ])
        },
        .neverEnds("a whole document, and no end") { .wire([.send($0.response(json)), .hang]) },
    ]

    // MARK: Lengths

    static let lengths: [FaultCase] = [
        .refuses("truncated body", cut, broken) { .truncated(Answer(text: $0.document), after: 40) },
        .refuses("truncated before the last byte", cut, broken) {
            .truncated(Answer(text: $0.document), after: $0.document.utf8.count - 1)
        },
        .refuses("over-long body, cut by its length", incompleteStatus) {
            .wire([.send($0.response("Content-Length: 40"))])
        },
        .believes("over-long body, with rubbish behind the document") {
            .wire([.send($0.response("Content-Length: \($0.document.utf8.count)") + "HTTP/1.1 200 OK\r\n\r\n{}")])
        },
        .refuses("negative content length", broken, noLength) { .wire([.send($0.response("Content-Length: -5"))]) },
        .refuses("content length that is no number", broken, noLength) { .wire([.send($0.response("Content-Length: many"))]) },
        .refuses("content length of 2^63 - 1", tooLarge) { .wire([.send($0.response("Content-Length: 9223372036854775807"))]) },
        .refuses("content length beyond 64 bits", noLength) {
            .wire([.send($0.response("Content-Length: 99999999999999999999999"))])
        },
        .refuses("content length of 2^60", tooLarge) { .wire([.send($0.response("Content-Length: 1152921504606846976"))]) },
        // Two readers could read different bodies (RFC 9112, section 6.3).
        .refuses("two content lengths that differ, the last too short", twoLengths) {
            .wire([.send($0.response("Content-Length: \($0.document.utf8.count)", "Content-Length: 40"))])
        },
        .refuses("two content lengths that differ, the last right", twoLengths) {
            .wire([.send($0.response("Content-Length: 40", "Content-Length: \($0.document.utf8.count)"))])
        },
        .refuses("two content lengths in one line", twoLengths) {
            .wire([.send($0.response("Content-Length: 40, \($0.document.utf8.count)"))])
        },
        .believes("two content lengths that agree") {
            .wire([.send($0.response("Content-Length: \($0.document.utf8.count)", "Content-Length: \($0.document.utf8.count)"))])
        },
        .refuses("content length beside chunks", "no complete reply: it states a length although it is sent in chunks") { tempt in
            .wire([.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(tempt.document))])
        },
        .believes("no length: the end of the connection is the end") { .wire([.send($0.response(json))]) },
    ]

    private static let twoLengths = "no complete reply: it states two different lengths"
    private static let noLength = "no complete reply: its length is not a number of bytes"

    /// A document in one chunk.
    static func chunked(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n0\r\n\r\n" }

    // MARK: Chunks

    private static func chunks(_ body: String) -> Behaviour {
        .wire([.send("HTTP/1.1 200 OK\r\n\(json)\r\nTransfer-Encoding: chunked\r\n\r\n" + body)])
    }

    static let chunks: [FaultCase] = [
        .believes("good chunks") { chunks(chunked($0.document)) },
        .believes("chunks of one byte") { tempt in chunks(tempt.document.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n") },
        .believes("chunks with extensions") { tempt in
            chunks(String(tempt.document.utf8.count, radix: 16) + ";a=b\r\n" + tempt.document + "\r\n0;c\r\n\r\n")
        },
        .believes("chunks with a trailer") { tempt in
            chunks(String(tempt.document.utf8.count, radix: 16) + "\r\n" + tempt.document + "\r\n0\r\nX-Sum: 1\r\n\r\n")
        },
        .refuses("a trailer without chunks before it", empty) { _ in chunks("0\r\nX: y\r\n\r\n") },
        .refuses("a trailer that is a blank", cut, broken, empty) { _ in chunks("0\r\n \r\n\r\n") },
        .refuses("chunk size that is no number", broken) { chunks("zz\r\n" + $0.document + "\r\n0\r\n\r\n") },
        .refuses("chunk size below zero", broken) { chunks("-5\r\n" + $0.document + "\r\n0\r\n\r\n") },
        .refuses("chunk size beyond 64 bits", broken) { chunks("FFFFFFFFFFFFFFFFFF\r\n" + $0.document + "\r\n0\r\n\r\n") },
        .refuses("chunk without its line end", broken) {
            chunks(String($0.document.utf8.count, radix: 16) + "\r\n" + $0.document + "0\r\n\r\n")
        },
        .refuses("chunk that is cut", cut, broken) {
            chunks(String($0.document.utf8.count + 10, radix: 16) + "\r\n" + $0.document)
        },
        .refuses("chunks without the last", cut, broken) {
            chunks(String($0.document.utf8.count, radix: 16) + "\r\n" + $0.document + "\r\n")
        },
    ]
}
