import Foundation
import StatusModel
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

/// The times at which the last status is written to the store.
@MainActor
@Suite struct StatusKeeperTests {
    private let clock = ManualClock()
    private let store = BreakableStore()

    private func keeper(maximumAge: Duration? = nil) -> StatusKeeper {
        StatusKeeper(store: store, maximumAge: maximumAge, clock: CoreClock(clock))
    }

    private func keep(_ message: String = "Stop.", isNew: Bool, by keeper: StatusKeeper) {
        keeper.enqueue(isNew: isNew) {
            StatusRecord(.killed(message), since: clock.date, appVersion: nil, confirmedAt: clock.date, publishedAt: nil)
        }
        keeper.turnEnded()
    }

    @Test(arguments: [(Duration?.none, 600), (.seconds(86_400), 600), (.seconds(100), 10)])
    func aConfirmedStatusIsWrittenOnceInAWhile(maximumAge: Duration?, seconds: Int) {
        let keeper = keeper(maximumAge: maximumAge)
        keep(isNew: true, by: keeper)
        clock.advance(by: .seconds(seconds - 1))
        keep(isNew: false, by: keeper)
        #expect(store.writes == 1)
        clock.advance(by: .seconds(1))
        keep(isNew: false, by: keeper)
        #expect(store.writes == 2)
    }

    @Test("At most four statuses are written per second, and the last one is written afterwards")
    func writesAreRateLimited() {
        let keeper = keeper()
        for number in 1...100 { keep("\(number)", isNew: true, by: keeper) }
        #expect(store.writes == 4)
        clock.advance(by: .seconds(1))
        #expect(store.writes == 5)
        #expect(store.load()?.message == "100")
    }

    @Test func aProblemStandsUntilAWriteGoesWell() {
        let keeper = keeper()
        var problems: [String] = []
        keeper.onProblem = { if let problem = $0 { problems.append(problem) } }
        store.isBroken = true
        keep(isNew: true, by: keeper)
        #expect(keeper.problem == problems.last && problems.count == 1)
        store.isBroken = false
        keep(isNew: false, by: keeper)
        #expect(keeper.problem == nil && store.writes == 1, "the next confirmation tries again")
    }

    @Test("A write to a locked file is retried each second and reported if the lock persists")
    func lockedFileIsRetried() {
        let keeper = keeper()
        var problems: [String] = []
        keeper.onProblem = { if let problem = $0 { problems.append(problem) } }
        store.isLocked = true
        keep("1", isNew: true, by: keeper)
        clock.advance(by: .seconds(2))
        keep("2", isNew: true, by: keeper)
        #expect(store.writes == 0 && problems.isEmpty, "another process is about to release it")
        store.isLocked = false
        clock.advance(by: .seconds(1))
        #expect(store.load()?.message == "2")
        store.isLocked = true
        keep("3", isNew: true, by: keeper)
        clock.advance(by: .seconds(10))
        #expect(problems.count == 1, "a process that keeps the lock is told")
    }

    @Test("A disk that does not answer delays no view, and a check by at most two seconds")
    func silentDiskHoldsNothing() {
        let disk = SlowWorkClock()
        let app = AppUnderTest(store: store, slowWork: disk)
        var results: [BackgroundFetchResult] = []
        app.status = Model(killed: true)
        app.manager.fetchAppStatus { results.append($0) }
        #expect(app.window.shown == "kill")
        disk.base.advance(by: .milliseconds(1999))
        #expect(results.isEmpty)
        disk.base.advance(by: .milliseconds(1))
        #expect(results.count == 1)
        #expect(app.manager.core.keeper.problem?.contains("can't be written at present") == true)
        app.status = Model()
        app.manager.fetchAppStatus { results.append($0) }
        #expect(app.window.shown == nil)
        #expect(results.count == 2, "nobody waits again for the same write")
        #expect(disk.heldCount == 1, "one write at a time")
        disk.performHeld()
        #expect(store.load()?.isInactive == true)
        #expect(app.manager.core.keeper.problem == nil)
        disk.performHeld()
        #expect(store.load()?.isInactive == false)
        app.status = Model(killed: true)
        app.manager.fetchAppStatus { results.append($0) }
        #expect(results.count == 2)
        disk.performHeld()
        #expect(results.count == 3 && store.load()?.isInactive == true, "a check ends when its status is saved")
    }

    @Test("Each write has two seconds, however long the one before took")
    func eachWriteHasItsTime() {
        let disk = SlowWorkClock()
        let app = AppUnderTest(store: store, slowWork: disk)
        app.manager.checkAppStatus()
        disk.base.advance(by: .milliseconds(1500))
        app.status = Model(killed: true)
        var results: [BackgroundFetchResult] = []
        app.manager.fetchAppStatus { results.append($0) }
        disk.performHeld()
        disk.base.advance(by: .milliseconds(1999))
        #expect(results.isEmpty && app.manager.core.keeper.problem == nil)
        disk.base.advance(by: .milliseconds(1))
        #expect(results.count == 1 && app.manager.core.keeper.problem != nil)
    }

    @Test("A file that another process has locked is written a second later, and not at once")
    func lockedFileIsLeftAlone() {
        let disk = SlowWorkClock()
        let app = AppUnderTest(store: store, slowWork: disk)
        store.isLocked = true
        app.manager.checkAppStatus()
        disk.performHeld()
        #expect(disk.heldCount == 0)
        store.isLocked = false
        disk.base.advance(by: .seconds(1))
        disk.performHeld()
        #expect(store.writes == 1)
    }

    @Test("Without a store no record is made")
    func noStoreMakesNoRecord() {
        let keeper = StatusKeeper(store: nil, maximumAge: nil, clock: CoreClock(clock))
        keeper.enqueue(isNew: true) {
            Issue.record("no record is needed")
            return StatusRecord(.killed(), since: clock.date, appVersion: nil, confirmedAt: clock.date, publishedAt: nil)
        }
        keeper.turnEnded()
    }
}

private final class BreakableStore: StatusStore {
    private struct State {
        var record: StatusRecord?
        var writes = 0
        var isBroken = false
        var isLocked = false
    }

    private let state = Mutex(State())
    var writes: Int { state.withLock { $0.writes } }
    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    func load() -> StatusRecord? { state.withLock { $0.record } }

    func save(_ record: StatusRecord) throws {
        try state.withLock { state in
            guard !state.isBroken else { throw TestError("the disk is full") }
            guard !state.isLocked else { throw StatusStoreError.locked("/a/file") }
            state.record = record
            state.writes += 1
        }
    }
}
