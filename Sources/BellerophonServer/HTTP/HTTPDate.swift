import Foundation

/// Dates in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter seconds: since 1970; clamped to the years 1970 to 9999.
    package static func text(_ seconds: Int64) -> String {
        var (time, date) = (time_t(min(max(seconds, 0), 253_402_300_799)), tm())
        gmtime_r(&time, &date)
        return "\(days[Int(date.tm_wday)]), \(String(format: "%02d", date.tm_mday)) \(months[Int(date.tm_mon)]) "
            + String(format: "%04d %02d:%02d:%02d GMT", date.tm_year + 1900, date.tm_hour, date.tm_min, date.tm_sec)
    }
}
