import BellerophonBase

/// The failures that only streams have; all others are a ``StatusError/Reason``, as for a check.
public enum StreamError: Equatable, Sendable, CustomStringConvertible {
    /// The server closed the stream.
    case ended
    /// HTTP 204: the server wants no further connection (WHATWG HTML, section 9.2.3).
    case refused
    /// Neither an event nor a heartbeat was received for this time.
    case silent(for: Duration)
    /// The response has another media type; the text names it.
    case otherMediaType(String)
    /// A line or an event exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// Events arrived faster than they were handled, or more than 1 MiB in a minute belonged to no event.
    case flood

    /// One line for display.
    public var description: String {
        switch self {
        case .ended: "the server closed the stream"
        case .refused: "the server wants no stream (HTTP 204)"
        case .silent(let time): "the stream was silent for \(time.briefText)"
        case .otherMediaType(let found): "expected text/event-stream, found \(found)"
        case .tooLarge(let limit): "an event of the stream is larger than \(limit) bytes"
        case .flood: "the stream sends faster than it can be read"
        }
    }

    /// A short text for a log column.
    var shortText: String {
        switch self {
        case .ended: "closed"
        case .refused: "HTTP 204"
        case .silent: "silent"
        case .otherMediaType: "no stream"
        case .tooLarge: "too large"
        case .flood: "flood"
        }
    }
}
