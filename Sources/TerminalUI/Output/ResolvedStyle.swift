/// A style as a terminal shows it: colour numbers and attributes.
package struct ResolvedStyle: Hashable, Sendable {
    /// The colour number; nil for the terminal's default.
    package var foreground: Int?
    package var background: Int?
    package var attributes: Style.Attributes

    /// Maps a style to the theme's colours and the capabilities of a terminal.
    ///
    /// Without colours a filled area is shown in reverse. With eight colours there is no grey, so the darker greys become
    /// dim white.
    package init(_ themed: Style, _ look: TerminalLook) {
        let depth = look.depth
        let style = look.theme.resolve(themed, depth: depth)
        foreground = depth.number(of: style.foreground)
        background = depth.number(of: style.background)
        attributes = style.attributes
        if depth == .mono, themed.background != .terminal { attributes.formSymmetricDifference(.reverse) }
        guard depth == .eight else { return }
        switch style.foreground {
        case .rgb(let red, let green, let blue)
        where foreground == 7 && max(red, green, blue) < 160: attributes.insert(.dim)
        case .ansi(8):
            foreground = 7
            attributes.insert(.dim)
        case .ansi(9...): attributes.insert(.bold)
        default: break
        }
    }

    /// The parameters of the escape sequence that selects the style after a reset: `0;1;38;5;203`.
    package func parameters(depth: ColorDepth) -> String {
        let marks: [(Style.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
        ]
        var parts = ["0"] + marks.filter { attributes.contains($0.0) }.map(\.1)
        if let foreground { parts.append(Self.color(foreground, base: 30, depth: depth)) }
        if let background { parts.append(Self.color(background, base: 40, depth: depth)) }
        return parts.joined(separator: ";")
    }

    private static func color(_ number: Int, base: Int, depth: ColorDepth) -> String {
        switch number {
        case ..<8: String(base + number)
        case ..<16 where depth != .direct: String(base + 60 + number - 8)
        case _ where depth == .direct: "\(base + 8);2;\(number >> 16 & 255);\(number >> 8 & 255);\(number & 255)"
        default: "\(base + 8);5;\(number)"
        }
    }
}
