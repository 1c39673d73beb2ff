/// The condition of an `If-None-Match` header: a list of entity tags, or `*` (RFC 9110, section 13.1.2).
package enum EntityTags: Equatable, Sendable {
    /// Every representation matches.
    case any
    /// The opaque parts with their quotes, without `W/`, for weak comparison.
    case list([String])

    /// Parses the header's lines as one list.
    ///
    /// Invalid tags are skipped up to the next comma, so that a client with an invalid field gets the whole document.
    package init(_ lines: [String]) {
        var tags: [String] = []
        for line in lines {
            if line.trimmedOfSpace() == "*" {
                self = .any
                return
            }
            tags += Self.tags(in: line)
        }
        self = .list(tags)
    }

    /// Whether the client already has a representation with this tag.
    /// - Parameter tag: a strong or weak tag with its quotes.
    package func matches(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains(tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag)
        }
    }

    /// A tag may contain commas, so that the list can't be split at them.
    private static func tags(in line: String) -> [String] {
        var tags: [String] = []
        var rest = Substring(line)
        while let first = rest.unicodeScalars.first {
            if first == " " || first == "\t" || first == "," {
                rest = rest.dropFirst()
                continue
            }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            let isQuoted = rest.first == "\""
            if isQuoted, let end = rest.dropFirst().firstIndex(of: "\"") {
                tags.append(String(rest[...end]))
                rest = rest[rest.index(after: end)...]
            } else {
                rest = rest.firstIndex(of: ",").map { rest[$0...] } ?? ""
            }
        }
        return tags
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends, as HTTP defines a field's value.
    func trimmedOfSpace() -> String {
        var part = self[...]
        while let first = part.first, first == " " || first == "\t" { part = part.dropFirst() }
        while let last = part.last, last == " " || last == "\t" { part = part.dropLast() }
        return String(part)
    }
}
