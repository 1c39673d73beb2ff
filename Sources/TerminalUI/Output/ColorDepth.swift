/// The number of colours of a terminal.
public enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
    /// Attributes only: bold, dim, underline, reverse.
    case mono
    /// Eight colours.
    case eight
    /// Sixteen colours.
    case sixteen
    /// The 256 indexed colours of xterm.
    case indexed
    /// Direct colours: red, green and blue components.
    case direct

    /// Whether the left depth has fewer colours.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

    /// The depth of a terminal with this number of colours.
    /// - Parameter isDirect: whether its colour numbers are red, green and blue components.
    package init(colors: Int, isDirect: Bool = false) {
        self =
            switch colors {
            case ..<8: .mono
            case ..<16: .eight
            case ..<256: .sixteen
            default: isDirect ? .direct : .indexed
            }
    }

    /// The terminal's number of a colour; nil for the terminal's default. A role has a colour only in a theme.
    package func number(of color: Color) -> Int? {
        switch (self, color) {
        case (.mono, _), (_, .terminal), (_, .role): nil
        case (.eight, .ansi(let index)): Int(index % 8)
        case (_, .ansi(let index)) where self != .direct || index % 16 < 8: Int(index % 16)
        case (_, .ansi(let index)): packed(RGB.bright[Int(index % 8)])
        case (.eight, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOfEight
        case (.sixteen, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOfSixteen
        case (.indexed, .rgb(let red, let green, let blue)): RGB(red, green, blue).nearestOf256
        case (.direct, .rgb(let red, let green, let blue)): packed(RGB(red, green, blue))
        }
    }

    /// The number of a direct colour. The numbers 0…7 are the named colours, of which terminals show a bold black as grey, so
    /// black and the darkest blues become 8.
    private func packed(_ color: RGB) -> Int {
        let number = color.red << 16 | color.green << 8 | color.blue
        return (0..<8).contains(number) ? 8 : number
    }
}
