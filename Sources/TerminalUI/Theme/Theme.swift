/// The styles by meaning. Every state also has a glyph and a word, so that no meaning depends on colour alone.
///
/// The colours are roles: the screen takes them from its ``ColorTheme``.
public enum Theme {
    /// Normal text.
    public static let text = Style.plain
    /// Emphasized text, such as titles.
    public static let strong = Style(.bold)
    /// Secondary text.
    public static let muted = Style(foreground: .role(.muted))
    /// Lines, boxes and the empty part of a bar.
    public static let rule = Style(foreground: .role(.rule))
    /// Keys, bars and sparklines.
    public static let accent = Style(foreground: .role(.accent))
    /// The stage `active`.
    public static let live = Style(foreground: .role(.live))
    /// The stage `killed` and failures.
    public static let paused = Style(foreground: .role(.paused))
    /// The stage `updateRequired`.
    public static let update = Style(foreground: .role(.update))
    /// The stage `unknown`.
    public static let unknown = Style(foreground: .role(.unknown))
    /// Warnings.
    public static let warning = Style(foreground: .role(.warning))
    /// Links, underlined.
    public static let link = Style(foreground: .role(.link), .underline)
    /// Selected text, with foreground and background exchanged.
    public static let selection = Style(.reverse)
    /// The label of simulated responses.
    public static let simulated = Style(foreground: .role(.label), background: .role(.labelBackground), .bold)
}
