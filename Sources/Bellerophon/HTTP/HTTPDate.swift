import Foundation
import StatusModel

/// Dates in header fields (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// A date in the form that every server sends: `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else. The day of the week is
    /// not compared with the date.
    static func preferred(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        return PlanTime.date("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }

    /// The present time of the server that made a reply: its `Date`, and the `Age` that a cache between gives it (RFC 9111, section
    /// 4.2.3); nil without a readable `Date`.
    static func present(date: String?, age: String?) -> Date? {
        guard let date = date.flatMap(preferred) else { return nil }
        let age = (age ?? "").trimmingCharacters(in: .whitespaces)
        guard (1...9).contains(age.utf8.count), age.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return date }
        return date.addingTimeInterval(Double(age) ?? 0)
    }

    /// A date in one of the three forms that a client must understand.
    static func any(_ text: String) -> Date? {
        if let date = preferred(text) { return date }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
