/// How frames look on a terminal: its colours, their theme, and the characters of drawings.
package struct TerminalLook: Equatable, Sendable {
    /// The number of colours in use.
    package let depth: ColorDepth
    /// The colours of the roles.
    package let theme: ColorTheme
    /// The characters of lines, marks and drawings.
    package let glyphs: GlyphStyle

    /// - Parameter depth: the number of the terminal's colours. A theme without colours uses none of them.
    package init(depth: ColorDepth, theme: ColorTheme = .dark, glyphs: GlyphStyle = .unicode) {
        self.depth = theme.isMonochrome ? .mono : depth
        self.theme = theme
        self.glyphs = glyphs
    }
}
