public import Foundation
import SafeText
import StatusModel

/// A valid reply: the status document and the metadata of the exchange.
public struct StatusReply: BellerophonObservable, Equatable, Sendable {
    /// The status.
    public var document: StatusDocument
    /// The metadata of the exchange; nil if the app's own code fetched the status without any.
    public var metadata: ExchangeMetadata?
    /// When the reply arrived, by the wall clock; nil if not recorded. It is compared with the times of servers only.
    var receivedOn: Date?
    /// How far this machine's clock is behind the server's, if the signed status counts although it is ahead of this machine's clock
    /// (``StatusError/early``); nil for every other status.
    package var clockLag: Duration?

    /// Creates a reply from a document.
    public init(_ document: StatusDocument, metadata: ExchangeMetadata? = nil) {
        self.document = document
        self.metadata = metadata
    }

    /// Reads each value of an app's own status type once, and sanitises the message.
    package init(observing status: any BellerophonObservable) {
        if let reply = status as? StatusReply {
            self = reply
        } else {
            self.init(status as? StatusDocument ?? StatusDocument(observing: status))
        }
    }

    /// A copy with this wall-clock time of receipt.
    package func received(on date: Date) -> StatusReply {
        var reply = self
        reply.receivedOn = date
        return reply
    }

    /// Whether the service is stopped.
    public func apiInactive() -> Bool { document.apiInactive() }
    /// Whether a newer version of the app is required.
    public func forceUpdate() -> Bool { document.forceUpdate() }
    /// The requested seconds until the next check.
    public func retryInterval() -> TimeInterval { document.retryInterval() }
    /// The message for the person at the terminal; empty if there is none.
    public func userMessage() -> String { document.userMessage() }
}

/// The metadata of one exchange with the status server.
public struct ExchangeMetadata: Equatable, Sendable {
    /// The HTTP status code; nil without a response head.
    public var httpStatus: Int?
    /// The time from the start of the request to its end, on a monotonic clock.
    public var latency: Duration
    /// When the last byte arrived; nil if not measured. For measuring the latency from a reply to its display.
    public var lastByteAt: ContinuousClock.Instant?
    /// Body bytes received.
    public var bytes: Int
    /// Whether the server replied that the document has not changed (304).
    public var isNotModified: Bool
    /// The wait that the server requested with `Retry-After` (RFC 9110, section 10.2.3).
    public var retryAfter: Duration?
    /// The start of the body, sanitised, for the inspector and error messages. At most 2,048 bytes and 40 lines.
    public var excerpt: String
    /// Whether the status was pushed over a stream. It then has no HTTP status and no latency.
    public var isPushed: Bool
    /// The id of the pushed event, to resume the stream after it.
    public var eventID: String?
    /// When the server published the status, by the server's clock; absent or unreadable dates are distinguished.
    package var published: PublicationDate
    /// The time of the server's clock when it replied (`Date` and `Age`, RFC 9110, section 6.6.1); nil if it
    /// sent none.
    public var serverDate: Date?
    /// The verified claims of the signature; nil if no signature was required.
    public var proof: StatusProof?
    /// The address of the stream of this status (`Bellerophon-Events`); always of the reply's origin.
    public var streamURL: URL?

    /// Creates metadata. A nil `publishedAt` means that the server sent no date.
    public init(
        httpStatus: Int? = nil, latency: Duration = .zero, bytes: Int = 0, isNotModified: Bool = false,
        retryAfter: Duration? = nil, excerpt: String = "", lastByteAt: ContinuousClock.Instant? = nil,
        isPushed: Bool = false, eventID: String? = nil, publishedAt: Date? = nil, streamURL: URL? = nil,
        proof: StatusProof? = nil
    ) {
        self.httpStatus = httpStatus
        self.latency = latency
        self.bytes = bytes
        self.isNotModified = isNotModified
        self.retryAfter = retryAfter
        self.excerpt = excerpt
        self.lastByteAt = lastByteAt
        self.isPushed = isPushed
        self.eventID = eventID
        published = publishedAt.map { .at($0) } ?? .absent
        self.streamURL = streamURL
        self.proof = proof
    }

    /// When the server published the status, by the server's clock; nil if the date is absent or unreadable.
    public var publishedAt: Date? {
        get { published.date }
        set { published = newValue.map { .at($0) } ?? .absent }
    }

    /// The start of a body, sanitised for display.
    package static func excerpt(of body: Data) -> String {
        TextSanitizer.sanitize(String(decoding: body.prefix(8192), as: UTF8.self), keepingNewlines: true, limit: 2048)
    }
}
