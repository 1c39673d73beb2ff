import Foundation

/// A valid reply as sent.
struct ReplyShape: Sendable {
    let name: String
    let bytes: [UInt8]

    private init(_ name: String, _ text: String) {
        (self.name, bytes) = (name, Array(text.utf8))
    }

    /// Ten shapes of a reply with a body.
    /// - Parameter type: the body's media type.
    static func all(_ body: String, type: String) -> [ReplyShape] {
        let (ok, json, size) = ("HTTP/1.1 200 OK\r\n", "Content-Type: \(type)\r\n", "Content-Length: \(body.utf8.count)\r\n")
        let chunked = ok + json + "Transfer-Encoding: chunked\r\n\r\n"
        let half = body.index(body.startIndex, offsetBy: body.count / 2)
        func chunk(_ text: some StringProtocol, _ more: String = "") -> String {
            "\(String(text.utf8.count, radix: 16))\(more)\r\n\(text)\r\n"
        }
        return [
            ReplyShape("length", ok + json + size + "\r\n" + body),
            ReplyShape("end of connection", ok + json + "\r\n" + body),
            ReplyShape("chunk", chunked + chunk(body) + "0\r\n\r\n"),
            ReplyShape("chunks", chunked + chunk(body[..<half]) + chunk(body[half...]) + "0\r\n\r\n"),
            ReplyShape(
                "chunk with extension and trailer", chunked + chunk(body, ";a=\"b\"") + "0;c\r\nX-Sum: 1\r\nX-End: 2\r\n\r\n"),
            ReplyShape(
                "interim responses",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + json + size + "\r\n" + body),
            ReplyShape(
                "many fields",
                ok + json + size + (0..<20).map { "X-\($0): value \($0)\r\n" }.joined()
                    + "ETag: \"a\"\r\nBellerophon-Published: 1\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\n" + body),
            ReplyShape("HTTP/1.0", "HTTP/1.0 200 OK\r\n" + json + size + "\r\n" + body),
            ReplyShape("error", "HTTP/1.1 503 Busy\r\n" + json + size + "Retry-After: 1\r\n\r\n" + body),
            ReplyShape("redirect", "HTTP/1.1 302 Found\r\nLocation: /sound\r\nContent-Length: 0\r\n\r\n"),
        ]
    }

    /// Whether the reply is an error.
    var isError: Bool { name == "error" }
}
