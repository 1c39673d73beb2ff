import Dispatch
import Foundation
import StatusModel
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

/// A manager with a real clock in an app whose main queue is not served for a while: the tests block it.
@MainActor
@Suite("A main queue that is not served", .serialized)
struct UnservedMainQueueTests {
    /// Signalled when something happens on another thread.
    private let changed: DispatchSemaphore
    private let source: QueuedSource
    private let window: DeputizedRecorder

    init() {
        let changed = DispatchSemaphore(value: 0)
        self.changed = changed
        source = QueuedSource(changed)
        window = DeputizedRecorder(changed)
    }

    /// A manager of an app that runs.
    private func manager() async throws -> BellerophonManager {
        var config = BellerophonConfig(
            window: window, killSwitchView: NamedView("kill"), forceUpdateView: NamedView("update"), source: source)
        config.policy.minimumInterval = .milliseconds(20)
        let manager = BellerophonManager(config: config)
        manager.checkAppStatus()
        try await eventually("the first status") { manager.stage == .active ? () : nil }
        return manager
    }

    /// Blocks the main queue until the condition is true.
    private func blockMain(until condition: () -> Bool) {
        // Not `Patience`, which does not pass while the main actor is blocked.
        let end = ContinuousClock.now + patience
        while !condition(), ContinuousClock.now < end { _ = changed.wait(timeout: .now() + 1) }
    }

    @Test("Checks continue, and their statuses are saved")
    func checksContinue() async throws {
        let store = MemoryStore()
        var config = BellerophonConfig(window: nil, source: source)
        config.policy.minimumInterval = .milliseconds(20)
        config.store = store
        let manager = BellerophonManager(config: config)
        manager.checkAppStatus()
        try await eventually("the first status") { manager.stage == .active ? () : nil }
        let before = source.checks
        source.next(.killed("Stop.", every: 0.02))
        blockMain { source.checks >= before + 3 && store.load()?.message == "Stop." }
        #expect(source.checks >= before + 3)
        #expect(store.load()?.message == "Stop.")
        #expect(manager.stage == .active, "the app learns of it when its main queue is served")
        manager.suspend()
        #expect(manager.stage == .killed)
    }

    @Test("A deputy covers the app in place of the window, which takes over afterwards, and a report says so")
    func deputyCovers() async throws {
        let manager = try await manager()
        var remarks: [String] = []
        manager.onReport = { if case .remark(let text) = $0 { remarks.append(text) } }
        source.next(.killed("Back at noon.", every: 0.02))
        blockMain { window.recorder.covers.count >= 2 }
        #expect(window.recorder.covers.first?.message == "Back at noon.")
        #expect(window.shown == nil)
        try await eventually("the window's view") { window.shown == "kill" && window.returns > 0 ? () : nil }
        #expect(remarks.count == 1 && remarks.first?.contains("main queue") == true)
        manager.suspend()
    }

    @Test("The deputy removes its view when the status clears meanwhile")
    func deputyUncovers() async throws {
        let manager = try await manager()
        source.next(.killed("Back at noon.", every: 0.02))
        blockMain { !window.recorder.covers.isEmpty }
        source.next(.active(every: 0.02))
        blockMain { window.recorder.uncovers > 0 }
        #expect(window.recorder.uncovers > 0)
        try await eventually("the main queue") { manager.stage == .active && window.returns > 0 ? () : nil }
        #expect(window.history.isEmpty, "the window is told what holds in the end")
        manager.suspend()
    }

    @Test("A key that is pressed while many statuses wait is handled before most of them")
    func keysAreServedBetween() async throws {
        let manager = try await manager()
        var reports = 0
        manager.onReport = { _ in reports += 1 }
        let core = manager.core
        let isDone = Atomic(false)
        Thread.detachNewThread { [changed] in
            for number in 1...1500 { core.enter { core.add(.report(.remark("\(number)"))) } }
            isDone.store(true, ordering: .releasing)
            changed.signal()
        }
        blockMain { isDone.load(ordering: .acquiring) }
        var handled: Int?
        DispatchQueue.main.async { MainActor.assumeIsolated { handled = reports } }
        try await eventually("all reports") { reports >= 1500 ? () : nil }
        #expect(try #require(handled) < 600)
        manager.suspend()
    }

    @Test("Without a view for the stage the deputy does nothing")
    func noViewNoDeputy() async throws {
        var config = BellerophonConfig(window: window, source: source)
        config.policy.minimumInterval = .milliseconds(20)
        let manager = BellerophonManager(config: config)
        source.next(.killed("Back at noon.", every: 0.02))
        manager.checkAppStatus()
        let before = source.checks
        blockMain { source.checks > before + 40 }
        #expect(window.recorder.covers.isEmpty)
        manager.suspend()
    }
}

@Suite("When a main queue counts as not served")
struct MainWatchTests {
    private let start = MonotonicInstant()
    private func after(_ milliseconds: Int) -> MonotonicInstant { start.advanced(by: .milliseconds(milliseconds)) }

    private func watch(lookAt milliseconds: Int) -> MainWatch {
        var watch = MainWatch()
        watch.schedule(after: .milliseconds(milliseconds), at: start)
        return watch
    }

    @Test("After half a second in which no output was taken")
    func halfASecond() {
        var watch = watch(lookAt: 500)
        #expect(watch.evaluate(at: after(510), since: start) == .cover)
    }

    @Test("Not before")
    func notBefore() {
        var watch = watch(lookAt: 500)
        #expect(watch.evaluate(at: after(500), since: after(100)) == .look(after: .milliseconds(100)))
        watch.schedule(after: .milliseconds(100), at: after(500))
        #expect(watch.evaluate(at: after(600), since: nil) == .end)
    }

    @Test("A process that was stopped gives it half a second more, but only once")
    func stoppedProcess() {
        var watch = watch(lookAt: 500)
        #expect(watch.evaluate(at: after(5000), since: start) == .look(after: .milliseconds(500)))
        watch.schedule(after: .milliseconds(500), at: after(5000))
        #expect(watch.evaluate(at: after(9000), since: start) == .cover)
    }

    @Test("It was served in between: the next stop gives it the time again")
    func servedInBetween() {
        var watch = watch(lookAt: 500)
        #expect(watch.evaluate(at: after(5000), since: start) == .look(after: .milliseconds(500)))
        watch.schedule(after: .milliseconds(500), at: after(5000))
        #expect(watch.evaluate(at: after(5500), since: nil) == .end)
        watch.schedule(after: .milliseconds(500), at: after(6000))
        #expect(watch.evaluate(at: after(9000), since: after(6000)) == .look(after: .milliseconds(500)))
    }

    @Test("A view that already covers is updated without a wait")
    func goesOn() {
        var watch = watch(lookAt: 1000)
        watch.isCovering = true
        #expect(watch.evaluate(at: after(9000), since: start) == .cover)
    }
}

@Suite("Outputs that wait for the main queue")
struct ManagerOutboxTests {
    private let state = ManagerOutbox.SharedState(
        ManagerState(machine: StageMachine(policy: PollPolicy(), freshness: FreshnessPolicy(), app: AppFacts())))

    @Test("Beyond the limit the oldest reports are dropped, and no transition is")
    func dropsOldReports() {
        let outbox = ManagerOutbox()
        let transition = Transition(from: .active, to: .killed, cause: .policy(.stay), lasted: nil)
        for number in 0..<10_000 {
            outbox.add(.report(.remark("\(number)")), state, at: MonotonicInstant())
            if number.isMultiple(of: 1000) { outbox.add(.transition(transition), state, at: MonotonicInstant()) }
        }
        var transitions = 0
        var remarks: [String] = []
        while let item = outbox.takeFirst(at: MonotonicInstant()) {
            switch item.output {
            case .transition: transitions += 1
            case .report(.remark(let text)): remarks.append(text)
            default: break
            }
        }
        #expect(transitions == 10)
        #expect(remarks.count <= ManagerOutbox.limit && remarks.last == "9999")
        #expect(Set(remarks).count == remarks.count)
    }

    @Test("The wait begins with the first output and again with each that is taken")
    func waitIsMeasured() {
        let outbox = ManagerOutbox()
        let start = MonotonicInstant(), later = start.advanced(by: .seconds(3))
        outbox.add(.turnEnded, state, at: start)
        outbox.add(.turnEnded, state, at: later)
        #expect(outbox.waitingSince == start)
        _ = outbox.takeFirst(at: later)
        #expect(outbox.waitingSince == later)
        _ = outbox.takeFirst(at: later)
        #expect(outbox.waitingSince == nil && outbox.takeFirst(at: later) == nil)
    }
}

/// A source that replies on a queue of its own.
private final class QueuedSource: StatusSource {
    let name = "queued/status"
    let host = "queued"
    private let queue = DispatchQueue(label: "queued source")
    private let changed: DispatchSemaphore
    private let state = Mutex((document: StatusDocument.active(every: 0.02), checks: 0))

    init(_ changed: DispatchSemaphore) { self.changed = changed }

    var checks: Int { state.withLock { $0.checks } }
    func next(_ document: StatusDocument) { state.withLock { $0.document = document } }

    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        queue.async { [self] in
            let document = state.withLock { state in
                state.checks += 1
                return state.document
            }
            completion(.success(StatusReply(document)))
            changed.signal()
        }
        return StatusCheck {}
    }
}

/// A window with a deputy, which records what both show.
@MainActor
private final class DeputizedRecorder: DeputizedWindow {
    final class Recorder: OverlayDeputy {
        private let state = Mutex((covers: [OverlayContent](), uncovers: 0))
        private let changed: DispatchSemaphore

        init(_ changed: DispatchSemaphore) { self.changed = changed }

        var covers: [OverlayContent] { state.withLock { $0.covers } }
        var uncovers: Int { state.withLock { $0.uncovers } }

        func cover(_ content: OverlayContent) -> Bool {
            state.withLock { $0.covers.append(content) }
            changed.signal()
            return true
        }

        func uncover() {
            state.withLock { $0.uncovers += 1 }
            changed.signal()
        }
    }

    let recorder: Recorder
    var deputy: any OverlayDeputy { recorder }
    private(set) var returns = 0
    private(set) var shown: String?
    private(set) var history: [String] = []
    weak var responder: (any OverlayResponder)?

    init(_ changed: DispatchSemaphore) { recorder = Recorder(changed) }

    func mainQueueReturns() {}
    func mainQueueReturned() { returns += 1 }
    func present(_ view: any OverlayView, content: OverlayContent) {
        shown = (view as? NamedView)?.name
        history.append("present")
    }
    func update(_ content: OverlayContent) {}
    func dismiss() {
        shown = nil
        history.append("dismiss")
    }
}
