import Foundation
import TerminalUI
import TestSupport
import Testing

/// Hosts whose main queue is not served when a status comes.
@Suite("Sessions: a host that is busy")
struct BusyHostSessionTests {
    private let server: HostileServer
    private let home: TestFolder

    init() throws {
        (server, home) = (try HostileServer(Status.live), try TestFolder())
    }

    private func running(_ arguments: String...) async throws -> TerminalUnderTest {
        try await TerminalUnderTest("FaultProbe", arguments: ["busy", server.address] + arguments, home: home)
    }

    /// A host that is busy, under a view that stands still.
    private func covered(by key: Character = "b") async throws -> TerminalUnderTest {
        let terminal = try await running()
        try await terminal.wait(for: "HOST ready, row 19")
        try await terminal.press(key)
        try await terminal.wait(for: "HOST busy, row 19")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "is busy and takes no keys; Control-C ends it", without: "HOST")
        return terminal
    }

    /// Leaves a kill in the file of the last status.
    private func keepKill() async throws {
        let terminal = try await running()
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await terminal.quit()
        #expect(try await terminal.waitForExit() == .exited(75))
    }

    /// Clears the status of a host that never serves its main queue, and uses the host.
    private func expectFreeAgain(_ terminal: TerminalUnderTest) async throws {
        server.reply = Status.live
        try await terminal.wait(for: "is available again.", "is busy; it draws its screen", without: "SERVICE PAUSED")
        try await terminal.press("b")
        // Its curses draws only what it has changed, because the main queue is not served.
        try await terminal.wait(for: "has b", without: "xyz")
        try await terminal.press("q")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    private func endBusyWork() throws {
        try "".write(toFile: home.path("go"), atomically: false, encoding: .utf8)
    }

    @Test("A busy host is covered, the window takes over, and the host's screen is exact afterwards")
    func takesOver() async throws {
        let terminal = try await covered()
        try await terminal.type("xyz")
        try endBusyWork()
        try await terminal.wait(for: "SERVICE PAUSED", "d details", without: "is busy")
        server.reply = Status.live
        try await terminal.wait(for: "HOST done, row 0\nHOST done, row 1\n", "HOST done, row 19", without: "SERVICE PAUSED")
        #expect(try await !terminal.state().isCursorVisible, "the host has hidden its cursor")
        try await terminal.press("k")
        try await terminal.wait(for: #"HOST got character("k"), row 19"#, without: "HOST done")
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("A status that clears meanwhile gives a busy host its terminal, and its screen as soon as it continues")
    func clearsMeanwhile() async throws {
        let terminal = try await covered()
        server.reply = Status.live
        try await terminal.wait(for: "is available again.", "is busy; it draws its screen", without: "SERVICE PAUSED")
        try endBusyWork()
        try await terminal.wait(for: "HOST done, row 0\nHOST done, row 1\n", "HOST done, row 19", without: "available again")
        #expect(try await !terminal.state().isCursorVisible)
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("A busy host that ends without serving its main queue gives the terminal back")
    func endsWithoutServing() async throws {
        let terminal = try await covered(by: "c")
        try endBusyWork()
        try await terminal.expectEnd(.exited(0))
    }

    @Test("Control-Z does nothing on the view of a busy host, and stops it on the view that takes over")
    func controlZ() async throws {
        let terminal = try await covered()
        try await terminal.sendBytes([0x1A])
        try endBusyWork()
        try await terminal.wait(for: "SERVICE PAUSED", "d details", without: "is busy")
        try await terminal.suspend()
        try await terminal.waitUntilGivenBack()
        try await terminal.resume()
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        server.reply = Status.live
        try await terminal.wait(for: "HOST done, row 19", without: "SERVICE PAUSED")
    }

    @Test("The view of a busy host follows the size of the terminal, and the host has the new size afterwards")
    func resize() async throws {
        let terminal = try await covered()
        try await terminal.resize(columns: 100, rows: 30)
        try await terminal.wait(until: "the view fills 100×30") { screen in
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
            return screen.contains("SERVICE PAUSED") && lines.contains { $0.filter { $0 == "─" }.count == 100 }
        }
        try endBusyWork()
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        server.reply = Status.live
        try await terminal.wait(for: "HOST got resize, row 19", without: "SERVICE PAUSED")
    }

    @Test("Keys typed on a view that stands still for a while count when the host continues")
    func typedOnViewThatStandsStill() async throws {
        server.reply = Status.paused
        let terminal = try await running()
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        // Nothing happens that the main queue would learn of, until the key was typed.
        server.reply = .hang
        let asked = server.requests.count
        _ = try await server.request(number: asked + 1)
        try "".write(toFile: home.path("stall"), atomically: false, encoding: .utf8)
        try await eventually("the host is busy") { FileManager.default.fileExists(atPath: home.path("go")) ? () : nil }
        try await terminal.press("d")
        _ = try await terminal.screen
        try server.stop()
        try await terminal.wait(for: "SERVICE PAUSED", "is busy and takes no keys")
        try await terminal.press("?")
        _ = try await terminal.screen
        try endBusyWork()
        try await terminal.wait(for: "SERVICE PAUSED · keys", "Esc back", without: "is busy")
    }

    @Test("Control-C ends a busy host under its view, and the terminal is given back")
    func controlCEnds() async throws {
        let terminal = try await covered()
        try await terminal.sendBytes([0x03])
        try await terminal.expectEnd(.signalled(SIGINT))
    }

    @Test("A signal ends a busy host", arguments: [SIGTERM, SIGHUP])
    func signalEnds(number: Int32) async throws {
        let terminal = try await running()
        try await terminal.wait(for: "HOST ready, row 19")
        try await terminal.press("b")
        try await terminal.wait(for: "HOST busy, row 19")
        try terminal.signal(number)
        try await terminal.expectEnd(.signalled(number))
    }

    @Test("A host that never serves its main queue is covered, gets no keys meanwhile, and has its terminal afterwards")
    func neverServed() async throws {
        let terminal = try await running("never")
        try await terminal.wait(for: "HOST ready, row 19")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "is busy and takes no keys", without: "HOST")
        try await terminal.type("xyz")
        try await expectFreeAgain(terminal)
    }

    @Test("A kept kill covers a host that never serves its main queue, and the host has its terminal when the status clears")
    func keptKill() async throws {
        server.reply = Status.paused
        try await keepKill()
        let terminal = try await running("never")
        try await terminal.wait(for: "SERVICE PAUSED", "is busy and takes no keys; Control-C ends it")
        try await expectFreeAgain(terminal)
    }

    @Test("Control-C ends a host that stops serving its main queue under a view")
    func controlCUnderTheView() async throws {
        server.reply = Status.paused
        try await keepKill()
        let terminal = try await running("never")
        try await terminal.wait(for: "SERVICE PAUSED", "Control-C ends it")
        try await terminal.sendBytes([0x03])
        try await terminal.expectEnd(.signalled(SIGINT))
    }

    @Test("A host that never serves its main queue ends when its terminal is closed")
    func closedTerminal() async throws {
        let terminal = try await running("never")
        try await terminal.wait(for: "HOST ready, row 19")
        #expect(try await terminal.closeTerminal() == .signalled(SIGHUP))
    }
}
