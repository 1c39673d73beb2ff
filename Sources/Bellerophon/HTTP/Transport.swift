/// How statuses reach the app.
public enum Transport: String, Equatable, Sendable, CaseIterable {
    /// Polls, and also uses a stream if one is configured or the server names one in the header field
    /// `Bellerophon-Events`. While the stream is live, polling is reduced to a slow safety check; when the stream ends, a
    /// check starts immediately.
    case auto
    /// Only polls.
    case poll
    /// Uses only the stream. A check opens a fresh connection. On HTTP 204 the client falls back to polling.
    case stream
}
