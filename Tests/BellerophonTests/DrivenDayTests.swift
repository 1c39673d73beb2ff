import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// A day across a window, for clients with every kind of trouble. The table in docs/reliability.md is what this test finds.
@Suite("A driven day across a window")
struct DrivenDayTests {
    /// A client, in true seconds since 20:00. The window is announced at 21:00 and lasts from 22:00 to 23:30.
    struct Row {
        let name: String
        /// How far the wall clock is ahead.
        var clock = 0.0
        /// How old the replies of its cache are, and whether the cache says so.
        var cache = 0.0
        var statesAge = true
        var asleep: Range<Double> = 0..<0
        var offline: Range<Double> = 0..<0
        var restarts: [Double] = []
        /// From when on the replies have a `Date`.
        var datesFrom = 0.0
        /// When a wall clock that is a year ahead is set right.
        var setRight = 0.0
        /// The end of the run.
        var end = 6 * hour
        let why: String

        /// How far the wall clock is ahead at a time.
        func lead(at second: Double) -> Double { second < setRight ? DrivenDayTests.year : clock }
    }

    static let hour = 3600.0
    static let week = 7 * 24 * hour
    static let year = 365 * 24 * hour

    static let rows = [
        Row(name: "right", why: "its own clock and the server's agree"),
        Row(
            name: "asleep from 21:30 to 22:40", asleep: 1.5 * hour..<2 * hour + 2400,
            why: "the time asleep counts, before any reply"),
        Row(
            name: "offline for a week from 21:30", offline: 1.5 * hour..<week, end: week + hour,
            why: "time passes without replies"),
        Row(
            name: "offline for a week from 21:30, restarted at 21:45", offline: 1.5 * hour..<week, restarts: [1.75 * hour],
            end: week + hour, why: "a status that lets the program run is not used again before a reply"),
        Row(
            name: "offline from 22:10, restarted at 22:20", offline: hour * 13 / 6..<4 * hour, restarts: [hour * 7 / 3],
            why: "the kept cover ends by the time since the last reply"),
        Row(
            name: "offline from 22:10, off from 22:20 to 22:50", asleep: hour * 7 / 3..<hour * 17 / 6,
            offline: hour * 13 / 6..<5 * hour,
            restarts: [hour * 7 / 3], why: "the time that a program does not run is not known to it"),
        Row(name: "a clock a day ahead", clock: 24 * hour, why: "the server's `Date` counts"),
        Row(
            name: "a clock a year behind", clock: -year,
            why: "the earlier clock counts; only the server's document begins and ends"),
        Row(
            name: "no `Date` in replies, a clock an hour ahead", clock: hour, datesFrom: .infinity,
            why: "the wall clock counts alone, and `check` says so"),
        Row(
            name: "no `Date` in replies, a clock a year ahead that was set right", datesFrom: .infinity, setRight: hour / 2,
            why: "the time never goes back by the wall clock alone, and by it the window is over"),
        Row(
            name: "the same, and the server sends a `Date` from 22:10 on", datesFrom: hour * 13 / 6, setRight: hour / 2,
            why: "a `Date` that agrees with the clock replaces a time that none has confirmed"),
        Row(name: "behind a cache that is an hour old and says so", cache: hour, why: "`Age` is added to `Date`"),
        Row(name: "behind a cache that is an hour old and does not say so", cache: hour, statesAge: false, why: "an hour late"),
        Row(
            name: "a cache that becomes an hour old at 21:50", cache: -hour, why: "an older `Date` moves nothing back"),
    ]

    /// The document at a time. A server removes what is over: after its beginning the window is served without its times of beginning.
    private static func document(at seconds: Double, isRendered: Bool) -> String {
        guard isRendered, seconds >= 2 * hour else { return PlanMachineTests.window }
        let rule = #"{"id":"mw","effect":"pause","until":"2026-12-05T23:30:00Z","message":"Back at 23:30 UTC."}"#
        return PlanMachineTests.status(seconds < 3.5 * hour ? rule : "")
    }

    /// When the client was covered, in true seconds.
    private static func spans(_ row: Row, isRendered: Bool) throws -> [(Double, Double?)] {
        var client = PlanMachineTests.Client()
        var spans: [(Double, Double?)] = []
        for second in stride(from: 0, through: row.end, by: 10) {
            if row.asleep.contains(second) { continue }
            let isRestart = row.restarts.contains { abs($0 - second) < 5 }
            if second > 0 {
                if second - row.asleep.upperBound < 10, second >= row.asleep.upperBound, !row.asleep.isEmpty, row.restarts.isEmpty
                {
                    client.send(.slept(.seconds(row.asleep.upperBound - row.asleep.lowerBound)))
                }
                client.pass(10)
            }
            if isRestart || (!row.restarts.isEmpty && !row.asleep.isEmpty && second == row.asleep.upperBound) {
                try client.restart(wall: second + row.lead(at: second))
            }
            if second.truncatingRemainder(dividingBy: 60) == 0, !row.offline.contains(second) {
                // A negative age is a cache that becomes old during the run.
                let age = row.cache < 0 ? (second >= hour * 11 / 6 ? -row.cache : 0) : row.cache
                let date = second - (row.statesAge && row.cache > 0 ? 0 : age)
                let text = document(at: second - age, isRendered: isRendered)
                try client.reply(text, at: second >= row.datesFrom ? date : nil, wall: second + row.lead(at: second))
            }
            if client.stage == .killed, spans.last.map({ $0.1 != nil }) ?? true { spans.append((second, nil)) }
            if client.stage != .killed, spans.last?.1 == nil, !spans.isEmpty { spans[spans.count - 1].1 = second }
        }
        return spans
    }

    private static func text(_ spans: [(Double, Double?)]) -> String {
        func clock(_ seconds: Double) -> String {
            String(PlanTime.text(PlanMachineTests.Client.date(seconds)).dropFirst(11).prefix(5))
        }
        let parts = spans.map { "\(clock($0.0)) to \($0.1.map(clock) ?? "the end")" }
        return parts.isEmpty ? "never" : parts.joined(separator: ", ")
    }

    static func table() throws -> String {
        let lines = try rows.map { row in
            let (file, server) = (try spans(row, isRendered: false), try spans(row, isRendered: true))
            return "| \(row.name) | \(text(file)) | \(text(server)) | \(row.why) |"
        }
        return (["| client | covered, by a file | covered, by a server | why |", "|---|---|---|---|"] + lines).joined(
            separator: "\n")
    }

    @Test func theTableInTheGuideIsWhatHappens() throws {
        let table = try Self.table()
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/reliability.md")
            .standardized
        let text = try String(contentsOf: guide, encoding: .utf8)
        #expect(text.contains(table), "docs/reliability.md should have:\n\(table)")
    }
}
