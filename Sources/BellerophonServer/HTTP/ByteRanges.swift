/// The result of a `Range` header for a representation of known size (RFC 9110, section 14).
package enum ByteRanges: Equatable, Sendable {
    /// 200 with everything: without a range, or if the range is ignored, such as one of several parts.
    case whole
    /// 206 with one part.
    case single(Range<Int64>)
    /// 416: the range does not exist.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the value of `Range`; nil without the field. Malformed ones are ignored (RFC 9110, section 14.2).
    ///   - size: the size of the representation in bytes.
    ///   - ifRange: the value of `If-Range`. The range is ignored unless it equals `tag` (strong comparison).
    ///   - tag: the strong entity tag of the representation with its quotes.
    package init(_ header: String?, size: Int64, ifRange: String? = nil, tag: String) {
        self = .whole
        guard let header, ifRange.map({ $0.trimmedOfSpace() == tag }) ?? true,
            let match = header.wholeMatch(of: /[ \t]*bytes[ \t]*=[ \t,]*([0-9]*)-([0-9]*)[ \t,]*/.ignoresCase())
        else { return }
        let (first, last) = (Self.number(match.1), Self.number(match.2))
        if first == nil && last == nil || first ?? 0 > last ?? .max { return }
        let begin = first ?? max(size - (last ?? 0), 0)
        let end = first == nil ? size : min((last ?? size) + 1, size)
        self = begin < end ? .single(begin..<end) : .unsatisfiable
    }

    /// Nil without digits. Numbers too large for `Int64` become its largest value minus 1.
    private static func number(_ digits: Substring) -> Int64? {
        digits.isEmpty ? nil : min(Int64(digits) ?? .max, .max - 1)
    }
}
