import Foundation

/// The entity tags of an `If-None-Match` header (RFC 9110, section 13.1.2).
package enum EntityTags {
    /// Whether the client already has a representation, by weak comparison. A tag may contain commas, but no quotes.
    /// - Parameters:
    ///   - lines: the header's lines, each with a list of tags or `*`.
    ///   - tag: a strong or weak tag with its quotes.
    package static func match(_ lines: [String], _ tag: String) -> Bool {
        let tag = tag.drop { $0 != "\"" }.dropFirst().dropLast()
        return lines.contains { line in
            // Each second part is between quotes, but for an end without a closing quote.
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            if parts.count == 1 { return line.trimmedOfSpace() == "*" }
            return stride(from: 1, to: parts.count - 1, by: 2).contains { parts[$0] == tag }
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends, as HTTP defines a field's value.
    func trimmedOfSpace() -> String { trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }
}
