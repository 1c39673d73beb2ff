import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

/// A manager with a stream whose server is the test, on a clock that only the test moves.
@MainActor
@Suite("Manager: pushed statuses")
struct ManagerStreamTests {
    private nonisolated static let killed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Stop."}"#
    private nonisolated static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#
    private static let moment = Date(timeIntervalSince1970: 1_768_485_000)

    private let stream = ScriptedStream()
    private let app: AppUnderTest

    init() {
        app = AppUnderTest(stream: stream)
    }

    /// Starts, with the stream alive.
    private func start() {
        app.manager.checkAppStatus()
        stream.accept(Self.live, id: "1")
    }

    // MARK: While it lives

    @Test func aPushedKillCoversAtOnceAndAPushedRestoreUncovers() {
        start()
        stream.push(Self.killed, id: "2")
        #expect(app.window.shown == "kill")
        #expect(app.window.content?.message == "Stop.")
        stream.push(Self.live, id: "3")
        #expect(app.window.shown == nil)
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill"])
        #expect(app.checks == 1)
    }

    /// A server pushes from another thread while the main actor is busy: all waits when it comes to it.
    private func flood(_ count: Int, lastIsKill: Bool) {
        let (stream, done) = (stream, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            for number in 0..<count {
                stream.push((count - number).isMultiple(of: 2) == lastIsKill ? Self.live : Self.killed, id: "\(number)")
            }
            done.signal()
        }
        done.wait()
    }

    @Test(arguments: [true, false])
    func aFloodIsToldOfEveryTransitionAndUpdatesTheWindowOnceATurn(lastIsKill: Bool) async throws {
        start()
        let (pushed, turn) = (1000, 32)
        let before = app.window.updates
        flood(pushed, lastIsKill: lastIsKill)
        try await eventually("first turn") { app.reports.count { $0.isPush } > 1 ? () : nil }
        #expect(app.reports.count { $0.isPush } <= 1 + turn, "the rest waits, so that keys come in between")

        app.clock.advance(by: .zero)
        #expect(app.reports.count { $0.isPush } == 1 + pushed)
        #expect(app.log.count { $0 == "shouldKillSwitch" } == pushed / 2)
        #expect(app.window.shown == (lastIsKill ? "kill" : nil))
        let updates = app.window.updates - before
        #expect(updates <= (pushed + turn - 1) / turn)
    }

    @Test func aFetchIsCompletedAfterTheWindowShowsWhatItBrought() {
        var shown: [String?] = []
        app.status = Model(killed: true)
        app.manager.fetchAppStatus { [app] _ in shown.append(app.window.shown) }
        #expect(shown == ["kill"])
    }

    @Test func pollingRestsButForASlowSafetyCheck() {
        start()
        #expect(app.manager.liveTransport == .stream)
        #expect(app.manager.machine.nextCheck?.origin == .safety)
        let wait = app.manager.machine.nextCheck?.wait ?? .zero
        #expect(wait >= .seconds(240) && wait <= .seconds(360))
        for _ in 0..<8 {
            app.clock.advance(by: .seconds(29))
            stream.say(.heartbeat)
        }
        #expect(app.checks == 1, "232 s without a check; the status asks for one every 60 s")
        for _ in 0..<5 {
            app.clock.advance(by: .seconds(29))
            stream.say(.heartbeat)
        }
        #expect(app.checks == 2)
        #expect(app.manager.machine.nextCheck?.origin == .safety)
    }

    @Test func aLivingStreamNeverMakesForMoreChecksThanNone() {
        app.status = Model(interval: 3600)
        start()
        stream.push(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":3600}"#, id: "2")
        #expect(app.manager.machine.nextCheck?.wait == .seconds(3600))
    }

    @Test func theOverlayListensWithoutACountdown() {
        app.status = Model(killed: true)
        start()
        stream.push(Self.killed, id: "2")
        #expect(app.window.content?.isListening == true)
        #expect(app.window.content?.countdown == nil)
        stream.close()
        #expect(app.window.content?.isListening == false)
        #expect(app.window.content?.countdown != nil)
    }

    @Test func aPushThatIsNoStatusChangesNothingAndIsReported() {
        start()
        stream.push(Self.killed, id: "2")
        stream.push("<html>", id: "3")
        #expect(app.window.shown == "kill")
        #expect(app.errors.map(\.shortText) == ["invalid reply"])
        #expect(app.manager.machine.nextCheck?.origin == .backoff, "a check finds out soon")
        stream.push(Self.live, id: "4")
        #expect(app.window.shown == nil)
        #expect(app.manager.machine.failures == 0)
    }

    @Test func aPushIsReadByTheRulesOfAnAnswer() {
        start()
        stream.push(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"a\u001b[2Jb"}"#, id: "2")
        #expect(app.window.content?.message == "a␛[2Jb")
        let huge =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"x":""# + String(repeating: "x", count: 70_000) + #""}"#
        stream.push(huge, id: "3")
        #expect(app.window.shown == "kill")
        #expect(app.errors.map(\.reason) == [.tooLarge(limit: 65_536)])
    }

    @Test func resourcesAreHandedOn() {
        var seen: [StreamEvent] = []
        app.manager.onStreamEvent = { seen.append($0) }
        start()
        stream.say(.event(StreamEvent(name: "resources", data: Data(#"{"name":"help.txt","v":5}"#.utf8))))
        #expect(seen.map(\.resource) == [ResourceNotice(name: "help.txt", version: 5)])
        #expect(app.errors.isEmpty && app.window.history.isEmpty)
    }

    @Test(arguments: [
        #"{"name":"a","v":"7"}"#: Int64?.some(7), #"{"name":"a","v":7.5}"#: nil, #"{"v":7}"#: nil, "7": nil,
        #"{"name":"","v":1}"#: nil,
    ])
    func aResourceNoticeIsReadOnlyWhole(json: String, version: Int64?) {
        #expect(StreamEvent(name: "resources", data: Data(json.utf8)).resource?.version == version)
    }

    @Test func aFetchIsAnsweredByAPushThatOvertakesItsCheck() {
        app.answers = false
        start()
        var results: [BackgroundFetchResult] = []
        app.manager.fetchAppStatus { results.append($0) }
        stream.push(Self.killed, id: "2")
        #expect(results == [.noData])
    }

    // MARK: Order

    @Test func aReplyThatWasAskedForBeforeAPushDoesNotUndoIt() {
        start()
        app.answers = false
        app.manager.checkAppStatus()
        stream.push(Self.killed, id: "2")
        app.lastCompletion?(Model(), nil)
        #expect(app.window.shown == "kill")
        #expect(app.manager.machine.pending == nil)
        #expect(app.manager.machine.nextCheck != nil)
    }

    @Test func aCachedAnswerOlderThanThePushDoesNotUndoIt() {
        start()
        stream.push(Self.killed, id: "2", publishedAt: Self.moment)
        app.answers = false
        app.manager.checkAppStatus()
        app.lastCompletion?(answer(publishedAt: Self.moment - 1), nil)
        #expect(app.window.shown == "kill")
        #expect(app.reports.contains { if case .replyOutdated = $0 { true } else { false } })
        #expect(app.manager.machine.failures == 0)
        #expect(app.manager.machine.nextCheck != nil)

        app.manager.checkAppStatus()
        app.lastCompletion?(answer(publishedAt: Self.moment + 1), nil)
        #expect(app.window.shown == nil)
    }

    @Test func afterADayAnOlderAnswerCounts() {
        start()
        stream.push(Self.killed, id: "2", publishedAt: Self.moment)
        stream.close(.refused)
        app.answers = false
        app.clock.advance(by: .seconds(86_400))
        app.lastCompletion?(answer(publishedAt: Self.moment - 1), nil)
        #expect(app.window.shown == nil, "the server may have been set back")
    }

    @Test func aDateFarAheadKeepsNoKillAwayAndNoneOnTheScreen() {
        start()
        app.error = StatusError(.httpStatus(503))
        app.status = nil
        stream.push(Self.live, id: "2", publishedAt: Date(timeIntervalSince1970: 9_999_999_999))
        #expect(
            app.reports.contains {
                if case .remark(let text) = $0 { text.contains("ahead of this machine's clock") } else { false }
            })
        app.clock.advance(by: .seconds(120))
        stream.push(Self.killed, id: "3", publishedAt: Self.moment)
        #expect(app.window.shown == "kill")
        stream.push(Self.killed, id: "4", publishedAt: Date(timeIntervalSince1970: 9_999_999_999))
        app.clock.advance(by: .seconds(120))
        stream.push(Self.live, id: "5", publishedAt: Self.moment + 1)
        #expect(app.window.shown == nil)
    }

    private func answer(publishedAt: Date) -> StatusReply {
        let document = StatusDocument(isInactive: false, requiresUpdate: false, interval: 60)
        return StatusReply(document, receipt: ExchangeMetadata(httpStatus: 200, publishedAt: publishedAt))
    }

    @Test func theServerRepeatsAStatusThatACheckHasReplaced() {
        start()
        stream.push(Self.killed, id: "2")
        stream.close()
        #expect(app.window.shown == nil, "the check at once says that the app may run")
        app.clock.advance(by: .seconds(3))
        #expect(stream.lastEventIDs == [nil, nil])
    }

    @Test func aDismissedStatusIsAskedForAgain() {
        app.status = Model(killed: true)
        start()
        stream.push(Self.killed, id: "2")
        app.manager.dismissKillSwitchIfNeeded()
        #expect(app.window.shown == nil)
        #expect(app.manager.machine.nextCheck?.wait == .seconds(15), "not only with the safety check")
        app.clock.advance(by: .seconds(15))
        #expect(app.window.shown == "kill")
    }

    // MARK: When it falls

    @Test func aFallenStreamIsFollowedByACheckAtOnceAndPollingGoesOn() {
        start()
        app.status = Model(killed: true)
        stream.close()
        #expect(app.checks == 2)
        #expect(app.window.shown == "kill")
        #expect(app.manager.liveTransport == .poll)
        #expect(app.reports.contains(.checkStarted(2, .fallback)))
        app.clock.advance(by: .seconds(5))
        #expect(app.checks == 3, "every five seconds, as the status says")
    }

    @Test func theStreamIsTriedAgainWithTheIDOfWhatIsKnown() {
        let still = ScriptedStream()
        let app = AppUnderTest(stream: still)
        app.answers = false
        app.manager.checkAppStatus()
        still.accept(Self.killed, id: "42-9f3c02ab")
        still.close()
        app.clock.advance(by: .seconds(3))
        #expect(still.lastEventIDs == [nil, "42-9f3c02ab"])
        #expect(app.window.shown == "kill")
        still.say(.opened(heartbeat: nil), .retry(.seconds(3)))
        #expect(app.manager.liveTransport == .stream, "the server has nothing new to say")
    }

    @Test func aStreamThatKeepsFailingIsTriedLessOften() {
        app.manager.checkAppStatus()
        var waited = Duration.zero
        for attempt in 1...20 {
            stream.say(.closed(StatusError(.httpStatus(502))))
            #expect(app.manager.streamMachine?.failures == attempt)
            guard case .waiting(let next)? = app.manager.streamMachine?.state else {
                Issue.record("no attempt is scheduled")
                return
            }
            let ceiling = min(3 * exp2(Double(attempt - 1)), 120)
            #expect(next.wait >= .seconds(1) && next.wait.inSeconds <= max(1, ceiling))
            app.clock.advance(by: next.wait)
            waited += next.wait
            #expect(stream.connections.count == attempt + 1)
        }
        #expect(app.checks == 1 + Int(waited.inSeconds / 5), "polling goes on meanwhile, every five seconds")
    }

    @Test func lostHeartbeatsMakeTheStreamFall() {
        start()
        app.clock.advance(by: .seconds(44))
        #expect(app.checks == 1)
        app.clock.advance(by: .seconds(1))
        #expect(app.checks == 2)
        #expect(stream.open == 0)
        #expect(app.reports.contains(.stream(.closed(StatusError(.stream(.silent(for: .seconds(45)))), lasted: .seconds(45)))))
        app.clock.advance(by: .seconds(3))
        #expect(stream.connections.count == 2)
    }

    @Test func a204EndsTheStreamAndPollingStays() {
        app.manager.checkAppStatus()
        stream.close(.refused)
        app.clock.advance(by: .seconds(3600))
        #expect(stream.connections.count == 1)
        #expect(app.checks == 1 + 3600 / 5)
    }

    @Test func aStreamFallingDuringACheckStartsNoSecond() {
        start()
        app.answers = false
        app.manager.checkAppStatus()
        stream.close()
        #expect(app.checks == 2)
        app.lastCompletion?(Model(), nil)
        app.clock.advance(by: .seconds(2))
        #expect(app.manager.machine.nextCheck?.origin == .server)
    }

    // MARK: Rest and sleep

    @Test func suspendingClosesTheStreamAndResumingOpensIt() {
        start()
        app.manager.suspend()
        #expect(stream.open == 0)
        app.clock.advance(by: .seconds(3600))
        #expect(app.checks == 1 && stream.connections.count == 1)
        app.manager.resume()
        #expect(app.checks == 2)
        #expect(stream.open == 1)
    }

    @Test func aWakeUpConnectsAnew() {
        start()
        app.clock.sleepMachine(for: .seconds(7200))
        app.clock.advance(by: .seconds(2))
        #expect(stream.connections.count == 2 && stream.open == 1)
        #expect(app.checks == 2)
        stream.say(.opened(heartbeat: nil), .heartbeat)
        #expect(app.manager.machine.nextCheck?.origin == .safety)
    }

    @Test func transportPollNeverListens() {
        let app = AppUnderTest(transport: .poll, stream: stream)
        app.manager.checkAppStatus()
        app.clock.advance(by: .seconds(60))
        #expect(stream.connections.isEmpty)
    }

    @Test func aManagerThatGoesTakesItsConnectionAlong() async throws {
        var other: AppUnderTest? = AppUnderTest(stream: stream)
        other?.manager.checkAppStatus()
        #expect(stream.open == 1)
        other = nil
        #expect(stream.open == 0)
    }

    // MARK: Reports

    @Test func theStoryOfAStreamIsReported() {
        start()
        stream.close()
        let story = app.reports.compactMap { report -> String? in
            guard case .stream(let report) = report else { return nil }
            return switch report {
            case .connecting: "connecting"
            case .opened(let heartbeat): "open, \(heartbeat.briefText)"
            case .closed(let error, _): error.description
            case .retryScheduled: "retry"
            case .event: "event"
            }
        }
        #expect(story == ["connecting", "open, 15 s", "the server closed the stream", "retry"])
    }

    /// Whatever the stream does, checks go on: at the latest after an hour without a living stream.
    @Test func everyPathRearms() {
        var chance = SplitMix64(seed: 3)
        for _ in 0..<60 {
            let stream = ScriptedStream()
            let app = AppUnderTest(stream: stream)
            app.manager.checkAppStatus()
            for _ in 0..<25 {
                switch Int.random(in: 0..<9, using: &chance) {
                case 0: stream.accept(Self.killed, id: "1")
                case 1: stream.close()
                case 2: stream.close(.refused)
                case 3: stream.push("no", id: "2")
                case 4: app.manager.suspend(); app.manager.resume()
                case 5: app.manager.dismissKillSwitchIfNeeded()
                case 6: app.answers.toggle()
                case 7: app.clock.sleepMachine(for: .seconds(60))
                default: app.clock.advance(by: .seconds(Int.random(in: 0...100, using: &chance)))
                }
            }
            app.answers = true
            app.status = Model(update: true)
            // Silent from here on: the stream falls, and polling finds the update.
            app.clock.advance(by: .seconds(3700))
            #expect(app.window.shown == "update")
        }
    }
}

extension StatusReport {
    fileprivate var isPush: Bool { if case .pushed = self { true } else { false } }
}
