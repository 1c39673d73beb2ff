/// What the last valid status means for the app.
///
/// Everything that a script reads has the raw value; everything that a person reads has ``title``:
///
/// | for scripts | for people | the program |
/// |---|---|---|
/// | `unknown` | unknown | runs, unless the policy for that says otherwise |
/// | `active` | live | runs |
/// | `killed` | paused | is covered by the kill view |
/// | `updateRequired` | update required | is covered by the update view |
public enum Stage: String, Equatable, Sendable, CaseIterable, Codable {
    /// No valid status has been seen yet. The app runs.
    case unknown
    /// The app may run.
    case active
    /// The service is stopped; the kill switch view covers the app.
    case killed
    /// This version may not go on; the update view covers the app.
    case updateRequired

    /// The stage in words for a person, in lower case.
    package var title: String {
        switch self {
        case .unknown: "unknown"
        case .active: "live"
        case .killed: "paused"
        case .updateRequired: "update required"
        }
    }

    /// A sign beside the words, so that no meaning is in a colour alone.
    package var glyph: String {
        switch self {
        case .unknown: "?"
        case .active: "●"
        case .killed: "■"
        case .updateRequired: "▲"
        }
    }

    /// Whether the app is covered.
    public var isBlocked: Bool { self == .killed || self == .updateRequired }
}
