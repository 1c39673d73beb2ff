/// A well-formed HTTP response.
public struct Answer: Equatable, Sendable {
    public var status: Int
    /// Sent in addition to `Content-Length`, which the server adds.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int = 200, type: String = "application/json", headers: [String: String] = [:], text: String) {
        self.init(
            status: status, headers: headers.merging(["Content-Type": type]) { own, _ in own }, body: Array(text.utf8)
        )
    }

    /// Whether a response of this status has a body at all (RFC 9110, section 6.4.1).
    var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

    /// The response to a conditional request: 304 if the request names the current tag, else this response.
    func answering(_ request: Request) -> Answer {
        guard status == 200, let tag = headers["ETag"], request.header("If-None-Match") == tag else { return self }
        return Answer(status: 304, headers: ["ETag": tag])
    }

    /// The status line and header block with the body's length, including the empty line that ends it.
    func head() -> [UInt8] { head(length: body.count) }

    /// The same with another length.
    /// - Parameter length: the value of `Content-Length`; nil omits the field, so that the end of the connection is the end of the body.
    func head(length: Int?) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(Self.reason(status))"]
        lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if let length, allowsBody { lines.append("Content-Length: \(length)") }
        if length == nil, headers["Connection"] == nil { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func reason(_ status: Int) -> String {
        let reasons = [
            200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 304: "Not Modified",
            307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden",
            404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
            503: "Service Unavailable",
        ]
        return reasons[status] ?? "Status"
    }
}
