import BellerophonBase
import Foundation
import HTTPTransport
import SafeText
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a check did not deliver a valid status.
public struct StatusError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Reason: Equatable, Sendable {
        /// The exchange failed: refused, unreachable, reset or offline. The code is that of `URLError`.
        case transport(code: Int, message: String)
        /// The whole exchange took longer than the deadline.
        case timedOut(after: Duration)
        /// The server replied with a status code other than success.
        case httpStatus(Int)
        /// The server replied 304, but no earlier document is available.
        case notModifiedWithoutDocument
        /// The body is not a status document; the text states what was expected and found.
        case notStatusDocument(String)
        /// The signature or its claims were rejected.
        case untrusted(TrustError)
        /// The body is larger than the limit, in bytes.
        case tooLarge(limit: Int)
        /// A redirect to another origin, or too many redirects; the text states which.
        case redirectRefused(String)
        /// The completion was called with neither a status nor an error, or there is no source and no delegate.
        case noStatus
        /// The address cannot be used; the text states why.
        case unusableURL(String)
        /// A failure that only a stream of statuses can have.
        case stream(StreamError)
        /// The check or the waiting task was cancelled.
        case cancelled
        /// An error from the app's own status code; the text is sanitised.
        case other(String)
    }

    /// Why the check failed.
    public var reason: Reason
    /// The metadata of the exchange; nil if there was no exchange.
    public var metadata: ExchangeMetadata?
    /// The signed status that is refused only because this machine's clock is behind: by the `Date` of its reply it is valid. It counts if
    /// it covers the app at least as strictly as what is shown, see ``StatusReply/coversEarly(_:over:)``.
    var early: StatusReply?

    /// Creates an error, optionally with the metadata of the exchange.
    public init(_ reason: Reason, metadata: ExchangeMetadata? = nil) {
        self.reason = reason
        self.metadata = metadata
    }

    /// Wraps an error from the app's own status code, and sanitises its text.
    init(observing error: (any Error)?) {
        switch error {
        case let error as StatusError: self = error
        case let error?: self.init(.other(Self.text(of: error)))
        case nil: self.init(.noStatus)
        }
    }

    /// One line for display.
    public var description: String {
        switch reason {
        case .transport(_, let message): message
        case .timedOut(let limit): "no complete reply within \(limit.briefText)"
        case .httpStatus(let code): "the server replied with HTTP \(code)"
        case .notModifiedWithoutDocument: "the server replied 304 (not modified), but no earlier document is known"
        case .notStatusDocument(let problem): "not a status document: \(problem)"
        case .untrusted(let problem): "the status is not trusted: \(problem)"
        case .tooLarge(let limit): "the reply is larger than \(limit) bytes"
        case .redirectRefused(let why): "redirect refused: \(why)"
        case .noStatus: "the app's status code gave neither a status nor an error"
        case .unusableURL(let why): "unusable status URL: \(why)"
        case .stream(let failure): failure.description
        case .cancelled: "the check was cancelled"
        case .other(let text): text
        }
    }

    /// A short text for a log column, such as `timeout`, `HTTP 500` or `invalid reply`.
    package var shortText: String {
        switch reason {
        case .transport where addressProblem == .unknownHost: "unknown host"
        case .transport where addressProblem == .certificate: "bad certificate"
        case .transport where addressProblem == .notSecure: "no TLS"
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
    /// The description of an error, in one sanitised line.
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

    /// Foreign text, in one sanitised line of at most 300 characters.
    static func safe(_ words: String) -> String {
        TextSanitizer.sanitize(words, keepingNewlines: false, limit: 300)
    }
}

/// Why no status can be had from an address. Another try rarely helps, and a view names the address with it.
package enum AddressProblem: Equatable, Sendable {
    /// The address itself can't be used.
    case unusable
    /// No machine has the name.
    case unknownHost
    /// The server's certificate is not trusted, or out of date.
    case certificate
    /// Nothing speaks TLS there, or in no common version.
    case notSecure
    /// The server has nothing at this path.
    case notFound
}

extension StatusError {
    /// What is wrong with the address; nil if the failure has another cause, or may have one.
    package var addressProblem: AddressProblem? {
        switch reason {
        case .unusableURL: .unusable
        case .httpStatus(404), .httpStatus(410): .notFound
        case .transport(let code, _):
            switch URLError.Code(rawValue: code) {
            case .badURL, .unsupportedURL: .unusable
            case .cannotFindHost, .dnsLookupFailed: .unknownHost
            case .secureConnectionFailed: .notSecure
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid:
                .certificate
            default: nil
            }
        default: nil
        }
    }
}

extension OverlayPhrases {
    /// A problem with an address, in a few words.
    package func words(_ problem: AddressProblem) -> String {
        switch problem {
        case .unusable: frame.unusableAddress
        case .unknownHost: frame.unknownHost
        case .certificate: frame.badCertificate
        case .notSecure: frame.notSecure
        case .notFound: frame.notFound
        }
    }
}
