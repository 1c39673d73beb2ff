/// The one gate between text from outside and the terminal.
public enum SafeText {
    /// Text that is safe to draw: nothing in it moves the cursor, changes the terminal or reorders other text.
    ///
    /// - Escape and the other C0 controls become their pictures (`␛`), so that an attack can be seen; what follows
    ///   them stays as plain text. C1 controls become U+FFFD.
    /// - All line ends (CRLF, CR, LF, NEL, U+2028, U+2029) become one newline; a tab becomes spaces.
    /// - Bidirectional controls, tags, fillers and invisible formatting are dropped. A zero width joiner stays
    ///   between two emoji, a variation selector directly after what it selects.
    /// - No more than eight combining marks follow each other.
    ///
    /// Text that needs none of this comes back unchanged.
    /// - Parameters:
    ///   - keepingNewlines: otherwise newlines and tabs become single spaces.
    ///   - limit: longest result in Unicode scalars. A longer text is cut between graphemes and ends with "…".
    public static func sanitize(_ text: String, keepingNewlines: Bool = true, limit: Int = 4096) -> String {
        guard limit > 0 else { return "" }
        var cleaner = TextCleaner(keepsNewlines: keepingNewlines)
        for scalar in text.unicodeScalars {
            cleaner.take(scalar)
            if cleaner.count > limit { return cut(String(cleaner.output), to: limit - 1) + "…" }
        }
        return String(cleaner.output)
    }

    /// As many whole graphemes as have at most that many scalars.
    private static func cut(_ text: String, to limit: Int) -> String {
        var count = 0
        var end = text.startIndex
        for index in text.indices {
            count += text[index].unicodeScalars.count
            if count > limit { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }
}

/// Applies the rule to one scalar after the other.
private struct TextCleaner {
    private(set) var output = String.UnicodeScalarView()
    /// Scalars in the output.
    private(set) var count = 0
    private let keepsNewlines: Bool
    private var followsCarriageReturn = false
    private var marks = 0
    /// The scalar that a variation selector would belong to: the last one kept, nothing dropped since.
    private var selectable = false
    /// Whether what was kept last ends in an emoji that a joiner could join to another.
    private var endsInEmoji = false
    private var holdsJoiner = false

    /// Combining marks in a row; no living language needs as many on one letter.
    private static let markLimit = 8

    init(keepsNewlines: Bool) {
        self.keepsNewlines = keepsNewlines
    }

    mutating func take(_ scalar: Unicode.Scalar) {
        let endsLineBreak = followsCarriageReturn && scalar == "\n"
        followsCarriageReturn = scalar == "\r"
        if endsLineBreak { return }
        switch scalar.value {
        case 0x20..<0x7F: keep(scalar)
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: keep(keepsNewlines ? "\n" : " ")
        case 0x09: for _ in 0..<(keepsNewlines ? 4 : 1) { keep(" ") }
        case 0x00..<0x20: keep(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
        case 0x7F: keep("\u{2421}")
        case 0x80..<0xA0, 0xFDD0...0xFDEF: keep("\u{FFFD}")
        case 0x200D: holdsJoiner = endsInEmoji
        case 0xFE0E, 0xFE0F: takeSelector(scalar)
        default: takeOther(scalar)
        }
    }

    private mutating func takeOther(_ scalar: Unicode.Scalar) {
        switch WidthTable.kind(of: scalar) {
        case .dropped: forgetContext()
        case .mark: takeMark(scalar)
        case .unknown where scalar.value & 0xFFFE == 0xFFFE: keep("\u{FFFD}")
        case .wide where scalar.isEmojiModifier && endsInEmoji: append(scalar)
        case .narrow, .wide, .unknown: takeSpacing(scalar)
        }
    }

    private mutating func takeSpacing(_ scalar: Unicode.Scalar) {
        let isEmoji = scalar.isEmojiBase
        if holdsJoiner, isEmoji { append("\u{200D}") }
        keep(scalar)
        endsInEmoji = isEmoji
    }

    private mutating func takeMark(_ scalar: Unicode.Scalar) {
        holdsJoiner = false
        marks += 1
        if marks <= Self.markLimit { append(scalar) }
    }

    private mutating func takeSelector(_ scalar: Unicode.Scalar) {
        if selectable { append(scalar) }
        selectable = false
    }

    /// Adds a spacing scalar, which ends every sequence before it.
    private mutating func keep(_ scalar: Unicode.Scalar) {
        forgetContext()
        marks = 0
        selectable = true
        append(scalar)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        output.append(scalar)
        count += 1
    }

    private mutating func forgetContext() {
        holdsJoiner = false
        endsInEmoji = false
        selectable = false
    }
}
