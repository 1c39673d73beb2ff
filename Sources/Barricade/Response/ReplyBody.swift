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
    mutating func whole() -> Data? {
        sentLength > Self.maximumWhole ? nil : next(atMost: sentLength) ?? Data()
    }

    /// 64 KiB.
    static let pieceSize = 65_536
    /// 1 GiB, to limit the memory that a test uses.
    static let maximumWhole = 1 << 30

    /// Shared by all pieces of padding.
    private static let padding = padding(pieceSize)

    private static func padding(_ count: Int) -> Data { Data(repeating: 0x20, count: count) }
}

extension Response.Reply {
    /// The part of the body that a GET request receives, for playing a reply without a session.
    package struct SentBody: Equatable, Sendable {
        /// The value of `Content-Length`.
        package let announced: Int
        /// The number of bytes sent: half of the body if the reply ends early, 0 with status 204 and 304.
        package let count: Int
        /// The first of these bytes, up to the requested limit.
        package let bytes: Data
    }

    /// The part of the body that a GET request receives.
    /// - Parameter limit: the maximum number of bytes to produce; further bytes are only counted.
    package func sentBody(atMost limit: Int) -> SentBody {
        let isBodiless = statusCode == 204 || statusCode == 304
        var body = ReplyBody(self, isBodiless: isBodiless)
        let (length, count) = (isBodiless ? 0 : body.length, body.sentLength)
        let announced = headers.header("Content-Length").flatMap { Int($0) } ?? length
        return SentBody(announced: announced, count: count, bytes: body.next(atMost: limit) ?? Data())
    }

    /// The target of a redirect (RFC 9110, section 15.4); nil if the reply is not a redirect.
    /// - Parameter url: the base of a relative `Location`.
    package func redirect(from url: URL?) -> URL? {
        guard [301, 302, 303, 307, 308].contains(statusCode), let place = headers.header("Location") else { return nil }
        return URL(string: place, relativeTo: url)?.absoluteURL
    }
}
