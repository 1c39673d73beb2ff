/// What the last valid status means for the app.
public enum Stage: String, Equatable, Sendable, CaseIterable, Codable {
    /// No valid status has been seen yet. The app runs.
    case unknown
    /// The app may run.
    case active
    /// The service is stopped; the kill switch view covers the app.
    case killed
    /// This version may not go on; the update view covers the app.
    case updateRequired

    /// Whether the app is covered.
    public var isBlocked: Bool { self == .killed || self == .updateRequired }
}
