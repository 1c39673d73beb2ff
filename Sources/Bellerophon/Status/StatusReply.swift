public import Foundation
import SafeText
import StatusModel

/// A valid answer: the status document and the facts of the exchange that brought it.
public struct StatusReply: BellerophonObservable, Equatable, Sendable {
    public var document: StatusDocument
    /// Nil where the app's own code fetched the status and told nothing of it.
    public var receipt: ExchangeMetadata?

    public init(_ document: StatusDocument, receipt: ExchangeMetadata? = nil) {
        self.document = document
        self.receipt = receipt
    }

    /// Reads a status of the app's own type once, sanitising its text.
    public init(observing status: any BellerophonObservable) {
        if let reply = status as? StatusReply {
            self = reply
        } else {
            self.init(status as? StatusDocument ?? StatusDocument(observing: status))
        }
    }

    /// The reply as it came at that time by the wall clock.
    func received(on date: Date) -> StatusReply {
        var reply = self
        reply.receipt?.receivedOn = date
        return reply
    }

    public func apiInactive() -> Bool { document.apiInactive() }
    public func forceUpdate() -> Bool { document.forceUpdate() }
    public func retryInterval() -> TimeInterval { document.retryInterval() }
    public func userMessage() -> String { document.userMessage() }
}

/// What one exchange with the status server was like.
public struct ExchangeMetadata: Equatable, Sendable {
    /// The HTTP status code; nil where no response head came.
    public var httpStatus: Int?
    /// From the start of the request to its end, on a monotonic clock.
    public var latency: Duration
    /// When the last byte came; nil where nobody measured it. For the latency from a reply to what it paints.
    public var lastByteAt: ContinuousClock.Instant?
    /// Body bytes received.
    public var bytes: Int
    /// Whether the server said that the document has not changed (304).
    public var isNotModified: Bool
    /// The wait that the server asked for with `Retry-After` (RFC 9110, section 10.2.3).
    public var retryAfter: Duration?
    /// The start of the body, sanitised, for the inspector and error messages. At most 2,048 bytes and 40 lines.
    public var excerpt: String
    /// Whether the status was pushed over a stream, and not asked for. There is no HTTP status and no latency then.
    public var isPushed: Bool
    /// The pushed event's id, to resume the stream after it.
    public var eventID: String?
    /// When the server published the status, by the server's clock.
    public var published: PublicationDate
    /// When the reply came by the wall clock; nil where nobody looked. For comparison with ``published`` only.
    var receivedOn: Date?
    /// What the status's signature vouches for; nil where nobody asked for a signature.
    public var proof: StatusProof?
    /// Where the server pushes changes of this status (`Bellerophon-Events`); of the same origin as the answer.
    public var streamURL: URL?

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

    /// When the server published the status, by the server's clock; nil where it doesn't say, or not readably.
    public var publishedAt: Date? {
        get { published.date }
        set { published = newValue.map { .at($0) } ?? .absent }
    }

    /// The start of a body, safe to draw.
    public static func excerpt(of body: Data) -> String {
        TextSanitizer.sanitize(String(decoding: body.prefix(8192), as: UTF8.self), keepingNewlines: true, limit: 2048)
    }
}
