import Foundation
import TerminalUI
import TestSupport
import Testing

/// A person's session with `bellerophon run` while statuses change.
@Suite("Sessions: statuses")
struct StatusSessionTests {
    @Test func liveIsPausedThenUpdatedThenGivenBack() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "● LIVE")

        server.reply = Status.paused
        try await terminal.wait(for: "■  SERVICE PAUSED", "Back at 14:30 UTC.", "message from 127.0.0.1", without: "LIVE")

        server.reply = Status.update
        try await terminal.wait(
            for: "▲  UPDATE REQUIRED", "1.5.2 or later", "https://example.com/get", without: "SERVICE PAUSED")

        server.reply = Status.live
        try await terminal.wait(for: "● LIVE", "Transitions", without: "UPDATE REQUIRED")
        #expect(try await terminal.quits())
    }

    @Test func aPauseRingsAndShowsInTheTitleUntilTheEnd() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest.running(
            against: server, environment: ["BELLEROPHON_APP_NAME": "QA; build"])
        try await terminal.wait(for: "● LIVE")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await terminal.waitForOutput("\u{1B}]0;■ QA; build: paused\u{7}")
        try await terminal.waitForOutput("\u{1B}]9;QA; build: paused. Back at 14:30 UTC.\u{7}")
        #expect(try await terminal.quits())
        #expect(terminal.output.contains("\u{1B}[23;0t"), "the title from before comes back")
    }

    @Test func theMessageChangesWhileTheViewStands() async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "Back at 14:30 UTC.")
        server.reply = Status.document(inactive: true, message: "现在是下午三点。")
        try await terminal.wait(for: "现在是下午三点。", without: "14:30")
    }

    @Test("The view stays while the server is down and clears after it returns")
    func serverFailureKeepsView() async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")

        try server.stop()
        try await terminal.wait(for: "failed", "still paused", "SERVICE PAUSED", "Back at 14:30 UTC.", "d details")

        server.reply = Status.live
        try server.start()
        try await terminal.press("r")
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    @Test(arguments: [
        ("no answer", Behaviour.hang),
        ("a page", .html()),
        ("a reset", .reset(Answer(text: HostileServer.live), after: 10)),
        ("an error with a live body", .json(HostileServer.live, status: 500)),
    ])
    func noFailureUncoversTheApp(name: String, failure: Behaviour) async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest.running(against: server, ["--timeout", "1"])
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        server.reply = failure
        try await terminal.press("r")
        try await terminal.wait(until: "the failure shows and the view stands") {
            $0.contains("SERVICE PAUSED") && $0.contains("failed") && $0.contains("still paused")
        }
        // Polling continues.
        let asked = server.requests.count
        server.reply = Status.live
        _ = try await server.request(number: asked + 1)
        try await terminal.wait(for: "● LIVE")
    }

    @Test func aRestartDoesNotEscapeAPause() async throws {
        let server = try HostileServer(Status.paused)
        let home = try TestFolder()
        do {
            let terminal = try await TerminalUnderTest.running(against: server, home: home)
            try await terminal.wait(for: "SERVICE PAUSED")
            #expect(try await terminal.quits())
        }
        try server.stop()
        let terminal = try await TerminalUnderTest.running(against: server, home: home)
        try await terminal.wait(for: "SERVICE PAUSED", "Back at 14:30 UTC.")
    }

    @Test func noKeyUncoversTheApp() async throws {
        let server = try HostileServer(Status.document(inactive: true, interval: 600, message: "Closed."))
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await terminal.press(.escape)
        try await terminal.press(.tab, .enter, .up, .backspace, .delete, .function(5), .control("l"))
        try await terminal.type(" jkhls/:ix0")
        try await terminal.press("?")
        try await terminal.wait(for: "check now")
        try await terminal.press(.escape)
        try await terminal.wait(for: "Closed.", "■  SERVICE PAUSED", without: "LIVE")
        #expect(server.requests.count == 1)
    }
}
