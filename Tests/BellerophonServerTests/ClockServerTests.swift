import BellerophonStore
import Foundation
import Logging
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonServerCommand

/// A running server whose machine's clock is set.
@Suite("A server's clock")
struct ClockServerTests {
    private let home: TestFolder
    /// Moves the wall clock alone.
    private let wall = StillClock(Date())
    /// Moves both clocks.
    private let steady = StillClock(.wholeSecond)
    private let clock: StoreClock
    private let store: Store

    init() throws {
        home = try TestFolder()
        clock = StoreClock(
            wall: { [wall, steady] in wall.now.addingTimeInterval(steady.now.timeIntervalSince(.wholeSecond)) },
            steady: { [steady] in steady.now.milliseconds }, boot: "first")
        store = try Store(folder: home.url.appendingPathComponent("store"), creates: true, clock: clock)
    }

    @Test("A timed kill stays active and an alarm is sent while the clock is ahead")
    func clockJumpHoldsTimedKill() async throws {
        let log = LogLines()
        let (store, wall, steady) = (store, wall, steady)
        let hook = WebhookTests.Listener()
        try await LiveServer.run(store: store, log: log) { live in
            let kill = try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
            await live.server.publisher.poll()
            let hooks = WebhookRunner(store, WebhookSettings(), [hook.target], logger: Logger(label: "test") { _ in log }) {
                await live.server.problems()
            }
            wall.advance(by: 3 * 3600)
            await live.server.publisher.poll()
            await hooks.reportProblems(at: Date())
            let reason =
                "this machine's clock was set 10800 s ahead while it ran; timed statuses end when the later of both clocks says so, "
                + "and none can be published, until it is set right, or `bellerophon-server store clock --accept` takes it as right"
            let (status, ready, metrics) = try await live.talk { client in
                let status = try client.answer(to: "/status").body
                let ready = try client.answer(to: "/ready")
                return (status, ready, try client.answer(to: "/metrics").body)
            }
            #expect(status.contains(#""apiInactive":true"#))
            #expect(ready.code == 503)
            #expect(ready.body.contains("set 10800 s ahead while it ran"))
            #expect(metrics.contains("bellerophon_clocks_agree 0\n"))
            #expect(log.all.filter { $0.hasPrefix("error: the clocks") } == ["error: the clocks do not agree: \(reason)"])
            #expect(try store.journal().map(\.id) == [kill.id])
            let told = try await eventually("a call of a person") { hook.events.first { $0.event == .failure } }
            #expect(told.problems == [reason])
            // Set right, and the hour is over.
            wall.advance(by: -3 * 3600)
            await live.server.publisher.poll()
            #expect(await live.server.problems().isEmpty)
            steady.advance(by: 3600)
            await live.server.publisher.poll()
            #expect(try store.journal().first?.ends == kill.id)
            #expect(log.all.contains("notice: the clocks agree again; timed statuses and rules change as they should: "))
        }
    }

    @Test("An operator can accept the changed clock of a running server")
    func runningClockIsAccepted() async throws {
        let (store, wall, clock) = (store, wall, clock)
        try await LiveServer.run(store: store) { live in
            await live.server.publisher.poll()
            wall.advance(by: 3600)
            await live.server.publisher.poll()
            #expect(await live.server.problems().count == 1)
            try await Store(folder: store.folder, clock: clock).acceptClock()
            await live.server.publisher.poll()
            #expect(await live.server.problems().isEmpty)
        }
    }

    @Test func theCommandSaysWhetherTheClocksAgree() async throws {
        let folder = store.folder.path
        let result = try await runServerCommand(["store", "clock", "--store", folder], home: home)
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.hasSuffix("Z, and the clocks agree\n"))
        let accepted = try await runServerCommand(["store", "clock", "--accept", "--store", folder], home: home)
        #expect(accepted.status == .exited(0))
    }
}
