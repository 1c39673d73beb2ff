/// What a time zone does from some time on: the last line of its file, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1, `TZ`).
struct ZoneRule: Sendable {
    /// A day of each year and a local time on it, in seconds; it may be on another day (RFC 9636, section 3.3.1).
    private struct Change: Sendable {
        enum Day: Sendable {
            /// 1 to 365; 29 February is not counted.
            case julian(Int)
            /// 0 to 365.
            case ofYear(Int)
            /// The weekday (0 is Sunday) in this week of the month; 5 is the last one.
            case weekday(month: Int, week: Int, day: Int)
        }
        var day: Day
        var time: Int
    }

    private let standard: Int
    /// The offset of daylight saving, and when it begins and ends; nil without one.
    private let saving: (offset: Int, begin: Change, end: Change)?

    func offset(at time: Int) -> Int {
        guard let saving else { return standard }
        let year = Self.year(of: time + standard)
        // The changes of the years around it, because their times may be in another year.
        let changes = (year - 1...year + 1).flatMap { year in
            [
                (Self.seconds(saving.begin, in: year) - standard, saving.offset),
                (Self.seconds(saving.end, in: year) - saving.offset, standard),
            ]
        }
        return changes.sorted { $0 < $1 }.last { $0.0 <= time }?.1 ?? standard
    }

    // MARK: Days

    private static func seconds(_ change: Change, in year: Int) -> Int {
        let start = days(before: year)
        let isLeap = days(before: year + 1) - start == 366
        let day: Int
        switch change.day {
        case .julian(let number): day = start + number - (isLeap && number >= 60 ? 0 : 1)
        case .ofYear(let number): day = start + number
        case .weekday(let month, let week, let weekday):
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            let first = start + lengths[..<(month - 1)].reduce(0, +)
            // 1 January 1970 was a Thursday.
            let offset = (weekday - first - 4).modulo(7) + 7 * (week - 1)
            day = first + (offset < lengths[month - 1] ? offset : offset - 7)
        }
        return day * 86_400 + change.time
    }

    /// The days from 1 January 1970 to 1 January of a year.
    private static func days(before year: Int) -> Int {
        let past = year - 1
        return past * 365 + past.floored(4) - past.floored(100) + past.floored(400) - 719_162
    }

    private static func year(of time: Int) -> Int {
        let day = time.floored(86_400)
        var year = 1970 + day.floored(366)
        while days(before: year + 1) <= day { year += 1 }
        while days(before: year) > day { year -= 1 }
        return year
    }

    // MARK: The text

    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.name(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            saving = nil
            return
        }
        guard Self.name(&rest) else { return nil }
        let offset = rest.first == "," ? standard + 3600 : Self.time(&rest).map { -$0 }
        guard let offset, let begin = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
        saving = (offset, begin, end)
    }

    private static func name(_ text: inout Substring) -> Bool {
        if text.first == "<" {
            guard let end = text.firstIndex(of: ">") else { return false }
            text = text[text.index(after: end)...]
            return true
        }
        let name = text.prefix { $0.isASCII && $0.isLetter }
        text = text.dropFirst(name.count)
        return name.count >= 3
    }

    private static func number(_ text: inout Substring, _ range: ClosedRange<Int>) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text.dropFirst(digits.count)
        return digits.count <= 3 ? Int(digits).flatMap { range.contains($0) ? $0 : nil } : nil
    }

    /// Hours, minutes and seconds, with a sign: `-5`, `+5:30`.
    private static func time(_ text: inout Substring) -> Int? {
        let isNegative = text.first == "-"
        if isNegative || text.first == "+" { text = text.dropFirst() }
        guard var seconds = number(&text, 0...167) else { return nil }
        seconds *= 3600
        for unit in [60, 1] where text.first == ":" {
            text = text.dropFirst()
            guard let part = number(&text, 0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// A comma, a day, and a time after a slash; without one 02:00.
    private static func change(_ text: inout Substring) -> Change? {
        guard text.first == "," else { return nil }
        text = text.dropFirst()
        let day: Change.Day?
        switch text.first {
        case "M":
            text = text.dropFirst()
            guard let month = number(&text, 1...12), text.first == "." else { return nil }
            text = text.dropFirst()
            guard let week = number(&text, 1...5), text.first == "." else { return nil }
            text = text.dropFirst()
            day = number(&text, 0...6).map { .weekday(month: month, week: week, day: $0) }
        case "J":
            text = text.dropFirst()
            day = number(&text, 1...365).map { .julian($0) }
        default: day = number(&text, 0...365).map { .ofYear($0) }
        }
        guard let day else { return nil }
        guard text.first == "/" else { return Change(day: day, time: 7200) }
        text = text.dropFirst()
        return time(&text).map { Change(day: day, time: $0) }
    }
}

extension Int {
    /// The quotient, rounded down.
    package func floored(_ divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
    fileprivate func modulo(_ divisor: Int) -> Int { self - floored(divisor) * divisor }
}
