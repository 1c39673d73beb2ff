import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes one response as it arrives. A handler is a value: the exchange owns it and hands it back at the end.
///
/// All calls come one after the other, on the exchange's queue.
package protocol HTTPHandler: Sendable {
    /// Why the handler does not want the rest of a response.
    associatedtype Refusal: Sendable

    /// Takes the head of the final response. A followed redirect is not one.
    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<Refusal>
    /// Takes the next bytes of the body. They are as the server sent them: no content coding is undone.
    mutating func take(_ bytes: Data) -> HTTPVerdict<Refusal>
    /// Takes the head of a redirect that is followed or refused. Does nothing by default.
    mutating func take(redirect head: HTTPURLResponse)
}

extension HTTPHandler {
    package mutating func take(redirect head: HTTPURLResponse) {}
}

/// How an exchange goes on after a handler has seen something of it.
package enum HTTPVerdict<Refusal: Sendable>: Sendable {
    case proceed
    /// The handler has what it wants; the rest is cut off.
    case finish
    /// The response is of no use; the rest is cut off.
    case cut(Refusal)
}

/// How an exchange ended.
package enum HTTPEnd<Refusal: Sendable>: Sendable {
    /// The whole response was taken, or as much of it as the handler wanted.
    case complete
    /// The handler refused the response.
    case cut(Refusal)
    /// There is no whole response.
    case failed(TransportError)
}

extension HTTPEnd: Equatable where Refusal: Equatable {}

/// Why there is no whole response.
package enum TransportError: Error, Equatable, Sendable {
    /// The caller ended the exchange.
    case cancelled
    /// The whole exchange took longer than ``HTTPLimits/deadline``.
    case deadline(Duration)
    /// No byte was sent or received for longer than ``HTTPLimits/silence``.
    case silence(Duration)
    /// A redirect leads elsewhere or is one too many. The text says which, in printable ASCII.
    case redirect(String)
    /// The connection or the response failed. The message is one sentence without a period; it may quote the server.
    case connection(URLError.Code, message: String)
}

/// The bounds of one exchange.
package struct HTTPLimits: Equatable, Sendable {
    /// From the start of the first request to the last byte; nil sets no bound.
    package var deadline: Duration?
    /// The longest time without a byte in either direction; nil sets no bound.
    package var silence: Duration?
    package var redirects: RedirectPolicy

    package init(deadline: Duration? = nil, silence: Duration? = nil, redirects: RedirectPolicy) {
        self.deadline = deadline
        self.silence = silence
        self.redirects = redirects
    }

    /// The most bytes of all heads of one response: interim responses (1xx), the final one and the trailer.
    package static let headBytes = 256 << 10
}

/// What becomes of a redirect.
package enum RedirectPolicy: Equatable, Sendable {
    /// It is a response like any other.
    case deliver
    /// It is followed within the same origin, at most so often in one exchange.
    case follow(limit: Int)
}
