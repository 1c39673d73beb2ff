import Foundation
import TerminalUI
import TestSupport
import Testing

/// A person shows a kill to others: live with captions, and as a recording.
@Suite("Sessions: presentations and tapes")
struct PresentationSessionTests {
    /// The lines of a tape: the header and the events.
    private func tape(_ text: String?) throws -> (header: [String: Any], events: [(code: String, data: String)]) {
        let lines = try (text ?? "").split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
        let events = try lines.dropFirst().map { line in
            let parts = try #require(line as? [Any])
            #expect(parts.count == 3 && parts[0] is Double)
            return (try #require(parts[1] as? String), try #require(parts[2] as? String))
        }
        return (try #require(lines.first as? [String: Any]), events)
    }

    @Test("A presenter steps through a tour, and the session is recorded")
    func presentationIsRecorded() async throws {
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["demo", "--present", "tour", "--tape", home.path("tour.cast")], columns: 100, rows: 30,
            home: home)
        try await terminal.wait(for: "● LIVE", "tour · 1/6", "A program runs.")
        try await terminal.press(.pageDown)
        try await terminal.wait(for: "■  SERVICE PAUSED", "tour · 2/6", "The operator publishes a pause.", "next", "q quit")
        try await terminal.press(".")
        try await terminal.wait(for: "SERVICE PAUSED", without: "tour · 2/6")
        try await terminal.press(.character("."), .character(" "))
        try await terminal.wait(for: "tour · 3/6", "Back in five minutes.")
        try await terminal.press(.pageUp)
        try await terminal.wait(for: "tour · 2/6", "We are moving the order book")
        try await terminal.resize(columns: 60, rows: 12)
        try await terminal.wait(for: "2/6 The operator publishes", without: "tour · 2/6")
        try await terminal.press(.pageUp)
        try await terminal.wait(for: "LIVE", "1/6 A program runs.")
        #expect(try await terminal.quits())
        #expect(terminal.output.contains("bellerophon: tape: \(home.path("tour.cast"))\r\n"))

        let (header, events) = try tape(home.text("tour.cast"))
        #expect(header["version"] as? Int == 2)
        #expect(header["width"] as? Int == 100 && header["height"] as? Int == 30)
        #expect(events.filter { $0.code == "r" }.map(\.data) == ["60x12"])
        #expect(events.first?.data.hasPrefix("\u{1B}[?1049h") == true)
        #expect(events.last?.data == "\u{1B}[?25h\u{1B}[?1049l")
        let text = events.map(\.data).joined()
        #expect(text.contains("We are moving the order book") && text.contains("▀"))
    }

    @Test func aStoryOfAFileGoesOnByItself() async throws {
        let home = try TestFolder()
        // Only the first step ends by itself before the test does.
        let story = PlayerSessionTests.story
            .replacing("\"fine\", \"for\": 3000", with: "\"fine\", \"for\": 1")
            .replacing("\"closed\", \"for\": 3000", with: "\"closed\", \"for\": 3000, \"note\": \"Look here.\"")
        let file = try home.write(story, to: "story.json")
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["demo", "--present", file, "--unattended"], home: home)
        try await terminal.wait(for: "Closed for the night.", "a night · 2/3", "Look here.")
        try await terminal.press(.right)
        try await terminal.wait(for: "UPDATE REQUIRED", "a night · 3/3", "old")
        #expect(try await terminal.quits())
    }

    @Test("In plain mode captions are printed as lines")
    func captionsAreLinesInPlainMode() async throws {
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["demo", "--plain", "--present", "tour"], columns: 140)
        try await terminal.wait(for: "caption 1/6: A program runs.", "type n and Enter to show the next step", "state: live")
        try await terminal.type("\r")
        try await terminal.wait(for: "caption 2/6: The operator publishes a pause.", "state: paused")
        try await terminal.type("n\r")
        try await terminal.wait(for: "caption 3/6: ", "message: The order book has been moved.")
        try await terminal.type("b\rq\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(terminal.output.components(separatedBy: "caption 2/6").count == 3)
    }

    @Test func aFullDiskEndsTheTapeAndNotTheProgram() async throws {
        let home = try TestFolder()
        let command = "trap '' XFSZ; ulimit -f 24; exec \"$0\" demo --tape \"$1\""
        let terminal = try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", command, try Products.path("bellerophon"), home.path("t.cast")], columns: 120, home: home
        )
        try await terminal.wait(for: "● LIVE")
        // Every page is some kilobytes, if it is painted before the next key.
        try await eventually("end of the tape") {
            try await terminal.press("?")
            try await terminal.wait(for: "┌ Help")
            try await terminal.press(.escape)
            let screen = try await terminal.wait(for: "┌ State")
            return screen.contains("the tape ends here") || terminal.output.contains("the tape ends here") ? () : nil
        }
        try await terminal.press("K")
        try await terminal.wait(for: "SERVICE PAUSED")
        #expect(try await terminal.quits())
        #expect(terminal.output.contains("t.cast; it ends early: can't be written: "))
        let (_, events) = try tape(home.text("t.cast"))
        #expect(!events.isEmpty, "the lines that were written are complete")
    }

    @Test(
        "Invalid combinations of presentation options are refused",
        arguments: [
            (
                ["--tape", "TAPE", "--plain"],
                "--tape: records a screen, and --plain, display.plain or ACCESSIBLE asks for lines in place of one"
            ),
            (["--tape", "TAPE"], "--tape: records a screen; start the program in a terminal that has one"),
            (["--unattended"], "--unattended: means nothing without --present STORY"),
            (["--present", "nothing"], "--present: there is neither a timeline nor a file \"nothing\""),
            (["--present", "tour", "--play", "tour"], "give --present without --scenario and --play"),
            (["--present", "none.json"], "none.json: "),
            (["--present", "BROKEN"], "broken.json:2: requests: expected an object"),
            (["--present", "EMPTY"], "has no timeline to present"),
        ])
    func invalidOptionsAreRefused(arguments: [String], message: String) async throws {
        let home = try TestFolder()
        let files = [
            "TAPE": home.path("t.cast"), "BROKEN": try home.write("{\n  \"requests\": 3\n}", to: "broken.json"),
            "EMPTY": try home.write(
                #"{"requests":{"status":{"match":{"path":"/status"},"responses":{"a":{"status":500}}}}}"#, to: "empty.json"),
        ]
        let result = try await bellerophon(["demo"] + arguments.map { files[$0] ?? $0 }, home: home)
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains(message), "\(result.standardError)")
        #expect(home.text("t.cast") == nil)
    }

    @Test("A tape does not overwrite a file and cannot share the file of another option")
    func tapeNeverOverwrites() async throws {
        let home = try TestFolder()
        let path = try home.write("kept", to: "kept.cast")
        let refused = try await TerminalUnderTest("bellerophon", arguments: ["demo", "--tape", path], columns: 120, home: home)
        #expect(try await refused.waitForExit() == .exited(64))
        #expect(refused.output.contains("exists and is not empty; a tape never overwrites a file"))
        #expect(home.text("kept.cast") == "kept")
        let both = home.path("both")
        let twice = try await TerminalUnderTest(
            "bellerophon", arguments: ["run", "--status-url", "http://127.0.0.1:9/", "--record", both, "--tape", both],
            columns: 120, home: home)
        #expect(try await twice.waitForExit() == .exited(64))
        #expect(twice.output.contains("is the file of another flag too"))
        #expect(home.text("both") == nil)
    }
}
