import BellerophonBase
import Foundation
import StatusModel

/// A time zone of the machine's database, and the conversion of its local times.
struct PlanZone: Sendable {
    /// The name as it was given: `Europe/Berlin`.
    let name: String
    /// What a person is told if the machine does not have the zone; nil if it has.
    let remark: String?
    /// The seconds that local time is ahead of UTC.
    let offset: @Sendable (Date) -> Int

    static let utc = PlanZone(name: "UTC", remark: nil) { _ in 0 }

    private init(name: String, remark: String?, offset: @escaping @Sendable (Date) -> Int) {
        (self.name, self.remark, self.offset) = (name, remark, offset)
    }

    /// - Parameters:
    ///   - name: a name of the time zone database, such as `Europe/Berlin` or `UTC`.
    ///   - file: finds the machine's zone with a name.
    /// - Throws: ``CommandError`` with the most similar names if there is no such zone.
    init(_ name: String, file: (String) -> ZoneFile? = ZoneFile.named) throws(CommandError) {
        if ["UTC", "GMT", "Z"].contains(name.uppercased()) {
            self = .utc
        } else if let file = file(name) {
            self.init(name: name, remark: nil, offset: file.offset)
        } else if !name.isEmpty, let zone = TimeZone(identifier: name) {
            self.init(
                name: name,
                remark:
                    "this machine has no time zone \(JSONText.quoted(name)) of its own, so the rules that came with this program count; "
                    + "install tzdata for newer ones"
            ) { zone.secondsFromGMT(for: $0) }
        } else {
            let names = TimeZone.knownTimeZoneIdentifiers
            // `Berlin` means `Europe/Berlin`.
            let cities = Dictionary(names.map { (String($0.split(separator: "/").last ?? ""), $0) }) { first, _ in first }
            let near = EditDistance.nearest(to: name, among: names + cities.keys.sorted()).map { cities[$0] ?? $0 }
            throw .usage(
                "--zone: \(JSONText.quoted(name)) is no time zone of this system",
                hint: near.map { "did you mean \($0)?" }
                    ?? "a time zone has a name such as Europe/Berlin, America/New_York or UTC")
        }
    }

    /// The local time, as the date whose time in UTC has the same digits.
    func local(_ date: Date) -> Date { date.addingTimeInterval(Double(offset(date))) }

    /// The moment of a local time. A local time that a change of the clock leaves out is the first moment after the gap. One that
    /// occurs twice is its first occurrence.
    /// - Parameter local: the date whose time in UTC has the digits of the local time.
    func date(ofLocal local: Date) -> Date {
        let wanted = Int(local.timeIntervalSince1970)
        let first = wanted - wanted % Self.step - Self.reach
        // Within a step the local time grows with the time, so the first step that reaches it has the moment.
        for start in stride(from: first, through: first + 2 * Self.reach, by: Self.step) {
            let moment = max(start, wanted - offset(Date(timeIntervalSince1970: Double(start))))
            if moment < start + Self.step { return Date(timeIntervalSince1970: Double(moment)) }
        }
        return local.addingTimeInterval(-Double(offset(local)))
    }

    /// No zone is further from UTC, in seconds.
    private static let reach = 18 * 3600
    /// Zones change their offset at full and half hours of UTC only, in seconds.
    private static let step = 1800

    /// A time for people: `2026-12-05 23:00 +01:00`.
    func text(_ date: Date) -> String {
        "\(Self.digits(local(date))) \(PlanTime.text(offset: offset(date)))"
    }

    /// A time in UTC for people: `2026-12-05 22:00Z`.
    static func utcText(_ date: Date) -> String { digits(date) + "Z" }

    private static func digits(_ date: Date) -> String {
        let text = Array(PlanTime.text(date))
        let seconds = String(text[16..<19])
        return String(text[..<10]) + " " + String(text[11..<16]) + (seconds == ":00" ? "" : seconds)
    }

    // MARK: Windows

    /// The most windows of `--every`.
    private static let windowLimit = 32
    private static let week = 7 * 86_400.0

    /// A window for people, in UTC and in this zone: `2026-12-05 22:00Z to 2026-12-05 23:30Z`.
    func text(from: Date, until: Date) -> String {
        let utc = "\(Self.utcText(from)) to \(Self.utcText(until))"
        return name == Self.utc.name ? utc : "\(utc)  =  \(text(from)) to \(text(until)) (\(name))"
    }

    /// The beginnings of windows at the same local time of each week, whatever daylight saving does to the clocks in between.
    /// - Parameters:
    ///   - first: the beginning of the first window.
    ///   - count: at least 1.
    func weekly(from first: Date, count: Int) -> [Date] {
        let local = local(first)
        return [first] + (1..<count).map { date(ofLocal: local.addingTimeInterval(Double($0) * Self.week)) }
    }

    /// Checks the options of weekly windows and returns the beginnings.
    func weekly(every day: String, from first: Date, length: TimeInterval, count: Int?) throws(CommandError) -> [Date] {
        guard let count, (1...Self.windowLimit).contains(count) else {
            throw .usage("--every: needs --count, the number of windows, 1 to \(Self.windowLimit)")
        }
        let actual = Weekday(ofLocal: local(first))
        guard Weekday(day) == actual else {
            throw .usage(
                "--every: the first window begins on a \(actual.name) in \(name), found \(JSONText.quoted(day))",
                hint: "the first window is that of --from: \(text(first))")
        }
        guard length < Self.week else {
            throw .usage("--for: a window of every week must be shorter than seven days, so that no two overlap")
        }
        return weekly(from: first, count: count)
    }
}
