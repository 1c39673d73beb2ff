import Foundation

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
