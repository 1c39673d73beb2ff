import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// What the machine does with the rules of a status: phases by the time, and rules that become unreadable.
@Suite("Stage machine: rules")
struct PlanMachineTests {
    /// A program with a clock that the test controls, and the file that it keeps.
    struct Client {
        var machine: StageMachine
        var now = MonotonicInstant()
        var actions: [StageMachine.Action] = []
        private var generator = FixedFraction(fraction: 0.5)
        private var timer: (id: StageMachine.TimerID, due: MonotonicInstant)?
        private(set) var file: Data?
        let app: AppFacts

        init(_ app: AppFacts = AppFacts(version: "1.4.0")) {
            self.app = app
            machine = StageMachine(app: app)
        }

        var stage: Stage { machine.stage }

        static let start = PlanTime.date("2026-12-05T20:00:00Z") ?? .distantPast
        static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

        mutating func send(_ event: StageMachine.Event) {
            let new = machine.handle(event, at: now, using: &generator)
            actions += new
            for action in new {
                switch action {
                case .startTimer(.plan, let id, let wait): timer = (id, now.advanced(by: wait))
                case .stopTimer(.plan): timer = nil
                case .remember(let document, _): keep(document)
                default: break
                }
            }
        }

        private mutating func keep(_ document: StatusDocument) {
            let date = machine.order.localDate(at: now) ?? .distantPast
            var record = StatusRecord(document, since: date, appVersion: app.version, confirmedAt: date)
            record.planDate = machine.planDate(at: now)
            record.localDate = date
            file = try? FileStatusStore.data(of: record)
        }

        /// Time passes, and timers fire when they are due.
        mutating func pass(_ seconds: Double) {
            let end = now.advanced(by: .seconds(seconds))
            while let due = timer, due.due <= end {
                timer = nil
                now = due.due
                send(.timerFired(due.id))
            }
            now = end
        }

        /// - Parameters:
        ///   - seconds: the server's clock since 20:00; nil if the reply has no date.
        ///   - wall: the wall clock, if it is another one.
        ///   - published: when the document was published; nil for an undated one.
        mutating func reply(_ json: String, at seconds: Double?, wall: Double? = nil, published: Double? = nil) throws {
            var metadata = ExchangeMetadata(httpStatus: 200)
            if let published { metadata.publishedAt = Self.date(published) }
            metadata.serverDate = seconds.map(Self.date)
            let document = try StatusDocument(json: Data(json.utf8))
            send(.checkRequested(.timer))
            let reply = StatusReply(document, metadata: metadata).received(on: Self.date(wall ?? seconds ?? 0))
            send(.replied(machine.pending?.id ?? -1, reply))
        }

        mutating func restart(wall: Double) throws {
            let record = try FileStatusStore.record(in: try #require(file), path: "status.json")
            let before = now
            let kept = file
            self = Client(app)
            (now, file) = (before, kept)
            send(.restored(try record.kept(for: app.version, reader: StatusReader(), at: Self.date(wall))))
        }

        var causes: [Transition.Cause] {
            actions.compactMap { if case .transition(let transition) = $0 { transition.cause } else { nil } }
        }
    }

    static func status(_ rules: String, base: String = #""apiInactive":false,"forceUpdate":false"#) -> String {
        "{\(base),\"retryInterval\":60,\"userMessage\":null,\"rules\":[\(rules)]}"
    }

    /// A window from 22:00 to 23:30 of the day that begins at 20:00, announced at 21:00.
    static let window = status(
        #"""
        {"id":"mw","effect":"pause","announce":"2026-12-05T21:00:00Z","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z",
         "message":"Back at 23:30 UTC."}
        """#)
    static let hour = 3600.0

    @Test func aWindowBeginsAndEndsWithoutAReply() throws {
        var client = Client()
        try client.reply(Self.window, at: 0)
        #expect(client.stage == .active)
        client.pass(Self.hour)
        #expect(client.machine.verdict?.notices.map(\.phase) == [.announced])
        client.pass(Self.hour - 1)
        #expect(client.stage == .active)
        client.pass(1.1)
        #expect(client.stage == .killed)
        #expect(client.machine.document.flatMap { client.machine.verdict?.facts(of: $0) }?[.message] == "Back at 23:30 UTC.")
        client.pass(1.5 * Self.hour)
        #expect(client.stage == .active)
        #expect(client.causes.suffix(2) == [.rule("mw"), .rule("mw")])
    }

    @Test func aPhaseMovesTheNextCheckToARandomPartOfItsInterval() throws {
        var client = Client()
        try client.reply(Self.window, at: 2 * Self.hour - 5)
        let planned = try #require(client.machine.nextCheck).due
        client.pass(5.1)
        #expect(client.stage == .killed)
        let moved = try #require(client.machine.nextCheck).due
        #expect(moved < planned)
        #expect(client.now < moved)
    }

    @Test func anOldCacheNeitherStopsNorRepeatsAPhase() throws {
        var client = Client()
        try client.reply(Self.window, at: 2 * Self.hour)
        #expect(client.stage == .killed)
        client.pass(60)
        try client.reply(Self.window, at: Self.hour, wall: 2 * Self.hour + 60)
        #expect(client.stage == .killed)
    }

    @Test func anUpdatedAppRunsAgainAtItsNextCheck() throws {
        let status = Self.status("", base: #""apiInactive":false,"forceUpdate":true,"requiredVersion":"1.5.2""#)
        for (version, stage) in [("1.5.1", Stage.updateRequired), ("1.5.2", .active), ("1.6", .active)] {
            var client = Client(AppFacts(version: version))
            try client.reply(status, at: 0)
            #expect(client.stage == stage)
        }
        var unknown = Client(AppFacts())
        try unknown.reply(status, at: 0)
        #expect(unknown.stage == .updateRequired)
        #expect(unknown.machine.verdict?.reason == "the app's version is not known, and 1.5.2 is required")
    }

    @Test func aStoredUpdateEndsWithTheVersionThatItRequires() throws {
        let update = Self.status(#"{"id":"min","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"}"#)
        let flag = Self.status("", base: #""apiInactive":false,"forceUpdate":true,"requiredVersion":"1.5.2""#)
        for status in [update, flag] {
            for (version, isCovered) in [("1.4.0", true), ("1.5.1", true), ("1.5.2", false)] {
                var client = Client(AppFacts(version: "1.4.0"))
                try client.reply(status, at: 0)
                let record = try FileStatusStore.record(in: try #require(client.file), path: "status.json")
                var next = Client(AppFacts(version: version))
                next.send(.restored(try record.kept(for: version, reader: StatusReader(), at: Client.date(60))))
                #expect((next.stage == .updateRequired) == isCovered, "\(version)")
            }
        }
    }

    // MARK: A rule that becomes unreadable

    static let pause = #"{"id":"stop","effect":"pause","message":"Stopped.","until":"2026-12-06T20:00:00Z"}"#
    static let unreadable = #"{"id":"stop","effect":"pause","only":{"moon":"full"}}"#

    @Test func aCoverStaysWhileItsRuleIsUnreadable() throws {
        var client = Client()
        try client.reply(Self.status(Self.pause), at: 0)
        #expect(client.stage == .killed)
        for text in [Self.status(Self.unreadable), #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":7}"#] {
            try client.reply(text, at: 60)
            #expect(client.stage == .killed)
            #expect(client.machine.document.flatMap { client.machine.verdict?.facts(of: $0) }?[.message] == "Stopped.")
            try client.restart(wall: 120)
            #expect(client.stage == .killed, "over a restart")
        }
        try client.reply(Self.status(""), at: 180)
        #expect(client.stage == .active, "a rule that is gone covers nothing")
        try client.reply(Self.status(Self.unreadable), at: 240)
        #expect(client.stage == .active, "an unreadable rule begins nothing")
    }

    @Test func anUnreadableRuleEndsAtTheTimeOfTheLastOneThatWasUnderstood() throws {
        var client = Client()
        try client.reply(Self.status(Self.pause), at: 0)
        try client.reply(Self.status(Self.unreadable), at: 60)
        client.pass(24 * Self.hour + 60)
        #expect(client.stage == .active)
    }

    @Test func aHeldRuleIsExplainedAsOneThatStillCovers() throws {
        var client = Client()
        try client.reply(Self.status(Self.pause), at: 0)
        for text in [Self.status(Self.unreadable), #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":7}"#] {
            try client.reply(text, at: 60)
            let document = try #require(client.machine.document)
            let outcome = try #require(document.outcomes(for: client.app, at: Client.date(60)).first)
            #expect(outcome.label == "stop" && outcome.state == .holds)
            #expect(outcome.because.hasPrefix("it applies to every app, as before, because now "))
        }
    }

    // MARK: Restarts

    @Test("A program that does not understand the rule of a kept status keeps the cover", arguments: [true, false])
    func keptCoverOfALaterMember(covers: Bool) throws {
        let document = try StatusDocument(json: Data(Self.status(Self.pause).utf8))
        let rule = try #require(document.plan?.entries.first?.rule), date = try #require(PlanTime.date("2026-12-05T21:00:00Z"))
        // A later program has understood the member and has been covered.
        let later = Self.status(Self.pause.replacing(#""effect""#, with: #""conceal":true,"effect""#))
        var record = StatusRecord(try StatusDocument(json: Data(later.utf8)), since: .now, appVersion: "1.4.0")
        record.setCover(covers ? rule : nil)
        let kept = try JSONDecoder().decode(StatusRecord.self, from: try JSONEncoder().encode(record))
        let restored = try kept.kept(for: "1.4.0", reader: StatusReader(), at: date)
        #expect(restored.document.plan?.undecided.map(\.label) == [rule.id])
        let verdict = restored.document.verdict(for: AppFacts(version: "1.4.0"), at: date)
        #expect(verdict.restrictions.first?.by == (covers ? rule.id : nil))
    }

    /// Every character of the document takes six in the file, and a second document is kept beside it.
    @Test func theLargestDocumentIsKept() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: URL(fileURLWithPath: folder.path("status.json")))
        let room = String(repeating: "\u{1}", count: 64 * 1024 - 400)
        var client = Client()
        for rule in [Self.pause, Self.unreadable] {
            let status = Self.status(rule, base: "\"room\":\"\(room)\",\"apiInactive\":false,\"forceUpdate\":false")
            #expect(status.utf8.count <= 64 * 1024)
            try client.reply(status, at: 60)
            #expect(client.stage == .killed)
        }
        try store.save(try FileStatusStore.record(in: try #require(client.file), path: "status.json"))
        let kept = try #require(try store.load()).kept(for: nil, reader: StatusReader(), at: Client.date(120))
        var next = Client(client.app)
        next.send(.restored(kept))
        #expect(next.stage == .killed)
    }

    @Test("A reply whose document is older tells the time all the same")
    func anOutdatedReplyTellsTheTime() throws {
        var client = Client()
        try client.reply(Self.window, at: 0, published: 100)
        try client.reply(Self.window.replacing("Back at", with: "At"), at: 2 * Self.hour, published: 50)
        #expect(client.machine.document?.rules.first?.message == "Back at 23:30 UTC.")
        #expect(client.stage == .killed)
    }

    @Test func aWindowThatWasReachedIsNotLeftByARestartWithAClockSetBack() throws {
        var client = Client()
        try client.reply(Self.window, at: 0)
        client.pass(2 * Self.hour + 60)
        #expect(client.stage == .killed)
        try client.restart(wall: -365 * 24 * Self.hour)
        #expect(client.stage == .killed)
        client.pass(1.5 * Self.hour)
        #expect(client.stage == .active, "its end comes while the program runs offline")
    }

    @Test func aClockSetAheadStartsNothingOverARestart() throws {
        let update = Self.status(
            #"{"id":"stop","effect":"pause"},{"id":"min","effect":"update","from":"2026-12-06T00:00:00Z"}"#)
        var client = Client()
        try client.reply(update, at: 0)
        try client.restart(wall: 365 * 24 * Self.hour)
        #expect(client.stage == .killed, "the update has not begun")
        try client.reply(update, at: 60, wall: 365 * 24 * Self.hour)
        #expect(client.stage == .killed)
    }

    // MARK: Properties

    /// In a run whose server sends dates, a wall clock that jumps changes no verdict.
    @Test(arguments: Seed.range("wall clocks", default: 0..<50)) func aChangedWallClockAloneChangesNothing(seed: UInt64) throws {
        var chance = SplitMix64(seed: seed)
        var (steady, jumping) = (Client(), Client())
        var seconds = 0.0
        try steady.reply(Self.window, at: 0)
        try jumping.reply(Self.window, at: 0)
        for _ in 0..<40 {
            let span = Double.random(in: 1...900, using: &chance)
            seconds += span
            steady.pass(span)
            jumping.pass(span)
            #expect(steady.stage == jumping.stage)
            guard Bool.random(using: &chance) else { continue }
            let jump = Double.random(in: -1...1, using: &chance) * 1e8
            try steady.reply(Self.window, at: seconds)
            try jumping.reply(Self.window, at: seconds, wall: seconds + jump)
            #expect(steady.stage == jumping.stage)
            #expect(steady.machine.verdict == jumping.machine.verdict)
        }
    }
}
