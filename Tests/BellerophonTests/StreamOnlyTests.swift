import Bellerophon
import Foundation
import TestSupport
import Testing

/// A manager that uses only a stream.
@MainActor
@Suite("Manager: nothing but a stream")
struct StreamOnlyTests {
    private let stream = ScriptedStream()
    private let app: AppUnderTest

    init() {
        app = AppUnderTest(transport: .stream, stream: stream)
    }

    @Test("In stream mode the status comes from the stream and nothing is polled")
    func streamOnlyPollsNothing() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        #expect(app.window.shown == "kill")
        for _ in 0..<100 {
            app.clock.advance(by: .seconds(30))
            stream.send(.heartbeat)
        }
        stream.close()
        app.clock.advance(by: .seconds(600))
        #expect(app.checks == 0)
        #expect(app.window.shown == "kill")
    }

    @Test func aFailureIsReportedCountedDownAndForgotten() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        stream.send(.closed(StatusError(.transport(code: -1005, message: "the connection was cut"))))
        #expect(app.errors.map(\.description) == ["the connection was cut"])
        #expect(app.window.content?.failures == 1)
        #expect(app.window.content?.countdown != nil)
        app.clock.advance(by: .seconds(3))
        #expect(stream.lastEventIDs == [nil, "1"])
        stream.send(.opened(heartbeat: nil), .heartbeat)
        #expect(app.window.content?.failures == 0)
        #expect(app.window.content?.isListening == true)
    }

    @Test func aCheckIsAFreshConnection() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        var results: [BackgroundFetchResult] = []
        app.manager.fetchAppStatus { results.append($0) }
        #expect(stream.lastEventIDs == [nil, nil])
        #expect(stream.open == 1)
        stream.accept(StreamedApp.killed, id: "1")
        #expect(results == [.noData])
        app.manager.fetchAppStatus { results.append($0) }
        stream.send(.closed(StatusError(.httpStatus(500))))
        #expect(results == [.noData, .failed])
    }

    @Test func aServerThatRestartsIsNoFailure() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        stream.close()
        #expect(app.errors.isEmpty)
        app.clock.advance(by: .seconds(3))
        #expect(stream.connections.count == 2)
    }

    @Test func resumingAsksForNothingButTheStream() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        app.manager.suspend()
        app.manager.resume()
        #expect(app.checks == 0)
        #expect(stream.connections.count == 2)
    }

    @Test func aServerThatWantsNoStreamIsAsked() {
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        stream.close(.refused)
        #expect(app.window.shown == "kill")
        #expect(app.reports.contains(.remark("the server offers no stream; polling instead")))
        app.manager.suspend()
        app.manager.resume()
        app.clock.advance(by: .seconds(60))
        #expect(app.checks == 2 + 12, "every five seconds")
        #expect(stream.connections.count == 1)
    }

    @Test("A refused stream is retried rarely when there is nothing to poll")
    func refusedStreamIsRetriedRarely() {
        let window = RecordingWindow()
        var config = BellerophonConfig(window: window, killSwitchView: app.killView, delegate: app)
        config.delegate = nil
        config.transport = .stream
        config.stream = stream
        let manager = BellerophonManager(config: config, clock: app.clock, generator: Halfway())
        manager.checkAppStatus()
        stream.close(.refused)
        guard case .waiting(let next)? = manager.streamMachine?.state else {
            Issue.record("no attempt is scheduled")
            return
        }
        #expect(next.wait >= .seconds(2880) && next.wait <= .seconds(3600))
        app.clock.advance(by: next.wait)
        #expect(stream.connections.count == 2)
        stream.accept(StreamedApp.killed)
        #expect(window.shown == "kill")
    }

    @Test("A fetch opens a new connection without an event ID, and further fetches share it")
    func fetchOpensNewConnection() {
        app.manager.checkAppStatus()
        stream.accept(StreamedApp.killed, id: "1")
        stream.close()
        app.clock.advance(by: .seconds(3))
        #expect(stream.lastEventIDs == [nil, "1"])
        var results: [BackgroundFetchResult] = []
        app.manager.fetchAppStatus { results.append($0) }
        #expect(stream.lastEventIDs == [nil, "1", nil])
        app.manager.fetchAppStatus { results.append($0) }
        #expect(stream.connections.count == 3 && stream.open == 1)
        stream.accept(StreamedApp.killed, id: "1")
        #expect(results == [.noData, .noData])
    }

    @Test("In stream mode without a known stream the status is polled")
    func missingStreamFallsBackToPoll() {
        let app = AppUnderTest(transport: .stream)
        app.status = Model(killed: true)
        app.manager.checkAppStatus()
        #expect(app.window.shown == "kill")
        #expect(app.reports.contains(.remark("no stream is known; polling instead")))
    }
}
