import Foundation
import TerminalUI
import TestSupport
import Testing

/// `--plain` and `watch`: every change is a line.
@Suite("Sessions: plain output")
struct PlainSessionTests {
    @Test func aPersonHearsEveryChangeAndTypesWhatToDo() async throws {
        let server = try HostileServer(Status.live)
        let environment = ["BELLEROPHON_UPDATE_COMMAND": "echo 'updated'", "BELLEROPHON_APP_VERSION": "1.4.0"]
        let terminal = try await TerminalUnderTest.running(
            against: server, ["--plain"], environment: environment, columns: 120)
        try await terminal.wait(for: "watching 127.0.0.1", "this machine, not signed", "state: live")
        server.reply = Status.paused
        try await terminal.wait(for: "state: paused, live before", "message: Back at 14:30 UTC.", "type q and Enter to quit")
        server.reply = Status.update
        try await terminal.wait(
            for: "state: update required, paused before", "version 1.5.2 or later is required; 1.4.0 is installed",
            "get the update: https://example.com/get", "type u and Enter to run the update command: echo 'updated'")
        try await terminal.type("u\r")
        try await terminal.wait(for: "running: echo 'updated'", "\nupdated", "the update finished")
        try await terminal.type("jump\r")
        try await terminal.wait(for: "there is nothing to do for \"jump\"", "type ? and Enter to list what can be typed")
        server.reply = Status.live
        try await terminal.wait(for: "state: live, update required before")
        try await terminal.type("q\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        try await terminal.wait(for: "ended: quit")
        #expect(!terminal.output.contains("\u{1B}"), "no control sequence is sent")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test("In plain mode Ctrl-C ends the update command but not the program")
    func controlCEndsUpdateCommand() async throws {
        let server = try HostileServer(Status.update)
        let environment = ["BELLEROPHON_UPDATE_COMMAND": "echo begins; exec sleep 600"]
        let terminal = try await TerminalUnderTest.running(
            against: server, ["--plain"], environment: environment, columns: 120)
        try await terminal.wait(for: "type u and Enter")
        try await terminal.type("u\r")
        try await terminal.wait(for: "\nbegins")
        try await terminal.press(.control("c"))
        try await terminal.wait(for: "the update was interrupted")
        try await terminal.type("q\r")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test("Without a terminal every status change is printed as a line")
    func changesArePrintedAsLines() throws {
        let server = try HostileServer(Status.paused)
        let home = try TestFolder()
        let program = try RunningProgram("bellerophon", ["run", "--status-url", server.address], home: home)
        try program.wait(for: "pause") {
            $0.contains("state: paused\n") && $0.contains("message: Back at 14:30 UTC.\n") ? () : nil
        }
        server.reply = Status.live
        try program.wait(for: "end of the pause") { $0.contains("state: live, paused before for ") ? () : nil }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == .signalled(SIGTERM))
        #expect(program.log.hasSuffix(" ended: SIGTERM\n"))
        #expect(!program.log.contains("action:"), "nobody can type")
    }

    @Test func watchPrintsAnObjectForEveryChange() throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let program = try RunningProgram("bellerophon", ["watch", "--json", "--status-url", server.address], home: home)
        try program.wait(for: "start") { $0.contains(#""to":"active""#) ? () : nil }
        server.reply = Status.update
        try program.wait(for: "update") { $0.contains(#""to":"updateRequired""#) ? () : nil }
        program.send(SIGINT)
        #expect(try program.waitForEnd() == .signalled(SIGINT))
        let objects = try program.log.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["event"] as? String } == ["start", "transition", "transition", "end"])
        let update = try #require(objects.dropFirst(2).first)
        #expect(update["from"] as? String == "active")
        #expect(update["link"] as? String == "https://example.com/get")
        #expect(update["requiredVersion"] as? String == "1.5.2")
    }

    @Test func theDemoWorksInLinesToo() throws {
        let home = try TestFolder()
        let program = try RunningProgram("bellerophon", ["demo", "--plain", "--scenario", "paused"], home: home)
        try program.wait(for: "pause") { $0.contains("; simulated\n") && $0.contains("state: paused\n") ? () : nil }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == .signalled(SIGTERM))
    }

    // MARK: The demo

    /// The steps are so long that only what is typed advances it.
    private static let story = #"""
        {
          "requests": { "status": { "match": { "path": "/status" }, "responses": {
            "live": { "summary": "the app may run", "json": { "apiInactive": false, "forceUpdate": false, "retryInterval": 300 } },
            "paused": { "summary": "a short message", "json": { "apiInactive": true, "forceUpdate": false, "retryInterval": 300 } },
            "old": { "json": { "apiInactive": false, "forceUpdate": true, "retryInterval": 300 } }
          } } },
          "timelines": { "a night": { "request": "status", "summary": "closes and opens", "steps": [
            { "response": "live", "for": 86400, "note": "A program runs." },
            { "response": "paused", "for": 86400, "note": "It is closed." }, { "response": "live" }
          ] } }
        }
        """#

    @Test("In the demo a person picks, plays, kills and restores by lines, and hears each change once")
    func demoInATerminal() async throws {
        let home = try TestFolder()
        let file = try home.write(Self.story, to: "story.json")
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["demo", "--scenarios", file], environment: ["ACCESSIBLE": "1"], columns: 150, rows: 60,
            home: home)
        try await terminal.wait(for: "Type a word and Enter: list, kill, update, restore, status, help or q.", "state: live")
        try await terminal.type("list\r")
        try await terminal.wait(for: "1 a night: closes and opens", "2 live: the app may run (now)")
        try await terminal.type("3\r")
        try await terminal.wait(for: "the server replies: paused, a short message", "state: paused, live before")
        try await terminal.type("status\r")
        try await terminal.wait(for: "Service paused: QA build 1.4.0")
        try await terminal.type("kill\r")
        try await terminal.wait(for: "still paused")
        try await terminal.type("update\r")
        try await terminal.wait(for: "state: update required, paused before", "type u and Enter to run the update command")
        try await terminal.type("play a night\r")
        try await terminal.wait(for: "playing a night", "step 1 of 3: A program runs.", "state: live, update required before")
        try await terminal.type("next\r")
        try await terminal.wait(until: "the second step and its pause show") {
            $0.contains("step 2 of 3: It is closed.") && $0.components(separatedBy: "state: paused, live before").count == 3
        }
        try await terminal.type("jump\r")
        try await terminal.wait(for: "there is no \"jump\"; type list, a number from it, kill, update, restore")
        try await terminal.type("restore\r")
        try await terminal.wait(for: "a night waits at step 2 of 3; play goes on with it", "state: live, paused before")
        try await terminal.type("q\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(!terminal.output.contains("\u{1B}"), "no control sequence is sent")
        #expect(terminal.output.components(separatedBy: "Type a word and Enter").count == 2, "the prompt is printed once")
    }

    /// The texts of lines in their order.
    private func expect(_ output: String, has texts: [String]) {
        var rest = output[...]
        for text in texts {
            let found = rest.range(of: text)
            #expect(found != nil, "\(text) is missing, or in another order:\n\(output)")
            rest = found.map { rest[$0.upperBound...] } ?? rest
        }
    }

    @Test("Lines of a pipe wait for what the line before has caused, and a q or the end of the pipe ends the demo")
    func demoInAPipe() async throws {
        let program = try Products.path("bellerophon")
        let changes = [
            " state: live\n", "the server replies: paused", " state: paused, live before", "the server replies: update required",
            " state: update required, paused before", "the server replies: live", " state: live, update required before",
        ]
        let file = try await bellerophon(["demo", "--plain"], input: "kill\nupdate\nrestore\nq\n")
        #expect(file.status == .exited(0) && file.standardError == "")
        expect(file.standardOutput, has: changes + [" ended: quit\n"])
        for script in ["printf 'kill\\nupdate\\nrestore' | \"$0\" demo", "printf q | \"$0\" demo --plain"] {
            let pipe = try await runCommand("/bin/sh", ["-c", script, program])
            #expect(pipe.status == .exited(0))
            expect(
                pipe.standardOutput,
                has: script.contains("kill") ? changes + [" ended: quit\n"] : [" state: live\n", " ended: quit\n"])
        }
    }

    @Test(
        "ACCESSIBLE, or a terminal that can't place text, selects lines in every command with a screen",
        arguments: [[], ["run"]], [["ACCESSIBLE": "1"], ["TERM": "dumb"]])
    func accessible(command: [String], environment: [String: String]) async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: command + [server.address], environment: environment, columns: 120)
        try await terminal.wait(for: "state: paused", "type q and Enter to quit")
        try await terminal.type("r\r")
        try await terminal.wait(for: "still paused")
        try await terminal.type("q\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(!terminal.output.contains("\u{1B}"))
    }
}
