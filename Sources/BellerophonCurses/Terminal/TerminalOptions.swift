public import TerminalUI

/// How ``CursesTerminal`` uses the terminal.
public struct TerminalOptions: Equatable, Sendable {
    /// The highest colour depth to use; nil uses all colours of the terminal, or none if `NO_COLOR` is set.
    ///
    /// With ``ColorDepth/direct`` the terminal does not open if its description has no direct colours.
    public var color: ColorDepth?
    /// The theme; nil takes the one for the terminal's background.
    ///
    /// The background is that of `COLORFGBG`, or dark, until the terminal replies to a query (OSC 11). The first frame does
    /// not wait for the reply, and a reply after more than a second has no effect.
    public var theme: ColorTheme?
    /// The characters of lines, marks and drawings; nil takes ASCII on the console of Linux and in a locale without UTF-8.
    public var glyphs: GlyphStyle?
    /// Whether clicks and the wheel are reported as keys.
    public var mouse: Bool
    /// Whether linked text is written as terminal hyperlinks.
    public var hyperlinks: Bool

    /// Creates options.
    public init(
        color: ColorDepth? = nil, theme: ColorTheme? = nil, glyphs: GlyphStyle? = nil, mouse: Bool = true,
        hyperlinks: Bool = true
    ) {
        self.color = color
        self.theme = theme
        self.glyphs = glyphs
        self.mouse = mouse
        self.hyperlinks = hyperlinks
    }
}
