import Bellerophon
import Foundation
import StatusModel
import Synchronization
import TestSupport
import Testing

/// The manager and the sources in an async program.
@MainActor
@Suite("Async API")
struct AsyncTests {
    @Test func aCheckReturnsTheReply() async throws {
        let app = AppUnderTest()
        app.status = Model(killed: true, message: "Stop.")
        let reply = try await app.manager.check()
        #expect(reply.document.message == "Stop.")
        #expect(app.manager.stage == .killed)
        #expect(app.window.shown == "kill", "the window was updated before")
    }

    @Test func aFailedCheckThrowsWhy() async throws {
        let app = AppUnderTest()
        app.status = nil
        app.error = StatusError(.httpStatus(503))
        await #expect(throws: StatusError(.httpStatus(503))) { try await app.manager.check() }
        #expect(app.manager.stage == .unknown)
    }

    @Test func everyCallerGetsTheEndOfOneCheck() async throws {
        let app = AppUnderTest()
        app.answers = false
        async let first = app.manager.check()
        async let second = app.manager.check()
        try await Self.settle { app.reports.contains(.checkAlreadyPending(.program)) }
        app.lastCompletion?(Model(), nil)
        #expect(try await [first, second].map(\.document.stage) == [.active, .active])
        #expect(app.checks == 1)
    }

    @Test func aCancelledCallerLeavesTheCheckToOthers() async throws {
        let app = AppUnderTest()
        app.answers = false
        let waiting = Task { try await app.manager.check() }
        try await Self.settle { app.checks == 1 }
        waiting.cancel()
        await #expect(throws: StatusError(.cancelled)) { try await waiting.value }
        app.lastCompletion?(Model(killed: true), nil)
        #expect(app.manager.stage == .killed)
    }

    @Test func aCallerThatIsCancelledBeforeStartsNoCheck() async throws {
        let app = AppUnderTest()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await app.manager.check()
        }
        await #expect(throws: StatusError(.cancelled)) { try await task.value }
        #expect(app.checks == 0)
    }

    @Test func stagesAreToldToEverySequence() async throws {
        let app = AppUnderTest()
        let (one, other) = (app.manager.stages, app.manager.stages)
        try await app.manager.check()
        app.status = Model(killed: true)
        try await app.manager.check()
        app.status = Model()
        try await app.manager.check()
        for sequence in [one, other] {
            var iterator = sequence.makeAsyncIterator()
            var seen: [Stage] = []
            while seen.count < 3, let change = await iterator.next() { seen.append(change.to) }
            #expect(seen == [.active, .killed, .active])
        }
    }

    @Test func stagesEndWithTheManager() async throws {
        var manager: BellerophonManager? = BellerophonManager(config: BellerophonConfig(window: nil, source: twiceSource))
        let stages = try #require(manager).stages
        manager = nil
        var count = 0
        for await _ in stages { count += 1 }
        #expect(count == 0)
    }

    @Test func aConfigurationKeepsItsWindow() async throws {
        weak var window: RecordingWindow?
        let manager: BellerophonManager
        do {
            let made = RecordingWindow()
            window = made
            manager = BellerophonManager(
                config: BellerophonConfig(window: made, killSwitchView: NamedView("kill"), source: twiceSource))
        }
        try await manager.check()
        #expect(window?.shown == "kill")
    }

    // MARK: Sources

    @Test func aSourceIsAwaited() async throws {
        let server = try HostileServer(.status(SourceTests.killed))
        let source = URLSessionStatusSource(url: server.url())
        #expect(try await source.status().document.message == "Stop.")
        server.reply = .raw(Array("HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n".utf8))
        await #expect { try await source.status() } throws: { ($0 as? StatusError)?.reason == .httpStatus(503) }
    }

    @Test func cancellingTheTaskEndsTheExchange() async throws {
        let server = try HostileServer(.hang)
        let source = URLSessionStatusSource(url: server.url(), limits: .init(deadline: .seconds(600)))
        let task = Task { try await source.status() }
        try await Self.settle { !server.requests.isEmpty }
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? StatusError)?.reason == .cancelled }
    }

    @Test func aSecondCompletionIsIgnored() async throws {
        #expect(try await twiceSource.status().document.stage == .killed)
    }

    /// Runs other tasks of the main actor until the condition holds.
    private static func settle(_ condition: () -> Bool) async throws {
        let patience = Patience()
        while !condition() {
            guard !patience.isOver else { throw TestError("the condition never held") }
            await Task.yield()
        }
    }
}

/// A faulty custom source: it completes twice.
private let twiceSource = ClosureSource { completion in
    completion(.success(StatusReply(.killed())))
    completion(.failure(StatusError(.noStatus)))
}
