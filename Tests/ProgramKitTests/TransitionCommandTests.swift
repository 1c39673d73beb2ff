import Foundation
import TestSupport
import Testing

@testable import Bellerophon
@testable import ProgramKit

/// A person's own command after each change of the stage.
@MainActor
@Suite("Hooks") struct TransitionCommandTests {
    private let folder: TestFolder
    private let session = SessionLogRecord.Session(
        app: AppInfo(name: "example", version: "1.4.0", link: "https://example.com/get"), source: "demo.local/status",
        isSimulated: false)

    init() throws {
        folder = try TestFolder()
    }

    private func hook(_ command: String, timeLimit: Duration = .seconds(600)) throws -> TransitionCommand {
        var settings = TransitionCommand.Settings()
        (settings.command, settings.timeLimit) = (command, timeLimit)
        return try #require(TransitionCommand(settings))
    }

    private func change(_ from: Stage, _ to: Stage) -> StatusReport {
        .stageChanged(Transition(from: from, to: to, cause: .status(httpStatus: 200), lasted: .seconds(2)))
    }

    private func lines(_ name: String) -> [String] {
        (folder.text(name) ?? "").split(separator: "\n").map(String.init)
    }

    @Test func theCommandReadsTheFactsAsJSON() async throws {
        let hook = try hook("cat >>'\(folder.path("facts"))'")
        hook.take(change(.active, .killed), StageMachine(), in: session)
        let line = try await eventually("facts") { lines("facts").first }
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(facts["event"] as? String == "transition")
        #expect(facts["from"] as? String == "active")
        #expect(facts["to"] as? String == "killed")
        #expect(facts["app"] as? String == "example")
        #expect(facts["version"] as? String == "1.4.0")
        #expect(facts["source"] as? String == "demo.local/status")
        #expect(facts["link"] as? String == "https://example.com/get")
    }

    @Test("The command reads what the rule says and why it covers the app")
    func theCommandReadsThePlan() async throws {
        var machine = StageMachine(app: AppFacts(version: "1.4.0", values: ["ci": "false"]))
        var generator = Halfway()
        let document = try StatusDocument(json: Data(PlanSample.text.utf8))
        _ = machine.handle(.statusGiven(StatusReply(document)), at: MonotonicInstant(), using: &generator)
        let hook = try hook("cat >>'\(folder.path("facts"))'")
        hook.take(change(.active, .updateRequired), machine, in: session)
        let line = try await eventually("facts") { lines("facts").first }
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(facts["message"] as? String == "1.4 loses data.")
        #expect(facts["by"] as? String == "min-15")
        #expect(facts["because"] as? [[String: String]] == [["fact": "version", "is": "1.4.0", "rule": "below 1.5.2"]])
    }

    @Test("Hook commands run one at a time in the order of the changes")
    func commandsRunInOrder() async throws {
        let path = folder.path("facts")
        let hook = try hook("mkdir '\(path).lock' || echo overlap >>'\(path)'; cat >>'\(path)'; rmdir '\(path).lock'")
        for stage in [Stage.killed, .active, .updateRequired] { hook.take(change(.active, stage), StageMachine(), in: session) }
        let found = try await eventually("three lines") { lines("facts").count >= 3 ? lines("facts") : nil }
        #expect(
            found.map { $0.contains("killed") ? "killed" : $0.contains("updateRequired") ? "update" : "active" } == [
                "killed", "active", "update",
            ])
    }

    @Test func onlyAChangeOfTheStageRunsIt() throws {
        let hook = try hook("exit 0")
        hook.take(.messageChanged("x"), StageMachine(), in: session)
        hook.take(.remark("x"), StageMachine(), in: session)
        #expect(!hook.isRunning)
        #expect(TransitionCommand(TransitionCommand.Settings()) == nil)
    }

    @Test func aCommandThatFailsOrTakesTooLongIsTold() async throws {
        var problems: [String] = []
        let failing = try hook("exit 3")
        failing.onProblem = { problems.append($0) }
        failing.take(change(.active, .killed), StageMachine(), in: session)
        try await eventually("failure") { problems == ["hooks.onTransition failed with exit code 3"] ? () : nil }
        problems = []
        let late = try hook("sleep 600 & wait", timeLimit: .milliseconds(20))
        late.onProblem = { problems.append($0) }
        late.take(change(.active, .killed), StageMachine(), in: session)
        try await eventually("end") { problems == ["hooks.onTransition was ended after 20 ms"] ? () : nil }
        #expect(!late.isRunning)
    }

    @Test func whatACommandWritesToStandardErrorIsTold() async throws {
        var problems: [String] = []
        let failing = try hook(#"printf 'one\ntwo\n\033[31mno \007such\033[0m file\nlast\n' >&2; exit 2"#)
        failing.onProblem = { problems.append($0) }
        failing.take(change(.active, .killed), StageMachine(), in: session)
        let words = "two; no ␇such file; last"
        try await eventually("failure") { problems == ["hooks.onTransition failed with exit code 2: \(words)"] ? () : nil }
        problems = []
        let chatty = try hook("head -c 300000 /dev/zero | tr '\\0' x >&2; echo >&2; echo done >&2; exit 0")
        chatty.onProblem = { problems.append($0) }
        chatty.take(change(.active, .killed), StageMachine(), in: session)
        let told = try await eventually("end") { problems.first }
        #expect(told.hasPrefix("hooks.onTransition ") && told.count < 500)
    }

    @Test("A process that a command leaves behind is not waited for, and can go on writing errors")
    func aProcessLeftBehindGoesOn() async throws {
        let path = folder.path("facts")
        let hook = try hook(
            "(while ! test -e '\(path).go'; do sleep 0.01; done; echo x >&2; echo x >&2; echo on >>'\(path)') & exit 0")
        hook.take(change(.active, .killed), StageMachine(), in: session)
        try await eventually("end") { hook.isRunning ? nil : () }
        try Data().write(to: URL(fileURLWithPath: path + ".go"))
        try await eventually("line") { lines("facts") == ["on"] ? () : nil }
    }

    @Test(arguments: [true, false])
    func aSimulationIsLabelled(isSimulated: Bool) async throws {
        var problems: [String] = []
        let hook = try hook("echo ${BELLEROPHON_SIMULATED-none} >>'\(folder.path("facts"))'; exit 1")
        hook.onProblem = { problems.append($0) }
        let session = SessionLogRecord.Session(app: session.app, source: session.source, isSimulated: isSimulated)
        hook.take(change(.active, .killed), StageMachine(), in: session)
        try await eventually("end") { problems.isEmpty ? nil : () }
        #expect(lines("facts") == [isSimulated ? "1" : "none"])
        let name = "hooks.onTransition" + (isSimulated ? " (simulation)" : "")
        #expect(problems == ["\(name) failed with exit code 1"])
    }

    @Test("A remembered stage runs no command until a reply has confirmed it")
    func aRememberedStageWaitsForAReply() async throws {
        var machine = StageMachine(app: AppFacts(version: "1.4.0"))
        var generator = Halfway()
        let document = try StatusDocument(json: Data(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":60}"#.utf8))
        let hook = try hook("cat >>'\(folder.path("facts"))'")
        _ = machine.handle(.restored(RestoredStatus(document: document)), at: MonotonicInstant(), using: &generator)
        hook.take(change(.unknown, .killed), machine, in: session)
        hook.take(.remark("x"), machine, in: session)
        #expect(machine.stage == .killed && !hook.isRunning)
        _ = machine.handle(.statusGiven(StatusReply(document)), at: MonotonicInstant(), using: &generator)
        for _ in 0..<2 { hook.take(.remark("x"), machine, in: session) }
        let line = try await eventually("facts") { lines("facts").first }
        #expect(line.contains("\"to\":\"killed\""))
        try await eventually("end") { hook.isRunning ? nil : () }
        #expect(lines("facts").count == 1)
    }

    @Test("A reply that says something else than the remembered status is the first change")
    func aRememberedStageThatIsOverIsNoChange() async throws {
        var machine = StageMachine(app: AppFacts(version: "1.4.0"))
        var generator = Halfway()
        let (killed, live) = (#"{"apiInactive":true,"#, #"{"apiInactive":false,"#)
        func document(_ start: String) throws -> StatusDocument {
            try StatusDocument(json: Data((start + #""forceUpdate":false,"retryInterval":60}"#).utf8))
        }
        let hook = try hook("cat >>'\(folder.path("facts"))'")
        _ = machine.handle(.restored(RestoredStatus(document: try document(killed))), at: MonotonicInstant(), using: &generator)
        hook.take(change(.unknown, .killed), machine, in: session)
        _ = machine.handle(.statusGiven(StatusReply(try document(live))), at: MonotonicInstant(), using: &generator)
        hook.take(.remark("x"), machine, in: session)
        #expect(!hook.isRunning)
        hook.take(change(.killed, .active), machine, in: session)
        try await eventually("end") { hook.isRunning ? nil : () }
        #expect(lines("facts").count == 1 && lines("facts")[0].contains("\"to\":\"active\""))
    }

    @Test func aCommandThatReadsNothingDoesNoHarm() async throws {
        let path = folder.path("facts")
        let hook = try hook("exec <&-; echo done >>'\(path)'")
        hook.take(change(.active, .killed), StageMachine(), in: session)
        try await eventually("end") { lines("facts") == ["done"] && !hook.isRunning ? () : nil }
    }

    // MARK: Alerts

    private func actions(
        _ from: Stage, _ to: Stage, _ change: (inout AlertSettings) -> Void = { _ in }
    ) -> [TransitionAlerts.Action] {
        var settings = AlertSettings()
        change(&settings)
        return TransitionAlerts(settings, name: "example").actions(for: self.change(from, to), message: "Back at noon.")
    }

    @Test func aPauseAndItsEndRingAndNotify() {
        #expect(
            actions(.active, .killed) == [
                .title("■ example: paused"), .bell, .notification(title: "example: paused", text: "Back at noon."),
            ])
        #expect(
            actions(.killed, .active) == [
                .title("● example: live"), .bell, .notification(title: "example: live", text: ""),
            ])
        #expect(actions(.unknown, .active) == [.title("● example: live")], "a start is no alert")
    }

    @Test func eachAlertCanBeOff() {
        #expect(actions(.active, .killed) { $0.ringsBell = false }.contains(.bell) == false)
        #expect(actions(.active, .killed) { $0.setsTitle = false }.first == .bell)
        #expect(actions(.active, .killed) { $0.notifies = false }.count == 2)
    }
}
