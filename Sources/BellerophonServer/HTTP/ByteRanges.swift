/// The result of a `Range` header for a representation of known size (RFC 9110, section 14).
package enum ByteRanges: Equatable, Sendable {
    /// 200 with everything: without a range, or if the range is ignored.
    case whole
    /// 206 with one part.
    case single(Range<Int64>)
    /// 206 as `multipart/byteranges`, in the order of the request.
    case multiple([Range<Int64>])
    /// 416: no requested range exists.
    case unsatisfiable

    /// The whole representation is sent for more parts than this, because of their cost.
    package static let maximumParts = 16

    /// - Parameters:
    ///   - header: the value of `Range`; nil without the field.
    ///   - size: the size of the representation in bytes.
    ///   - ifRange: the value of `If-Range`. The range is ignored unless it equals `tag` (strong comparison).
    ///   - tag: the strong entity tag of the representation with its quotes.
    package init(_ header: String?, size: Int64, ifRange: String? = nil, tag: String) {
        guard let header, ifRange.map({ $0.trimmedOfSpace() == tag }) ?? true,
            let specs = Self.specs(in: header), specs.count <= Self.maximumParts
        else {
            self = .whole
            return
        }
        let parts = specs.compactMap { $0.range(in: size) }
        switch parts.count {
        case 0: self = .unsatisfiable
        case 1: self = .single(parts[0])
        default: self = Self.overlap(parts) ? .whole : .multiple(parts)
        }
    }

    /// A `first-last`, `first-` or `-suffix` range.
    private enum Spec {
        case from(Int64, through: Int64?)
        case last(Int64)

        func range(in size: Int64) -> Range<Int64>? {
            switch self {
            case .from(let first, let last):
                guard first < size else { return nil }
                return first..<min(last.map { $0 &+ 1 } ?? size, size)
            case .last(let count):
                guard count > 0, size > 0 else { return nil }
                return max(size - count, 0)..<size
            }
        }
    }

    /// Nil if the header is malformed or has another unit; such a header is ignored (RFC 9110, section 14.2).
    private static func specs(in header: String) -> [Spec]? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmedOfSpace().lowercased() == "bytes" else { return nil }
        var specs: [Spec] = []
        for item in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let text = item.trimmedOfSpace()
            if text.isEmpty { continue }
            guard let spec = spec(text) else { return nil }
            specs.append(spec)
        }
        return specs.isEmpty ? nil : specs
    }

    private static func spec(_ text: String) -> Spec? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return number(ends[1]).map { .last($0) } }
        guard let first = number(ends[0]) else { return nil }
        if ends[1].isEmpty { return .from(first, through: nil) }
        guard let last = number(ends[1]), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// Digits only. Numbers too large for `Int64` become its largest value minus 1.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return min(Int64(text) ?? .max, .max - 1)
    }

    private static func overlap(_ parts: [Range<Int64>]) -> Bool {
        let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
        for (one, next) in zip(sorted, sorted.dropFirst()) where next.lowerBound < one.upperBound { return true }
        return false
    }
}
