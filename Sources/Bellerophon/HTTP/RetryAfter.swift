import Foundation

/// The `Retry-After` header field: seconds or an HTTP date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The wait that a field value requests; nil if the value has neither form. A date in the past results in zero.
    static func parse(_ value: String, at date: Date) -> Duration? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than nine digits exceed thirty years; the policy clamps the value anyway.
            return .seconds(Int64(text.prefix(9)) ?? 0)
        }
        return HTTPDate.any(text).map { .seconds(max(0, $0.timeIntervalSince(date).rounded(.up))) }
    }
}
