/// The meaning of the last valid status for the app.
///
/// Scripts read the raw value; people read `title`:
///
/// | for scripts | for people | the program |
/// |---|---|---|
/// | `unknown` | unknown | runs; a policy can change the stage to `killed` |
/// | `active` | live | runs |
/// | `killed` | paused | is covered by the kill view |
/// | `updateRequired` | update required | is covered by the update view |
public enum Stage: String, Equatable, Sendable, CaseIterable, Codable {
    /// No valid status is known, or the policy dropped an outdated one. The app runs.
    case unknown
    /// The app may run.
    case active
    /// The service is stopped; the kill view covers the app.
    case killed
    /// This version must be updated; the update view covers the app.
    case updateRequired

    /// The stage in words for people, in lower case.
    package var title: String {
        switch self {
        case .unknown: "unknown"
        case .active: "live"
        case .killed: "paused"
        case .updateRequired: "update required"
        }
    }

    /// The stage in one word, for places that are too narrow for ``title``.
    package var word: String { self == .updateRequired ? "update" : title }

    /// A symbol beside the words, so that no meaning depends on colour alone.
    package var glyph: String {
        switch self {
        case .unknown: "?"
        case .active: "●"
        case .killed: "■"
        case .updateRequired: "▲"
        }
    }

    /// Whether the stage covers the app.
    public var isBlocked: Bool { self == .killed || self == .updateRequired }
}
