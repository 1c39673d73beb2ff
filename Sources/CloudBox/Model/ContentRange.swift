import Foundation

/// The range of a partial response: `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let bytes: ClosedRange<Int64>
    /// The total size in bytes; nil if the server does not know it (`*`).
    let total: Int64?

    /// Nil if the field is missing, contains no byte range or is inconsistent.
    init?(_ field: String?) {
        guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        bytes = first...last
        if parts[1].trimmingCharacters(in: .whitespaces) == "*" {
            total = nil
            return
        }
        guard let whole = Self.number(parts[1]), whole > last else { return nil }
        total = whole
    }

    private static func number(_ text: Substring) -> Int64? {
        VersionNumber(digits: text.trimmingCharacters(in: .whitespaces))?.value
    }
}
