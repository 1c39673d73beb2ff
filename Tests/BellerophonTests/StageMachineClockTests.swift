import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import Bellerophon

/// The order of dated statuses when the app's or the server's clock is wrong.
@Suite("Stage machine: order with wrong clocks")
struct StageMachineClockTests {
    enum Way: CaseIterable, Sendable { case poll, push }

    /// An app whose clock is wrong by a number of seconds, with polling or a stream.
    struct App {
        var test = MachineUnderTest()
        var clockOffset: Double
        let way: Way

        var stage: Stage { test.machine.stage }
        var seconds: Double { test.now.offset.inSeconds }
        var remarks: [String] { test.reports.remarks }

        static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_768_485_000 + seconds) }

        /// - Parameter published: the server's clock, in true seconds since the start; nil is an unreadable date.
        mutating func hear(_ stage: Stage, _ published: Double?) {
            var metadata = ExchangeMetadata(httpStatus: 200, isPushed: way == .push)
            metadata.published = published.map { .at(Self.date($0)) } ?? .unreadable
            let reply = StatusReply(.to(stage), metadata: metadata).received(on: Self.date(seconds + clockOffset))
            if way == .push { return test.send(.pushed(reply)) }
            test.send(.checkRequested(.timer))
            test.send(.replied(test.checkID, reply))
        }

        mutating func wait(until seconds: Double) { test.wait(.seconds(seconds - self.seconds)) }

        /// Starts another run of the program with the stored record.
        mutating func restart() throws {
            let date = Self.date(seconds + clockOffset)
            let machine = test.machine
            let age = try #require(machine.confirmedAt).duration(to: test.now)
            var record = StatusRecord(
                try #require(machine.document), since: date, appVersion: nil,
                confirmedAt: date.addingTimeInterval(-age.inSeconds), publishedAt: machine.order.newest?.publishedAt
            )
            record.previousDate = machine.order.newest?.previous
            record.isUndated = machine.order.newest?.isReplaced
            record.localDate = machine.order.localDate(at: test.now)
            let now = test.now
            test = MachineUnderTest()
            test.now = now
            test.send(.restored(try record.kept(for: nil, reader: StatusReader(), at: date)))
        }
    }

    static let year = 365.0 * 86_400
    static let slow: [Double] = [0, -50, -120, -3600, -year]

    // MARK: The app's clock is slow

    @Test(arguments: slow, Way.allCases)
    func anOlderAllClearLiftsNoKillForADay(offset: Double, way: Way) throws {
        var app = App(clockOffset: offset, way: way)
        app.hear(.active, 0)
        app.wait(until: 100)
        app.hear(.killed, 100)
        #expect(app.stage == .killed, "a date ahead of the local clock keeps no kill away")
        for hour in 1...20 {
            app.wait(until: Double(hour) * 3600)
            app.hear(.active, 0)
            #expect(app.stage == .killed, "after \(hour) h")
            if hour == 10 { try app.restart() }
        }
        app.hear(.active, 72_000)
        #expect(app.stage == .active, "a restore counts at once")
    }

    @Test("A kill older than the recently confirmed active status is ignored", arguments: slow, Way.allCases)
    func olderKillIsIgnoredForTwoMinutes(offset: Double, way: Way) {
        var app = App(clockOffset: offset, way: way)
        app.hear(.killed, 0)
        app.wait(until: 100)
        app.hear(.active, 100)
        for second in [150.0, 200, 219] {
            app.wait(until: second)
            app.hear(.killed, 0)
            #expect(app.stage == .active)
        }
        app.hear(.killed, 219)
        #expect(app.stage == .killed)
    }

    // MARK: The app's clock changes

    /// The app's clock while the kill is heard, and after the restart.
    static let changes: [(Double, Double)] = [
        (-10 * year, 0), (-10 * year, -10 * year), (0, 10 * year), (0, 2 * 86_400), (0, -2 * 86_400), (0, -3600), (-3600, 0),
        (10 * year, 0), (-2 * 86_400, 2 * 86_400),
    ]

    static let jumps: [Double] = [-3600, -2 * 86_400, -10 * year, 2 * 86_400, 10 * year]

    /// Another cache has a status that was published before the kill, and that this app has never seen.
    @Test("A clock changed between two runs does not let an older clear lift a kill", arguments: Self.changes, Way.allCases)
    func clockChangeLiftsNoKill(clocks: (Double, Double), way: Way) throws {
        for cached in [-3 * 86_400.0, -7200, -60] {
            var app = App(clockOffset: clocks.0, way: way)
            app.hear(.active, -4 * 86_400)
            app.hear(.killed, 0)
            app.wait(until: 60)
            app.clockOffset = clocks.1
            try app.restart()
            for second in stride(from: 60.0, through: 86_000, by: 610) {
                app.wait(until: second)
                app.hear(.active, cached)
                try #require(app.stage == .killed, "\(cached), after \(second) s")
                app.hear(.active, nil)
                try #require(app.stage == .killed, "\(cached), after \(second) s")
                if second == 7380 { try app.restart() }
            }
            app.hear(.active, 86_000)
            #expect(app.stage == .active, "a restore counts at once")
        }
    }

    @Test(arguments: Self.jumps, Way.allCases)
    func aClockThatChangesDuringARunLiftsNoKill(change: Double, way: Way) throws {
        for cached in [-3 * 86_400.0, -7200, -60] {
            var app = App(clockOffset: 0, way: way)
            app.hear(.active, -4 * 86_400)
            app.hear(.killed, 0)
            app.clockOffset = change
            for second in stride(from: 60.0, through: 86_000, by: 610) {
                app.wait(until: second)
                app.hear(.active, cached)
                try #require(app.stage == .killed, "\(cached), after \(second) s")
                app.clockOffset = app.clockOffset == 0 ? change : 0
            }
        }
    }

    @Test func timeBetweenTwoRunsDoesNotCount() throws {
        var app = App(clockOffset: 0, way: .poll)
        app.hear(.killed, 0)
        app.wait(until: 10 * 86_400)
        try app.restart()
        app.hear(.active, -60)
        #expect(app.stage == .killed, "only the wall clock says how long the program was not running")
        app.wait(until: 11 * 86_400)
        app.hear(.active, -60)
        #expect(app.stage == .active, "a day in one run counts")
    }

    // MARK: The server's clock is fast

    /// The kill is dated an hour ahead, the server's clock is corrected, and the app is started again before the kill's date.
    @Test(arguments: Way.allCases) func aCorrectedServerLiftsAKillThatWasKept(way: Way) throws {
        var app = App(clockOffset: 0, way: way)
        app.hear(.active, -1000)
        app.hear(.killed, 3600)
        app.wait(until: 600)
        try app.restart()
        var other = app
        app.wait(until: 700)
        app.hear(.active, 650)
        #expect(app.stage == .killed)
        app.wait(until: 720)
        app.hear(.active, 650)
        #expect(app.stage == .active, "published since the start: two minutes after the start")
        other.wait(until: 3700)
        other.hear(.active, 500)
        #expect(other.stage == .killed, "published before the start: like any older status")
        other.hear(.active, 3601)
        #expect(other.stage == .active, "dated after the kill: at once")
    }

    /// The server's clock is two minutes fast for one publication and then corrected: the later status has the earlier
    /// date.
    @Test(arguments: [Stage.killed, .active], [90.0, 20, 110])
    func afterACorrectionNothingIsLostForLong(first: Stage, second: Double) throws {
        for (way, restarts) in [(Way.poll, false), (.push, false), (.poll, true)] {
            let next: Stage = first == .killed ? .active : .killed
            var app = App(clockOffset: 0, way: way)
            app.hear(next, -1000)
            app.hear(first, 120)
            #expect(app.stage == first)
            app.wait(until: second)
            app.hear(next, second)
            if restarts { try app.restart() }
            var counted: Double?
            while counted == nil, app.seconds < 600 {
                app.wait(until: app.seconds + 5)
                app.hear(next, second)
                if app.stage == next { counted = app.seconds }
            }
            #expect((counted ?? .infinity) <= second + 125, "\(way)")
        }
    }

    @Test(arguments: Way.allCases) func aServerThatStaysFastIsInOrder(way: Way) {
        var app = App(clockOffset: 0, way: way)
        app.hear(.active, 120)
        app.wait(until: 10)
        app.hear(.killed, 130)
        app.wait(until: 5000)
        app.hear(.active, 120)
        #expect(app.stage == .killed)
        app.hear(.active, 5120)
        #expect(app.stage == .active)
    }

    // MARK: Invented dates

    /// A status with a date in 2286 arrives once, and the previously known status continues to arrive.
    @Test(
        "A status dated far in the future takes precedence for two minutes at most", arguments: [Stage.killed, .active],
        [0.0, -120])
    func futureDateExpires(stage: Stage, offset: Double) throws {
        for (way, restarts) in [(Way.poll, false), (.push, false), (.poll, true)] {
            let madeUp: Stage = stage == .killed ? .active : .killed
            var app = App(clockOffset: offset, way: way)
            app.hear(stage, -86_400)
            app.hear(madeUp, 8_000_000_000)
            if restarts { try app.restart() }
            for second in stride(from: 10.0, through: 120, by: 10) {
                app.wait(until: second)
                app.hear(stage, -86_400)
            }
            #expect(app.stage == stage)
            app.hear(.killed, 120)
            #expect(app.stage == .killed)
            app.hear(.active, 121)
            #expect(app.stage == .active, "the server's dates order from there on")
        }
    }

    @Test func aDateAheadIsReportedOnce() {
        var app = App(clockOffset: -120, way: .poll)
        app.hear(.killed, 0)
        app.hear(.killed, 0)
        #expect(app.remarks == ["the status is dated 2 m 0 s ahead of this machine's clock; one of the two clocks is wrong"])
        app.wait(until: 30)
        app.hear(.active, 30)
        #expect(app.remarks.count == 2, "another date is reported too")
        var sound = App(clockOffset: -60, way: .push)
        sound.hear(.killed, 0)
        #expect(sound.remarks.isEmpty, "sound clocks differ by a minute")
    }

    // MARK: Unreadable dates

    @Test(arguments: Way.allCases) func anUnreadableDateCountsAsOlder(way: Way) {
        var app = App(clockOffset: 0, way: way)
        app.hear(.killed, nil)
        #expect(app.stage == .killed, "nothing dated is known yet")
        app.hear(.active, 0)
        app.hear(.killed, 1)
        app.wait(until: 86_399)
        app.hear(.active, nil)
        #expect(app.stage == .killed)
        app.wait(until: 86_400)
        app.hear(.active, nil)
        #expect(app.stage == .active, "the dated kill was not heard of for a day")
    }

    @Test("An unreadable date delays a kill by two minutes at most", arguments: Way.allCases) func unreadableDateDelaysKill(
        way: Way
    ) {
        var app = App(clockOffset: 0, way: way)
        app.hear(.active, 0)
        app.wait(until: 119)
        app.hear(.killed, nil)
        #expect(app.stage == .active)
        app.wait(until: 120)
        app.hear(.killed, nil)
        #expect(app.stage == .killed)
    }

    /// An active status with a date is known. Then the server's dates become unreadable, and it publishes a kill and
    /// its end.
    @Test("A kill with an unreadable date is not lifted by older active statuses", arguments: [false, true])
    func undatedKillOutlastsOldClear(restarts: Bool) throws {
        var app = App(clockOffset: 0, way: .poll)
        app.hear(.active, -100)
        app.hear(.active, 0)
        app.wait(until: 200)
        app.hear(.killed, nil)
        #expect(app.stage == .killed)
        for second in stride(from: 215.0, through: 1000, by: 15) {
            app.wait(until: second)
            app.hear(.active, second.truncatingRemainder(dividingBy: 2) == 0 ? 0 : -100)
            #expect(app.stage == .killed)
            app.hear(.killed, nil)
        }
        if restarts { try app.restart() }
        app.hear(.active, 0)
        #expect(app.stage == .killed)
        var other = app
        app.hear(.active, nil)
        #expect(app.stage == .active, "the next one without a date counts")
        other.wait(until: 1200)
        other.hear(.active, 0)
        #expect(other.stage == .active, "so does the former status, once the kill is not heard of for two minutes")
    }

    @Test("An undated repetition of a kill confirms the kill without changing its date")
    func undatedRepeatConfirmsKill() {
        var app = App(clockOffset: 0, way: .poll)
        app.hear(.killed, 0)
        app.wait(until: 3600)
        app.hear(.killed, nil)
        #expect(app.test.machine.lastReplyAt == app.test.now)
        #expect(app.test.machine.order.newest?.heardAt == MonotonicInstant(), "but it is no news of the date")
    }
}
