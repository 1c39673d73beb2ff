import Foundation
import TestSupport
import Testing

/// Sessions that write a file: a journal or a recording.
@Suite("Sessions: journal and recording")
struct JournalSessionTests {
    /// The journal's records.
    private func records(_ text: String?) throws -> [[String: Any]] {
        try (text ?? "").split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test func theJournalTellsOfAPauseAndItsEnd() async throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest.running(against: server, ["--journal", home.path("j.jsonl")], home: home)
        try await terminal.wait(for: "● LIVE")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED")
        server.reply = Status.live
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())

        let journal = try records(home.text("j.jsonl"))
        #expect(journal.map { $0["event"] as? String } == ["start", "transition", "transition", "transition", "end"])
        #expect(journal.map { $0["to"] as? String } == [nil, "active", "killed", "active", nil])
        #expect(journal[2]["from"] as? String == "active")
        #expect(journal[2]["httpStatus"] as? Int == 200)
        let sees = try #require(journal[2]["sees"] as? [String: Any])
        #expect(sees["view"] as? String == "kill view")
        #expect(sees["message"] as? String == "Back at 14:30 UTC.")
        let saw = try #require(journal[3]["saw"] as? [String: Any])
        #expect(saw["view"] as? String == "kill view")
        #expect(try #require(saw["seconds"] as? Double) > 0)
        #expect(journal[4]["how"] as? String == "quit")
        #expect(journal[4]["stage"] as? String == "active")
        for record in journal[1...3] {
            let latency = try #require(record["paintMilliseconds"] as? Double)
            #expect(latency > 0)
        }
    }

    @Test func aSignalEndsTheJournalToo() async throws {
        let server = try HostileServer(Status.paused)
        let home = try TestFolder()
        let files = ["--journal", home.path("j.jsonl"), "--record", home.path("r.json")]
        let terminal = try await TerminalUnderTest.running(against: server, files, home: home)
        try await terminal.wait(for: "SERVICE PAUSED")
        try terminal.signal(SIGTERM)
        #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
        let last = try #require(try records(home.text("j.jsonl")).last)
        #expect(last["event"] as? String == "end")
        #expect(last["how"] as? String == "SIGTERM")
        #expect(last["stage"] as? String == "killed")
        #expect(try await bellerophon("verify", "--scenarios", home.path("r.json"), home: home).status == .exited(0))
    }

    @Test func theKeyESavesTheSessionsJournal() async throws {
        let home = try TestFolder()
        let script = #"cd "$HOME" && exec "$0" demo"#
        let terminal = try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", script, try Products.path("bellerophon")], home: home)
        try await terminal.wait(for: "● LIVE")
        try await terminal.press("e")
        let screen = try await terminal.wait(for: "journal saved: bellerophon-journal-", ".jsonl")
        let name = try #require(screen.firstMatch(of: /bellerophon-journal-\d{8}T\d{6}Z\.jsonl/)).output
        #expect(try await terminal.quits())
        let journal = try records(home.text(String(name)))
        #expect(journal.map { $0["event"] as? String } == ["start", "transition", "export"])
        #expect(journal[0]["simulated"] as? Bool == true)
    }

    @Test func aRecordedOutageIsVerified() async throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let path = home.path("outage.json")
        let terminal = try await TerminalUnderTest.running(against: server, ["--record", path], home: home)
        try await terminal.wait(for: "● LIVE")
        server.reply = Status.paused
        try await terminal.wait(for: "SERVICE PAUSED")
        server.reply = .failure(500)
        try await terminal.wait(for: "still paused", "q quit")
        server.reply = Status.update
        try await terminal.press("r")
        try await terminal.wait(for: "UPDATE REQUIRED")
        #expect(try await terminal.quits())

        let text = try #require(home.text("outage.json"))
        #expect(text.contains(#""Back at 14:30 UTC.""#))
        #expect(text.contains(#""HTTP 500""#))
        let played = try await bellerophon("verify", "--scenarios", path, "--play", "recorded", "--json", home: home)
        #expect(played.status == .exited(0), "\(played.standardOutput)\n\(text)")
        let again = try await bellerophon("run", "--record", path, "--status-url", server.address, home: home)
        #expect(again.status == .exited(64))
        #expect(again.standardError == "bellerophon: \(path): exists and is not empty; a recording never overwrites a file\n")
        #expect(home.text("outage.json") == text)
    }
}

/// `bellerophon verify`, as CI runs it.
@Suite("Verify")
struct VerifyCommandTests {
    private let home: TestFolder

    init() throws {
        home = try TestFolder()
    }

    private func file(expecting expect: String) throws -> String {
        try home.write(
            """
            {
              "requests": { "status": { "responses": {
                "live": { "json": { "apiInactive": false, "forceUpdate": false, "retryInterval": 10 } },
                "paused": { "json": { "apiInactive": true, "forceUpdate": false, "retryInterval": 10 } }
              } } },
              "timelines": { "outage": {
                "steps": [{ "response": "live", "for": 3600 }, { "response": "paused", "for": 3600 }, { "response": "live" }],
                "expect": [\(expect)]
              } }
            }
            """, to: "outage.json")
    }

    private func verify(_ arguments: String...) async throws -> CommandResult {
        try await bellerophon(["verify", "--scenarios"] + arguments, home: home)
    }

    private static let start = #"{ "from": "unknown", "to": "active" }, { "from": "active", "to": "killed" }"#

    @Test func aStoryThatLeadsToWhatItShouldExitsWith0() async throws {
        let path = try file(expecting: Self.start + #", { "from": "killed", "to": "active" }"#)
        for arguments in [[path], [path, "--play", "outage"]] {
            let result = try await bellerophon(["verify", "--scenarios"] + arguments, home: home)
            #expect(result.status == .exited(0))
            #expect(result.standardOutput == "outage: as expected (3 changes in 2 h 0 m, 721 checks)\n")
            #expect(result.standardError == "")
        }
    }

    @Test func aDifferenceIsPrintedAndExitsWith1() async throws {
        let path = try file(expecting: Self.start + #", { "from": "killed", "to": "updateRequired" }"#)
        let result = try await verify(path)
        #expect(result.status == .exited(1))
        #expect(result.standardOutput.contains("\n  -           paused → update    expected, not found\n"))
        #expect(result.standardOutput.contains("\n  + 7200 s    paused → live      found, not expected\n"))
        let json = try await verify(path, "--json", "--play", "outage")
        #expect(json.status == .exited(1))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any])
        #expect(object["asExpected"] as? Bool == false)
        #expect((object["differences"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["missing", "unexpected"])
    }

    @Test("Verifying a broken file or a timeline without expectations exits with 64")
    func invalidFileExitsWith64() async throws {
        let silent = try await verify(try file(expecting: ""), "--play", "outage")
        #expect(silent.status == .exited(64))
        #expect(silent.standardError.contains(#"{"from":"active","to":"killed"}"#), "what to add is printed")
        let unknown = try await verify(home.path("outage.json"), "--play", "other")
        #expect(unknown.status == .exited(64))
        #expect(
            unknown.standardError
                == "bellerophon: \(home.path("outage.json")): no timeline is named \"other\"; there is \"outage\"\n")
        let broken = try await verify(try home.write("{\n \"requests\": [] }", to: "broken.json"))
        #expect(broken.status == .exited(64))
        #expect(broken.standardError.hasPrefix("bellerophon: \(home.path("broken.json")):2: requests: "))
        #expect(try await verify("/nowhere.json").status == .exited(64))
    }
}
