import Foundation

/// Makes text from outside safe to draw and to print.
public enum TextSanitizer {
    /// The default limit of a text, in bytes of UTF-8.
    public static let byteLimit = 4096
    /// The default limit of lines.
    public static let lineLimit = 40

    /// Text that is safe to draw and to print: it cannot move the cursor, change the terminal, reorder other text or hide
    /// characters.
    ///
    /// - Escape and the other C0 controls become their pictures (`␛`), so that an attack is visible; the characters after
    ///   them stay as plain text. A C1 control becomes the equivalent escape sequence (ECMA-35): U+009B is shown as `␛[`.
    /// - All line ends (CRLF, CR, LF, NEL, U+2028, U+2029) become one newline; a tab becomes four spaces.
    /// - Bidirectional controls, tags, fillers and invisible formatting are dropped. A zero width joiner is kept between
    ///   two emoji, and a variation selector directly after an emoji.
    /// - A character keeps at most four marks.
    /// - The result is in Unicode's normal form C.
    ///
    /// The operation is idempotent: safe text is returned unchanged.
    /// - Parameters:
    ///   - keepingNewlines: if false, each newline and each tab becomes one space.
    ///   - limit: maximum length in bytes of UTF-8. A longer text is cut between graphemes and ends with "…", which counts
    ///     towards the limit; if the limit is below the length of "…", the result is empty.
    ///   - lines: maximum number of lines; with 0 the result is empty. If lines are cut, the last one ends with "…".
    public static func sanitize(
        _ text: String, keepingNewlines: Bool = true, limit: Int = byteLimit, lines: Int = lineLimit
    ) -> String {
        guard limit > 0, lines > 0 else { return "" }
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var cleaner = TextCleaner(keepsNewlines: keepingNewlines)
        // Normal form C shortens a text by at most two thirds, so three times the limit proves that the text is too long.
        for scalar in text.unicodeScalars where cleaner.length / 3 <= limit { cleaner.add(scalar) }
        let clean = String(cleaner.output)
        return cut(cleaner.isPlain ? clean : normalized(clean), limit: limit, lines: lines)
    }

    /// Sanitizes text of any length. It is for a program's final output, which is composed of sanitized parts.
    package static func printable(_ text: String) -> String {
        sanitize(text, limit: .max, lines: .max)
    }

    /// Normal form C without surplus marks. Marks are counted after the normal form has ordered them and composed them with
    /// their letters. The last ones are removed, which keeps the text in normal form.
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
        // A line break at the end of the last line is removed without an ellipsis.
        if rest == "\n", text.utf8.count - 1 <= limit { return String(text[..<end]) }
        let room = limit - ellipsis.utf8.count
        return room < 0 ? "" : wholeGraphemes(text[..<end], limit: room) + ellipsis
    }

    /// The index of the line break after the given number of lines, or the end of the text.
    private static func endOfLines(in text: String, _ lines: Int) -> String.Index {
        var line = 1
        for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "\n") {
            if line >= lines { return index }
            line += 1
        }
        return text.endIndex
    }

    /// The longest prefix of whole graphemes with at most `limit` bytes.
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
