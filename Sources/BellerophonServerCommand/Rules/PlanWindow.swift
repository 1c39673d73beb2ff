import BellerophonBase
import BellerophonServer
import Foundation

/// A time with a beginning and an end.
struct PlanWindow: Equatable, Sendable {
    let from: Date
    let until: Date

    /// The window in UTC and in a zone: `2026-12-05 22:00Z to 23:30Z`.
    func text(in zone: PlanZone) -> String {
        let utc = "\(PlanZone.utcText(from)) to \(PlanZone.utcText(until))"
        return zone.name == PlanZone.utc.name ? utc : "\(utc)  =  \(zone.text(from)) to \(zone.text(until)) (\(zone.name))"
    }

    static let countLimit = 32
    private static let week = 7 * 86_400.0

    /// Windows at the same local time of each week, whatever daylight saving does to the clocks in between.
    /// - Parameters:
    ///   - first: the beginning of the first window.
    ///   - length: the elapsed time of each window.
    ///   - count: 1 to ``countLimit``.
    static func weekly(from first: Date, length: Duration, count: Int, in zone: PlanZone) -> [PlanWindow] {
        let local = zone.local(first)
        return (0..<count).map { index in
            let from = index == 0 ? first : zone.date(ofLocal: local.addingTimeInterval(Double(index) * week))
            return PlanWindow(from: from, until: from.addingTimeInterval(Double(length.components.seconds)))
        }
    }

    /// Checks the options of weekly windows and returns them.
    static func weekly(
        every day: String, from first: Date, length: Duration, count: Int?, in zone: PlanZone
    ) throws(CommandError) -> [PlanWindow] {
        guard let weekday = Weekday(day) else {
            throw .usage("--every: expected a day of the week such as sat or saturday, found \(JSONText.quoted(day))")
        }
        guard let count else {
            throw .usage(
                "--every: needs --count, the number of windows", hint: "--count 4 announces four windows, 1 to 32 are possible")
        }
        guard (1...countLimit).contains(count) else {
            throw .usage("--count: expected 1 to \(countLimit), found \(count)")
        }
        let actual = Weekday(ofLocal: zone.local(first))
        guard actual == weekday else {
            throw .usage(
                "--every: the first window begins on a \(actual.name) in \(zone.name), which is not a \(weekday.name)",
                hint: "the first window is that of --from: \(zone.text(first))")
        }
        guard length < .seconds(week) else {
            throw .usage("--for: a window of every week must be shorter than seven days, so that no two overlap")
        }
        return weekly(from: first, length: length, count: count, in: zone)
    }
}
