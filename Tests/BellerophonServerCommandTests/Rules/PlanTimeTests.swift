import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import BellerophonServerCommand

/// The times that an operator types, and weekly windows.
@Suite("Times of rules") struct PlanTimeTests {
    /// 2026-11-26 12:00:00 UTC, a Thursday, and a part of a second.
    private let now = Date(timeIntervalSince1970: 1_795_694_400.75)

    private func time(_ text: String, in zone: String = "UTC") throws -> String {
        PlanTime.text(try PlanTimeText(now: now, zone: try PlanZone(zone)).time(text, option: "--from"))
    }

    @Test(
        "A time is read in the zone or with its offset; in a gap it is the first moment after it, and the first of two",
        arguments: [
            ("2026-12-15", "UTC", "2026-12-15T00:00:00Z"),
            ("2026-12-15", "Europe/Berlin", "2026-12-14T23:00:00Z"),
            ("2026-12-15T22:00", "UTC", "2026-12-15T22:00:00Z"),
            (" 2026-12-15 22:00:30 ", "America/New_York", "2026-12-16T03:00:30Z"),
            ("2026-12-15T22:00Z", "Europe/Berlin", "2026-12-15T22:00:00Z"),
            ("2026-12-15T22:00+01:00", "UTC", "2026-12-15T21:00:00Z"),
            ("2026-12-15 22:00-05:30", "UTC", "2026-12-16T03:30:00Z"),
            ("now", "UTC", "2026-11-26T12:00:00Z"),
            ("+90m", "Asia/Tokyo", "2026-11-26T13:30:00Z"),
            ("in 2h", "UTC", "2026-11-26T14:00:00Z"),
            ("sat 23:00", "UTC", "2026-11-28T23:00:00Z"),
            ("Saturday 23:00", "Europe/Berlin", "2026-11-28T22:00:00Z"),
            ("thu 12:01", "UTC", "2026-11-26T12:01:00Z"),
            ("thu 12:00", "UTC", "2026-12-03T12:00:00Z"),
            // It is Friday in Kiritimati already.
            ("fri 03:00", "Pacific/Kiritimati", "2026-11-26T13:00:00Z"),
            ("fri 02:00", "Pacific/Kiritimati", "2026-12-03T12:00:00Z"),
            ("2027-03-28 01:59:59", "Europe/Berlin", "2027-03-28T00:59:59Z"),
            ("2027-03-28 02:00", "Europe/Berlin", "2027-03-28T01:00:00Z"),
            ("2027-03-28 02:30", "Europe/Berlin", "2027-03-28T01:00:00Z"),
            ("2027-03-28 03:00", "Europe/Berlin", "2027-03-28T01:00:00Z"),
            ("2027-10-31 02:30", "Europe/Berlin", "2027-10-31T00:30:00Z"),
            ("2027-10-31 03:00", "Europe/Berlin", "2027-10-31T02:00:00Z"),
            // Midnight does not exist on this day.
            ("2027-09-05", "America/Santiago", "2027-09-05T04:00:00Z"),
            // The clocks change by half an hour.
            ("2027-10-03 02:15", "Australia/Lord_Howe", "2027-10-02T15:30:00Z"),
            ("2027-04-04 01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00Z"),
            // The day does not exist.
            ("2011-12-30 12:00", "Pacific/Apia", "2011-12-30T10:00:00Z"),
        ])
    func readsTime(text: String, zone: String, expected: String) throws {
        #expect(try time(text, in: zone) == expected)
    }

    @Test("The machine's zone counts, which may be newer than the one of this program")
    func machinesZone() throws {
        let rule = "TZif2" + String(repeating: "\0", count: 31)
        let part = Data(rule.utf8) + Data([0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0]) + Data("ABC\0".utf8)
        let file = ZoneFile(part + part + Data("\n<+05>-5\n".utf8))
        let zone = try PlanZone("Europe/Berlin") { $0 == "Europe/Berlin" ? file : nil }
        #expect(zone.offset(now) == 5 * 3600)
        #expect(zone.remark == nil)
        let other = try PlanZone("Europe/Berlin") { _ in nil }
        #expect(other.offset(now) == 3600)
        #expect(other.remark?.contains("tzdata") == true)
    }

    @Test(
        "An unreadable time is quoted, with the possible forms",
        arguments: [
            "", "soon", "2026-12-5", "2026-12-15T22", "2026-12-15T24:00", "2026-12-15T22:00+1", "15.12.2026", "sat", "sat 25:00",
            "+", "+90", "in", "90m", "2027-02-29T10:00", "2026-12-15 22:00 Berlin", "22:00", "sa 22:00", "sat T22:00",
        ])
    func unreadableTime(text: String) {
        let error = #expect(throws: CommandError.self) { try time(text) }
        #expect(error?.message.hasPrefix("--from: expected a time such as 2026-12-15, ") == true)
        #expect(error?.message.hasSuffix("; found \"\(text)\"") == true)
    }

    @Test(
        "An unknown zone is refused with similar names",
        arguments: [("Europe/Berlni", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("New York", "America/New_York")])
    func unknownZone(name: String, suggestion: String) {
        let error = #expect(throws: CommandError.self) { try PlanZone(name) }
        #expect(error?.message == "--zone: \"\(name)\" is no time zone of this system")
        #expect(error?.hint?.contains(suggestion) == true)
        #expect(throws: CommandError.self) { try PlanZone("") }
    }

    @Test func weeklyWindowsKeepTheirLocalTimeAndTheirLength() throws {
        let zone = try PlanZone("Europe/Berlin")
        let first = try PlanTimeText(now: now, zone: zone).time("2027-03-20 23:30", option: "--from")
        let windows = try zone.weekly(every: "sat", from: first, length: 5400, count: 3)
        #expect(
            windows.map { zone.text(from: $0, until: $0.addingTimeInterval(5400)) } == [
                "2027-03-20 22:30Z to 2027-03-21 00:00Z  =  2027-03-20 23:30 +01:00 to 2027-03-21 01:00 +01:00 (Europe/Berlin)",
                "2027-03-27 22:30Z to 2027-03-28 00:00Z  =  2027-03-27 23:30 +01:00 to 2027-03-28 01:00 +01:00 (Europe/Berlin)",
                "2027-04-03 21:30Z to 2027-04-03 23:00Z  =  2027-04-03 23:30 +02:00 to 2027-04-04 01:00 +02:00 (Europe/Berlin)",
            ])
        #expect(
            PlanZone.utc.text(from: first, until: first.addingTimeInterval(5400)) == "2027-03-20 22:30Z to 2027-03-21 00:00Z")
    }

    @Test(
        "Options of weekly windows that can't be followed are refused",
        arguments: [
            ("caturday", 4, 90, "--every: the first window begins on a saturday in UTC, found \"caturday\""),
            ("sat", nil, 90, "--every: needs --count, the number of windows, 1 to 32"),
            ("sat", 0, 90, "--every: needs --count, the number of windows, 1 to 32"),
            ("sat", 33, 90, "--every: needs --count, the number of windows, 1 to 32"),
            ("fri", 4, 90, "--every: the first window begins on a saturday in UTC, found \"fri\""),
            ("sat", 4, 10_080, "--for: a window of every week must be shorter than seven days, so that no two overlap"),
        ] as [(String, Int?, Int, String)])
    func wrongWeeks(day: String, count: Int?, minutes: Int, message: String) throws {
        let first = try PlanTimeText(now: now).time("sat 23:00", option: "--from")
        let error = #expect(throws: CommandError.self) {
            try PlanZone.utc.weekly(every: day, from: first, length: TimeInterval(minutes * 60), count: count)
        }
        #expect(error?.message == message)
    }
}

#if os(Linux)
/// Weekly windows in every zone of the system's database, against the C library's conversion in processes of `date`.
@Suite("Weekly windows and the C library") struct WeeklyWindowTests {
    private static let weeks = 522
    /// 00:30 and 02:30 on Sunday, 29 November 2026, as local seconds since 1970. Most clocks change early on a Sunday.
    private static let starts = [1_795_912_200, 1_795_919_400]
    /// The seconds around the beginning of a window at which local time is compared.
    private static let around = [0, -1, -1800, -3600, -7200, 3600]

    /// The zones that the database lists, without their other names.
    private static func zones() throws -> [String] {
        let table = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
        return table.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.count > 1 && words[0] == "Z" ? words[1] : nil
        }
    }

    /// The beginnings of the windows in a zone.
    private static func beginnings(_ name: String) throws -> [Int] {
        let zone = try PlanZone(name)
        return starts.flatMap { start in
            let first = zone.date(ofLocal: Date(timeIntervalSince1970: Double(start)))
            return zone.weekly(from: first, count: weeks).map { Int($0.timeIntervalSince1970) }
        }
    }

    /// The offsets in seconds in lines such as `+0100`.
    private static func offsets(_ data: Data) -> [Int] {
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count - 5, by: 6).map { line in
            func digit(_ index: Int) -> Int { Int(bytes[line + index]) - 48 }
            let seconds = (digit(1) * 10 + digit(2)) * 3600 + (digit(3) * 10 + digit(4)) * 60
            return bytes[line] == UInt8(ascii: "-") ? -seconds : seconds
        }
    }

    @Test("Ten years of weekly windows begin at the C library's local time in every zone")
    func tenYearsOfWindows() async throws {
        let home = try TestFolder()
        let zones = try Self.zones()
        #expect(zones.count > 300)
        var beginnings: [[Int]] = []
        for (index, name) in zones.enumerated() {
            beginnings.append(try Self.beginnings(name))
            let times = beginnings[index].flatMap { begin in Self.around.map { "@\(begin + $0)" } }
            _ = try home.write(times.joined(separator: "\n") + "\n", to: "\(index).times")
            _ = try home.write(name, to: "\(index).zone")
        }
        let script = """
            for file in *.zone; do
                TZ="$(cat "$file")" date -f "${file%.zone}.times" +%z > "${file%.zone}.offsets" || exit 1
            done
            """
        let result = try await runCommand(
            "/bin/sh", ["-c", "cd \"$HOME\" || exit 1\n" + script], home: home, within: .seconds(500))
        #expect(result.status == .exited(0), "\(result.standardError)")
        var (wrong, gaps, repeated) = ([String](), 0, 0)
        for (index, name) in zones.enumerated() {
            let begins = beginnings[index]
            let offsets = Self.offsets(try Data(contentsOf: home.url.appendingPathComponent("\(index).offsets")))
            try #require(offsets.count == begins.count * Self.around.count)
            for (number, begin) in begins.enumerated() {
                let wanted = Self.starts[number / Self.weeks] + number % Self.weeks * 7 * 86_400
                let local = Self.around.indices.map { begin + Self.around[$0] + offsets[number * Self.around.count + $0] }
                if local[0] < wanted || local[1...4].contains(where: { $0 >= wanted }) { wrong.append("\(name) \(begin)") }
                if local[0] > wanted { gaps += 1 }
                if local[5] == wanted { repeated += 1 }
            }
        }
        #expect(wrong == [])
        // The windows meet both kinds of changes.
        #expect(gaps > 0 && repeated > 0)
    }
}
#endif
