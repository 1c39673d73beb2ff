import HTTPTypes
import NIOCore

/// The response of an endpoint.
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Body

    enum Body: Sendable {
        case bytes(ByteBuffer)
        case file(FileBody)

        static let empty = bytes(ByteBuffer())

        /// In bytes.
        var size: Int {
            switch self {
            case .bytes(let bytes): bytes.readableBytes
            case .file(let file): file.size
            }
        }
    }

    init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response that reports a problem.
    init(_ problem: HTTPError) {
        var headers: HTTPFields = [.contentType: HTTPError.mediaType, .cacheControl: CachePolicy.none]
        for field in problem.headers {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        self.init(
            status: HTTPResponse.Status(code: problem.code), headers: headers,
            body: .bytes(ByteBuffer(bytes: problem.body))
        )
    }
}
