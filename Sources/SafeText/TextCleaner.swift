/// Applies the rules of ``TextSanitizer`` to one scalar after the other, except for the normal form and the length.
///
/// Whether a joiner or a selector is kept depends on the adjacent emoji. The normal form does not change that emoji
/// unless a mark follows, so cleaning the result again changes nothing.
struct TextCleaner {
    private(set) var output = String.UnicodeScalarView()
    /// The length of the output in bytes of UTF-8, without marks.
    private(set) var length = 0
    /// Whether the whole output is below the first mark (U+0300), where every text is in normal form C.
    private(set) var isPlain = true
    private let keepsNewlines: Bool
    private var followsCarriageReturn = false
    /// The number of marks since the last other scalar.
    private var marks = 0
    /// Whether the last scalar is an emoji, or a digit or sign that a selector turns into one, and nothing was dropped
    /// after it.
    private var selectable = false
    /// Whether the output ends in an emoji that a joiner can join to another.
    private var endsInEmoji = false
    private var holdsJoiner = false
    /// Whether the last scalar is an emoji with a joiner before it.
    private var endsJoined = false

    /// The most consecutive marks that are passed to the normal form. The value is far above the number that is kept in the
    /// end. It bounds the time, which grows with the square of the number, and is half of the 64 scalars that Foundation
    /// orders correctly, because a mark can decompose into two (U+0344).
    private static let markLimit = 16

    init(keepsNewlines: Bool) {
        self.keepsNewlines = keepsNewlines
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        let endsLineBreak = followsCarriageReturn && scalar == "\n"
        followsCarriageReturn = scalar == "\r"
        if endsLineBreak { return }
        switch scalar.value {
        case 0x20..<0x7F: addBase(scalar)
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: addBase(keepsNewlines ? "\n" : " ")
        case 0x09: for _ in 0..<(keepsNewlines ? 4 : 1) { addBase(" ") }
        case 0x00..<0x20: addBase(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
        case 0x7F: addBase("\u{2421}")
        // A C1 control is Escape and a byte 0x40 lower (ECMA-35, 6.4.3).
        case 0x80..<0xA0:
            addBase("\u{241B}")
            addBase(Unicode.Scalar(scalar.value - 0x40) ?? "\u{FFFD}")
        case 0xFDD0...0xFDEF: addBase("\u{FFFD}")
        case 0x200D: holdsJoiner = endsInEmoji
        case 0xFE0E, 0xFE0F: addSelector(scalar)
        default: addOther(scalar)
        }
    }

    private mutating func addOther(_ scalar: Unicode.Scalar) {
        if scalar.isMark { return addMark(scalar) }
        switch WidthTable.kind(of: scalar) {
        case .dropped: forgetContext()
        case .unknown where scalar.value & 0xFFFE == 0xFFFE: addBase("\u{FFFD}")
        case .unknown where scalar.properties.isDefaultIgnorableCodePoint: forgetContext()
        case .wide where scalar.isEmojiModifier && endsInEmoji:
            addBase(scalar)
            endsInEmoji = true
        case .narrow, .wide, .mark, .unknown: addSpacing(scalar)
        }
    }

    private mutating func addSpacing(_ scalar: Unicode.Scalar) {
        let isEmoji = scalar.isEmojiBase
        let isJoined = holdsJoiner && isEmoji
        if isJoined { append("\u{200D}") }
        addBase(scalar)
        (endsInEmoji, endsJoined) = (isEmoji, isJoined)
    }

    private mutating func addMark(_ scalar: Unicode.Scalar) {
        forgetContext()
        // With a mark the emoji can become another character (↔ with a stroke is ↮), which is never joined.
        if endsJoined { output.remove(at: output.index(output.endIndex, offsetBy: -2)) }
        endsJoined = false
        marks += 1
        isPlain = false
        if marks <= Self.markLimit { output.append(scalar) }
    }

    private mutating func addSelector(_ scalar: Unicode.Scalar) {
        holdsJoiner = false
        if selectable { append(scalar) }
        selectable = false
    }

    /// Adds a scalar that is not a mark; it ends every sequence before it.
    private mutating func addBase(_ scalar: Unicode.Scalar) {
        forgetContext()
        marks = 0
        selectable = scalar.properties.isEmoji
        append(scalar)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        output.append(scalar)
        endsJoined = false
        length += UTF8.width(scalar)
        if scalar.value >= 0x300 { isPlain = false }
    }

    private mutating func forgetContext() {
        holdsJoiner = false
        endsInEmoji = false
        selectable = false
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is part of the character before it: a mark without a cell, or a spacing mark that cannot begin a
    /// grapheme (Unicode Standard Annex 29, table 2).
    var isMark: Bool {
        if value < 0x300 || isEmojiSelector { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return WidthTable.kind(of: self) != .dropped
        case .spacingMark: return !Self.separateMarks.contains { $0.contains(value) }
        default: return value == 0xE33 || value == 0xEB3 || WidthTable.kind(of: self) == .mark
        }
    }

    /// Whether the scalar is the variation selector for text or for emoji.
    var isEmojiSelector: Bool { value == 0xFE0E || value == 0xFE0F }

    /// The spacing marks that begin a grapheme of their own.
    private static let separateMarks: [ClosedRange<UInt32>] = [
        0x102B...0x102C, 0x1038...0x1038, 0x1062...0x1064, 0x1067...0x106D, 0x1083...0x1083, 0x1087...0x108C,
        0x108F...0x108F, 0x109A...0x109C, 0x1A61...0x1A61, 0x1A63...0x1A64, 0xAA7B...0xAA7B, 0xAA7D...0xAA7D,
        0x11720...0x11721,
    ]
}
