#if Server
import Foundation
import TerminalUI

/// Rules for texts that go into the journal.
enum StoreText {
    /// Unicode scalars.
    static let reasonLimit = 1000

    static func check(_ text: String?, _ field: String, limit: Int) throws(StoreError) {
        guard let count = text?.unicodeScalars.count, count > limit else { return }
        throw .invalid("\(field) has \(count) characters; at most \(limit) are possible")
    }

    /// A note on one line; nil when there is nothing in it.
    static func note(_ text: String?) -> String? {
        guard let text else { return nil }
        return nonBlank(SafeText.sanitize(text, keepingNewlines: false, limit: reasonLimit))
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
