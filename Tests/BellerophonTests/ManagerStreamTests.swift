import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

/// A manager whose stream and clock the test controls.
@MainActor
@Suite("Manager: pushed statuses")
struct ManagerStreamTests {
    private let rig = StreamedApp()
    private var stream: ScriptedStream { rig.stream }
    private var app: AppUnderTest { rig.app }

    private func start() { rig.start() }

    // MARK: While it is live

    @Test("A pushed kill covers the app at once, and a pushed restore uncovers it")
    func pushedStatusChangesCover() {
        start()
        stream.push(StreamedApp.killed, id: "2")
        #expect(app.window.shown == "kill")
        #expect(app.window.content?.message == "Stop.")
        stream.push(StreamedApp.live, id: "3")
        #expect(app.window.shown == nil)
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill"])
        #expect(app.checks == 1)
    }

    /// A server pushes from another thread while the main actor is busy; all signals are queued until it continues.
    private func flood(_ count: Int, lastIsKill: Bool) {
        let (stream, done) = (stream, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            for number in 0..<count {
                stream.push(
                    (count - number).isMultiple(of: 2) == lastIsKill ? StreamedApp.live : StreamedApp.killed, id: "\(number)")
            }
            done.signal()
        }
        done.wait()
    }

    @Test("A flood of pushes reports every transition and updates the window less often", arguments: [true, false])
    func floodReportsEveryTransition(lastIsKill: Bool) async throws {
        start()
        let pushed = 1000
        let before = app.window.updates
        flood(pushed, lastIsKill: lastIsKill)
        try await eventually("all pushes") {
            // The rest of a flood is taken in further turns of the core.
            app.clock.advance(by: .zero)
            return app.reports.count { $0.isPush } == 1 + pushed ? () : nil
        }
        #expect(app.log.count { $0 == "shouldKillSwitch" } == pushed / 2)
        #expect(app.window.shown == (lastIsKill ? "kill" : nil))
        #expect(app.window.updates - before < pushed / 2)
    }

    @Test func pollingRestsButForASlowSafetyCheck() {
        start()
        #expect(app.manager.liveTransport == .stream)
        #expect(app.manager.machine.nextCheck?.origin == .safety)
        let wait = app.manager.machine.nextCheck?.wait ?? .zero
        #expect(wait >= .seconds(240) && wait <= .seconds(360))
        for _ in 0..<8 {
            app.clock.advance(by: .seconds(29))
            stream.send(.heartbeat)
        }
        #expect(app.checks == 1, "232 s without a check; the status asks for one every 60 s")
        for _ in 0..<5 {
            app.clock.advance(by: .seconds(29))
            stream.send(.heartbeat)
        }
        #expect(app.checks == 2)
        #expect(app.manager.machine.nextCheck?.origin == .safety)
    }

    @Test("A live stream does not shorten the check interval of the status")
    func streamAddsNoChecks() {
        app.status = Model(interval: 3600)
        start()
        stream.push(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":3600}"#, id: "2")
        #expect(app.manager.machine.nextCheck?.wait == .seconds(3600))
    }

    @Test func theOverlayListensWithoutACountdown() {
        app.status = Model(killed: true)
        start()
        stream.push(StreamedApp.killed, id: "2")
        #expect(app.window.content?.isListening == true)
        #expect(app.window.content?.countdown == nil)
        stream.close()
        #expect(app.window.content?.isListening == false)
        #expect(app.window.content?.countdown != nil)
    }

    @Test("An invalid push keeps the stage, is reported, and causes an early check")
    func invalidPushIsReported() {
        start()
        stream.push(StreamedApp.killed, id: "2")
        stream.push("<html>", id: "3")
        #expect(app.window.shown == "kill")
        #expect(app.errors.map(\.shortText) == ["invalid reply"])
        #expect(app.manager.machine.nextCheck?.origin == .backoff, "a check finds out soon")
        stream.push(StreamedApp.live, id: "4")
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
        stream.send(.event(StreamEvent(name: "resources", data: Data(#"{"name":"help.txt","v":5}"#.utf8))))
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

    @Test("A push that arrives before the reply of its check completes the fetch")
    func pushCompletesFetch() {
        app.answers = false
        start()
        var results: [BackgroundFetchResult] = []
        app.manager.fetchAppStatus { results.append($0) }
        stream.push(StreamedApp.killed, id: "2")
        #expect(results == [.noData])
    }

    // MARK: Order

    @Test("A reply to a check started before a push does not undo the push")
    func earlierReplyDoesNotUndoPush() {
        start()
        app.answers = false
        app.manager.checkAppStatus()
        stream.push(StreamedApp.killed, id: "2")
        app.lastCompletion?(Model(), nil)
        #expect(app.window.shown == "kill")
        #expect(app.manager.machine.pending == nil)
        #expect(app.manager.machine.nextCheck != nil)
    }

    @Test("After a check replaced the pushed status, the stream reconnects without an event ID")
    func replacedStatusIsSentAgain() {
        start()
        stream.push(StreamedApp.killed, id: "2")
        stream.close()
        #expect(app.window.shown == nil, "the check at once says that the app may run")
        app.clock.advance(by: .seconds(3))
        #expect(stream.lastEventIDs == [nil, nil])
    }

    @Test func aDismissedStatusIsAskedForAgain() {
        app.status = Model(killed: true)
        start()
        stream.push(StreamedApp.killed, id: "2")
        app.manager.dismissKillSwitchIfNeeded()
        #expect(app.window.shown == nil)
        #expect(app.manager.machine.nextCheck?.wait == .seconds(15), "not only with the safety check")
        app.clock.advance(by: .seconds(15))
        #expect(app.window.shown == "kill")
    }

    // MARK: Reports
}

extension StatusReport {
    fileprivate var isPush: Bool { if case .pushed = self { true } else { false } }
}
