/// What a colour means. A ``ColorTheme`` has a colour for each role.
public enum ColorRole: String, Sendable, CaseIterable {
    /// Normal text.
    case text
    /// Behind all text.
    case background
    /// Secondary text.
    case muted
    /// Lines, boxes and the empty part of a bar.
    case rule
    /// Keys, bars and sparklines.
    case accent
    /// The stage `active`.
    case live
    /// The stage `killed` and failures.
    case paused
    /// The stage `updateRequired`.
    case update
    /// The stage `unknown`.
    case unknown
    /// Warnings.
    case warning
    /// Links.
    case link
    /// The text of the label of simulated responses.
    case label
    /// Behind the label of simulated responses.
    case labelBackground
}
