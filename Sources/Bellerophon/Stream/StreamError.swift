import BellerophonBase

/// What goes wrong with streams only; all else is a ``StatusError/Reason`` as for a check.
public enum StreamError: Equatable, Sendable, CustomStringConvertible {
    /// The server closed the stream.
    case ended
    /// 204: the server wants no further connection (WHATWG HTML, section 9.2.3).
    case refused
    /// Neither an event nor a heartbeat for that long.
    case silent(for: Duration)
    /// The answer is of another media type; the text names it.
    case otherMediaType(String)
    /// A line or an event passed the limit, in bytes.
    case tooLarge(limit: Int)
    /// Events came faster than they could be taken.
    case flood

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

    /// A word for a log column.
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
