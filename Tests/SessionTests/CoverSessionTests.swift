import Foundation
import TerminalUI
import TestSupport
import Testing

/// A view over programs that go on drawing and printing under it.
@Suite("Sessions: a view over a program that goes on")
struct CoverSessionTests {
    private static func running(
        _ server: HostileServer, _ arguments: [String], columns: Int = 80, rows: Int = 24
    ) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "FaultProbe", arguments: ["draw", server.address] + arguments, columns: columns, rows: rows)
    }

    /// Waits until the host has drawn a whole screen in one size.
    private func waitForHost(_ terminal: TerminalUnderTest, size: String = "80x24") async throws {
        try await terminal.wait(until: "the host shows its screen") { screen in
            let lines = screen.split(separator: "\n").map(String.init)
            let ticks = Set(lines.prefix(20).compactMap { $0.firstMatch(of: /^HOST tick (\d+) of/)?.1 })
            return ticks.count == 1 && lines.count >= 20 && lines[19].hasSuffix("of \(size) row 19") && lines.count == 20
        }
    }

    /// Waits until some checks have passed, while the host goes on drawing.
    private func waitForChecks(_ count: Int, _ server: HostileServer) async throws {
        _ = try await server.request(number: server.requests.count + count)
    }

    @Test(
        "Nothing that the program draws or prints under a view reaches the terminal",
        arguments: [["2"], ["30"], ["30", "print"]])
    func nothingShowsThrough(arguments: [String]) async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await Self.running(server, arguments)
        try await terminal.wait(for: "HOST tick")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        let before = terminal.output.count
        try await waitForChecks(3, server)
        try await terminal.wait(for: "SERVICE PAUSED", "d details", without: "HOST")
        let shown = String(terminal.output.dropFirst(before))
        #expect(!shown.contains("HOST") && !shown.contains("PRINTED"))
        server.reply = Status.live
        if arguments.contains("print") {
            try await terminal.wait(for: "HOST tick", "PRINTED", without: "SERVICE PAUSED")
        } else {
            try await waitForHost(terminal)
        }
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("A view over the program of this library leaves no cursor behind")
    func noCursor() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "● LIVE")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        server.reply = Status.live
        try await terminal.wait(for: "● LIVE", "paused", without: "SERVICE PAUSED")
        let state = try await terminal.state()
        #expect(state.isAlternateScreen && !state.isCursorVisible && state.reportsMouse)
        #expect(try await terminal.quits())
    }

    @Test("Modes that the program sets under a view hold afterwards")
    func modes() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await Self.running(server, ["10", "modes"])
        try await waitForHost(terminal)
        #expect(try await !terminal.state().hasApplicationKeys)
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await waitForChecks(2, server)
        server.reply = Status.live
        try await waitForHost(terminal)
        let state = try await terminal.state()
        #expect(state.hasApplicationKeys && !state.isCursorVisible)
        // In raw mode Control-C is a key of the program.
        try await terminal.press(.control("c"))
        try await waitForChecks(1, server)
        try await terminal.press("q")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test("A new size under a view is the program's size afterwards")
    func resize() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await Self.running(server, ["10"])
        try await waitForHost(terminal)
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await terminal.resize(columns: 100, rows: 30)
        try await terminal.wait(until: "the view fills 100×30") { screen in
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
            return screen.contains("SERVICE PAUSED") && lines.count == 30 && lines[29].contains("quit")
        }
        server.reply = Status.live
        try await waitForHost(terminal, size: "100x30")
        try await terminal.press("q")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test("What a program prints last under a view is seen, and the terminal is given back", arguments: ["exit", "leave"])
    func exitUnderTheView(act: String) async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await Self.running(server, ["10", act])
        #expect(try await terminal.waitForExit() == .exited(3))
        if act == "exit" { try await terminal.wait(for: "The last words.") }
        #expect(try await terminal.state() == .givenBack)
    }

    @Test("A signal or a crash under a view gives the terminal back", arguments: [SIGTERM, SIGUSR1, SIGSEGV])
    func signals(signal: Int32) async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest(
            "FaultProbe", arguments: ["draw", server.address, "30", "print"],
            environment: ["SWIFT_BACKTRACE": "enable=no"])
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try terminal.signal(signal)
        try await terminal.expectEnd(.signalled(signal))
    }
}
