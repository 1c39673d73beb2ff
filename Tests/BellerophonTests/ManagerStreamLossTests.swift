import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

/// A manager that loses its stream, or lets it rest.
@MainActor
@Suite("Manager: a lost stream")
struct ManagerStreamLossTests {
    private let rig = StreamedApp()
    private var stream: ScriptedStream { rig.stream }
    private var app: AppUnderTest { rig.app }

    private func start() { rig.start() }

    // MARK: When it fails

    @Test("A closed stream is followed by an immediate check, and polling continues")
    func closedStreamStartsCheck() {
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

    @Test("A closed stream reconnects with the ID of the last event")
    func streamResumesWithLastEventID() {
        let still = ScriptedStream()
        let app = AppUnderTest(stream: still)
        app.answers = false
        app.manager.checkAppStatus()
        still.accept(StreamedApp.killed, id: "42-9f3c02ab")
        still.close()
        app.clock.advance(by: .seconds(3))
        #expect(still.lastEventIDs == [nil, "42-9f3c02ab"])
        #expect(app.window.shown == "kill")
        still.send(.opened(heartbeat: nil), .retry(.seconds(3)))
        #expect(app.manager.liveTransport == .stream, "the server has nothing new to say")
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

    // MARK: Suspension and sleep

    @Test("Suspending closes the stream, and resuming opens it again")
    func suspensionClosesStream() {
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
        stream.send(.opened(heartbeat: nil), .heartbeat)
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

    /// Checks continue whatever the stream does: after at most an hour without a live stream.
    @Test func everyPathRearms() {
        var chance = SplitMix64(seed: Seed.of("lost streams", default: 3))
        for _ in 0..<(Seed.proof == nil ? 10 : 60) {
            let stream = ScriptedStream()
            let app = AppUnderTest(stream: stream)
            app.manager.checkAppStatus()
            for _ in 0..<25 {
                switch Int.random(in: 0..<9, using: &chance) {
                case 0: stream.accept(StreamedApp.killed, id: "1")
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
            // No signal from here on: the stream times out, and polling finds the update.
            for _ in 0..<370 where app.window.shown != "update" { app.clock.advance(by: .seconds(10)) }
            #expect(app.window.shown == "update")
        }
    }
}
