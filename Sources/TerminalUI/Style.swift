/// A colour as a view means it; the screen maps it to what the terminal has.
public enum Color: Equatable, Hashable, Sendable {
    /// The terminal's own foreground or background.
    case terminal
    /// One of the sixteen colours that a terminal's user chooses, 0…15.
    case ansi(UInt8)
    /// A colour by its components, 0…255; the nearest of 256, 16 or 8 where the terminal has no more.
    case rgb(UInt8, UInt8, UInt8)
}

/// How a cell's text is drawn.
public struct Style: Equatable, Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bold = Attributes(rawValue: 1 << 0)
        public static let dim = Attributes(rawValue: 1 << 1)
        public static let underline = Attributes(rawValue: 1 << 2)
        public static let reverse = Attributes(rawValue: 1 << 3)
        public static let italic = Attributes(rawValue: 1 << 4)
    }

    public var foreground: Color
    public var background: Color
    public var attributes: Attributes
    /// An `http` or `https` address that the text links to, for terminals that know hyperlinks.
    public var link: String?

    public init(
        foreground: Color = .terminal, background: Color = .terminal,
        _ attributes: Attributes = [], link: String? = nil
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
        self.link = link
    }

    /// The terminal's own colours, no attribute.
    public static let plain = Style()

    public func with(_ attributes: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }

    public func on(_ background: Color) -> Style {
        var style = self
        style.background = background
        return style
    }

    public func linked(to address: String?) -> Style {
        var style = self
        style.link = address
        return style
    }
}

/// The colours by meaning. Every state also has a glyph and a word, so that colour is never alone.
public enum Theme {
    public static let text = Style.plain
    public static let strong = Style(.bold)
    public static let muted = Style(foreground: .rgb(138, 138, 138))
    public static let rule = Style(foreground: .rgb(98, 98, 98))
    public static let accent = Style(foreground: .rgb(95, 175, 255))
    public static let live = Style(foreground: .rgb(95, 215, 135))
    public static let paused = Style(foreground: .rgb(255, 95, 95))
    public static let update = Style(foreground: .rgb(255, 215, 95))
    public static let unknown = Style(foreground: .rgb(175, 135, 255))
    public static let warning = Style(foreground: .rgb(255, 175, 95))
    public static let link = Style(foreground: .rgb(95, 175, 255), .underline)
    public static let selection = Style(.reverse)
    public static let simulated = Style(foreground: .rgb(0, 0, 0), background: .rgb(255, 215, 95), .bold)
}
