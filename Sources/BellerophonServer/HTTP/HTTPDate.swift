import Foundation

/// Dates in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The length of every date in bytes.
    package static let length = 29
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter seconds: since 1970; clamped to the years 1970 to 9999.
    package static func text(_ seconds: Int64) -> String {
        var (time, date) = (time_t(min(max(seconds, 0), 253_402_300_799)), tm())
        gmtime_r(&time, &date)
        let day = "\(days[Int(date.tm_wday)]), \(padded(date.tm_mday, 2)) \(months[Int(date.tm_mon)])"
        let clock = [date.tm_hour, date.tm_min, date.tm_sec].map { padded($0, 2) }.joined(separator: ":")
        return "\(day) \(padded(date.tm_year + 1900, 4)) \(clock) GMT"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
