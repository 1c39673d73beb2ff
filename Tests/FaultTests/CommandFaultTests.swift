import Foundation
import TestSupport
import Testing

/// Faults that a shell, a script or a full disk causes for commands without a terminal.
@Suite("Faults of commands")
struct CommandFaultTests {
    static let hasFullDisk = FileManager.default.fileExists(atPath: "/dev/full")
    static let paused = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":9,"userMessage":"Back soon."}"#

    /// Runs a line of shell in which `"$0"` is the program under test.
    private func shell(_ line: String, _ arguments: String..., home: TestFolder? = nil) async throws -> CommandResult {
        try await runCommand("/bin/sh", ["-c", line, try Products.path("bellerophon")] + arguments, home: home)
    }

    /// A closed pipe ends the writer with SIGPIPE. If the output fits into the pipe before the reader leaves, the
    /// command exits with its own code.
    @Test(arguments: [
        ("render --status kill.json --size 1000x1000", [141]), ("check --status-url \"$1\"", [141, 10]),
        ("config list", [141, 0]),
    ])
    func aReaderThatLeavesEndsTheWriterQuietly(command: String, codes: [Int]) async throws {
        let server = try HostileServer(.after(.milliseconds(100), .json(Self.paused)))
        let home = try TestFolder()
        try home.write(Self.paused, to: "kill.json")
        let line = #"cd "$HOME"; { "$0" \#(command) ; echo "ended $?" >&2; } | true"#
        let result = try await shell(line, server.address, home: home)
        let said = result.standardError.split(separator: "\n")
        let code = try #require(said.last?.split(separator: " ").last.flatMap { Int($0) })
        #expect(codes.contains(code), "\(said)")
        #expect(said.count == 1, "nothing but the end is on standard error")
        #expect(!result.standardError.contains("crashed") && !result.standardError.contains("Fatal"))
    }

    @Test(.enabled(if: Self.hasFullDisk, "no /dev/full on this system"))
    func aFullDiskUnderTheOutputIsNoCrash() async throws {
        let home = try TestFolder()
        try home.write(Self.paused, to: "kill.json")
        let result = try await shell(#"cd "$HOME"; "$0" render --status kill.json >/dev/full; echo "ended $?""#, home: home)
        #expect(!result.standardError.contains("crashed") && !result.standardError.contains("Fatal"))
        #expect(result.standardOutput.hasPrefix("ended "))
    }

    @Test("Rendering from a missing standard input exits with an error")
    func missingInputIsAnError() async throws {
        for input in ["<&-", "</dev/null"] {
            let result = try await shell(#""$0" render --status - \#(input)"#)
            #expect(result.status == .exited(64), "\(input)")
            #expect(result.standardError.hasPrefix("bellerophon: "), "\(input): \(result.standardError)")
            #expect(result.standardOutput.isEmpty)
        }
    }

    @Test(
        "Without a terminal the program runs in plain mode until a signal ends it",
        arguments: ["<&-", "</dev/null", ">/dev/null", "<&- >&- 2>&-"])
    func noTerminalWorksInLines(redirection: String) async throws {
        let home = try TestFolder()
        let line = """
            "$0" run --status-url http://127.0.0.1:1/status --journal "$1" \(redirection) &
            until [ -s "$1" ]; do sleep 0.05; done
            kill $!; wait $!; exit $?
            """
        let result = try await shell(line, home.path("journal"), home: home)
        #expect(result.status == .exited(143), "\(result.standardError)")
        #expect(home.text("journal")?.contains(#""how":"SIGTERM""#) == true)
    }

    @Test(.enabled(if: Self.hasFullDisk, "no /dev/full on this system"))
    func aFullDiskUnderTheLinesEndsIt() async throws {
        let result = try await shell(#""$0" watch --status-url http://127.0.0.1:1/status >/dev/full"#)
        #expect(result.status == .exited(1))
        #expect(result.standardError == "bellerophon: standard output can't be written: No space left on device\n")
    }

    @Test func aCheckNeedsNoHomeAndNoStandardStreams() async throws {
        let server = try HostileServer(.json(Self.paused))
        let url = server.address
        let bare = try await shell(#"exec env -i "$0" check --status-url "$1""#, url)
        #expect(bare.status == .exited(10))
        #expect(bare.standardOutput.contains("Back soon."))
        let deaf = try await shell(#""$0" check --status-url "$1" <&- >&- 2>&-; exit $?"#, url)
        #expect(deaf.status == .exited(10))
    }
}
