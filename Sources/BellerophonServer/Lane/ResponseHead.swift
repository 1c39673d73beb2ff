#if Server
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Renders responses that are not prerendered.
enum ResponseHead {
    /// How the end of a body is marked.
    enum Framing: Equatable {
        case length(Int)
        case chunked
        /// The body ends with the connection, for HTTP/1.0.
        case close
        /// No body is allowed: 204 and 304.
        case none
    }

    /// - Parameter headers: `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are left out.
    static func render(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, framing: Framing,
        persistence: PrerenderedReply.Persistence, date: String
    ) -> ByteBuffer {
        let reason = HTTPResponseStatus(statusCode: status.code).reasonPhrase
        var text = "HTTP/1.1 \(status.code) \(reason)\r\nDate: \(date)\r\n"
        for field in headers where !isOurs(field.name) { text += "\(field.name.rawName): \(field.value)\r\n" }
        switch framing {
        case .length(let count): text += "Content-Length: \(count)\r\n"
        case .chunked: text += "Transfer-Encoding: chunked\r\n"
        case .close, .none: break
        }
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
        var bytes = render(response.status, response.headers, framing: .length(body.count), persistence: persistence, date: date)
        if !isHead { bytes.writeBytes(body) }
        return bytes
    }
}

extension Response {
    /// A response that reports a problem.
    init(_ problem: HTTPError) {
        var headers: HTTPFields = [.contentType: HTTPError.mediaType, .cacheControl: CachePolicy.none]
        for field in problem.headers {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        self.init(
            status: HTTPResponse.Status(code: problem.code), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: problem.body))
        )
    }
}
#endif
