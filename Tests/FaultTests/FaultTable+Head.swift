import Bellerophon
import Foundation
import TestSupport

extension FaultTable {
    // MARK: Heads

    /// Header lines of this many kilobytes, a hundred bytes each.
    private static func lines(kilobytes: Int) -> String {
        (0..<kilobytes * 10).map { String(format: "X-%05d: ", $0) + String(repeating: "a", count: 89) + "\r\n" }.joined()
    }

    static let heads: [FaultCase] = [
        .refuses("400 KB of headers", broken) {
            .wire([
                .send("HTTP/1.1 200 OK\r\n"), .send(lines(kilobytes: 400)),
                .send("Content-Length: \($0.document.utf8.count)\r\n\r\n\($0.document)"),
            ])
        },
        .refuses("a header of 400 KB", broken) {
            .wire([
                .send("HTTP/1.1 200 OK\r\nX: "), .flood("a", times: 400_000),
                .send("\r\nContent-Length: \($0.document.utf8.count)\r\n\r\n\($0.document)"),
            ])
        },
        .refuses("headers without end", broken) { _ in
            .wire([.send("HTTP/1.1 200 OK\r\n"), .flood("X: " + String(repeating: "a", count: 95) + "\r\n", times: 500_000)])
        },
        .refuses("garbage", notHTTP) { _ in .garbage },
        .refuses("random bytes", notHTTP) { _ in
            var random = SplitMix64(seed: Seed.of("random bytes of a reply", default: 11))
            return .raw((0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        },
        .refuses("a document without a head", notHTTP) { .raw(Array($0.document.utf8)) },
        .refuses("a version of HTTP that is none", notHTTP) { .wire([.send($0.response(json, status: "HTTP/9.9 200 OK"))]) },
        .refuses("a status code that is none", notHTTP) { .wire([.send($0.response(json, status: "HTTP/1.1 abc OK"))]) },
        .refuses("status code 999", "the server replied with HTTP 999") {
            .wire([.send($0.response(json, status: "HTTP/1.1 999 Odd"))])
        },
        .refuses("status code 000", notHTTP) { .wire([.send($0.response(json, status: "HTTP/1.1 000 Odd"))]) },
        .believes("a status line without words") { .wire([.send($0.response(json, status: "HTTP/1.1 200"))]) },
        .believes("line ends without a return") {
            .wire([.send("HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + $0.document)])
        },
        .refuses("a header with a zero byte", broken) { .wire([.send($0.response("X: a\0b"))]) },
        .believes("a header with an escape") { .wire([.send($0.response("X: a\u{1B}[2Jb"))]) },
        .believes("a header with a space in its name") { .wire([.send($0.response("X Y: a"))]) },
        .believes("a header with a space before its colon") { .wire([.send($0.response("X : a"))]) },
        .believes("a header without a name") { .wire([.send($0.response(": a"))]) },
        .believes("a header with a return in its value") { .wire([.send($0.response("X: a\rb"))]) },
        .refuses("a length with a space before its colon", "no complete reply: a line of its head is malformed") {
            .wire([.send($0.response("Content-Length : 1"))])
        },
        // libcurl itself refuses a zero byte and a line without a colon.
        .refuses("a header line without a colon", broken) { .wire([.send($0.response("rubbish"))]) },
        .believes("a header that is no UTF-8") {
            .wire([.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xFF, 0xFE, 0xC3] + Array("\r\n\r\n\($0.document)".utf8))])
        },
        .believes("a thousand cookies") { tempt in
            let cookies = (0..<1000).map { "Set-Cookie: c\($0)=v\r\n" }.joined()
            return .wire([.send("HTTP/1.1 200 OK\r\n\(cookies)\r\n\(tempt.document)")])
        },
    ]

    // MARK: Interim responses

    private static let headTooLarge = "no complete reply: its head is larger than 262144 bytes"

    static let interims: [FaultCase] = [
        .believes("100 before the status") { .wire([.send("HTTP/1.1 100 Continue\r\n\r\n" + $0.response(json))]) },
        .believes("five thousand 100s, then a status") {
            .wire([.flood("HTTP/1.1 100 Continue\r\n\r\n", times: 5000), .send($0.response(json))])
        },
        .refuses("five thousand 103s, then a status", headTooLarge) {
            .wire([.flood("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n", times: 5000), .send($0.response(json))])
        },
        .neverEnds("five thousand 100s, then nothing") { _ in
            .wire([.flood("HTTP/1.1 100 Continue\r\n\r\n", times: 5000), .hang])
        },
        .refuses("50,000 100s, then nothing", headTooLarge) { _ in
            .wire([.flood("HTTP/1.1 100 Continue\r\n\r\n", times: 50_000), .hang])
        },
        .neverEnds("103s that drip") { _ in
            .wire([.drip(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 100), every: .milliseconds(2))])
        },
        .refuses("five thousand 100s, then the end", noAnswer) { _ in
            .wire([.flood("HTTP/1.1 100 Continue\r\n\r\n", times: 5000)])
        },
        .refuses("101: another protocol", "the server replied with HTTP 101") {
            .wire([.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n" + $0.document)])
        },
    ]

    // MARK: Redirects

    /// The error of a redirect that resolves to the same server and is followed until the limit.
    private static let tooMany = "redirect refused: more than 3 in a row"

    private static func redirect(_ name: String, to location: String, _ texts: String...) -> FaultCase {
        FaultCase(
            name,
            .answer {
                .wire([
                    .send(
                        $0.response(
                            "Location: \(location)", "Content-Length: \($0.document.utf8.count)", status: "HTTP/1.1 302 Found"))
                ])
            }, .error(texts))
    }

    private static let notAddress = "redirect refused: the server points to what is not an address"
    private static let notHost = "redirect refused: the server points to a host that is not one"

    static let redirects: [FaultCase] = [
        redirect("redirect to itself", to: "/status", tooMany),
        FaultCase(
            "redirect loop",
            .answers { request, _ in
                .redirect(to: "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
            }, .error([tooMany])),
        // The same server is reachable under that name too, so it would deliver the tempting document.
        FaultCase(
            "cross-origin redirect",
            .answers { request, tempt in
                request.path == "/other" ? .status(tempt.document) : .redirect(to: "http://localhost:\(tempt.port)/other")
            }, .error(["redirect refused: the server points to another origin, http://localhost:PORT"])),
        FaultCase(
            "redirect to another port", .answer { .redirect(to: "http://127.0.0.1:\($0.port ^ 1)/") },
            .error(["redirect refused: the server points to another origin, http://127.0.0.1:OTHER"])),
        redirect(
            "redirect to a file", to: "file:///etc/hostname", "redirect refused: the server points to another origin, file://:80"),
        redirect(
            "redirect to FTP", to: "ftp://127.0.0.1/status",
            "redirect refused: the server points to another origin, ftp://127.0.0.1:80"),
        redirect(
            "redirect to data", to: "data:application/json,1", "redirect refused: the server points to another origin, data://:80"
        ),
        redirect("redirect with an empty place", to: "", "redirect refused: the server names no place"),
        redirect("redirect to an escape", to: "http://\u{1B}[2J/", notAddress),
        redirect(
            "redirect to a script", to: "javascript:alert(1)",
            "redirect refused: the server points to another origin, javascript://:80"),
        redirect(
            "redirect to https without a host", to: "https://", "redirect refused: the server points to https: without a host"),
        redirect(
            "redirect to http without a host", to: "http:/status", "redirect refused: the server points to http: without a host"),
        redirect(
            "redirect to an IPv6 host without a scheme", to: "//[::1]/",
            "redirect refused: the server points to another origin, http://[::1]:80"),
        redirect("redirect to an escaped space", to: "//a%20b/", notHost),
        redirect("redirect to an escaped slash", to: "//a%2fb/", notHost),
        redirect("redirect to an escaped at sign", to: "//a%40b/", notHost),
        redirect("redirect to a lone percent sign", to: "//%25/", notHost),
        redirect("redirect to an escaped control character", to: "//a%1b/", notHost),
        redirect("redirect to a user name", to: "http://127.0.0.1@localhost/", notHost),
        redirect("redirect with a backslash", to: "/\\localhost/", notAddress),
        .refuses("redirect without a place", "the server replied with HTTP 302") {
            .wire([.send($0.response("Content-Length: \($0.document.utf8.count)", status: "HTTP/1.1 302 Found"))])
        },
        .refuses("300 with a document", "the server replied with HTTP 300") { .json($0.document, status: 300) },
        FaultCase(
            "redirect that is followed, to a hang",
            .answers { request, _ in
                request.path == "/status" ? .redirect(to: "/there") : .hang
            }, .error([FaultCase.timedOut]), deadline: FaultCase.short),
        FaultCase(
            "redirect that is followed",
            .answers { request, tempt in
                request.path == "/status" ? .redirect(to: "/there", status: 307) : .status(tempt.document)
            }, .believed),
    ]
}
