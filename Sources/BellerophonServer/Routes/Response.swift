import Foundation
import NIOCore
import NIOHTTP1

/// The response of an endpoint.
struct Response: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders = [:]
    var body = Body.empty

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

    static func json(_ data: Data, status: HTTPResponseStatus = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": CachePolicy.none],
            body: .bytes(ByteBuffer(bytes: data))
        )
    }
}

extension Response {
    /// A response that reports a problem.
    init(_ problem: HTTPError) {
        var headers: HTTPHeaders = ["Content-Type": HTTPError.mediaType, "Cache-Control": CachePolicy.none]
        headers.add(contentsOf: problem.headers)
        self.init(
            status: HTTPResponseStatus(statusCode: problem.code), headers: headers,
            body: .bytes(ByteBuffer(bytes: problem.body))
        )
    }
}
