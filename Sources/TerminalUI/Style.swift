/// A colour that a view requests; the screen maps it to the terminal's colours.
public enum Color: Equatable, Hashable, Sendable {
    /// The terminal's own foreground or background.
    case terminal
    /// One of the sixteen colours of the terminal's palette, 0…15.
    case ansi(UInt8)
    /// A colour by its red, green and blue components, 0…255; the nearest of 256, 16 or 8 colours if the terminal has no more.
    case rgb(UInt8, UInt8, UInt8)
    /// The colour that the screen's theme has for a meaning.
    case role(ColorRole)
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
