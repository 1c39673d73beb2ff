import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// Reads the times of rules as an operator types them. Every time is a whole second.
struct PlanTimeText: Sendable {
    /// The present, without fractions of a second.
    let now: Date
    /// The zone of times that name none.
    let zone: PlanZone

    init(now: Date = Date(), zone: PlanZone = .utc) {
        self.now = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        self.zone = zone
    }

    private static let forms = "2026-12-15, 2026-12-15T22:00, 2026-12-15T22:00+01:00, \"sat 23:00\", +90m or now"

    /// - Parameters:
    ///   - text: a date (its midnight), a date and a time with or without an offset from UTC, a day of the week and a time (the
    ///     next one), a length from now on, or `now`.
    ///   - option: the name of the option, for errors.
    /// - Throws: ``CommandError`` that quotes the text.
    func time(_ text: String, option: String) throws(CommandError) -> Date {
        let plain = text.trimmingCharacters(in: .whitespaces)
        if plain.lowercased() == "now" { return now }
        if let length = Self.lengthFromNow(plain) {
            return now.addingTimeInterval(Double(length))
        }
        let named = plain.split(separator: " ").map(String.init)
        if named.count == 2, let day = Weekday(named[0]), let clock = Self.clock(named[1]) { return next(day, clock) }
        let form = /(\d{4}-\d\d-\d\d)(?:[ Tt]+(\d\d:\d\d(?::\d\d)?)(?:([Zz])|([+-])(\d\d:\d\d(?::\d\d)?))?)?/
        guard let found = plain.wholeMatch(of: form)?.output, let day = PlanTime.date("\(found.1)T00:00:00Z"),
            let clock = Self.clock(found.2 ?? "00:00"), let offset = Self.clock(found.5 ?? "00:00"), offset <= 18 * 3600
        else { throw .usage("\(option): expected a time such as \(Self.forms); found \(JSONText.quoted(text))") }
        let local = day.addingTimeInterval(Double(clock))
        guard found.3 != nil || found.4 != nil else { return zone.date(ofLocal: local) }
        return local.addingTimeInterval(Double(found.4 == "-" ? offset : -offset))
    }

    /// The next moment after now at which a local clock shows this time on that day of the week.
    private func next(_ day: Weekday, _ clock: Int) -> Date {
        let today = (zone.local(now).timeIntervalSince1970 / 86_400).rounded(.down)
        for ahead in 0...7 {
            let midnight = Date(timeIntervalSince1970: (today + Double(ahead)) * 86_400)
            let moment = zone.date(ofLocal: midnight.addingTimeInterval(Double(clock)))
            if Weekday(ofLocal: midnight) == day, moment > now { return moment }
        }
        return now
    }

    /// The seconds of `+90m` and `in 2h`.
    private static func lengthFromNow(_ text: String) -> Int64? {
        let length = text.hasPrefix("+") ? text.dropFirst() : text.lowercased().hasPrefix("in ") ? text.dropFirst(3) : nil
        // A number without a unit could be a time of day or an offset.
        guard text.last?.isLetter == true else { return nil }
        return length.flatMap { Duration(written: $0.trimmingCharacters(in: .whitespaces))?.components.seconds }
    }

    /// The seconds since midnight of `22:00` or `22:00:30`.
    private static func clock(_ text: some StringProtocol) -> Int? {
        PlanTime.date("1970-01-01T\(text)\(text.utf8.count == 5 ? ":00" : "")Z").map { Int($0.timeIntervalSince1970) }
    }
}

/// A day of the week.
enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    var name: String { "\(self)" }

    /// Reads a name of at least three letters: `sat` or `Saturday`.
    init?(_ text: String) {
        let text = text.lowercased()
        guard text.count >= 3, let day = Self.allCases.first(where: { $0.name.hasPrefix(text) }) else { return nil }
        self = day
    }

    /// The day of a local time whose digits are those of the date in UTC.
    init(ofLocal date: Date) {
        // The first day of 1970 was a Thursday.
        let days = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        self = Self.allCases[((days + 3) % 7 + 7) % 7]
    }
}
