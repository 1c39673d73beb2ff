extension Duration {
    /// The units of a written duration in seconds, the largest first. Each may occur once, in this order.
    private static let writtenUnits: [(letter: Character, seconds: Double)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The longest duration that is read: a thousand years.
    private static let longestWritten = 366_000.0 * 86_400

    /// What ``init(written:)`` reads, in the words of an error message after "expected".
    package static let writtenForms = "a time such as 90s, 5m or 1h30m, or a number of seconds"

    /// A duration as a person writes it: `90s`, `5m`, `1h30m`, `2.5s`, or a bare number of seconds; nil for another text.
    ///
    /// Every flag of every program that takes a duration reads it here. Only the last number may have a fraction.
    package init?(written text: String) {
        var (seconds, next) = (0.0, 0)
        var rest = text[...]
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            guard digits.first?.isNumber == true, digits.last?.isNumber == true, let number = Double(digits) else { return nil }
            guard let letter = rest.popFirst() else {
                guard next == 0 else { return nil }
                seconds = number
                break
            }
            guard !digits.contains(".") || rest.isEmpty,
                let unit = Self.writtenUnits[next...].firstIndex(where: { $0.letter == letter })
            else { return nil }
            seconds += number * Self.writtenUnits[unit].seconds
            next = unit + 1
        } while !rest.isEmpty
        guard seconds < Self.longestWritten else { return nil }
        self = .seconds(seconds)
    }
}
