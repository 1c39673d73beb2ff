/// A colour that a view requests; the screen maps it to the terminal's colours.
public enum Color: Equatable, Hashable, Sendable {
    /// The terminal's own foreground or background.
    case terminal
    /// One of the sixteen colours of the terminal's palette, 0…15.
    case ansi(UInt8)
    /// A colour by its red, green and blue components, 0…255; the nearest of 256, 16 or 8 colours if the terminal has no more.
    case rgb(UInt8, UInt8, UInt8)
}

/// The colours, attributes and link of a cell's text.
public struct Style: Equatable, Hashable, Sendable {
    /// A set of text attributes.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The attributes as bits.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold text.
        public static let bold = Attributes(rawValue: 1 << 0)
        /// Dim text.
        public static let dim = Attributes(rawValue: 1 << 1)
        /// Underlined text.
        public static let underline = Attributes(rawValue: 1 << 2)
        /// Text with foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 1 << 3)
        /// Italic text.
        public static let italic = Attributes(rawValue: 1 << 4)
    }

    /// The colour of the text.
    public var foreground: Color
    /// The colour behind the text.
    public var background: Color
    /// The text attributes.
    public var attributes: Attributes
    /// An `http` or `https` address that the text links to, for terminals that support hyperlinks.
    public var link: String?

    /// Creates a style; the default has the terminal's own colours, no attributes and no link.
    public init(
        foreground: Color = .terminal, background: Color = .terminal,
        _ attributes: Attributes = [], link: String? = nil
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
        self.link = link
    }

    /// The terminal's own colours without attributes.
    public static let plain = Style()

    /// The style with the given attributes added.
    public func with(_ attributes: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }

    /// The style with another background.
    public func on(_ background: Color) -> Style {
        var style = self
        style.background = background
        return style
    }

    /// The style with another link; nil removes the link.
    public func linked(to address: String?) -> Style {
        var style = self
        style.link = address
        return style
    }
}

/// The styles by meaning. Every state also has a glyph and a word, so that no meaning depends on colour alone.
public enum Theme {
    /// Normal text.
    public static let text = Style.plain
    /// Emphasized text, such as titles.
    public static let strong = Style(.bold)
    /// Secondary text, in grey.
    public static let muted = Style(foreground: .rgb(138, 138, 138))
    /// Lines, boxes and the empty part of a bar, in dark grey.
    public static let rule = Style(foreground: .rgb(98, 98, 98))
    /// Keys, bars and sparklines, in blue.
    public static let accent = Style(foreground: .rgb(95, 175, 255))
    /// The stage `active`, in green.
    public static let live = Style(foreground: .rgb(95, 215, 135))
    /// The stage `killed` and failures, in red.
    public static let paused = Style(foreground: .rgb(255, 95, 95))
    /// The stage `updateRequired`, in yellow.
    public static let update = Style(foreground: .rgb(255, 215, 95))
    /// The stage `unknown`, in violet.
    public static let unknown = Style(foreground: .rgb(175, 135, 255))
    /// Warnings, in orange.
    public static let warning = Style(foreground: .rgb(255, 175, 95))
    /// Links, in blue and underlined.
    public static let link = Style(foreground: .rgb(95, 175, 255), .underline)
    /// Selected text, with foreground and background exchanged.
    public static let selection = Style(.reverse)
    /// The label of simulated responses, in black on yellow.
    public static let simulated = Style(foreground: .rgb(0, 0, 0), background: .rgb(255, 215, 95), .bold)
}
