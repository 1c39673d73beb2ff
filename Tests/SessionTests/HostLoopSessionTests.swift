import Foundation
import TerminalUI
import TestSupport
import Testing

/// Programs that read keys from the window in loops of their own.
@Suite("Sessions: the loop of a host")
struct HostLoopSessionTests {
    private static func running(
        _ server: HostileServer, _ arguments: String..., home: TestFolder? = nil
    ) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "FaultProbe", arguments: ["host", server.address] + arguments, home: home)
    }

    @Test("A host that asks with a timeout of zero is covered, and has its keys afterwards")
    func poll() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await Self.running(server, "poll")
        try await terminal.wait(for: "HOST ready")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        server.reply = Status.live
        try await terminal.wait(for: "HOST ready", without: "SERVICE PAUSED")
        try await terminal.press("x")
        try await terminal.wait(for: #"HOST got character("x")"#)
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    /// The host takes longer for the keys than the test waits for the view.
    @Test("A host for which keys are always waiting is covered")
    func busy() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await Self.running(server, "slow")
        try await terminal.wait(for: "HOST ready")
        try await terminal.type(String(repeating: "x", count: 3000))
        try await terminal.wait(for: "HOST key")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED")
    }

    @Test("A host serves its own work under a view, and what it draws is seen afterwards")
    func serve() async throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let terminal = try await Self.running(server, "serve", home: home)
        try await terminal.wait(for: "HOST ready")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        let before = terminal.output.count
        try "one".write(toFile: home.path("requests"), atomically: false, encoding: .utf8)
        try await eventually("answer under the view") { home.text("requests.answer") == "one, covered" ? () : nil }
        _ = try await server.request(number: server.requests.count + 1)
        #expect(!terminal.output.dropFirst(before).contains("served"))
        server.reply = Status.live
        try await terminal.wait(for: "HOST served one", without: "SERVICE PAUSED")
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    @Test(
        "The end of the input ends the loop of a host, also under a view", arguments: ["keys", "events", "poll", "serve"],
        [false, true])
    func endOfInput(loop: String, isCovered: Bool) async throws {
        let server = try HostileServer(isCovered ? Status.paused : Status.live)
        let terminal = try await Self.running(server, loop, "alone")
        try await terminal.wait(for: isCovered ? "SERVICE PAUSED" : "HOST ready")
        #expect(try await terminal.closeTerminal() == .exited(0))
    }

    @Test("Keys come from the terminal while standard input is at its end")
    func inputAtItsEnd() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest(
            "/bin/sh",
            arguments: [
                "-c", #"exec "$0" host "$1" keys </dev/null"#, try Products.path("FaultProbe"), server.address,
            ])
        try await terminal.wait(for: "HOST ready")
        try await terminal.press("x")
        try await terminal.wait(for: #"HOST got character("x")"#)
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED")
        try await terminal.quit()
        try await terminal.expectEnd(.exited(75))
    }

    @Test("A view that comes before the program's first drawing fits a terminal that does not know its size")
    func unknownSize() async throws {
        let server = try HostileServer(Status.paused)
        let home = try TestFolder()
        let first = try await Self.running(server, "keys", home: home)
        try await first.wait(for: "SERVICE PAUSED")
        try await first.quit()
        #expect(try await first.waitForExit() == .exited(75))
        let second = try await TerminalUnderTest(
            "/bin/sh",
            arguments: [
                "-c", #"stty rows 0 columns 0 && exec "$0" host "$1" keys"#, try Products.path("FaultProbe"),
                server.address,
            ], home: home)
        try await second.wait(for: "SERVICE PAUSED", "q quit")
        server.reply = Status.live
        try await second.wait(for: "HOST ready", without: "SERVICE PAUSED")
        try await second.press("q")
        #expect(try await second.waitForExit() == .exited(0))
    }

    @Test("Who quits from a view sees in the shell what it said, once, and the exit status is 75", arguments: ["keys", "events"])
    func quit(loop: String) async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await Self.running(server, loop)
        try await terminal.wait(for: "SERVICE PAUSED")
        try await terminal.quit()
        try await terminal.expectEnd(.exited(75))
        let line = "FaultProbe is paused (127.0.0.1): Back at 14:30 UTC."
        try await terminal.wait(for: line)
        #expect(terminal.output.components(separatedBy: line).count == 2)
    }

    @Test("Who quits from the view of an update is told where it is, and the exit status is 75")
    func quitFromUpdate() async throws {
        let server = try HostileServer(Status.update)
        let terminal = try await TerminalUnderTest("QuickStart", arguments: [server.address])
        try await terminal.wait(for: "UPDATE REQUIRED")
        try await terminal.quit()
        #expect(try await terminal.waitForExit() == .exited(75))
        try await terminal.wait(for: "QuickStart needs an update (127.0.0.1) Get it: https://example.com/get")
    }

    @Test("A status address that can't be used is one line before the screen is open", arguments: ["QuickStart", "AsyncClock"])
    func address(example: String) async throws {
        let result = try await runCommand(example, ["status.example.com/status"])
        #expect(result.status == .exited(64))
        let line = #": the status URL "status.example.com/status" has no scheme; put https:// before it"#
        #expect(result.standardOutput == example + line + "\n")
    }

    @Test("A kill switch that can't cover the program says what is missing")
    func missing() async throws {
        let probe = try Products.path("FaultProbe")
        let early = try await runCommand(probe, ["host", "http://127.0.0.1:9/status", "early"])
        #expect(early.status == .exited(64))
        #expect(
            early.standardError
                == "FaultProbe: there is no ncurses screen; call initscr() or newterm() before KillSwitch.start\n")
        let piped = try await runCommand(
            probe, ["host", "http://127.0.0.1:9/status", "keys"], environment: ["TERM": "xterm-256color"])
        #expect(piped.status == .exited(64))
        #expect(piped.standardError.hasPrefix("FaultProbe: standard output and standard error are files or pipes; run"))
    }
}
