import Foundation
import TerminalUI
import TestSupport
import Testing

/// Each kind of program with a screen in a terminal, one test for each promise.
@Suite("Sessions: kinds of programs")
struct HostKindTests {
    @Test("A kill covers it with the next check, and nothing of it shows through", arguments: HostKind.screens)
    func covered(kind: HostKind) async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await kind.start(by: server.address)
        try await terminal.wait(for: kind.readyText)
        server.reply = Status.paused
        try await terminal.waitUntilCovered()
        let before = terminal.output.count
        _ = try await server.request(number: server.requests.count + 2)
        try await terminal.wait(for: "SERVICE PAUSED", "d details", without: kind.readyText, "up for")
        #expect(!terminal.output.dropFirst(before).contains("up for"), "the program draws its clock")
    }

    @Test(
        "It gets none of the keys that are typed on the view, its screen is exact afterwards, and it ends with its own exit status",
        arguments: HostKind.screens)
    func exact(kind: HostKind) async throws {
        let status = try StatusSwitch()
        let terminal = try await kind.start(by: status.url)
        try await terminal.wait(for: kind.readyText)
        let before = try await terminal.settledSnapshot()
        let state = try await terminal.state()
        try await terminal.cover(by: status)
        // Keys that the view does not know.
        try await terminal.type("xzx")
        try await terminal.uncover(by: status)
        try await terminal.wait(for: before.adding(kind.drawnMeanwhile), comparing: \.withoutClock)
        #expect(try await terminal.state() == state)
        try await terminal.type(kind.typed)
        try await terminal.wait(for: kind.echo)
        try await terminal.type(kind.ending)
        try await terminal.expectEnd(kind.exitStatus)
    }

    @Test(
        "A notice is a row over its screen that takes no key, and leaves no trace",
        arguments: HostKind.screens.filter { !$0.isGuarded })
    func notice(kind: HostKind) async throws {
        let status = try StatusSwitch()
        let terminal = try await kind.start(by: status.url)
        try await terminal.wait(for: kind.readyText)
        let now = Date()
        let times = #""announce":"\#((now - 60).formatted(.iso8601))","from":"\#((now + 240).formatted(.iso8601))""#
        status.publish(
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":600,"rules":[{"id":"mw","effect":"pause",\#(times)}]}"#)
        try await terminal.wait(for: "▲ Maintenance in", kind.readyText)
        try await terminal.type(kind.typed)
        // The row of the notice may be the one before that of the echo.
        let echo = kind.echo.split(separator: "\n").last.map(String.init) ?? kind.echo
        try await terminal.wait(for: echo, "▲ Maintenance in")
        let during = try await terminal.snapshot()
        status.restore()
        try await terminal.wait(for: kind.echo, without: "▲")
        let after = try await terminal.snapshot()
        #expect(after("cursor_x") == during("cursor_x") && after("cursor_y") == during("cursor_y"))
        #expect(!after.rows.contains { $0.contains("<") }, "no cell is inverse")
    }

    @Test("A signal ends it as without a kill switch, also under a view", arguments: HostKind.screens)
    func signal(kind: HostKind) async throws {
        let status = try StatusSwitch()
        let terminal = try await kind.start(by: status.url)
        try await terminal.wait(for: kind.readyText)
        try await terminal.cover(by: status)
        try terminal.signal(SIGTERM)
        try await terminal.expectEnd(kind.endBySignal)
    }

    @Test("Who quits from the view leaves with 75, and a restart without a server is covered", arguments: HostKind.screens)
    func keptKill(kind: HostKind) async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        let first = try await kind.start(by: status.url, home: home)
        try await first.waitUntilCovered()
        try await first.quit()
        try await first.expectEnd(.exited(75))
        try status.server.stop()
        let second = try await kind.start(by: status.url, home: home)
        try await second.wait(for: "SERVICE PAUSED", StatusSwitch.message, "d details", without: kind.readyText)
        #expect(!kind.isGuarded || !second.output.contains(kind.readyText), "the program is not started")
    }
}

/// Each kind of program without a screen in a terminal.
@Suite("Sessions: kinds of programs without a screen")
struct ScreenlessKindTests {
    @Test("A kill is a line, the work is saved, and the exit status is 75", arguments: ScreenlessKind.all)
    func line(kind: ScreenlessKind) async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let terminal = try await kind.start(kind.command, by: status, home: home)
        try await terminal.wait(for: kind.firstLine)
        status.kill()
        #expect(try await terminal.waitForExit() == .exited(75))
        let screen = try await terminal.wait(for: kind.firstLine, kind.line(kind.outcome))
        #expect(screen.contains("\n\(kind.saved)\n") || home.text("saved") == kind.saved)
        #expect(!terminal.output.contains("\u{1B}"), "the tool draws nothing")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test("It ends by itself with its own exit status", arguments: ScreenlessKind.all)
    func exitStatus(kind: ScreenlessKind) async throws {
        let status = try StatusSwitch()
        let terminal = try await kind.start(kind.endingCommand, by: status, home: try TestFolder())
        #expect(try await terminal.waitForExit() == .exited(0))
        try await terminal.wait(for: kind.firstLine, without: kind.example)
    }

    @Test("A signal ends it", arguments: ScreenlessKind.all)
    func signal(kind: ScreenlessKind) async throws {
        let status = try StatusSwitch()
        let terminal = try await kind.start(kind.command, by: status, home: try TestFolder())
        try await terminal.wait(for: kind.firstLine)
        try terminal.signal(SIGTERM)
        #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    }

    @Test("A kill refuses the start, and a restart without a server", arguments: ScreenlessKind.all)
    func keptKill(kind: ScreenlessKind) async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        for isServerThere in [true, false] {
            if !isServerThere { try status.server.stop() }
            let terminal = try await kind.start(kind.command, by: status, home: home)
            #expect(try await terminal.waitForExit() == .exited(75))
            try await terminal.wait(for: kind.line("not started"), without: kind.firstLine)
            #expect(home.text("saved") == nil)
        }
    }
}

extension TerminalSnapshot {
    fileprivate var withoutClock: TerminalSnapshot {
        var snapshot = self
        snapshot.rows = rows.map { $0.replacing(/up for \d+ s/, with: "up for … s") }
        return snapshot
    }

    /// The snapshot with lines below the last one, and the cursor behind them.
    fileprivate func adding(_ lines: [String]) -> TerminalSnapshot {
        guard let last = lines.last, let end = rows.lastIndex(where: { !$0.isEmpty }) else { return self }
        var snapshot = self
        for (offset, line) in lines.enumerated() { snapshot.rows[end + 1 + offset] = line }
        snapshot.variables["cursor_x"] = "\(last.count)"
        snapshot.variables["cursor_y"] = "\(end + lines.count)"
        return snapshot
    }
}
