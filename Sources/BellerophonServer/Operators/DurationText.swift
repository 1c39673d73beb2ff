#if Server
/// Parses and prints a duration such as `90s`, `2h`, `1h30m` or `3d`.
package enum DurationText {
    /// Seconds per unit, the largest first. Each may occur once, in this order.
    private static let units: [(letter: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

    /// Nil if the text is invalid or the duration is longer than a thousand years.
    package static func duration(_ text: String) -> Duration? {
        var (seconds, digits, next) = (Int64(0), "", 0)
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard digits.count <= 9, let number = Int64(digits),
                let unit = units[next...].firstIndex(where: { $0.letter == character })
            else { return nil }
            seconds += number * units[unit].seconds
            (digits, next) = ("", unit + 1)
        }
        return digits.isEmpty && next > 0 && seconds < 366_000 * 86_400 ? .seconds(seconds) : nil
    }

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
#endif
