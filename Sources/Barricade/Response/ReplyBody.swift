import Foundation

/// The bytes of a reply's body, produced in pieces. The padding is generated, not stored.
struct ReplyBody {
    /// The value of `Content-Length`.
    let length: Int
    /// The number of bytes to send: all of them, or the first half if the reply ends early; 0 without a body.
    let sentLength: Int
    private let body: Data
    private(set) var sent = 0

    /// - Parameter isBodiless: whether no body is sent: HEAD, 204 and 304 (RFC 9110, sections 6.4.1 and 9.3.2).
    init(_ reply: Response.Reply, isBodiless: Bool = false) {
        body = reply.body
        length = max(body.count, reply.bodyBytes ?? 0)
        sentLength = isBodiless ? 0 : reply.ending == .complete ? length : length / 2
    }

    /// The next piece; nil after the last.
    mutating func next(atMost count: Int) -> Data? {
        let size = min(max(count, 1), sentLength - sent)
        guard size > 0 else { return nil }
        defer { sent += size }
        guard sent < body.count else { return size == Self.padding.count ? Self.padding : Self.padding(size) }
        let start = body.startIndex + sent
        let piece = body[start..<min(start + size, body.endIndex)]
        return piece.count == size ? Data(piece) : piece + Self.padding(size - piece.count)
    }

    /// All bytes to send, in one piece; nil above ``maximumWhole``.
    func whole() -> Data? {
        guard sentLength <= Self.maximumWhole else { return nil }
        let head = body.prefix(sentLength)
        return head.count == sentLength ? Data(head) : head + Self.padding(sentLength - head.count)
    }

    /// 64 KiB.
    static let pieceSize = 65_536
    /// 1 GiB, to limit the memory that a test uses.
    static let maximumWhole = 1 << 30

    /// Shared by all pieces of padding.
    private static let padding = padding(pieceSize)

    private static func padding(_ count: Int) -> Data { Data(repeating: 0x20, count: count) }
}
