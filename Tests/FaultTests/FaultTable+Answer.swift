import Bellerophon
import Foundation
import TestSupport

extension FaultTable {
    // MARK: Status codes

    static let failureCodes =
        [400, 401, 403, 404, 405, 407, 408, 409, 410, 418, 421, 425, 426, 429, 431, 451]
        + [500, 501, 502, 503, 504, 505, 507, 508, 511]

    static let statusCodes: [FaultCase] =
        failureCodes.map { code in
            .refuses("\(code) with a document", "the server replied with HTTP \(code)") { .json($0.document, status: code) }
        } + [
            .refuses("204", "not a status document: the body is empty") { _ in .noContent },
            .refuses("206, unasked", "no complete reply: it is a part (HTTP 206), which was not asked for") {
                .json($0.document, status: 206, headers: ["Content-Range": "bytes 0-1/2"])
            },
            .refuses("205", "not a status document: the body is empty") { _ in .answer(Answer(status: 205)) },
            .refuses("304 without a cache", "the server replied 304 (not modified), but no earlier document is known") { _ in
                .answer(Answer(status: 304))
            },
            .refuses("200 with a page", "not a status document: the body is HTML, not JSON") { _ in .html() },
            .refuses("200 with an empty body", "not a status document: the body is empty") { _ in .json("") },
            .refuses("401 that asks for a password", "the server replied with HTTP 401") {
                .json($0.document, status: 401, headers: ["WWW-Authenticate": #"Basic realm="status""#])
            },
            .refuses("401 that asks for a digest", "the server replied with HTTP 401") {
                .json($0.document, status: 401, headers: ["WWW-Authenticate": #"Digest realm="status", nonce="1", qop="auth""#])
            },
            .refuses("401 that asks for Negotiate", "the server replied with HTTP 401") {
                .json($0.document, status: 401, headers: ["WWW-Authenticate": "Negotiate"])
            },
            .refuses("407 of a proxy that is none", "the server replied with HTTP 407") {
                .json($0.document, status: 407, headers: ["Proxy-Authenticate": #"Basic realm="proxy""#])
            },
        ]

    // MARK: Retry-After

    private static func busy(
        _ name: String, _ value: @escaping @Sendable () -> String, wait: FaultCase.Wait, status: Int = 503
    ) -> FaultCase {
        .refuses("Retry-After: \(name)", "the server replied with HTTP \(status)", wait: wait) {
            .json($0.document, status: status, headers: ["Retry-After": value()])
        }
    }

    /// An HTTP date this many seconds from now (RFC 9110, section 5.6.7).
    private static func date(_ seconds: TimeInterval, _ format: String = "EEE, dd MMM yyyy HH:mm:ss 'GMT'") -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: Date() + seconds)
    }

    static let retries: [FaultCase] = [
        busy("17 seconds", { "17" }, wait: .retryAfter(17...17)),
        busy("17 seconds, with 429", { "17" }, wait: .retryAfter(17...17), status: 429),
        busy("17 seconds, with 404", { "17" }, wait: .retryAfter(17...17), status: 404),
        busy("an hour", { "3600" }, wait: .retryAfter(3600...3600)),
        busy("more than an hour", { "3601" }, wait: .retryAfter(3600...3600)),
        busy("a thousand digits", { String(repeating: "9", count: 1000) }, wait: .retryAfter(3600...3600)),
        busy("nothing", { "0" }, wait: .backoff),
        busy("less than nothing", { "-5" }, wait: .backoff),
        busy("a fraction", { "17.5" }, wait: .backoff),
        busy("a word", { "soon" }, wait: .backoff),
        busy("infinity", { "inf" }, wait: .backoff),
        busy("empty", { "" }, wait: .backoff),
        busy("other digits", { "١٧" }, wait: .backoff),
        busy("a date", { date(120) }, wait: .retryAfter(60...121)),
        busy("a date of the old form", { date(120, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'") }, wait: .retryAfter(60...121)),
        busy("a date of C", { date(120, "EEE MMM d HH:mm:ss yyyy") }, wait: .retryAfter(60...121)),
        busy("a date of the past", { date(-86400) }, wait: .backoff),
        busy("a date in ten years", { date(86400 * 3650) }, wait: .retryAfter(3600...3600)),
        busy("no date", { "Mon, 99 Foo 2026 25:61:61 GMT" }, wait: .backoff),
        .believes("Retry-After beside a document") { .json($0.document, headers: ["Retry-After": "600"]) },
    ]

    // MARK: Size limits

    static let floods: [FaultCase] = [
        // FloodTests covers larger floods, in separate processes whose memory is measured.
        .refuses("a body of 30 MB", tooLarge) { _ in .oversized(bytes: 30_000_000, announced: true) },
        .refuses("a body of 30 MB, unannounced", tooLarge) { _ in .oversized(bytes: 30_000_000, announced: false) },
        .refuses("20 MB of chunks", tooLarge) { _ in
            .wire([
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .flood("1000\r\n" + String(repeating: " ", count: 4096) + "\r\n", times: 5000),
            ])
        },
        .refuses("one byte too many", tooLarge) {
            .json($0.document + String(repeating: " ", count: 65537 - $0.document.utf8.count))
        },
        .believes("as many bytes as are allowed") {
            .json($0.document + String(repeating: " ", count: 65536 - $0.document.utf8.count))
        },
        .refuses("a compressed bomb of 20 MB", compressed) { _ in .gzipBomb(inflatedBytes: 20_000_000) },
    ]

    // MARK: Encodings

    static let encodings: [FaultCase] = [
        .refuses("compressed, unasked", compressed) { .gzip($0.document) },
        .refuses("compressed for the transfer, unasked", "no complete reply: it is encoded as “gzip”, which was not asked for") {
            .wire([.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + chunked($0.document))])
        },
        .refuses("compression that is none", compressed) { .json($0.document, headers: ["Content-Encoding": "gzip"]) },
        .believes("a content coding that does not exist") { .json($0.document, headers: ["Content-Encoding": "utf-8"]) },
        .believes("a plain body of a store that repeats the uploader's aws-chunked") {
            .json($0.document, headers: ["Content-Encoding": "aws-chunked"])
        },
        .refuses("the frames of aws-chunked", "not a status document: the body is plain text, not JSON") {
            .json(
                "\(String($0.document.utf8.count, radix: 16));chunk-signature=0\r\n\($0.document)\r\n0;chunk-signature=0\r\n\r\n",
                headers: ["Content-Encoding": "aws-chunked"])
        },
        .refuses("aws-chunked and compressed", compressed) {
            .json($0.document, headers: ["Content-Encoding": "aws-chunked, gzip"])
        },
        .refuses("compression that is cut", compressed) { tempt in
            .truncated(Answer(headers: ["Content-Encoding": "gzip"], text: tempt.document), after: 20)
        },
        .believes("another media type") { .answer(Answer(type: "text/html", text: $0.document)) },
        .believes("another character set in the head") {
            .answer(Answer(type: "application/json; charset=iso-8859-1", text: $0.document))
        },
    ]
}
