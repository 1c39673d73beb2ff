/// Dates in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The length of every date in bytes.
    package static let length = 29
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter seconds: since 1970; clamped to the years 1970 to 9999.
    package static func text(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = civil(day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(days[Int(day % 7)]), \(padded(date.day, 2)) \(months[Int(date.month - 1)]) \(padded(date.year, 4)) \(time) GMT"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// Converts days since 1970 to a Gregorian date, by eras of 400 years that begin in March.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
