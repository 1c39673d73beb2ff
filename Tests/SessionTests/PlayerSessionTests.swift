import Foundation
import TerminalUI
import TestSupport
import Testing

/// A tester plays outages with keys, and a script controls a running demonstration.
@Suite("Sessions: the player and scripts")
struct PlayerSessionTests {
    private let home: TestFolder

    init() throws {
        home = try TestFolder()
    }

    /// The steps are so long that only keys and scripts advance it.
    static let story = #"""
        {
          "requests": { "status": { "match": { "path": "/status" }, "responses": {
            "fine": { "summary": "all is well", "json": { "apiInactive": false, "forceUpdate": false, "retryInterval": 300 } },
            "closed": { "json": { "apiInactive": true, "forceUpdate": false, "retryInterval": 300, "userMessage": "Closed for the night." } },
            "old": { "json": { "apiInactive": false, "forceUpdate": true, "retryInterval": 300 } }
          } } },
          "timelines": { "a night": { "request": "status", "summary": "closes and opens", "steps": [
            { "response": "fine", "for": 3000 }, { "response": "closed", "for": 3000 }, { "response": "old" }
          ] } }
        }
        """#

    private func demo(_ arguments: String..., home: TestFolder) async throws -> TerminalUnderTest {
        let file = try home.write(Self.story, to: "story.json")
        return try await TerminalUnderTest("bellerophon", arguments: ["demo", "--scenarios", file] + arguments, home: home)
    }

    // MARK: Keys

    @Test func aTesterPicksPlaysHoldsAndJumpsDuringAKill() async throws {
        let terminal = try await demo(home: home)
        try await terminal.wait(for: "● LIVE")
        try await terminal.press("s")
        try await terminal.wait(for: "closes and opens")
        try await terminal.press(.home, .enter)
        try await terminal.wait(for: "1/3  ×1")
        try await terminal.press("p")
        try await terminal.wait(for: "‖ fine")
        try await terminal.press("2")
        try await terminal.wait(for: "Closed for the night.")

        try await terminal.press("s")
        try await terminal.wait(for: "2/3  ×1", "‖ a night", "on hold")
        try await terminal.press(.character("*"), .character("p"))
        try await terminal.wait(for: "▶2 closed", "2/3  ×10")
        try await terminal.press("3")
        try await terminal.wait(for: "3/3  ×10")
        try await terminal.press(.escape)
        try await terminal.wait(for: "UPDATE REQUIRED", "s scenario")
        try await terminal.press(.character("s"), .character("x"), .escape)
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    @Test func aPickByHandHoldsTheTimeline() async throws {
        let terminal = try await demo("--play", "a night", home: home)
        try await terminal.wait(for: "1/3  ×1")
        try await terminal.press("s")
        try await terminal.wait(for: "closes and opens")
        try await terminal.press(.end, .enter)
        try await terminal.wait(for: "UPDATE REQUIRED", "s scenario")
        try await terminal.press("s")
        try await terminal.wait(for: "on hold, picked by hand")
        try await terminal.press(.character("p"), .escape)
        try await terminal.wait(for: "● LIVE")
        try await terminal.wait(for: "▶ fine")
        #expect(try await terminal.quits())
    }

    @Test("With --no-scenarios the picker key does nothing")
    func noScenariosDisablesPicker() async throws {
        let terminal = try await demo("--no-scenarios", "--play", "a night", home: home)
        try await terminal.wait(for: "● LIVE", "SIMULATED", without: "Scenarios")
        try await terminal.press(.character("s"), .character("2"))
        #expect(try await bellerophon("barricade", "jump", "2", home: home).status == .exited(0))
        try await terminal.wait(for: "Closed for the night.", "SIMULATED", without: "scenario")
        #expect(try await terminal.quits())
    }

    // MARK: Scripts

    @Test func aSecondProcessChangesWhatTheFirstShows() async throws {
        let terminal = try await demo(home: home)
        try await terminal.wait(for: "● LIVE")
        let selected = try await bellerophon(
            "barricade", "select", "status", "closed", "--wait", "killed", "--timeout", "60s", home: home)
        #expect(selected.status == .exited(0))
        #expect(selected.standardOutput.contains("\nstatus: closed\n"))
        #expect(selected.standardOutput.contains("  stage paused  "), "the stage after the command")
        let late = try await bellerophon("barricade", "status", "--wait", "active", "--timeout", "0", home: home)
        #expect(late.status == .exited(1))
        #expect(late.standardError == "bellerophon: the stage is paused, not live, after 0 ms\n")
        try await terminal.wait(for: "Closed for the night.")

        #expect(try await bellerophon("barricade", "play", "a night", home: home).status == .exited(0))
        try await terminal.wait(for: "▶ fine")
        #expect(
            try await bellerophon("barricade", "pause", home: home).standardOutput.contains("‖ a night: on hold; step 1/3, fine"))
        try await terminal.wait(for: "‖ fine")
        #expect(try await bellerophon("barricade", "speed", "10", home: home).status == .exited(0))
        #expect(try await bellerophon("barricade", "step", home: home).status == .exited(0))
        try await terminal.wait(for: "SERVICE PAUSED")

        let wrong = try await bellerophon("barricade", "select", "status", "open", home: home)
        #expect(wrong.status == .exited(64))
        let sentence = #""status" has no response named "open"; there is "fine", "closed", "old""#
        #expect(wrong.standardError == "bellerophon: \(sentence)\n")

        let status = try await bellerophon("barricade", "status", "--json", home: home)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(status.standardOutput.utf8)) as? [String: Any])
        #expect(json["stage"] as? String == "killed")
        #expect(json["speed"] as? Int == 10)
        #expect(json["timelines"] as? [String] == ["a night"])
        let request = try #require((json["requests"] as? [[String: Any]])?.first)
        #expect(request["answers"] as? String == "closed")
        #expect(request["responses"] as? [String] == ["fine", "closed", "old"])
        let player = try #require(request["timeline"] as? [String: Any])
        #expect(player["phase"] as? String == "held")
        #expect(player["step"] as? Int == 2)

        #expect(try await bellerophon("barricade", "reset", "status", home: home).status == .exited(0))
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
        #expect(try await bellerophon("barricade", "status", home: home).status == .exited(1))
    }

    @Test func twoDemosAtOnceDoNotCollide() async throws {
        let first = try await demo(home: home)
        try await first.wait(for: "● LIVE")
        let second = try await demo(home: home)
        try await second.wait(for: "● LIVE")

        let unclear = try await bellerophon("barricade", "status", home: home)
        #expect(unclear.status == .exited(64))
        #expect(unclear.standardError.hasPrefix("bellerophon: several simulated servers run: choose one with --pid ("))
        let pid = String(first.processIdentifier)
        #expect(try await bellerophon("barricade", "select", "--pid", pid, "status", "closed", home: home).status == .exited(0))
        try await first.wait(for: "Closed for the night.")
        #expect(try await second.screen.contains("● LIVE"))
        let socket = home.path("state/bellerophon/run/\(second.processIdentifier).sock")
        #expect(
            try await bellerophon("barricade", "select", "--socket", socket, "status", "old", home: home).status == .exited(0))
        try await second.wait(for: "UPDATE REQUIRED", "s scenario")
        #expect(try await first.quits())
        #expect(try await bellerophon("barricade", "status", home: home).status == .exited(0))
        #expect(try await second.quits())
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func aDemoThatWasEndedLeavesNothingInTheWay(signal: Int32) async throws {
        let terminal = try await demo(home: home)
        try await terminal.wait(for: "● LIVE")
        try terminal.signal(signal)
        _ = try await terminal.waitForExit()
        let none = try await bellerophon("barricade", "status", home: home)
        #expect(none.status == .exited(1))
        #expect(none.standardError == "bellerophon: no simulated server runs; start `bellerophon demo` first\n")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path("state/bellerophon/run"))
        #expect(left == [])
    }

    // MARK: Files

    @Test("Errors in a scenario file are reported before the screen opens")
    func fileErrorsPrecedeScreen() async throws {
        let file = try home.write(
            """
            {"requests": {"status": {"responses": {"fine": {"status": 99}}}},
             "timelines": {"t": {"request": "status", "steps": [{"response": "gone"}]}}}
            """, to: "bad.json")
        let result = try await bellerophon(["demo", "--scenarios", file], home: home)
        #expect(result.status == .exited(64))
        let lines = result.standardError.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("bellerophon: \(file):1: requests.status.responses.fine.status: expected ") == true)
        #expect(lines.last?.hasPrefix("bellerophon: \(file):2: timelines.t.steps[0].response: ") == true)
    }

    @Test func filesAreTakenTogether() async throws {
        let story = try home.write(Self.story, to: "story.json")
        let more = try home.write(
            #"{"requests":{"status":{"match":{"path":"/status"},"responses":{"odd":{"summary":"a teapot","status":418}}}}}"#,
            to: "more.json")
        let result = try await bellerophon(["demo", "--scenarios", story, "--scenarios", more, "--list"], home: home)
        #expect(
            result.standardOutput == """
                Timelines
                  a night  closes and opens

                  fine     all is well
                  closed
                  old
                  odd      a teapot

                """)
    }

    @Test func aTimelineAndAScenarioAtOnceAreRefused() async throws {
        let result = try await bellerophon(["demo", "--play", "x", "--scenario", "live"])
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains("give --scenario or --play, not both"))
    }
}
