/// A colour as a program has selected it.
package struct ShadowColor: Equatable, Hashable, Sendable {
    /// 0 for the terminal's default; otherwise the kind in the upper byte, and the index or the components below.
    private var bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// The terminal's default colour.
    package static let standard = ShadowColor(bits: 0)
    /// One of the 256 colours of the palette.
    package static func indexed(_ index: UInt8) -> ShadowColor { ShadowColor(bits: 1 << 24 | UInt32(index)) }
    /// A colour by its components.
    package static func direct(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> ShadowColor {
        ShadowColor(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The parts of the colour.
    enum Parts {
        case standard
        case indexed(UInt8)
        case direct(UInt8, UInt8, UInt8)
    }

    var parts: Parts {
        switch bits >> 24 {
        case 1: .indexed(UInt8(truncatingIfNeeded: bits))
        case 2:
            .direct(
                UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                UInt8(truncatingIfNeeded: bits))
        default: .standard
        }
    }
}

/// The graphic rendition of the next character: colours, attributes and link.
package struct ShadowPen: Equatable, Hashable, Sendable {
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
