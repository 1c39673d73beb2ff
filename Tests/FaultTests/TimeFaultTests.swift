import Bellerophon
import Foundation
import TestSupport
import Testing

/// Clocks that jump, machines that sleep, and programs that restart at any moment.
@MainActor
@Suite("Faults of time")
struct TimeFaultTests {
    nonisolated static let decade = Duration.seconds(10 * 365 * 86_400)
    static let killed = StatusDocument(isInactive: true, requiresUpdate: false, interval: 5, message: "Stop.")
    static let live = StatusDocument(isInactive: false, requiresUpdate: false, interval: 5)

    @Test(arguments: [Duration.zero - decade, decade], [Stage.active, .killed])
    func aWallClockThatJumpsChangesNothing(jump: Duration, stage: Stage) throws {
        let source = ScriptedSource(stage == .killed ? Self.killed : Self.live)
        let rig = FaultRig(source)
        rig.manager.checkAppStatus()
        #expect(rig.manager.machine.stage == stage)
        rig.clock.jumpWallClock(by: jump)
        source.fails = true
        for _ in 0..<20 {
            let checks = source.checks
            rig.clock.advance(by: .seconds(121))
            #expect(source.checks > checks, "checks go on")
            #expect(rig.manager.machine.stage == stage)
            #expect(rig.window.shown == FaultRig.cover(for: stage))
        }
        rig.clock.jumpWallClock(by: .zero - jump)
        source.fails = false
        source.document = stage == .killed ? Self.live : Self.killed
        rig.clock.advance(by: .seconds(121))
        #expect(rig.manager.machine.stage == source.document.stage)
    }

    @Test("A wall clock jump between two runs does not lift a kill", arguments: [Duration.zero - decade, decade])
    func wallClockJumpKeepsKill(jump: Duration) throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state.json"))
        let first = FaultRig(ScriptedSource(Self.killed), store: store)
        first.manager.checkAppStatus()
        let source = ScriptedSource(Self.live)
        source.fails = true
        let second = FaultRig(source, store: store)
        second.clock.jumpWallClock(by: jump)
        second.manager.checkAppStatus()
        #expect(second.manager.machine.stage == .killed)
        #expect(second.window.shown == "kill")
        #expect(second.window.content?.message == "Stop.")
        source.fails = false
        second.clock.advance(by: .seconds(121))
        #expect(second.manager.machine.stage == .active)
    }

    @Test("The status is checked within two seconds after an hour of sleep", arguments: [Stage.active, .killed])
    func sleepIsFollowedByCheck(stage: Stage) {
        let source = ScriptedSource(stage == .killed ? Self.killed : Self.live)
        let rig = FaultRig(source)
        rig.manager.checkAppStatus()
        source.fails = true
        rig.clock.sleepMachine(for: .seconds(3600))
        #expect(rig.window.shown == FaultRig.cover(for: stage))
        let checks = source.checks
        rig.clock.advance(by: .seconds(2))
        #expect(source.checks == checks + 1, "the sleep is noticed within two seconds")
        #expect(rig.manager.machine.stage == stage)
        #expect(rig.manager.machine.nextCheck?.origin == .backoff)
    }

    /// A thousand consecutive runs of a program, each ended at a random moment. The app is never uncovered while the
    /// last valid status was a kill, and never covered while it was active.
    @Test func aThousandRestartsAtRandomMoments() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state.json"))
        var random = SplitMix64(seed: Seed.of("restarts", default: 1_000))
        var known = Self.live
        var (valid, kills) = (0, 0)
        for run in 0..<1000 {
            let source = ScriptedSource(Bool.random(using: &random) ? Self.killed : Self.live)
            source.fails = true
            let rig = FaultRig(source, store: store)
            rig.clock.jumpWallClock(by: .seconds(Int.random(in: -86_400...86_400, using: &random)))
            rig.manager.checkAppStatus()
            expectCover(rig, known, run)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                source.fails = Int.random(in: 0..<3, using: &random) > 0
                let answered = source.answered
                // Most runs are short: a view is drawn in each second that passes.
                let longest = Int.random(in: 0..<5, using: &random) == 0 ? 90_000 : 12_000
                rig.clock.advance(by: .milliseconds(Int.random(in: 0..<longest, using: &random)))
                if source.answered > answered { (known, valid) = (source.document, valid + 1) }
                expectCover(rig, known, run)
            }
            if known.isInactive { kills += 1 }
        }
        #expect(valid > 200 && kills > 250 && kills < 750, "\(valid) valid statuses, \(kills) runs that ended killed")
        Figures.record("1,000 restarts: \(valid) valid statuses, \(kills) runs ended killed")
    }

    private func expectCover(_ rig: FaultRig, _ known: StatusDocument, _ run: Int) {
        guard rig.window.shown == (known.isInactive ? "kill" : nil) else {
            Issue.record("run \(run): \(rig.window.shown ?? "nothing") covers the app, and \(known.stage) is known")
            return
        }
    }
}

/// A source that completes immediately, with a reply or a network error.
final class ScriptedSource: StatusSource {
    private struct State: Sendable {
        var document: StatusDocument
        var fails = false
        var checks = 0
        var answered = 0
    }

    let name = "test/status"
    let host = "test"
    private let state: Watched<State>

    init(_ document: StatusDocument) {
        state = Watched(State(document: document))
    }

    var document: StatusDocument {
        get { state.value.document }
        set { state.update { $0.document = newValue } }
    }

    var fails: Bool {
        get { state.value.fails }
        set { state.update { $0.fails = newValue } }
    }

    var checks: Int { state.value.checks }
    /// The number of checks that returned a valid status.
    var answered: Int { state.value.answered }

    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        let result: Result<StatusReply, StatusError> = state.update { state in
            state.checks += 1
            if state.fails { return .failure(StatusError(.httpStatus(503))) }
            state.answered += 1
            return .success(StatusReply(state.document))
        }
        completion(result)
        return StatusCheck {}
    }
}
