import TestSupport

extension FaultTable {
    /// A valid number as `retryInterval`, and the resulting wait in seconds.
    private static func number(_ text: String, waits seconds: Double) -> FaultCase {
        .believes("retryInterval \(text.prefix(30))", wait: .server(seconds)) { .json($0.document(interval: text)) }
    }

    /// A text that resembles a number and is not valid JSON (RFC 8259, section 6).
    private static func noNumber(_ text: String) -> FaultCase {
        .refuses("retryInterval \(text), which is no number", "not a status document: the body is broken or incomplete, not JSON")
        {
            .json($0.document(interval: text))
        }
    }

    // MARK: Limits of numbers

    static let numbers: [FaultCase] =
        [
            ("0", 1), ("-0", 1), ("0.0", 1), ("-1", 1), ("-1e308", 1), ("0.999", 1), ("1", 1), ("1.5", 1.5), ("5e-324", 1),
            ("1e-400", 1), ("3599.5", 3599.5), ("3600", 3600), ("3600.0001", 3600), ("2147483648", 3600),
            ("9007199254740993", 3600), ("9223372036854775807", 3600), ("9223372036854775808", 3600),
            ("18446744073709551616", 3600), ("1.7976931348623157e308", 3600), ("1e308", 3600), ("1E+2", 100),
            ("1e400", 3600), ("-1e400", 1), (String(repeating: "9", count: 1000), 3600),
            ("0." + String(repeating: "0", count: 1000) + "1", 1), ("2" + String(repeating: "0", count: 308), 3600),
        ].map { number($0.0, waits: $0.1) }
        + [
            "NaN", "nan", "Infinity", "-Infinity", "inf", "+1", "01", "1.", ".5", "1e", "0x10", "1_000", "--1", "1,5", "١", "",
        ].map(noNumber)
}
