#if Server
import Foundation
import SafeText

/// Rules for texts that go into the journal.
enum StoreText {
    /// Bytes of UTF-8.
    static let reasonLimit = 1000

    /// Refuses what a client would cut.
    /// - Parameters:
    ///   - limit: bytes of UTF-8.
    ///   - lines: how many lines the text may have; nil where it becomes one line anyway.
    static func check(_ text: String?, _ field: String, limit: Int, lines: Int? = nil) throws(StoreError) {
        guard let text else { return }
        if text.utf8.count > limit {
            throw .invalid(
                "\(field) has \(text.utf8.count) bytes of UTF-8; at most \(limit) are possible",
                hint: "a letter beyond ASCII is 2 to 4 bytes"
            )
        }
        guard let lines else { return }
        let count = TextSanitizer.sanitize(text, limit: .max, lines: .max).split(
            separator: "\n", omittingEmptySubsequences: false
        ).count
        if count > lines { throw .invalid("\(field) has \(count) lines; at most \(lines) are possible") }
    }

    /// A note on one line; nil when there is nothing in it.
    static func note(_ text: String?) -> String? {
        guard let text else { return nil }
        return nonBlank(TextSanitizer.sanitize(text, keepingNewlines: false, limit: reasonLimit))
    }

    /// What people read on their screens, as they will read it; nil when there is nothing in it.
    static func message(_ text: String?) -> String? {
        nonBlank(text).flatMap { nonBlank(TextSanitizer.sanitize($0)) }
    }

    /// A person or a program, as the journal names it.
    static func who(_ name: String) -> String { note(name) ?? "unknown" }

    /// The text without white space at its ends; nil when nothing is left.
    static func nonBlank(_ text: String?) -> String? {
        guard let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines), !trimmed.isEmpty else { return nil }
        return trimmed
    }
}
#endif
