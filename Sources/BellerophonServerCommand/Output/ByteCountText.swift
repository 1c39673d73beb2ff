/// Parses a number of bytes such as `1048576`, `64KB`, `500MB` or `2GB`. Units are powers of 1000, or of 1024 with an
/// `i` (`500MiB`).
enum ByteCountText {
    /// Nil if the text is invalid, zero, or more than 2^62 bytes.
    static func bytes(_ text: String) -> Int64? {
        guard let found = text.lowercased().wholeMatch(of: /([0-9]{1,18})(?:([kmgt])(i?)b|b)?/)?.output,
            let number = Int64(found.1), number > 0, let power = ["", "k", "m", "g", "t"].firstIndex(of: found.2 ?? "")
        else { return nil }
        var (bytes, overflow) = (number, false)
        for _ in 0..<power where !overflow {
            (bytes, overflow) = bytes.multipliedReportingOverflow(by: found.3 == "i" ? 1024 : 1000)
        }
        return overflow || bytes > 1 << 62 ? nil : bytes
    }
}
