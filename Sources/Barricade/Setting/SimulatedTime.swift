package import Foundation

/// A time in a scenario file, such as `2026-12-05T21:55:00Z`: in UTC, to the second, as in the rules of a status.
package struct SimulatedTime: Equatable, Comparable, Sendable {
    package let date: Date

    /// The nearest time in the years 1970 to 9999, without fractions of a second.
    package init(_ date: Date) {
        let seconds = min(max(date.timeIntervalSince1970, Self.first), Self.last).rounded(.down)
        self.date = Date(timeIntervalSince1970: seconds)
    }

    /// Reads a time; nil if the text is not exactly of that form, no real date, or before 1970.
    package init?(_ text: String) {
        guard text.utf8.count == 20, let date = try? Date(text, strategy: .iso8601), Self.text(date) == text,
            date.timeIntervalSince1970 >= Self.first
        else { return nil }
        self.init(date)
    }

    /// The time as in a scenario file.
    package var text: String { Self.text(date) }

    /// The time as in a header field (RFC 9110, section 5.6.7): `Sat, 05 Dec 2026 21:55:00 GMT`.
    package var headerText: String {
        // 1 January 1970 was a Thursday.
        let weekday = Self.weekdays[(Int(date.timeIntervalSince1970) / 86_400 + 4) % 7]
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]) else { return "" }
        return "\(weekday), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    package static func < (one: SimulatedTime, two: SimulatedTime) -> Bool { one.date < two.date }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The first second of 1970, and the last one of 9999.
    private static let (first, last) = (0.0, 253_402_300_799.0)
}

/// The clock of a simulated server and its app. It follows the real one until somebody sets it or moves it; then it goes on by itself.
package struct DrivenClock: Equatable, Sendable {
    /// A time that was set, and when, on the clock of the timelines.
    private struct Start: Equatable {
        let date: Date
        let at: Duration
    }

    private var start: Start?
    /// The time that was skipped by moving the clock forward, as by a machine that sleeps.
    package private(set) var skipped = Duration.zero
    /// How often the clock was replaced by one that may show an earlier time.
    package private(set) var replacements = 0

    package init() {}

    /// Whether the clock goes on by itself.
    package var isDriven: Bool { start != nil }

    func date(at moment: SimulatedWorld.Moment) -> Date {
        start.map { $0.date.addingTimeInterval((moment.now - $0.at) / .seconds(1)) } ?? moment.wall
    }

    /// Shows another time. A later time on a driven clock is time that passes; anything else replaces the clock.
    mutating func set(_ date: Date, at moment: SimulatedWorld.Moment) {
        let step = Duration.seconds(date.timeIntervalSince(self.date(at: moment)))
        if isDriven, step >= .zero { skipped += step } else { replacements += 1 }
        start = Start(date: date, at: moment.now)
    }

    /// Moves the time. Backward replaces the clock.
    mutating func move(by span: Duration, at moment: SimulatedWorld.Moment) {
        let date = SimulatedTime(date(at: moment).addingTimeInterval(span / .seconds(1))).date
        if span >= .zero { skipped += span } else { replacements += 1 }
        start = Start(date: date, at: moment.now)
    }

    /// Follows the real clock again.
    mutating func reset() {
        guard isDriven else { return }
        start = nil
        replacements += 1
    }
}
