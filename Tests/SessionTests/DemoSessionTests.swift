import Foundation
import TerminalUI
import TestSupport
import Testing

/// A tester's session with `bellerophon demo`, and an app author's with the example.
@Suite("Sessions: the demo and the example")
struct DemoSessionTests {
    @Test func thePickerLeadsIntoAPauseAndOutAgain() async throws {
        let terminal = try await TerminalUnderTest("bellerophon", arguments: ["demo"])
        try await terminal.wait(for: "● LIVE", "SIMULATED")

        try await terminal.press("s")
        try await terminal.wait(for: "Messages")
        try await terminal.press(.down, .enter)
        try await terminal.wait(for: "SERVICE PAUSED", "SIMULATED")

        try await terminal.press("s")
        try await terminal.wait(for: "Messages")
        try await terminal.press(.up, .enter)
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    @Test("A selected scenario is remembered only with --remember")
    func scenarioIsRemembered() async throws {
        let home = try TestFolder()
        let first = try await TerminalUnderTest("bellerophon", arguments: ["demo", "--remember"], home: home)
        try await first.wait(for: "● LIVE")
        try await first.press("s")
        try await first.wait(for: "What the simulated server replies")
        try await first.press(.down, .enter)
        try await first.wait(for: "SERVICE PAUSED")
        #expect(try await first.quits())

        let second = try await TerminalUnderTest("bellerophon", arguments: ["demo", "--remember"], home: home)
        try await second.wait(for: "SERVICE PAUSED")
        #expect(try await second.quits())
        let third = try await TerminalUnderTest("bellerophon", arguments: ["demo"], home: home)
        try await third.wait(for: "● LIVE")
        #expect(try await third.quits())
    }

    @Test func aTesterSavesASessionAndVerifiesItLater() async throws {
        let home = try TestFolder()
        let program = try Products.path("bellerophon")
        let terminal = try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", "cd \"$HOME\" && exec '\(program)' demo"], columns: 120, home: home)
        try await terminal.wait(for: "● LIVE")
        try await terminal.press("K")
        try await terminal.wait(for: "SERVICE PAUSED", "s scenario")
        try await terminal.press("K")
        try await terminal.wait(for: "● LIVE")
        try await terminal.press("w")
        let screen = try await terminal.wait(for: "scenario saved: ")
        let name = try #require(screen.firstMatch(of: /scenario saved: (\S+\.json)/)?.1)
        #expect(try await terminal.quits())
        let result = try await bellerophon(["verify", "--scenarios", home.path(String(name))])
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.contains("as expected (3 changes"))
    }

    @Test("Clicks apply a scenario and press the keys in the footer")
    func clicksSelectAndPressKeys() async throws {
        let terminal = try await TerminalUnderTest("bellerophon", arguments: ["demo"], columns: 100, rows: 30)
        // The footer is painted last.
        let screen = try await terminal.wait(until: "the screen is whole") {
            $0.contains("▸ ✓ live") && $0.contains("q quit")
        }
        #expect(!screen.contains("! http"), "what is simulated goes over no network")
        let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(rows.firstIndex { $0.hasPrefix("│    update required") })
        // A press and release that arrive together, as on a slow connection, also count as a click.
        try await terminal.click(Point(column: 8, row: row))
        try await terminal.wait(for: "▸   update required")
        try await terminal.click(Point(column: 8, row: row))
        let cover = try await terminal.wait(for: "UPDATE REQUIRED", "d details")
        let footer = try #require(cover.split(separator: "\n", omittingEmptySubsequences: false).last)
        let details = try #require(footer.firstRange(of: "d details"))
        try await terminal.click(
            Point(column: footer.distance(from: footer.startIndex, to: details.lowerBound), row: 29))
        try await terminal.wait(for: "UPDATE REQUIRED · details")
        // On a page q goes back; on the view it quits, and the shell shows what the view has said.
        try await terminal.press("q")
        try await terminal.wait(for: "q quit", without: "· details")
        try await terminal.quit()
        #expect(try await terminal.waitForExit() == .exited(0))
        try await terminal.wait(for: "bellerophon: QA build needs an update (demo.invalid)")
    }

    @Test func theExampleIsPausedAndGivenBackAsItWas() async throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest(
            "Notes", arguments: ["--status-url", server.address, home.path("notes.txt")], home: home)
        try await terminal.wait(for: "Nothing noted yet.")
        try await terminal.press("a")
        try await terminal.type("feed the horse")
        try await terminal.wait(for: "new: feed the horse")

        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", without: "feed the horse")
        try await terminal.type("zzz")

        server.reply = Status.live
        try await terminal.wait(for: "new: feed the horse", without: "zzz")
        try await terminal.press(.enter)
        try await terminal.wait(for: "1 note")
        #expect(try await terminal.quits())
        #expect(home.text("notes.txt")?.contains("feed the horse") == true)
    }

    @Test("A program with an async main asks for the status when it ends")
    func asyncMainAsksAtItsEnd() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest("AsyncClock", arguments: [server.address])
        try await terminal.wait(for: "unknown -> active")
        try await terminal.press("q")
        try await terminal.wait(for: "The status was active at the end.")
        #expect(try await terminal.waitForExit() == .exited(0))
    }
}
