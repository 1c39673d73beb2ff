/// A colour for each role.
///
/// A role without a colour has the terminal's own foreground or background.
public struct ColorTheme: Equatable, Sendable {
    /// The name in settings and messages.
    public let name: String
    /// The colours on terminals with 256 colours or more. On others the nearest ones are used, if ``basic`` has none.
    private var colors: [ColorRole: Color] = [:]
    /// The colours on terminals with 8 or 16 colours, if the nearest ones would be hard to read.
    private var basic: [ColorRole: Color] = [:]
    /// Whether the theme has no colours, only bold, underline and reverse.
    public let isMonochrome: Bool

    init(name: String, _ colors: [ColorRole: Color], basic: [ColorRole: Color] = [:], isMonochrome: Bool = false) {
        self.name = name
        self.colors = colors
        self.basic = basic
        self.isMonochrome = isMonochrome
    }

    /// Creates a theme with the colours of another one, except for some roles.
    /// - Parameter overrides: the colours that differ, on terminals of every depth. ``Color/terminal`` stands for the
    ///   terminal's own colour.
    public init(name: String, basedOn base: ColorTheme, overrides: [ColorRole: Color]) {
        self.init(
            name: name, base.colors.merging(overrides) { $1 }, basic: base.basic.merging(overrides) { $1 },
            isMonochrome: base.isMonochrome)
    }

    /// The colour of a role.
    /// - Parameter depth: the number of the terminal's colours.
    public func color(_ role: ColorRole, depth: ColorDepth = .direct) -> Color {
        let color = colors[role] ?? .terminal
        return depth < .indexed ? basic[role] ?? color : color
    }

    /// The style with the theme's colours in place of roles and of the terminal's own colours.
    func resolve(_ style: Style, depth: ColorDepth) -> Style {
        var style = style
        style.foreground = resolve(style.foreground, .text, depth)
        style.background = resolve(style.background, .background, depth)
        return style
    }

    private func resolve(_ color: Color, _ own: ColorRole, _ depth: ColorDepth) -> Color {
        switch color {
        case .terminal: self.color(own, depth: depth)
        case .role(let role): self.color(role, depth: depth)
        case .ansi, .rgb: color
        }
    }
}

/// The themes that ship. In each of them the contrast of a text to its background is at least 4.5 : 1 (WCAG 2.1, success
/// criterion 1.4.3); in the high-contrast theme it is 7 : 1 (1.4.6).
extension ColorTheme {
    /// For terminals with a dark background.
    public static let dark = ColorTheme(
        name: "dark",
        [
            .muted: .rgb(158, 158, 158), .rule: .rgb(135, 135, 135), .accent: .rgb(95, 175, 255),
            .live: .rgb(95, 215, 135), .paused: .rgb(255, 95, 95), .update: .rgb(255, 215, 95),
            .unknown: .rgb(175, 135, 255), .warning: .rgb(255, 175, 95), .link: .rgb(95, 175, 255),
            .label: .rgb(0, 0, 0), .labelBackground: .rgb(255, 215, 95),
        ])

    /// For terminals with a light background.
    ///
    /// Of the sixteen colours only black, red, blue and magenta can be read on white.
    public static let light = ColorTheme(
        name: "light",
        [
            .muted: .rgb(88, 88, 88), .rule: .rgb(98, 98, 98), .accent: .rgb(0, 95, 175),
            .live: .rgb(0, 95, 0), .paused: .rgb(215, 0, 0), .update: .rgb(95, 95, 0),
            .unknown: .rgb(135, 0, 215), .warning: .rgb(135, 95, 0), .link: .rgb(0, 95, 175),
            .label: .rgb(0, 0, 0), .labelBackground: .rgb(255, 215, 95),
        ],
        basic: [
            .muted: .terminal, .rule: .terminal, .accent: .ansi(4), .live: .terminal, .paused: .ansi(1), .update: .ansi(5),
            .unknown: .ansi(5), .warning: .ansi(1), .link: .ansi(4), .label: .ansi(0), .labelBackground: .ansi(3),
        ])

    /// Bright colours on black, on terminals with any background.
    public static let highContrast = ColorTheme(
        name: "high-contrast",
        [
            .text: .rgb(255, 255, 255), .background: .rgb(0, 0, 0),
            .muted: .rgb(218, 218, 218), .rule: .rgb(255, 255, 255), .accent: .rgb(135, 215, 255),
            .live: .rgb(135, 255, 135), .paused: .rgb(255, 135, 135), .update: .rgb(255, 255, 95),
            .unknown: .rgb(215, 175, 255), .warning: .rgb(255, 175, 95), .link: .rgb(135, 215, 255),
            .label: .rgb(0, 0, 0), .labelBackground: .rgb(255, 255, 95),
        ],
        basic: [
            .text: .ansi(15), .background: .ansi(0), .muted: .ansi(7), .rule: .ansi(15), .accent: .ansi(14), .live: .ansi(10),
            .paused: .ansi(9), .update: .ansi(11), .unknown: .ansi(13), .warning: .ansi(11), .link: .ansi(14),
            .label: .ansi(0), .labelBackground: .ansi(3),
        ])

    /// The terminal's own colours, with bold, underline and reverse.
    public static let mono = ColorTheme(name: "mono", [:], isMonochrome: true)

    /// The themes that ship.
    package static let named = [dark, light, highContrast, mono]
}
