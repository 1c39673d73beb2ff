/// Prints a duration such as `90s`, `2h`, `1h 30m` or `3d`.
package enum DurationText {
    /// Seconds per unit, the largest first.
    private static let units: [(letter: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

    /// The two largest units: `1h 30m`.
    package static func text(_ duration: Duration) -> String {
        var rest = max(0, duration.components.seconds)
        var parts: [String] = []
        for (letter, seconds) in units where rest >= seconds {
            parts.append("\(rest / seconds)\(letter)")
            rest %= seconds
        }
        return parts.isEmpty ? "0s" : parts.prefix(2).joined(separator: " ")
    }
}
