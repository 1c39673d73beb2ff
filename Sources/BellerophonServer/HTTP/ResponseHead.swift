import HTTPTypes
import NIOCore
import NIOHTTP1

/// Renders responses that are not prerendered.
enum ResponseHead {
    /// - Parameters:
    ///   - headers: `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are left out.
    ///   - length: of the body in bytes; nil where no body is allowed: 204 and 304.
    static func render(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, length: Int?,
        persistence: PrerenderedReply.Persistence, date: String
    ) -> ByteBuffer {
        let reason = HTTPResponseStatus(statusCode: status.code).reasonPhrase
        var text = "HTTP/1.1 \(status.code) \(reason)\r\nDate: \(date)\r\n"
        for field in headers where !isOurs(field.name) { text += "\(field.name.rawName): \(field.value)\r\n" }
        // What an operator has published, and a text of a client in a problem, is never taken for a page or a script.
        if let length { text += "X-Content-Type-Options: nosniff\r\nContent-Length: \(length)\r\n" }
        return ByteBuffer(string: text + persistence.field + "\r\n")
    }

    private static func isOurs(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .transferEncoding || name == .connection || name == .date
    }

    /// A problem as a complete response; by default the connection closes after it.
    static func problem(
        _ problem: HTTPError, date: String, isHead: Bool, persistence: PrerenderedReply.Persistence = .close
    ) -> ByteBuffer {
        let (response, body) = (Response(problem), problem.body)
        var bytes = render(response.status, response.headers, length: body.count, persistence: persistence, date: date)
        if !isHead { bytes.writeBytes(body) }
        return bytes
    }
}
