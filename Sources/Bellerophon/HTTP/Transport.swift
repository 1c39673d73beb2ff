/// How statuses come to the app.
public enum Transport: String, Equatable, Sendable, CaseIterable {
    /// Asks, and is told as soon as there is a stream: one that was configured, or one that the server names in the
    /// header field `Bellerophon-Events`. While the stream lives, asking rests but for a slow safety check; when it
    /// falls, a check is made at once.
    case auto
    /// Only asks.
    case poll
    /// Is only told. A check is a fresh connection then.
    case stream
}
