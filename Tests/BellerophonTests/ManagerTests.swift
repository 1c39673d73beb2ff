import Bellerophon
import Foundation
import TerminalUI
import TestSupport
import Testing

/// The behaviour of the original library, through the public interface.
@MainActor
@Suite("Manager: the original's behaviours")
struct OriginalBehaviourTests {
    @Test(arguments: [
        (false, false, String?.none, [String]()),
        (false, true, "update", ["engage update", "shouldForceUpdate"]),
        (true, false, "kill", ["engage kill", "shouldKillSwitch"]),
        (true, true, "update", ["engage update", "shouldForceUpdate"]),
    ])
    func checkingTheStatusShowsWhatItSays(killed: Bool, update: Bool, shown: String?, told: [String]) {
        let app = AppUnderTest()
        app.status = Model(killed: killed, update: update)
        app.manager.checkAppStatus()
        #expect(app.window.shown == shown)
        #expect(app.log == told)
        #expect(app.manager.isDisplaying == (shown != nil))
    }

    @Test(arguments: [
        (false, false, String?.none), (false, true, "update"), (true, false, "kill"), (true, true, "update"),
    ])
    func updatingTheDisplayShowsWhatAStatusSays(killed: Bool, update: Bool, shown: String?) {
        let app = AppUnderTest()
        app.manager.updateDisplay(Model(killed: killed, update: update))
        #expect(app.window.shown == shown)
        #expect(app.manager.isDisplaying == (shown != nil))
    }

    @Test func aConfigurationHasTheViewsItWasGiven() {
        let app = AppUnderTest()
        let window = RecordingWindow()
        let both = BellerophonConfig(window: window, killSwitchView: app.killView, forceUpdateView: app.updateView, delegate: app)
        let one = BellerophonConfig(window: window, killSwitchView: nil, forceUpdateView: app.updateView, delegate: app)
        let none = BellerophonConfig(window: window, delegate: app)
        #expect(both.allViews().count == 2)
        #expect(one.allViews().count == 1)
        #expect(one.allViews().first === app.updateView)
        #expect(none.allViews().isEmpty)
        #expect(none.window === window)
    }

    @Test("The delegate is called even if no views are configured")
    func delegateIsCalledWithoutViews() {
        let app = AppUnderTest(hasKillView: false, hasUpdateView: false)
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.status = Model(update: true)
        app.manager.checkAppStatus()
        #expect(app.log == ["shouldKillSwitch", "shouldForceUpdate"])
        #expect(app.window.history.isEmpty)
        #expect(!app.manager.isDisplaying)
    }

    @Test func aClearStatusTakesTheViewAway() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.status = Model()
        app.manager.checkAppStatus()
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill"])
        #expect(app.window.shown == nil)
    }

    @Test("A view that the app dismisses returns with the next blocking status")
    func dismissedViewReturns() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.manager.dismissKillSwitchIfNeeded()
        #expect(app.window.shown == nil)
        app.manager.dismissKillSwitchIfNeeded()
        app.clock.advanceToNextCheck()
        #expect(app.window.shown == "kill")
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill", "engage kill", "shouldKillSwitch"])
    }

    @Test func aBackgroundFetchTellsHowItWent() {
        let app = AppUnderTest()
        var results: [BackgroundFetchResult] = []
        for status in [Model(), Model(killed: true), Model(update: true), nil] {
            app.status = status
            app.manager.fetchAppStatus { results.append($0) }
        }
        #expect(results == [.newData, .noData, .noData, .failed])
        #expect(app.window.shown == "update", "a failure does not uncover")
    }

    @Test func anErrorIsPassedOnAndTheViewStays() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.status = nil
        app.error = URLError(.notConnectedToInternet)
        app.manager.checkAppStatus()
        #expect(app.errors.count == 1)
        #expect(app.window.shown == "kill")
    }
}

@MainActor
@Suite("Manager: beyond the original")
struct ManagerTests {
    @Test func engagesOnceHoweverOftenItPolls() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        for _ in 0..<5 { app.clock.advance(by: .seconds(5)) }
        #expect(app.checks == 6)
        #expect(app.log == ["engage kill", "shouldKillSwitch"])
        #expect(app.window.history == ["present kill"])
    }

    @Test("The app stays covered when a kill turns into an update")
    func killToUpdateStaysCovered() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.status = Model(update: true)
        app.clock.advance(by: .seconds(5))
        app.status = Model()
        app.clock.advance(by: .seconds(5))
        #expect(app.window.history == ["present kill", "present update", "dismiss"])
        #expect(app.log == ["engage kill", "shouldKillSwitch", "engage update", "shouldForceUpdate", "disengage update"])
    }

    @Test("A stage without a view uncovers the app and calls the delegate")
    func stageWithoutViewUncovers() {
        let app = AppUnderTest(hasUpdateView: false)
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        app.status = Model(update: true)
        app.manager.checkAppStatus()
        #expect(app.window.history == ["present kill", "dismiss"])
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill", "shouldForceUpdate"])
    }

    @Test func theMessageReachesTheViewAlsoWhenItChanges() {
        let app = AppUnderTest()
        app.status = Model(killed: true, message: "Back at noon.")
        app.manager.checkAppStatus()
        #expect(app.window.content?.message == "Back at noon.")
        app.status = Model(killed: true, message: "Back at two.")
        app.clock.advance(by: .seconds(5))
        #expect(app.window.content?.message == "Back at two.")
    }

    @Test func theCountdownRunsOnTheMonotonicClock() {
        let app = AppUnderTest()
        app.status = Model(killed: true, interval: 30)
        app.manager.checkAppStatus()
        app.clock.jumpWallClock(by: .seconds(-86400))
        app.clock.advance(by: .seconds(10))
        #expect(app.window.content?.countdown == .init(remaining: .seconds(20), total: .seconds(30)))
        app.clock.jumpWallClock(by: .seconds(999_999))
        app.clock.advance(by: .seconds(19))
        #expect(app.checks == 1)
        app.clock.advance(by: .seconds(1))
        #expect(app.checks == 2)
    }

    @Test func aMachineThatWakesUpChecksPromptlyAndOnce() {
        let app = AppUnderTest()
        app.status = Model(killed: true, interval: 600)
        app.manager.checkAppStatus()
        app.clock.advance(by: .seconds(10))
        app.clock.sleepMachine(for: .seconds(7200))
        app.clock.advance(by: .seconds(4))
        #expect(app.checks == 2)
    }

    @Test("Suspending stops polling, and resuming checks at once")
    func suspensionStopsPolling() {
        let app = AppUnderTest()
        app.manager.checkAppStatus()
        app.manager.suspend()
        app.clock.advance(by: .seconds(3600))
        #expect(app.checks == 1)
        app.manager.resume()
        #expect(app.checks == 2)
    }

    @Test func aWakeUpDoesNotEndASuspensionOfTheApps() {
        let app = AppUnderTest()
        app.manager.checkAppStatus()
        app.manager.suspend()
        app.clock.sleepMachine(for: .seconds(7200))
        app.clock.advance(by: .seconds(60))
        #expect(app.checks == 1)
    }

    @Test func theAppSaysWhenThePollingStarts() {
        let app = AppUnderTest()
        app.manager.suspend()
        app.manager.resume()
        app.clock.advance(by: .seconds(60))
        #expect(app.checks == 0)
        app.manager.checkAppStatus()
        #expect(app.checks == 1)
        #expect(app.manager.machine.nextCheck != nil)
    }

    @Test("A check requested in a callback runs after the callback, and only the final stage is shown")
    func checkInCallbackIsDeferred() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        app.onEngage = {
            app.status = Model(); app.manager.checkAppStatus()
        }
        app.manager.checkAppStatus()
        #expect(app.checks == 2)
        #expect(app.log == ["engage kill", "shouldKillSwitch", "disengage kill"])
        #expect(app.window.history.isEmpty, "the window is told what holds in the end")
    }

    /// A write to the disk may block.
    @Test func aKillIsShownBeforeItIsKept() {
        let store = AskingStore()
        let app = AppUnderTest(store: store)
        store.shown = { [app] in app.window.shown }
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        #expect(store.seen == ["kill"])
    }

    @Test func aFetchIsToldAfterTheDisplayWasUpdated() {
        let app = AppUnderTest()
        app.status = Model(killed: true)
        var shown: [String?] = []
        app.manager.fetchAppStatus { _ in shown.append(app.window.shown) }
        app.status = Model()
        app.manager.fetchAppStatus { _ in shown.append(app.window.shown) }
        #expect(shown == ["kill", nil])
    }

    @Test func aRestartDoesNotEscapeAKill() {
        let store = MemoryStore()
        let first = AppUnderTest(store: store)
        first.status = Model(killed: true, message: "Security hole.")
        first.manager.checkAppStatus()

        let second = AppUnderTest(store: store)
        second.answers = false
        second.manager.checkAppStatus()
        #expect(second.window.shown == "kill")
        #expect(second.window.content?.message == "Security hole.")
        second.lastCompletion?(Model(), nil)
        #expect(second.window.shown == nil)

        let third = AppUnderTest(store: store)
        third.answers = false
        third.manager.checkAppStatus()
        #expect(third.window.shown == nil, "a clear status is remembered too")
    }

    @Test("A new app version ends a stored update but not the kill beneath it", arguments: [false, true])
    func newVersionKeepsKill(killed: Bool) {
        let store = MemoryStore()
        let old = AppUnderTest(store: store, version: "1.4.0")
        old.status = Model(killed: killed, update: true)
        old.manager.checkAppStatus()
        #expect(old.window.shown == "update")
        let new = AppUnderTest(store: store, version: "1.5.2")
        new.answers = false
        new.manager.checkAppStatus()
        #expect(new.window.shown == (killed ? "kill" : nil))
    }

    @Test func aKillOfAnEarlierRunDidNotBeginInTheFuture() {
        let store = MemoryStore()
        store.save(StatusRecord(.killed(), since: .distantFuture, appVersion: "1.0"))
        let app = AppUnderTest(store: store)
        app.answers = false
        app.manager.checkAppStatus()
        #expect(app.window.content?.since == app.clock.date)
        #expect(app.window.content?.date == app.clock.date)
    }

    @Test(
        "An oversized or irregular status file is not read and is reported",
        arguments: ["larger than any status record", "not a regular file"])
    func invalidRecordFileIsNotRead(problem: String) throws {
        let folder = try TestFolder()
        let path = folder.url.appendingPathComponent("status.json").path
        if problem.hasPrefix("larger") {
            try #require(FileManager.default.createFile(atPath: path, contents: Data(count: (1 << 20) + 1)))
        } else {
            // Opening a FIFO without a writer would block its reader.
            try #require(mkfifo(path, 0o600) == 0)
        }
        let app = AppUnderTest(store: FileStatusStore(url: URL(fileURLWithPath: path)))
        app.manager.checkAppStatus()
        #expect(app.checks == 1)
        #expect(app.reports.remarks.contains { $0.contains(problem) })
    }

    @Test func aFileStoreGivesBackWhatItWasGiven() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("deep/status.json"))
        #expect(try store.load() == nil)
        let record = StatusRecord(.killed("Stop.", every: .infinity), since: Date(timeIntervalSince1970: 1000), appVersion: "1")
        try store.save(record)
        #expect(try store.load() == record)
    }
}

/// Records what the window shows when a status is saved.
@MainActor
private final class AskingStore: StatusStore {
    var shown: () -> String? = { nil }
    private(set) var seen: [String?] = []

    nonisolated func load() -> StatusRecord? { nil }

    nonisolated func save(_ record: StatusRecord) {
        MainActor.assumeIsolated { seen.append(shown()) }
    }
}
