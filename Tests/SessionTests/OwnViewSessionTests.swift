import Foundation
import TerminalUI
import TestSupport
import Testing

/// A program with a kill view and an update view of its own.
@Suite("Sessions: views of one's own")
struct OwnViewSessionTests {
    @Test("The program's own kill view covers it, its keys work, and the program's screen comes back")
    func ownKillView() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest("OwnView", arguments: [server.address])
        try await terminal.wait(for: "Tally: 0")
        try await terminal.type("++")
        try await terminal.wait(for: "Tally: 2")

        server.reply = Status.document(inactive: true, interval: 60, message: "Back at 14:30 UTC.")
        try await terminal.wait(for: "CLOSED", "127.0.0.1 says:", "Back at 14:30 UTC.", "Space knock", without: "Tally")
        try await terminal.press("i")
        try await terminal.wait(for: "SERVICE PAUSED · details", "last reply", "Esc back")
        try await terminal.press("?")
        try await terminal.wait(for: "SERVICE PAUSED · keys", "ask the server for the status now")
        try await terminal.press(.escape)
        try await terminal.wait(for: "CLOSED", "Space knock")

        server.reply = Status.live
        // The next check is a minute away: the view's own key asks now.
        try await terminal.press(" ")
        try await terminal.wait(for: "Tally: 2", without: "CLOSED")
        try await terminal.type("+")
        try await terminal.wait(for: "Tally: 3")
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("The program's own update view shows the versions, and asks before it opens the address")
    func ownUpdateView() async throws {
        let server = try HostileServer(Status.update)
        let terminal = try await TerminalUnderTest("OwnView", arguments: [server.address])
        try await terminal.wait(for: "OUTDATED", "installed: 1.0.0  needed: 1.5.2", "https://example.com/get", "o open the page")
        try await terminal.press("o")
        try await terminal.wait(for: "Open this address?", "y open it")
        try await terminal.press("n")
        try await terminal.wait(for: "OUTDATED", "the address was not opened")
        try await terminal.quit()
        #expect(try await terminal.waitForExit() == .exited(75))
    }
}
