import Foundation
import TerminalUI
import TestSupport
import Testing

/// `--plain` and `watch`: every change is a line.
@Suite("Sessions: plain output", .timeLimit(.minutes(10)))
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
        let program = try RunningProgram(
            try Products.path("bellerophon"), ["run", "--status-url", server.url().absoluteString], home: home)
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

    @Test func aTerminalThatCannotPlaceTextGetsLines() async throws {
        let server = try HostileServer(Status.paused)
        let terminal = try await TerminalUnderTest.running(against: server, environment: ["TERM": "dumb"])
        try await terminal.wait(for: "state: paused", "type q and Enter to quit")
        try await terminal.type("q\r")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test func watchPrintsAnObjectForEveryChange() throws {
        let server = try HostileServer(Status.live)
        let home = try TestFolder()
        let program = try RunningProgram(
            try Products.path("bellerophon"), ["watch", "--json", "--status-url", server.url().absoluteString], home: home)
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
        let program = try RunningProgram(
            try Products.path("bellerophon"), ["demo", "--plain", "--scenario", "paused"], home: home)
        try program.wait(for: "pause") { $0.contains("; simulated\n") && $0.contains("state: paused\n") ? () : nil }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == .signalled(SIGTERM))
    }
}
