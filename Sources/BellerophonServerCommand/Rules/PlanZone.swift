import BellerophonBase
import Foundation

/// A time zone of the machine's database, and the conversion of its local times.
struct PlanZone: Sendable {
    private enum Zone: Sendable {
        /// The machine's own.
        case file(ZoneFile)
        /// One that was compiled into this program.
        case builtIn(TimeZone)
    }

    /// The name as it was given: `Europe/Berlin`.
    let name: String
    private let zone: Zone

    static let utc = PlanZone(name: "UTC", zone: .builtIn(.gmt))

    private init(name: String, zone: Zone) { (self.name, self.zone) = (name, zone) }

    /// - Parameters:
    ///   - name: a name of the time zone database, such as `Europe/Berlin` or `UTC`.
    ///   - file: finds the machine's zone with a name.
    /// - Throws: ``CommandError`` with the most similar names if there is no such zone.
    init(_ name: String, file: (String) -> ZoneFile? = ZoneFile.named) throws(CommandError) {
        if ["UTC", "GMT", "Z"].contains(name.uppercased()) {
            self = .utc
        } else if let file = file(name) {
            self.init(name: name, zone: .file(file))
        } else if !name.isEmpty, let zone = TimeZone(identifier: name) {
            self.init(name: name, zone: .builtIn(zone))
        } else {
            let near = Self.names(near: name)
            throw .usage(
                "--zone: \(JSONText.quoted(name)) is no time zone of this system",
                hint: near.isEmpty
                    ? "a time zone has a name such as Europe/Berlin, America/New_York or UTC"
                    : "the most similar names: \(near.joined(separator: ", "))")
        }
    }

    /// The three names that are most similar as a whole or in their last part, so that `Berlin` finds `Europe/Berlin`.
    private static func names(near text: String) -> [String] {
        let distances = TimeZone.knownTimeZoneIdentifiers.map { name in
            let city = name.split(separator: "/").last.map(String.init) ?? name
            return (name, min(EditDistance.between(name, text), EditDistance.between(city, text)))
        }
        return distances.filter { $0.1 <= max(1, text.count / 3) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
    }

    /// The seconds that local time is ahead of UTC.
    func offset(at date: Date) -> Int {
        switch zone {
        case .file(let file): file.offset(at: date)
        case .builtIn(let zone): zone.secondsFromGMT(for: date)
        }
    }

    /// What a person is told if the machine does not have the zone; nil if it has.
    var remark: String? {
        guard case .builtIn = zone, name != Self.utc.name else { return nil }
        return
            "this machine has no time zone \(JSONText.quoted(name)) of its own, so the rules that came with this program count; "
            + "install tzdata for newer ones"
    }

    /// The local time, as the date whose time in UTC has the same digits.
    func local(_ date: Date) -> Date { date.addingTimeInterval(Double(offset(at: date))) }

    /// The moment of a local time. A local time that a change of the clock leaves out is the first moment after the gap. One that
    /// occurs twice is its first occurrence.
    /// - Parameter local: the date whose time in UTC has the digits of the local time.
    func date(ofLocal local: Date) -> Date {
        let wanted = Int(local.timeIntervalSince1970)
        var start = wanted - Self.reach
        // Between two changes of the offset the local time grows with the time, so the first part that reaches it has the moment.
        for end in changes(from: start, to: wanted + Self.reach) + [wanted + Self.reach] {
            let moment = max(start, wanted - offset(at: start))
            if moment < end { return Date(timeIntervalSince1970: Double(moment)) }
            start = end
        }
        return Date(timeIntervalSince1970: Double(wanted - offset(at: wanted)))
    }

    /// No zone is further from UTC, in seconds.
    private static let reach = 18 * 3600

    private func offset(at seconds: Int) -> Int { offset(at: Date(timeIntervalSince1970: Double(seconds))) }

    /// The seconds at which the offset changes. Of two changes within three hours that cancel each other, none is found.
    private func changes(from start: Int, to end: Int) -> [Int] {
        let step = 3 * 3600
        return stride(from: start, to: end, by: step).compactMap { low in
            let before = offset(at: low)
            guard offset(at: low + step) != before else { return nil }
            var (low, high) = (low, low + step)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if offset(at: middle) == before { low = middle } else { high = middle }
            }
            return high
        }
    }

    /// A time for people: `2026-12-05 23:00 +01:00`.
    func text(_ date: Date) -> String {
        let offset = offset(at: date)
        let minutes = abs(offset) / 60
        let two = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(Self.digits(local(date))) \(offset < 0 ? "-" : "+")\(two[0]):\(two[1])"
    }

    /// A time in UTC for people: `2026-12-05 22:00Z`.
    static func utcText(_ date: Date) -> String { digits(date) + "Z" }

    private static func digits(_ date: Date) -> String {
        let text = Array(PlanTimeText.text(date))
        let seconds = String(text[16..<19])
        return String(text[..<10]) + " " + String(text[11..<16]) + (seconds == ":00" ? "" : seconds)
    }
}
