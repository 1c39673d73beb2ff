import Dispatch
import Foundation
import StatusModel
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

/// Blocks this thread until the signal is sent.
private func waitForKill(_ signal: KillSignal) {
    _ = signal.sent.wait()
    #expect(signal.isKilled)
}

/// Ends only when the task is cancelled.
private func waitForCancellation() async { for await _ in AsyncStream<Never>.makeStream().stream {} }

@MainActor
@Suite("A program without a screen: the start")
struct LineModeStartTests {
    private let line = LineUnderTest()

    /// Starts a body that records that it was called.
    private func begin(_ line: LineUnderTest) throws -> Task<Int, any Error> {
        let run = try line.run()
        return Task {
            try await run.run {
                line.log.add("body")
                return 7
            }
        }
    }

    @Test("The body starts after a status that lets the program run, and its value is returned")
    func starts() async throws {
        let program = try begin(line)
        try await line.answer(.active())
        #expect(try await program.value == 7)
        #expect(line.log.lines == ["body"])
    }

    @Test("A first status that blocks ends the process with one line, and neither the body nor onKill is called")
    func refuses() async throws {
        let program = try begin(line)
        try await line.answer(.killed("Back\nat noon."))
        await #expect(throws: CancellationError.self) { try await program.value }
        #expect(line.log.lines == ["app is paused (held.example): Back at noon. (not started)", "end 75"])
    }

    @Test("A first check that fails starts the body, without a known status")
    func failureStarts() async throws {
        let program = try begin(line)
        try await line.answer(.failure(StatusError(.noStatus)))
        #expect(try await program.value == 7)
    }

    @Test("Without a reply the body starts when the time for the start is over")
    func timeoutStarts() async throws {
        let program = try begin(line)
        try await eventually("the timer of the start") { line.clock.pendingWaits.contains(.seconds(2)) ? () : nil }
        line.clock.advance(by: .seconds(2))
        #expect(try await program.value == 7)
    }

    @Test("With a policy that closes, an unknown status refuses the start, and a reply in time allows it")
    func closedPolicy() async throws {
        line.options.freshness = FreshnessPolicy(whenUnknown: .closed)
        let refused = try begin(line)
        try await line.answer(.failure(StatusError(.noStatus)))
        await #expect(throws: CancellationError.self) { try await refused.value }
        #expect(line.log.lines == ["app has no known status (held.example) (not started)", "end 75"])

        let second = LineUnderTest()
        second.options.freshness = FreshnessPolicy(whenUnknown: .closed)
        let allowed = try begin(second)
        try await second.answer(.active())
        #expect(try await allowed.value == 7)
    }

    @Test("A kept kill refuses the start when the check fails, and when no reply comes in time")
    func keptKillRefuses() async throws {
        let store = MemoryStore()
        let first = LineUnderTest(store: store)
        let killed = try begin(first)
        try await first.answer(.killed("Stop."))
        _ = await killed.result

        let second = LineUnderTest(store: store)
        let failed = try begin(second)
        try await second.answer(.failure(StatusError(.noStatus)))
        _ = await failed.result
        #expect(second.log.lines == ["app is paused (held.example): Stop. (not started)", "end 75"])

        let third = LineUnderTest(store: store)
        let silent = try begin(third)
        // The check begins after the kept kill is known, and the timer may begin before both.
        try await eventually("the timer of the start, and a check") {
            third.clock.pendingWaits.contains(.seconds(2)) && third.source.isChecked ? () : nil
        }
        third.clock.advance(by: .seconds(2))
        _ = await silent.result
        #expect(third.log.lines == second.log.lines)
    }

    @Test("A kept kill that the server has lifted lets the body start")
    func liftedKillStarts() async throws {
        let store = MemoryStore()
        let first = LineUnderTest(store: store)
        let killed = try begin(first)
        try await first.answer(.killed("Stop."))
        _ = await killed.result

        let second = LineUnderTest(store: store)
        let program = try begin(second)
        try await second.answer(.active())
        #expect(try await program.value == 7)
        #expect(store.load()?.blocks == false)
    }

    @Test("A recent kept status starts the body without a wait, and an old one does not")
    func recentStatusStarts() async throws {
        let store = MemoryStore()
        let first = LineUnderTest(store: store)
        let program = try begin(first)
        try await first.answer(.active(every: 30))
        _ = await program.result

        let recent = LineUnderTest(store: store)
        #expect(try await begin(recent).value == 7)

        let old = LineUnderTest(store: store)
        old.clock.jumpWallClock(by: .seconds(3600))
        let waiting = try begin(old)
        try await eventually("the timer of the start") { old.clock.pendingWaits.contains(.seconds(2)) ? () : nil }
        #expect(old.log.lines == [])
        try await old.answer(.active())
        #expect(try await waiting.value == 7)
    }

    @Test("A caller that is cancelled before the start gets an error, and the process does not end")
    func cancelledStart() async throws {
        let program = try begin(line)
        try await eventually("the timer of the start") { line.clock.pendingWaits.contains(.seconds(2)) ? () : nil }
        program.cancel()
        await #expect(throws: CancellationError.self) { try await program.value }
        line.clock.advance(by: .seconds(60))
        #expect(line.log.lines == [])
    }

    @Test("A notice is a line before the body starts, once a day, and only on a terminal", arguments: [true, false])
    func notice(hasReader: Bool) async throws {
        line.hasReader = hasReader
        line.options.languages = LanguagePreference([])
        let rules = #"[{"id":"info","effect":"notice","message":"Read the new terms."},{"id":"new","effect":"offer","to":"1.7"}]"#
        for number in 1...2 {
            let run = try line.run()
            let program = Task { try await run.run { line.log.add("body \(number)") } }
            if number == 1 { try await line.answer(.rules(rules)) }
            try await program.value
        }
        let told = ["app (held.example): 1.7 is available", "app (held.example): Read the new terms."]
        let lines = line.log.lines.flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(lines.filter { $0.hasPrefix("body") } == ["body 1", "body 2"])
        #expect(Set(lines.prefix(told.count)) == Set(told) || !hasReader)
        #expect(lines.count == (hasReader ? 4 : 2))
    }

    @Test("An address that can't be used is refused before anything starts, by both forms")
    func wrongAddress() async throws {
        let url = try #require(URL(string: "status.example.com/status"))
        let error = await #expect(throws: StatusAddressError.self) { try await withKillSwitch(statusURL: url) {} }
        #expect(
            error?.description
                == #"the status URL "status.example.com/status" has no scheme; put https:// before it"#)
        let other = await #expect(throws: StatusAddressError.self) {
            try await onOwnThread { try withKillSwitch(statusURL: url) { _ in } }
        }
        #expect(other == error)
    }
}

@MainActor
@Suite("A program without a screen: a kill")
struct LineModeKillTests {
    private let line = LineUnderTest()
    private let notice = "app is paused (held.example): Stop. (it ends within 10 s)"

    @Test("A kill writes its line, calls onKill, cancels the body, and ends the process when both have ended")
    func kill() async throws {
        let run = try line.run { [log = line.log] notice in
            await Task.yield()
            log.add("saved: \(notice.message ?? "")")
        }
        let program = Task {
            try await run.run {
                await waitForCancellation()
                line.log.add("cancelled: \(Task.isCancelled)")
            }
        }
        try await line.answer(.active())
        try await line.answerNextCheck(.killed("Stop."))
        await #expect(throws: CancellationError.self) { try await program.value }
        #expect(line.log.lines == [notice, "onKill killed", "saved: Stop.", "cancelled: true", "end 75"])
    }

    @Test("A status that clears within the grace period changes nothing, and the end is decided once")
    func clearedKill() async throws {
        line.options.grace = .seconds(3600)
        let gate = DispatchSemaphore(value: 0)
        let run = try line.blockingRun { _ in gate.wait() }
        let program = Task { try await onOwnThread { try run.run { signal in waitForKill(signal) } } }
        try await line.answer(.active())
        try await line.answerNextCheck(.killed("Stop."))
        try await line.answerNextCheck(.active())
        try await line.answerNextCheck(.killed("Stop again."))
        gate.signal()
        _ = await program.result
        #expect(line.log.lines.first?.hasPrefix("app is paused (held.example): Stop. (") == true)
        #expect(line.log.lines.dropFirst() == ["onKill killed", "end 75"])
    }

    @Test("A blocked body and a blocked onKill hold the process for no longer than the grace period")
    func grace() async throws {
        let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let run = try line.blockingRun { _ in gates[0].wait() }
        let program = Task { try await onOwnThread { try run.run { _ in gates[1].wait() } } }
        try await line.answer(.active())
        try await line.answerNextCheck(.killed("Stop."))
        try await line.wait(for: "onKill killed")
        line.clock.advance(by: .seconds(9))
        #expect(!line.log.lines.contains("end 75"))
        line.clock.advance(by: .seconds(1))
        #expect(line.log.lines == [notice, "onKill killed", "end 75"])
        for gate in gates { gate.signal() }
        await #expect(throws: CancellationError.self) { try await program.value }
        #expect(line.log.lines.count == 3)
    }

    @Test("A synchronous body that stops by itself after a kill ends the process before the grace period is over")
    func signal() async throws {
        line.options.exitStatus = 3
        let run = try line.blockingRun()
        let log = line.log
        let program = Task {
            try await onOwnThread {
                try run.run { signal in
                    waitForKill(signal)
                    log.add("stopped by: \(signal.notice?.message ?? "")")
                    throw TestError("the body has stopped")
                }
            }
        }
        try await line.answer(.active())
        try await line.answerNextCheck(.killed("Stop."))
        await #expect(throws: CancellationError.self) { try await program.value }
        #expect(line.log.lines == [notice, "onKill killed", "stopped by: Stop.", "end 3"])
    }

    @Test("A required update names the version and the link")
    func update() async throws {
        let run = try line.run()
        let program = Task { try await run.run { await waitForCancellation() } }
        try await line.answer(.active())
        let facts = StatusFacts([.message: "Please\u{1B}[2J.", .requiredVersion: "2.0", .link: "https://example.com/get"])
        try await line.answerNextCheck(StatusDocument(isInactive: false, requiresUpdate: true, interval: 60, facts: facts))
        _ = await program.result
        #expect(line.log.lines.first?.contains("\u{1B}") == false)
        #expect(line.log.lines.first?.hasPrefix("app needs an update (held.example): Please") == true)
        #expect(
            line.log.lines.first?.hasSuffix(
                ". Get it: https://example.com/get (it ends within 10 s; version 2.0 is required)") == true)
        #expect(line.log.lines.dropFirst() == ["onKill updateRequired", "end 75"])
    }

    @Test("A body that has ended by itself returns its result or error, and a later kill has no effect")
    func bodyEndsFirst() async throws {
        let run = try line.run()
        let program = Task { try await run.run { throw TestError("the body failed") } }
        try await line.answer(.active())
        await #expect(throws: TestError.self) { try await program.value }
        line.clock.advance(by: .seconds(3600))
        #expect(line.source.take() == nil, "the checks have ended")
        #expect(line.log.lines == [])
    }

    @Test("The body is cancelled with its caller, and returns what it makes of that")
    func cancelledCaller() async throws {
        let run = try line.run()
        let program = Task {
            try await run.run {
                line.log.add("body")
                await waitForCancellation()
                return Task.isCancelled
            }
        }
        try await line.answer(.active())
        try await line.wait(for: "body")
        program.cancel()
        #expect(try await program.value)
        #expect(line.log.lines == ["body"])
    }

    @Test("A body may use what belongs to its caller, and runs where its caller runs")
    func isolation() async throws {
        final class Counter { var value = 0 }
        let counter = Counter()
        var count = 0
        let run = try line.run()
        let answering = Task { try await line.answer(.active()) }
        let result = try await run.run {
            MainActor.assertIsolated()
            await Task.yield()
            count += 1
            counter.value += 1
            return counter
        }
        try await answering.value
        #expect(count == 1 && result.value == 1)
    }
}
