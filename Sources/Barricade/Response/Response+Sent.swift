public import Foundation

extension Response.Reply {
    /// What a GET is sent of the body, for whoever plays a reply without a session.
    public struct SentBody: Equatable, Sendable {
        /// What `Content-Length` announces.
        public let announced: Int
        /// How many bytes are sent: half of them where the reply ends early, none with 204 and 304.
        public let count: Int
        /// The first of them.
        public let bytes: Data
    }

    /// - Parameter limit: the most bytes to make; padding beyond them is only counted.
    public func sentBody(atMost limit: Int) -> SentBody {
        let isBodiless = statusCode == 204 || statusCode == 304
        var body = ReplyBody(self, isBodiless: isBodiless)
        let (length, count) = (isBodiless ? 0 : body.length, body.sentLength)
        let announced = headers.header("Content-Length").flatMap { Int($0) } ?? length
        return SentBody(announced: announced, count: count, bytes: body.next(atMost: limit) ?? Data())
    }

    /// Where the reply redirects to (RFC 9110, section 15.4); nil where it does not.
    /// - Parameter url: what a relative `Location` is relative to.
    public func redirect(from url: URL?) -> URL? {
        guard [301, 302, 303, 307, 308].contains(statusCode), let place = headers.header("Location") else { return nil }
        return URL(string: place, relativeTo: url)?.absoluteURL
    }
}
