import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// The time by which phases of rules begin and end.
@Suite("The time of rules")
struct PlanClockTests {
    private static let noon = Date(timeIntervalSince1970: 1_796_472_000)
    private static let year = 365 * 86_400.0

    /// A clock with one reply at noon.
    private struct Client {
        var clock = PlanClock()
        var wall: MonotonicDate?
        var now = MonotonicInstant()

        var time: TimeInterval? { clock.date(at: now, wall: wall?.date(at: now))?.timeIntervalSince(noon) }

        mutating func reply(_ date: TimeInterval?, wall: TimeInterval) {
            let reached = clock.date(at: now, wall: self.wall?.date(at: now))
            let shown = noon.addingTimeInterval(wall)
            if self.wall?.observe(shown, at: now) == nil { self.wall = MonotonicDate(shown, at: now) }
            clock.observe(date.map(noon.addingTimeInterval), at: now, reached: reached)
        }

        mutating func pass(_ seconds: Double) { now = now.advanced(by: .seconds(seconds)) }

        mutating func passAsleep(_ seconds: Double) {
            clock.sleep(for: .seconds(seconds))
            wall?.sleep(for: .seconds(seconds))
        }
    }

    @Test func nothingIsKnownBeforeTheFirstReply() {
        #expect(Client().time == nil)
    }

    @Test("Neither a fast wall clock nor a fast server moves the time alone", arguments: [86_400, year])
    func oneWrongClockIsHarmless(_ error: Double) {
        var client = Client()
        client.reply(0, wall: error)
        #expect(client.time == 0)
        client = Client()
        client.reply(error, wall: 0)
        #expect(client.time == 0)
    }

    @Test func theTimePassesOfflineAndAsleep() {
        var client = Client()
        client.reply(0, wall: 0)
        client.pass(3600)
        client.passAsleep(7200)
        #expect(client.time == 10_800)
    }

    @Test("A wall clock that is set changes nothing", arguments: [-year, -86_400, -1, 1, 86_400, year])
    func aSetClockIsHarmless(_ jump: Double) {
        var client = Client()
        client.reply(0, wall: 0)
        client.pass(600)
        client.reply(600, wall: 600 + jump)
        #expect(client.time == 600)
        client.pass(600)
        client.reply(1200, wall: 1200)
        #expect(client.time == 1200)
    }

    @Test func anOldDateMovesNothingBackAndStopsNothing() {
        var client = Client()
        client.reply(0, wall: 0)
        client.pass(60)
        client.reply(-3600, wall: 60)
        client.pass(60)
        #expect(client.time == 120)
    }

    @Test func aSlowClockWaits() {
        var client = Client()
        client.reply(0, wall: -Self.year)
        #expect(client.time == -Self.year)
    }

    @Test func withoutADateTheWallClockCountsAndNeverGoesBack() {
        var client = Client()
        client.reply(nil, wall: 0)
        #expect(client.clock.isWallClockOnly)
        client.pass(60)
        client.reply(nil, wall: -3600)
        #expect(client.time == 60)
        client.reply(-600, wall: 60)
        #expect(!client.clock.isWallClockOnly)
        #expect(client.time == 60, "a date that comes later moves nothing back")
    }

    @Test func aRestartGoesOnFromTheKeptTime() {
        var client = Client()
        client.clock.restore(Self.noon, isConfirmed: false, at: client.now)
        #expect(client.time == 0)
        client.pass(60)
        #expect(client.time == 60, "the real time is later than this, so it passes at least")
        client.reply(86_400, wall: 86_400)
        #expect(client.time == 86_400)
    }

    @Test func aKeptTimeIsNeverLeftAgain() {
        var client = Client()
        client.clock.restore(Self.noon, isConfirmed: true, at: client.now)
        client.reply(-86_400, wall: -86_400)
        #expect(client.time == 0)
    }

    // MARK: Header fields

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
    ])
    func datesOfServersAreRead(text: String, seconds: Double) {
        #expect(HTTPDate.preferred(text) == Date(timeIntervalSince1970: seconds))
        #expect(HTTPDate.any(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 30 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func otherDatesCountAsNone(text: String) {
        #expect(HTTPDate.preferred(text) == nil)
    }

    @Test func theAgeOfACacheCounts() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(HTTPDate.present(date: date, age: "3600") == Date(timeIntervalSince1970: 784_115_377))
        for age in [nil, "", "-1", "1e3", "99999999999", "a"] {
            #expect(HTTPDate.present(date: date, age: age) == Date(timeIntervalSince1970: 784_111_777))
        }
        #expect(HTTPDate.present(date: nil, age: "3600") == nil)
    }
}
