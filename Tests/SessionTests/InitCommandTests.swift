import Foundation
import TestSupport
import Testing

/// `bellerophon init` with answers from a pipe or a file, and in a terminal.
@Suite("Sessions: init") struct InitCommandTests {
    private static let place = "config/bellerophon/config.json"

    private func answer(_ input: String, _ arguments: [String] = [], home: TestFolder) async throws -> CommandResult {
        try await bellerophon(["init"] + arguments, input: input, home: home)
    }

    @Test("Piped answers become a configuration that is valid, and the output names the next command")
    func answers() async throws {
        let home = try TestFolder()
        let result = try await answer("nowhere\nhttps://status.example.com/status\nnotes 1.4.0\nyes", home: home)
        #expect(result.status == .exited(0) && result.standardError == "")
        #expect(result.standardOutput.contains("begin it with https://"))
        #expect(result.standardOutput.hasSuffix("config/bellerophon/config.json; next, run: bellerophon check\n"))
        #expect(home.text(Self.place)?.contains(#""name": "notes", "version": "1.4.0""#) == true)
        let check = try await bellerophon(["config", "check", home.path(Self.place)], home: home)
        #expect(check.status == .exited(0))
    }

    @Test(
        "An end of the input before the last answer leaves nothing behind",
        arguments: ["", "\n", "https://a.example/s\n\n", "no\n"])
    func endOfInput(input: String) async throws {
        let home = try TestFolder()
        let result = try await answer(input, home: home)
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains("the input ended before the last answer; nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: home.path("config/bellerophon")))
    }

    @Test("A file that is there stays without a yes, and is replaced after one")
    func replacement() async throws {
        let home = try TestFolder()
        let path = try home.write("mine", to: "a b.json")
        let kept = try await answer("\n", ["--config", path], home: home)
        #expect(kept.status == .exited(1) && kept.standardOutput.hasSuffix("is as it was\n"))
        #expect(try await answer("yes\n\n", ["--config", path], home: home).status == .exited(1))
        #expect(home.text("a b.json") == "mine")
        let replaced = try await answer("yes\n\n\n\n", ["--config", path], home: home)
        #expect(replaced.status == .exited(0))
        #expect(replaced.standardOutput.contains("next, run: bellerophon check --config '"))
        #expect(home.text("a b.json")?.contains("127.0.0.1:8080") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path(".")).allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("In a terminal the answer is typed behind the question, without a control sequence")
    func terminal() async throws {
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["init"], environment: ["ACCESSIBLE": "1"], columns: 140, home: home)
        try await terminal.wait(for: "1 of 3. The address of the status (Enter alone: http://127.0.0.1:8080/status):")
        try await terminal.type("https://a.example/status\r")
        try await terminal.wait(for: "2 of 3.")
        try await terminal.type("\r")
        try await terminal.wait(for: "(Enter alone: yes)?")
        try await terminal.type("\r")
        try await terminal.wait(for: "next, run: bellerophon check")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(!terminal.output.contains("\u{1B}"))
        #expect(home.text(Self.place)?.contains(#""plain": true"#) == true)
    }
}
