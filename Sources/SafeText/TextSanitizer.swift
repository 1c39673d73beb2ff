import Foundation

/// The one gate between text from outside and the terminal.
public enum TextSanitizer {
    /// The longest text that is kept where no other limit is named, in bytes of UTF-8.
    public static let byteLimit = 4096
    /// The most lines that are kept where no other limit is named.
    public static let lineLimit = 40

    /// Text that is safe to draw and to print: nothing in it moves the cursor, changes the terminal, reorders other
    /// text or hides in it.
    ///
    /// - Escape and the other C0 controls become their pictures (`␛`), so that an attack can be seen; what follows
    ///   them stays as plain text. A C1 control becomes the escape sequence that means the same (ECMA-35): U+009B is
    ///   shown as `␛[`.
    /// - All line ends (CRLF, CR, LF, NEL, U+2028, U+2029) become one newline; a tab becomes spaces.
    /// - Bidirectional controls, tags, fillers and invisible formatting are dropped. A zero width joiner stays
    ///   between two emoji, an emoji's variation selector directly after it.
    /// - No more than four marks stand on one character.
    /// - The result is in Unicode's normal form C.
    ///
    /// Safe text comes back unchanged: applied twice is applied once.
    /// - Parameters:
    ///   - keepingNewlines: otherwise newlines and tabs become single spaces.
    ///   - limit: longest result in bytes of UTF-8. A longer text is cut between graphemes and ends with "…", which
    ///     counts; where not even that fits, nothing is left.
    ///   - lines: most lines of the result; 0 leaves nothing. Of a longer text the last line that is kept ends with "…".
    public static func sanitize(
        _ text: String, keepingNewlines: Bool = true, limit: Int = byteLimit, lines: Int = lineLimit
    ) -> String {
        guard limit > 0, lines > 0 else { return "" }
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var cleaner = TextCleaner(keepsNewlines: keepingNewlines)
        // Normal form C makes a text shorter by two thirds at most: so much is enough to know that it is too long.
        for scalar in text.unicodeScalars where cleaner.length / 3 <= limit { cleaner.take(scalar) }
        let clean = String(cleaner.output)
        return cut(cleaner.isPlain ? clean : normalized(clean), limit: limit, lines: lines)
    }

    /// Text of any length that is safe to print: the gate at a program's end, for what was composed from safe parts.
    package static func printable(_ text: String) -> String {
        sanitize(text, limit: .max, lines: .max)
    }

    /// Normal form C, with the marks that are too many left out. They are counted after the normal form has ordered
    /// them and joined them to their letters; the last ones go, which leaves a text in normal form in it.
    private static func normalized(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in NormalForm.c(text).unicodeScalars {
            if !scalar.isEmojiSelector { marks = scalar.isMark ? marks + 1 : 0 }
            if marks <= CellText.marksPerCell { kept.append(scalar) }
        }
        return String(kept)
    }

    // MARK: Length

    private static let ellipsis = "…"

    private static func cut(_ text: String, limit: Int, lines: Int) -> String {
        let end = endOfLines(in: text, lines)
        let rest = text[end...]
        if text.utf8.count <= limit, rest.isEmpty { return text }
        // The line break that ends the last line is nothing that a reader misses.
        if rest == "\n", text.utf8.count - 1 <= limit { return String(text[..<end]) }
        let room = limit - ellipsis.utf8.count
        return room < 0 ? "" : wholeGraphemes(text[..<end], limit: room) + ellipsis
    }

    /// Where the line break stands that ends the last of so many lines.
    private static func endOfLines(in text: String, _ lines: Int) -> String.Index {
        var line = 1
        for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "\n") {
            if line >= lines { return index }
            line += 1
        }
        return text.endIndex
    }

    /// As many whole graphemes as have at most that many bytes.
    private static func wholeGraphemes(_ text: Substring, limit: Int) -> String {
        guard text.utf8.count > limit else { return String(text) }
        var count = 0
        var end = text.startIndex
        while end < text.endIndex {
            count += text[end].utf8.count
            if count > limit { break }
            end = text.index(after: end)
        }
        return String(text[..<end])
    }
}
