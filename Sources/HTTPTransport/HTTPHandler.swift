import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives one response as it arrives. A handler is a value: the exchange owns it and returns it at the end.
///
/// All calls are made in sequence on the exchange's queue.
package protocol HTTPHandler: Sendable {
    /// Why the handler refuses the rest of a response.
    associatedtype Refusal: Sendable

    /// Takes the head of the final response. The head of a followed redirect is not passed.
    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<Refusal>
    /// Takes the next bytes of the body, as the server sent them: content codings are not decoded.
    mutating func take(_ bytes: Data) -> HTTPVerdict<Refusal>
    /// Takes the head of a redirect that is followed or refused. The default implementation does nothing.
    mutating func take(redirect head: HTTPURLResponse)
}

extension HTTPHandler {
    package mutating func take(redirect head: HTTPURLResponse) {}
}

/// How an exchange continues after its handler has taken a part of the response.
package enum HTTPVerdict<Refusal: Sendable>: Sendable {
    case proceed
    /// The handler needs no more; the connection is closed and the exchange is complete.
    case finish
    /// The handler refuses the response; the connection is closed.
    case cut(Refusal)
}

/// How an exchange ended.
package enum HTTPEnd<Refusal: Sendable>: Sendable {
    /// The response was received completely, or as far as the handler needed it.
    case complete
    /// The handler refused the response.
    case cut(Refusal)
    /// There is no complete response.
    case failed(TransportError)
}

extension HTTPEnd: Equatable where Refusal: Equatable {}

/// Why there is no complete response.
package enum TransportError: Error, Equatable, Sendable {
    /// The caller ended the exchange.
    case cancelled
    /// The whole exchange took longer than ``HTTPLimits/deadline``.
    case deadline(Duration)
    /// No byte was sent or received for longer than ``HTTPLimits/silence``.
    case silence(Duration)
    /// A redirect leads to another origin, is invalid or exceeds the limit. The text is the reason, in printable ASCII.
    case redirect(String)
    /// The connection or the response failed. The message is one sentence without a period; it may quote the server.
    case connection(URLError.Code, message: String)
}

/// The limits of one exchange.
package struct HTTPLimits: Equatable, Sendable {
    /// The longest time from the start of the first request to the last byte; nil sets no limit.
    package var deadline: Duration?
    /// The longest time without a byte in either direction; nil sets no limit.
    package var silence: Duration?
    /// The most redirects within the same origin that are followed; nil delivers a redirect like any other response.
    package var redirects: Int?

    package init(deadline: Duration? = nil, silence: Duration? = nil, redirects: Int? = nil) {
        self.deadline = deadline
        self.silence = silence
        self.redirects = redirects
    }
}
