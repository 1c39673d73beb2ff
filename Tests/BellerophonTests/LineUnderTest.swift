import Dispatch
import Foundation
import StatusModel
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

/// A program without a screen, with a clock and a source that the test controls. Its end is only recorded.
@MainActor
final class LineUnderTest {
    let clock = ManualClock()
    let source = HeldSource()
    let log = LineLog()
    var options = LineOptions()
    /// Whether standard error is a terminal.
    var hasReader = false
    private let store: any StatusStore

    init(store: any StatusStore = MemoryStore()) {
        self.store = store
        options.source = source
        options.languages = LanguagePreference([])
    }

    /// A run whose `onKill` is asynchronous.
    func run(onKill: @escaping @Sendable (KillNotice) async -> Void = { _ in }) throws -> LineRun {
        try run(
            killHandler: LineRun.killHandler { [log] notice async in
                log.add("onKill \(notice.stage)")
                await onKill(notice)
            })
    }

    /// A run whose `onKill` is synchronous.
    func blockingRun(onKill: @escaping @Sendable (KillNotice) -> Void = { _ in }) throws -> LineRun {
        try run(
            killHandler: LineRun.killHandler { [log] (notice: KillNotice) in
                log.add("onKill \(notice.stage)")
                onKill(notice)
            })
    }

    private func run(killHandler: @escaping LineRun.KillHandler) throws -> LineRun {
        var dependencies = LineDependencies(
            clock: clock, writeLine: { [log] line in log.add(line) },
            end: { [log] status, save in
                save()
                log.add("end \(status)")
            }, store: store)
        dependencies.hasReader = hasReader
        let url = try #require(URL(string: "https://held.example/status"))
        return try LineRun(
            url, AppInfo(name: "app", version: "1.0"), options, dependencies: dependencies, killHandler: killHandler)
    }

    /// Answers the pending check, once there is one.
    func answer(_ result: Result<StatusDocument, StatusError>) async throws {
        let complete = try await eventually("a check") { source.take() }
        complete(result.map { StatusReply($0) })
    }

    func answer(_ document: StatusDocument) async throws { try await answer(.success(document)) }

    /// Lets the next check begin, and answers it.
    func answerNextCheck(_ document: StatusDocument) async throws {
        while !source.isChecked, clock.advanceToNextCall() != nil {}
        try await answer(document)
    }

    /// Waits until the log contains a line.
    func wait(for line: String) async throws {
        try await eventually("\"\(line)\" in \(log.lines)") { log.lines.contains(line) ? () : nil }
    }
}

/// What happened, in order.
final class LineLog: Sendable {
    private let content = Mutex<[String]>([])

    var lines: [String] { content.withLock { $0 } }
    func add(_ line: String) { content.withLock { $0.append(line) } }
}

/// A source whose checks the test answers.
final class HeldSource: StatusSource {
    typealias Completion = @Sendable (Result<StatusReply, StatusError>) -> Void

    let name = "held.example/status"
    let host = "held.example"
    private let pending = Mutex<Completion?>(nil)

    /// Whether a check waits for its answer.
    var isChecked: Bool { pending.withLock { $0 != nil } }

    /// Removes and returns the completion of the pending check.
    func take() -> Completion? { pending.withLock { $0.take() } }

    func fetchStatus(_ completion: @escaping Completion) -> StatusCheck {
        pending.withLock { $0 = completion }
        return StatusCheck {}
    }
}
