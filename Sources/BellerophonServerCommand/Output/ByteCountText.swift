/// Parses a number of bytes such as `1048576`, `64KB`, `500MB` or `2GB`. Units are powers of 1000, or of 1024 with an
/// `i` (`500MiB`).
enum ByteCountText {
    private static let units: [(name: String, bytes: Int64)] = [
        ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("tib", 1 << 40),
        ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("tb", 1_000_000_000_000), ("b", 1), ("", 1),
    ]

    /// Nil if the text is invalid, zero, or more than 2^62 bytes.
    static func bytes(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).lowercased()
        guard digits.count <= 18, let number = Int64(digits), number > 0,
            let factor = units.first(where: { $0.name == unit })?.bytes
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow || bytes > 1 << 62 ? nil : bytes
    }
}
