/// A colour as a program has selected it.
package enum ShadowColor: Hashable, Sendable {
    /// The terminal's default colour.
    case standard
    /// One of the 256 colours of the palette.
    case indexed(UInt8)
    /// A colour by its components.
    case direct(UInt8, UInt8, UInt8)
}

/// The graphic rendition of the next character: colours, attributes and link.
package struct ShadowPen: Hashable, Sendable {
    /// Text attributes. The three underline bits hold the style of the underline, 0 to 5.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 1 << 1)
        static let italic = Attributes(rawValue: 1 << 2)
        static let blink = Attributes(rawValue: 1 << 3)
        static let reverse = Attributes(rawValue: 1 << 4)
        static let concealed = Attributes(rawValue: 1 << 5)
        static let struckOut = Attributes(rawValue: 1 << 6)
        static let overlined = Attributes(rawValue: 1 << 7)

        /// The style of the underline: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
        var underline: Int {
            get { Int(rawValue >> 8 & 7) }
            set { self = Attributes(rawValue: rawValue & 0xFF | UInt16(newValue & 7) << 8) }
        }
    }

    var foreground = ShadowColor.standard
    var background = ShadowColor.standard
    var underlineColor = ShadowColor.standard
    var attributes: Attributes = []
    /// The number of the hyperlink in ``ShadowLinks``; 0 for none.
    var link: UInt16 = 0

    package init() {}

    /// Changes the number of the link to its new one, or to none.
    mutating func renumberLink(_ numbers: [UInt16: UInt16]) { link = numbers[link] ?? 0 }

    /// The pen that erases cells: terminals keep only the background.
    var erasing: ShadowPen {
        var pen = ShadowPen()
        pen.background = background
        return pen
    }
}

/// One character cell of the shadow.
package struct ShadowCell: Equatable, Sendable {
    /// The character's base; 0 in a cell that was erased and in the right half of a wide character.
    var scalar: UInt32 = 0
    /// The first two combining marks; 0 for none.
    var mark1: UInt32 = 0
    var mark2: UInt32 = 0
    var pen = ShadowPen()
    /// 1, 2, or 0 for the right half of a wide character.
    var width: UInt8 = 1

    package init() {}

    init(_ scalar: UInt32, pen: ShadowPen, width: UInt8) {
        self.scalar = scalar
        self.pen = pen
        self.width = width
    }

    /// Whether the cell is erased in the default background.
    var isBlank: Bool { scalar == 0 && mark1 == 0 && width == 1 && pen == ShadowPen() }
}
