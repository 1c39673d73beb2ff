import Foundation
import TestSupport
import Testing

@testable import BellerophonBase

@Suite("Time zones of the machine")
struct ZoneFileTests {
    /// A file with these changes of the offset, of the second version, and with a last line.
    private func file(_ changes: [(at: Int, offset: Int)] = [], first: Int = 0, rule: String = "") -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
        }
        func header(_ times: Int, _ types: Int) -> [UInt8] {
            var all = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, times, types, 4] { all += bytes(count, 4) }
            return all
        }
        let old = header(0, 1) + [UInt8](repeating: 0, count: 10)
        var body: [UInt8] = []
        for change in changes { body += bytes(change.at, 8) }
        for index in changes.indices { body.append(UInt8(index + 1)) }
        for offset in [first] + changes.map(\.offset) { body += bytes(offset, 4) + [0, 0] }
        let end = Array("ABC\0\n\(rule)\n".utf8)
        return Data(old + header(changes.count, changes.count + 1) + body + end)
    }

    private func offset(_ zone: ZoneFile?, _ time: String) throws -> Int? {
        zone?.offset(at: try Date(time, strategy: .iso8601))
    }

    @Test func offsetsChangeAtTheirSeconds() throws {
        let zone = ZoneFile(file([(1000, 3600), (2000, 7200)], first: -1800))
        let offsets = [-1_000_000, 999, 1000, 1999, 2000, 4_000_000_000].map {
            zone?.offset(at: Date(timeIntervalSince1970: Double($0)))
        }
        #expect(offsets == [-1800, -1800, 3600, 3600, 7200, 7200])
    }

    @Test(
        "After the last change the last line counts",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T00:59:59Z", 3600),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T01:00:00Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T00:59:59Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T01:00:00Z", 3600),
            ("EST5EDT,M3.2.0,M11.1.0", "2027-07-01T00:00:00Z", -14_400), ("<+0330>-3:30", "2027-07-01T00:00:00Z", 12_600),
            // South of the equator, with a half hour.
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-01-01T00:00:00Z", 39_600),
            // Dublin's winter time is the daylight saving, and a change of Nuuk's is on the evening before.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-01-01T00:00:00Z", 0),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01T00:00:00Z", 3600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T00:59:59Z", -7200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T01:00:00Z", -3600),
            // Days of the year, with and without 29 February.
            ("A_B", "2027-07-01T00:00:00Z", nil), ("AAA0BBB,J60,J300", "2028-03-01T01:59:59Z", 0),
            ("AAA0BBB,J60,J300", "2028-03-01T02:00:00Z", 3600), ("AAA0BBB,59,299", "2028-02-29T02:00:00Z", 3600),
        ] as [(String, String, Int?)])
    func lastLine(rule: String, time: String, expected: Int?) throws {
        #expect(try offset(ZoneFile(file([(0, 60)], rule: rule)), time) == expected)
    }

    @Test func aFileThatIsNotWholeIsNone() {
        let whole = file([(1000, 3600)])
        #expect(ZoneFile(whole) != nil)
        for count in 0..<whole.count - 2 { #expect(ZoneFile(whole.prefix(count)) == nil, "\(count) bytes") }
        #expect(ZoneFile(file([(2000, 3600), (1000, 0)])) == nil)
        #expect(ZoneFile(Data(repeating: 0xFF, count: 200)) == nil)
        #expect(ZoneFile(Data("TZif2".utf8) + Data(repeating: 0, count: 15) + Data(repeating: 0x7F, count: 200)) == nil)
    }

    @Test func onlyAFileOfTheFolderIsRead() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(at: folder.url.appendingPathComponent("in/A"), withIntermediateDirectories: true)
        try file(first: 60).write(to: folder.url.appendingPathComponent("in/A/B"))
        try file(first: 60).write(to: folder.url.appendingPathComponent("out"))
        let place = folder.url.appendingPathComponent("in").path
        #expect(ZoneFile("A/B", in: place)?.offset(at: .now) == 60)
        for name in ["", "A", "/A/B", "../out", "A/../../out", "A//B", "A/B/", ".", "A\0B"] {
            #expect(ZoneFile(name, in: place) == nil)
        }
    }
}
