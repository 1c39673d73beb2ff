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

    static let forms = "2026-12-15, 2026-12-15T22:00, 2026-12-15T22:00+01:00, \"sat 23:00\", +90m or now"

    /// The time of a rule in a document: `2026-12-05T22:00:00Z`.
    static func text(_ date: Date) -> String { PlanTime.text(date) }

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
        let words = plain.split(whereSeparator: { $0 == " " || $0 == "T" || $0 == "t" }).map(String.init)
        guard (1...2).contains(words.count), let day = try Self.day(words[0], option: option) else {
            throw Self.unreadable(text, option)
        }
        guard words.count == 2 else { return zone.date(ofLocal: day) }
        guard let (clock, offset) = Self.clockAndOffset(words[1]) else { throw Self.unreadable(text, option) }
        let local = day.addingTimeInterval(Double(clock))
        return offset.map { local.addingTimeInterval(-Double($0)) } ?? zone.date(ofLocal: local)
    }

    private static func unreadable(_ text: String, _ option: String) -> CommandError {
        .usage("\(option): expected a time such as \(forms); found \(JSONText.quoted(text))")
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

    /// The midnight in UTC of a day such as `2026-12-15`; nil if the text has another form.
    private static func day(_ text: String, option: String) throws(CommandError) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        guard let day = PlanTime.date(text + "T00:00:00Z") else {
            throw .usage("\(option): the calendar has no day \(text)")
        }
        return day
    }

    /// `22:00`, `22:00Z` or `22:00+01:00`, in seconds.
    private static func clockAndOffset(_ text: String) -> (Int, Int?)? {
        if let last = text.last, last == "Z" || last == "z" { return clock(String(text.dropLast())).map { ($0, 0) } }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return clock(text).map { ($0, nil) } }
        guard let clock = clock(String(text[..<sign])), let offset = Self.clock(String(text[text.index(after: sign)...])),
            offset <= 18 * 3600
        else { return nil }
        return (clock, text[sign] == "-" ? -offset : offset)
    }

    /// The seconds since midnight of `22:00` or `22:00:30`.
    private static func clock(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(part) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24, numbers.allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
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
