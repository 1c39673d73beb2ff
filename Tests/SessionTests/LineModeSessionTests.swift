import Foundation
import TestSupport
import Testing

/// Tools without a screen, as real processes in pipes.
@Suite("A kill switch for programs without a screen")
struct LineModeSessionTests {
    private let server: HostileServer
    private let home: TestFolder

    init() throws {
        server = try HostileServer(Status.paused)
        server.enqueue(Status.live)
        home = try TestFolder()
    }

    private static let stopped = "LineTool is paused (127.0.0.1): Back at 14:30 UTC. (it ends within 1 s)\n"

    /// Runs a script with the variables `tool`, `url`, `count` (the file that the tool saves) and `fifo` (a pipe that never
    /// ends, as descriptor 3).
    private func run(_ script: String, tool: String = "LineTool") async throws -> CommandResult {
        let prelude = #"mkfifo "$fifo" && exec 3<>"$fifo"; "#
        return try await runCommand(
            "/bin/sh", ["-c", prelude + script],
            environment: [
                "tool": try Products.path(tool), "url": server.address, "count": home.path("count"),
                "fifo": home.path("fifo"),
            ], home: home)
    }

    @Test("A tool that waits for its input is ended with 75 and one line, its output is written, and onKill has saved")
    func blockedTool() async throws {
        let result = try await run(#"echo one >&3; echo two >&3; exec "$tool" "$url" "$count" <&3"#)
        #expect(result.status == .exited(75))
        #expect(result.standardError == Self.stopped)
        #expect(result.standardOutput == "ONE\nTWO\n")
        #expect(home.text("count") == "2")
    }

    @Test(
        "Standard error that nobody reads, or that is closed, changes neither the save nor the exit status",
        arguments: [
            #"{ { "$tool" "$url" "$count" <&3 2>&1 >&4; echo "exit $?" >&4; } | true; } 4>&1"#,
            #""$tool" "$url" "$count" <&3 2>&-; echo "exit $?""#,
        ])
    func brokenStandardError(script: String) async throws {
        let result = try await run(#"echo one >&3; "# + script)
        #expect(result.standardOutput == "ONE\nexit 75\n")
        #expect(home.text("count") == "1")
    }

    @Test("Standard output that nobody reads does not hold a killed tool")
    func fullStandardOutput() async throws {
        let result = try await run(#"yes | "$tool" "$url" "$count" >&3; echo "exit $?""#)
        #expect(result.standardOutput == "exit 75\n")
        #expect(result.standardError == Self.stopped)
        #expect(home.text("count") != nil)
    }
}
