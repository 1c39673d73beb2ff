import NIOCore
import NIOHTTP1

/// Renders responses that are not prerendered.
enum ResponseHead {
    /// - Parameters:
    ///   - headers: without `Content-Length`, `Transfer-Encoding`, `Connection` and `Date`.
    ///   - length: of the body in bytes; nil where no body is allowed: 204 and 304.
    static func render(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, length: Int?,
        persistence: PrerenderedReply.Persistence, date: String
    ) -> ByteBuffer {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nDate: \(date)\r\n"
        for (name, value) in headers {
            // A value never ends its line, whatever it was made from.
            let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            text += "\(name): \(isClean ? value : HTTPError.quoted(value))\r\n"
        }
        // What an operator has published, and a text of a client in a problem, is never taken for a page or a script.
        if let length { text += "X-Content-Type-Options: nosniff\r\nContent-Length: \(length)\r\n" }
        return ByteBuffer(string: text + persistence.field + "\r\n")
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
