import NIOCore
import NIOHTTP1

/// A complete reply to GET and HEAD. It is used on one thread only.
///
/// Only the date and the `Connection` field differ between two uses. The bytes of each variant are rendered on first use, so that a reply
/// takes one write.
package final class PrerenderedReply: Equatable {
    /// The part of the reply that a request gets.
    package enum Part: Int, Sendable, CaseIterable { case whole, head, notModified }

    /// The connection's persistence after the reply.
    package enum Persistence: Int, Sendable, CaseIterable {
        /// HTTP/1.1 connections stay open by default.
        case implied
        /// HTTP/1.0 needs the explicit field.
        case keepAlive
        case close

        var field: String {
            switch self {
            case .implied: ""
            case .keepAlive: "Connection: keep-alive\r\n"
            case .close: "Connection: close\r\n"
            }
        }
    }

    /// The class under which requests for the reply are counted.
    package let route: RouteClass
    /// The strong entity tag with its quotes; nil if conditional requests are not supported.
    package let etag: String?
    /// Header fields in their order on the wire, without `Date`, `Content-Length` and `Connection`.
    package let fields: HTTPHeaders
    package let body: [UInt8]
    /// In the format of ``HTTPDate``.
    var date = ""
    private var variants = [ByteBuffer?](repeating: nil, count: 9)

    /// - Parameter more: further header fields.
    init(
        _ route: RouteClass, type: String, etag: String? = nil, cache: String, more: [(String, String)] = [],
        body: some Sequence<UInt8>
    ) {
        (self.route, self.etag, self.body) = (route, etag, Array(body))
        let tag = etag.map { [("ETag", $0)] } ?? []
        fields = HTTPHeaders([("Content-Type", type)] + tag + [("Cache-Control", cache)] + more)
    }

    package static func == (one: PrerenderedReply, other: PrerenderedReply) -> Bool {
        (one.route, one.etag, one.fields, one.body) == (other.route, other.etag, other.fields, other.body)
    }

    /// The bytes for a request, and their status code.
    /// - Parameter isKnown: whether the client has the representation with an entity tag.
    func bytes(isHead: Bool, unless isKnown: (String) -> Bool, _ persistence: Persistence) -> (bytes: ByteBuffer, code: Int) {
        let part: Part = etag.map(isKnown) == true ? .notModified : isHead ? .head : .whole
        let index = part.rawValue * 3 + persistence.rawValue
        let bytes = variants[index] ?? render(part, persistence, date: date)
        variants[index] = bytes
        return (bytes, part == .notModified ? 304 : 200)
    }

    /// The bytes on the wire.
    /// - Parameter date: in the format of ``HTTPDate``.
    package func render(_ part: Part, _ persistence: Persistence, date: String) -> ByteBuffer {
        var text = part == .notModified ? "HTTP/1.1 304 Not Modified\r\n" : "HTTP/1.1 200 OK\r\n"
        text += "Date: \(date)\r\n"
        // A 304 repeats the fields that a cache needs, and not the one that describes a body (RFC 9110, section 15.4.5).
        for (name, value) in fields where part != .notModified || name != "Content-Type" {
            text += "\(name): \(value)\r\n"
        }
        if part != .notModified { text += "Content-Length: \(body.count)\r\n" }
        text += persistence.field + "\r\n"
        var buffer = ByteBuffer()
        buffer.reserveCapacity(text.utf8.count + (part == .whole ? body.count : 0))
        buffer.writeString(text)
        if part == .whole { buffer.writeBytes(body) }
        return buffer
    }
}
