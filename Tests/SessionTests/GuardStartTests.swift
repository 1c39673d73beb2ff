import Foundation
import TerminalUI
import TestSupport
import Testing

/// What a guard does before its program starts, and what else it does for a person.
@Suite("Sessions: the start of a guarded program")
struct GuardStartTests {
    private static let script = "echo >\"$HOME/started\"; echo ready; exec cat"

    @Test("A blocked program starts when the status clears")
    func blockedProgramStartsLater() async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        let terminal = try await TerminalUnderTest.guarding(script: Self.script, by: status, home: home)
        try await terminal.waitUntilCovered()
        #expect(home.text("started") == nil)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "ready")
        #expect(home.text("started") != nil)
    }

    @Test func startAnywayStartsUnderTheCover() async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        let terminal = try await TerminalUnderTest.guarding(
            script: Self.script, by: status, options: ["--start", "anyway"], home: home)
        try await terminal.waitUntilCovered()
        try await eventually("start") { home.text("started") }
        try await terminal.waitUntilCovered()
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "ready")
    }

    @Test func aRestartDoesNotEscapeAKill() async throws {
        let server = try HostileServer(Status.live), home = try TestFolder()
        let arguments = ["guard", "--status-url", server.address, "--", "/bin/sh", "-c", Self.script]
        let first = try await TerminalUnderTest("bellerophon", arguments: arguments, home: home)
        try await first.wait(for: "ready")
        server.reply = Status.paused
        try await first.waitUntilCovered()
        try await first.quit()
        #expect(try await first.waitForExit() == .exited(75))

        try server.stop()
        try FileManager.default.removeItem(atPath: home.path("started"))
        let second = try await TerminalUnderTest("bellerophon", arguments: arguments, home: home)
        try await second.waitUntilCovered()
        try await second.wait(for: "SERVICE PAUSED", "failed")
        #expect(home.text("started") == nil)
        server.reply = Status.live
        try server.start()
        try await second.press("r")
        try await second.wait(for: "ready", without: "SERVICE PAUSED")
        #expect(home.text("started") != nil)
    }

    @Test func theStartDoesNotWaitForAServerThatHangs() async throws {
        let server = try HostileServer(.hang), home = try TestFolder()
        let terminal = try await TerminalUnderTest(
            "bellerophon",
            arguments: [
                "guard", "--timeout", "300", "--status-url", server.address, "--", "/bin/sh", "-c", Self.script,
            ], home: home)
        try await terminal.wait(for: "ready")
        #expect(server.requests.count == 1, "the program starts during the first request")
    }

    @Test("The start waits for the first status within the start timeout")
    func startWaitsForFirstStatus() async throws {
        let server = try HostileServer(), home = try TestFolder()
        let reply = ServerFeed(headers: ["Content-Type": "application/json"])
        server.answer { _ in .stream(reply) }
        let terminal = try await TerminalUnderTest(
            "bellerophon",
            arguments: [
                "guard", "--transport", "poll", "--start-timeout", "600", "--status-url", server.address, "--",
                "/bin/sh", "-c", Self.script,
            ], home: home)
        _ = try await server.request(number: 1)
        reply.send(StatusSwitch.paused)
        reply.end()
        try await terminal.waitUntilCovered()
        #expect(home.text("started") == nil, "the program did not start before the reply")
    }

    // MARK: A status that can't be read

    private func guarding(_ url: String, home: TestFolder, standardError: String = "") async throws -> TerminalUnderTest {
        let command = "'\(try Products.path("bellerophon"))' guard --start-timeout 60 --status-url \(url) -- /bin/sh -c \"$1\""
        return try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", "cd \"$HOME\"; exec \(command) \(standardError)", "sh", Self.script], columns: 160,
            home: home)
    }

    @Test(arguments: [("HTML", Behaviour.html()), ("HTTP 404", .failure(404)), ("a mail server", .garbage)])
    func aStartWithoutAReadableStatusSaysSo(name: String, reply: Behaviour) async throws {
        let server = try HostileServer(reply)
        let terminal = try await guarding(server.address, home: try TestFolder())
        let screen = try await terminal.wait(for: "ready")
        let lines = screen.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "ready", "the line comes before the program's output")
        #expect(lines[0].hasPrefix("bellerophon: can't read the status at 127.0.0.1: "))
        #expect(lines[0].hasSuffix("; sh is not covered until the status can be read"))
        // The title says it too.
        try await terminal.waitForOutput("]2;sh · its status could not be read at the start\u{7}")
        // The line is a part of the screen that comes back after a cover.
        server.reply = Status.paused
        try await terminal.waitUntilCovered()
        server.reply = Status.live
        let after = try await terminal.wait(for: "ready", without: "SERVICE PAUSED")
        #expect(after == screen)
    }

    @Test func theLineGoesWhereStandardErrorGoes() async throws {
        let server = try HostileServer(.html()), home = try TestFolder()
        try server.stop()
        let terminal = try await guarding(server.address, home: home, standardError: "2>errors")
        try await terminal.wait(for: "ready", without: "bellerophon")
        #expect(home.text("errors")?.hasSuffix("; sh is not covered until the status can be read") == true)
    }

    @Test func aReadableStatusIsNotMentioned() async throws {
        let server = try HostileServer(Status.live), home = try TestFolder()
        let first = try await guarding(server.address, home: home)
        #expect(try await first.wait(for: "ready") == "ready")
        try await first.press(.control("d"))
        #expect(try await first.waitForExit() == .exited(0))
    }

    // MARK: A person's session

    @Test(
        "A timeline covers a guarded editor and restores its text",
        .enabled(if: GuardProgram.vim.isInstalled, "vim is not installed"))
    func timelineCoversEditor() async throws {
        let home = try TestFolder()
        let story = try home.write(PlayerSessionTests.story, to: "story.json")
        let editor = "cd \"$HOME\"; exec vim -u NONE -i NONE -nN letter.txt"
        let terminal = try await TerminalUnderTest(
            "bellerophon",
            arguments: ["guard", "--scenarios", story, "--play", "a night", "--", "/bin/sh", "-c", editor], home: home)
        try await terminal.wait(for: "letter.txt")
        try await terminal.type("iunsaved words")
        try await terminal.wait(for: "unsaved words")

        try await barricade("jump", "2", home: home)
        try await terminal.wait(for: "SERVICE PAUSED", "Closed for the night.", "SIMULATED", without: "unsaved words")
        try await terminal.type(":wq\r")
        try await barricade("jump", "3", home: home)
        try await terminal.wait(for: "UPDATE REQUIRED", "SIMULATED")
        #expect(home.text("letter.txt") == nil)
        try await barricade("jump", "1", home: home)
        try await terminal.wait(for: "unsaved words", without: "UPDATE REQUIRED")
        try await terminal.type(" and more\u{1B}:wq\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(home.text("letter.txt") == "unsaved words and more")
        #expect(try await terminal.state() == .givenBack)
    }

    private func barricade(_ arguments: String..., home: TestFolder) async throws {
        let result = try await bellerophon(["barricade"] + arguments, home: home)
        #expect(result.status == .exited(0), "\(result.standardError)")
    }

    @Test("The update command runs in the foreground, and the cover returns afterwards")
    func updateCommandRuns() async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let command = "printf name?; read name; echo hello $name"
        let config = try home.write(#"{"update":{"command":"\#(command)"}}"#, to: "config.json")
        let terminal = try await TerminalUnderTest.guarding(
            script: "printf 'above\\nready '; stty raw -echo; exec cat -v", by: status, options: ["--config", config], home: home)
        try await terminal.wait(for: "ready")
        status.requireUpdate()
        try await terminal.wait(for: "UPDATE REQUIRED", "u update")
        try await terminal.press("u")
        try await terminal.wait(for: "Run this command?", command, "y run it")
        try await terminal.press("y")
        try await terminal.wait(for: "name?", without: "UPDATE REQUIRED")
        try await terminal.type("you\r")
        try await terminal.wait(for: "hello you", "Press Enter to go back")
        try await terminal.type("\r")
        try await terminal.wait(for: "UPDATE REQUIRED", without: "hello you")
        status.restore()
        try await terminal.wait(for: "ready", "hello you", without: "UPDATE REQUIRED")
        try await terminal.type("x")
        let after = try await terminal.wait(until: "the key shows") { $0.hasSuffix("x") }
        #expect(after.contains("ready") && !after.contains("ready you"), "the answer went to the command")
    }
}
