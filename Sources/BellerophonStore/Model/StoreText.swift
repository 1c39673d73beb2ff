import BellerophonBase
import Foundation
import SafeText

/// Rules for texts in the journal.
enum StoreText {
    /// In bytes of UTF-8.
    static let reasonLimit = 1000

    /// Refuses texts that a client would truncate.
    /// - Parameters:
    ///   - limit: the maximum size in bytes of UTF-8.
    ///   - lines: the maximum number of lines; nil if the text is later joined to one line.
    static func validate(_ text: String?, _ field: String, limit: Int, lines: Int? = nil) throws(StoreError) {
        guard let text else { return }
        if text.utf8.count > limit {
            throw .invalid(
                "\(field) has \(text.utf8.count) bytes of UTF-8; at most \(limit) are possible",
                hint: "a letter beyond ASCII is 2 to 4 bytes"
            )
        }
        guard let lines else { return }
        let count = TextSanitizer.sanitize(text, limit: .max, lines: .max).components(separatedBy: "\n").count
        if count > lines { throw .invalid("\(field) has \(count) lines; at most \(lines) are possible") }
    }

    /// The text as a single line; nil if it is empty or blank.
    static func singleLine(_ text: String?) -> String? {
        guard let text else { return nil }
        return nonBlank(TextSanitizer.sanitize(text, keepingNewlines: false, limit: reasonLimit))
    }

    /// A user message as clients display it; nil if it is empty or blank.
    static func message(_ text: String?) -> String? {
        nonBlank(text).flatMap { nonBlank(TextSanitizer.sanitize($0)) }
    }

    /// Refuses a text that is no name: ASCII letters, digits, '.', '_' and '-', beginning with a letter or a digit.
    /// - Parameters:
    ///   - what: what has the name, with its article.
    ///   - limit: the maximum number of bytes.
    static func checkName(_ text: String, of what: String, limit: Int = 64, hasCapitals: Bool = false) throws(StoreError) {
        let letters = ("abcdefghijklmnopqrstuvwxyz0123456789" + (hasCapitals ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "")).utf8
        guard text.utf8.count <= limit, let first = text.utf8.first, letters.contains(first),
            text.utf8.allSatisfy({ letters.contains($0) || ".-_".utf8.contains($0) })
        else {
            throw .invalid(
                "\(JSONText.quoted(String(text.prefix(limit + 16)))) is not a valid name of \(what)",
                hint:
                    "1 to \(limit) of \(hasCapitals ? "A-Z, " : "")a-z, 0-9, '.', '_' and '-', beginning with a letter or a digit"
            )
        }
    }

    /// The display name of a person or a program in the journal.
    static func who(_ name: String) -> String { singleLine(name) ?? "unknown" }

    /// The text without white space at its ends; nil if nothing remains.
    static func nonBlank(_ text: String?) -> String? {
        guard let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines), !trimmed.isEmpty else { return nil }
        return trimmed
    }
}
