/// The meaning of the last valid status for the app.
///
/// JSON has the raw value; people read `word`, or `title` where there is room. Wherever a stage is named, both are accepted:
///
/// | in JSON | word | title | the program |
/// |---|---|---|---|
/// | `unknown` | unknown | unknown | runs; a policy can change the stage to `killed` |
/// | `active` | live | live | runs |
/// | `killed` | paused | paused | is covered by the kill view |
/// | `updateRequired` | update | update required | is covered by the update view |
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

    /// The stage with this name, which is a raw value or a ``word``; nil for another text.
    package init?(name: String) {
        guard let stage = Self.allCases.first(where: { $0.rawValue == name || $0.word == name }) else { return nil }
        self = stage
    }

    /// All names that are accepted: the words for people first, then the other raw values.
    package static var names: [String] {
        let words = allCases.map(\.word)
        return words + allCases.map(\.rawValue).filter { !words.contains($0) }
    }

    /// The word for a raw value, such as one that another version of the program has sent; an unknown text is unchanged.
    package static func word(for rawValue: String) -> String { Stage(rawValue: rawValue)?.word ?? rawValue }

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

    /// Whether the stage covers the app, and at least as strictly as the other one: an update is stricter than a pause.
    package func covers(over other: Stage) -> Bool { isBlocked && (self == .updateRequired || other != .updateRequired) }
}
