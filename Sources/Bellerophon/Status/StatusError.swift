import BellerophonBase
import Foundation
import HTTPTransport
import SafeText
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a check brought no valid status.
public struct StatusError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// No exchange took place: refused, unreachable, reset, offline. The code is `URLError`'s.
        case transport(code: Int, message: String)
        /// The whole exchange took longer than the deadline.
        case timedOut(after: Duration)
        /// The server answered with a status code other than success.
        case httpStatus(Int)
        /// 304, but no document of an earlier answer is at hand.
        case notModifiedWithoutDocument
        /// The body is no status document; the text says what was expected and found.
        case notStatusDocument(String)
        /// The document is not believed.
        case untrusted(TrustError)
        /// The body is larger than the limit, in bytes.
        case tooLarge(limit: Int)
        /// A redirect to another origin, or one too many; the text says which.
        case redirectRefused(String)
        /// The completion was called with neither a status nor an error, or nobody is there to ask.
        case noStatus
        /// The address cannot be asked at all.
        case unusableURL(String)
        /// What only a stream of statuses can fail with.
        case stream(StreamError)
        /// The check was cancelled, or the task that waited for it.
        case cancelled
        /// An error of the app's own status code.
        case other(String)
    }

    public var reason: Reason
    /// The facts of the exchange, where one took place.
    public var receipt: ExchangeMetadata?

    public init(_ reason: Reason, receipt: ExchangeMetadata? = nil) {
        self.reason = reason
        self.receipt = receipt
    }

    /// Takes an error of the app's own status code, sanitising its text.
    init(observing error: (any Error)?) {
        switch error {
        case let error as StatusError: self = error
        case let error?: self.init(.other(Self.text(of: error)))
        case nil: self.init(.noStatus)
        }
    }

    /// One line that a person can act on.
    public var description: String {
        switch reason {
        case .transport(_, let message): message
        case .timedOut(let limit): "no complete answer within \(limit.briefText)"
        case .httpStatus(let code): "the server answered HTTP \(code)"
        case .notModifiedWithoutDocument: "the server replied 304 (not modified), but no earlier document is known"
        case .notStatusDocument(let problem): "not a status document: \(problem)"
        case .untrusted(let problem): "the status is not trusted: \(problem)"
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .redirectRefused(let why): "redirect refused: \(why)"
        case .noStatus: "the app's status code gave neither a status nor an error"
        case .unusableURL(let why): "unusable status URL: \(why)"
        case .stream(let failure): failure.description
        case .cancelled: "the check was cancelled"
        case .other(let text): text
        }
    }

    /// A word for a log column: `timeout`, `HTTP 500`, `not JSON`…
    public var shortText: String {
        switch reason {
        case .transport: "no connection"
        case .timedOut: "timeout"
        case .httpStatus(let code): "HTTP \(code)"
        case .notModifiedWithoutDocument: "HTTP 304"
        case .notStatusDocument: "invalid reply"
        case .untrusted(let problem): problem.shortText
        case .tooLarge: "too large"
        case .redirectRefused: "redirect"
        case .noStatus: "no status"
        case .unusableURL: "bad URL"
        case .stream(let failure): failure.shortText
        case .cancelled: "cancelled"
        case .other: "error"
        }
    }
}

extension StatusError {
    /// An error's own words in one safe line.
    package static func text(of error: any Error) -> String {
        let words =
            switch error {
            case let error as URLError: error.sentence
            case let error as any LocalizedError: error.errorDescription ?? String(describing: error)
            case let error as NSError where type(of: error) == NSError.self: error.localizedDescription
            default: String(describing: error)
            }
        return safe(words)
    }

    /// Somebody else's words in one line that is safe to draw.
    static func safe(_ words: String) -> String {
        TextSanitizer.sanitize(words, keepingNewlines: false, limit: 300)
    }
}
