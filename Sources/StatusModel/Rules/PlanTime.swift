import BellerophonBase
package import Foundation

/// The times of rules: exactly `YYYY-MM-DDTHH:MM:SSZ`, years 0001 to 9999, without leap seconds. The order of the texts is the order of
/// the times.
package enum PlanTime {
    /// The time of a text; nil if the text is not exactly of that form or no real date.
    package static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, zip(bytes, pattern).allSatisfy({ isFitting($0, $1) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let seconds = ((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        let date = Date(timeIntervalSince1970: Double(seconds))
        // A month, a day or a time that does not exist has the text of another one.
        return self.text(date) == text ? date : nil
    }

    /// The text of a time, without fractions of a second. Times outside the years 1 to 9999 become the nearest of them.
    package static func text(_ date: Date) -> String {
        let seconds = Int(min(max(date.timeIntervalSince1970.rounded(.down), -62_135_596_800), 253_402_300_799))
        let (day, time) = (seconds.floored(86_400), seconds - seconds.floored(86_400) * 86_400)
        // Years begin in March, so that the day of February 29 is the last one.
        let shifted = day + 719_468
        let era = shifted.floored(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        let parts = [
            month + (month < 10 ? 3 : -9), dayOfYear - (153 * month + 2) / 5 + 1, time / 3600, time / 60 % 60, time % 60,
        ]
        let two = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let four = String(repeating: "0", count: 4 - String(year).count) + String(year)
        return "\(four)-\(two[0])-\(two[1])T\(two[2]):\(two[3]):\(two[4])Z"
    }

    /// The time of day for people, with its seconds if there are any: `23:30`.
    /// - Parameters:
    ///   - now: the present time. A time that is more than twelve hours away has its date, `2026-12-05 23:30`, and a time at
    ///     which the zone has another offset than now has its offset, `02:30 +01:00`. nil leaves both out.
    package static func text(_ date: Date, now: Date?, in zone: TimeZone) -> String {
        let offset = zone.offset(at: date)
        let local = Array(text(date.addingTimeInterval(Double(offset))))
        let seconds = String(local[16..<19])
        var time = String(local[11..<16]) + (seconds == ":00" ? "" : seconds)
        guard let now else { return time }
        if abs(date.timeIntervalSince(now)) > 12 * 3600 { time = "\(String(local[..<10])) \(time)" }
        return offset == zone.offset(at: now) ? time : "\(time) \(text(offset: offset))"
    }

    /// An offset from UTC, given in seconds: `+01:00`.
    package static func text(offset: Int) -> String {
        let minutes = abs(offset) / 60
        let two = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(offset < 0 ? "-" : "+")\(two[0]):\(two[1])"
    }

    private static let pattern = Array("0000-00-00T00:00:00Z".utf8)

    private static func isFitting(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        pattern == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == pattern
    }

    /// The days since 1 January 1970 in the Gregorian calendar.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}

extension Date {
    /// After every time of a rule. (`distantFuture` is in the year 4001.)
    package static let never = Date(timeIntervalSince1970: .infinity)
    /// Before every time of a rule.
    package static let always = Date(timeIntervalSince1970: -.infinity)
}
