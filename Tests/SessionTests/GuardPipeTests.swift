import Foundation
import TestSupport
import Testing

/// A guard without a terminal, in pipelines and with redirected files.
@Suite("Sessions: the guard in a pipeline")
struct GuardPipeTests {
    private let status: StatusSwitch
    private let home: TestFolder

    init() throws {
        (status, home) = (try StatusSwitch(), try TestFolder())
    }

    /// Runs a shell script in which `guard` is the guard's command line.
    private func shell(_ script: String, options: String = "") async throws -> CommandResult {
        let function = "guard() { \(try guardCommand(by: status, options)) \"$@\"; }; cd \"$HOME\"; "
        return try await runCommand("/bin/sh", ["-c", function + script], home: home)
    }

    @Test func aPipelineIsUnchanged() async throws {
        let result = try await shell("printf 'x\\ty' | guard cat | od -An -c")
        #expect(result.standardOutput.split(whereSeparator: \.isWhitespace) == ["x", #"\t"#, "y"])
        #expect(result.standardError.isEmpty && result.status == .exited(0))
    }

    @Test func filesAreReadAndWrittenByteByByte() async throws {
        let script = "head -c 300000 /dev/urandom >in; guard cat <in >out; cmp in out && wc -c <out"
        let result = try await shell(script)
        #expect(result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines) == "300000")
        #expect(result.standardError.isEmpty)
    }

    @Test func standardErrorStaysSeparate() async throws {
        let result = try await shell(
            "guard /bin/sh -c 'echo out; echo problem >&2; exit 4' 2>errors")
        #expect(result.status == .exited(4))
        #expect(result.standardOutput == "out\n" && result.standardError.isEmpty)
        #expect(home.text("errors") == "problem")
    }

    @Test("Redirected standard error stays unchanged while the output is a terminal")
    func redirectedErrorsAreUnchanged() async throws {
        let script =
            "\(try guardCommand(by: status)) /bin/sh -c 'echo shown; printf \"a\\nb\\n\" >&2; test -t 1' 2>\"$HOME/errors\""
        let terminal = try await TerminalUnderTest("/bin/sh", arguments: ["-c", script], home: home)
        #expect(try await terminal.waitForExit() == .exited(0), "the output is a terminal")
        try await terminal.wait(for: "shown")
        #expect(FileManager.default.contents(atPath: home.path("errors")) == Data("a\nb\n".utf8))
    }

    @Test(
        arguments: [
            ("guard /bin/sh -c 'exit 9'", 9), ("guard /no/such/program", 127), ("guard /etc/passwd", 126),
            ("guard /bin/sh -c 'ulimit -c 0; kill -SEGV $$'; exit $?", 139), ("guard /bin/sh -c 'kill -TERM $$'; exit $?", 143),
        ] as [(String, Int32)])
    func statusesAreThoseOfTheProgram(script: String, code: Int32) async throws {
        #expect(try await shell("(\(script))").status == .exited(code))
    }

    @Test("Without a terminal a kill is printed to standard error and the program continues")
    func killIsPrintedToStandardError() async throws {
        let script = "echo >started; while [ ! -f go ]; do sleep 0.05; done; echo done; exit 2"
        async let running = shell("guard /bin/sh -c '\(script)' 2>errors")
        try await eventually("start") { home.text("started") }
        status.kill()
        let line = try await eventually("line") { home.text("errors").flatMap { $0.isEmpty ? nil : $0 } }
        #expect(line.hasPrefix("bellerophon: sh is paused (127.0.0.1): \(StatusSwitch.message)"))
        #expect(line.split(separator: "\n").count == 1)
        try home.write("", to: "go")
        let result = try await running
        #expect(result.standardOutput == "done\n" && result.status == .exited(2))
    }

    @Test("A kill that terminates a program in a pipeline exits with status 75")
    func terminationSetsExitStatus() async throws {
        async let running = shell(
            "{ guard /bin/sh -c 'echo >started; exec sleep 600'; echo \"status $?\"; } | cat", options: "--on-kill terminate")
        try await eventually("start") { home.text("started") }
        status.kill()
        let result = try await running
        #expect(result.standardOutput == "status 75\n")
        #expect(result.standardError.contains("bellerophon: sh is paused (127.0.0.1): \(StatusSwitch.message)"))
        #expect(result.standardError.contains("bellerophon: sh was ended (127.0.0.1): \(StatusSwitch.message)"))
    }

    @Test(arguments: ["", "--start exit", "--start wait --start-wait 0"])
    func aStatusThatBlocksRefusesAScript(options: String) async throws {
        status.kill()
        let result = try await shell("guard /bin/sh -c 'echo >started'", options: options)
        #expect(result.status == .exited(75))
        #expect(result.standardError.contains("bellerophon: sh is paused (127.0.0.1)"))
        #expect(home.text("started") == nil)
    }

    @Test func aStartThatWaitsSaysSoAndGoesOn() async throws {
        status.kill()
        async let running = shell(
            "guard /bin/sh -c 'echo started' 2>errors", options: "--start wait --start-wait 40m")
        try await eventually("line") {
            home.text("errors")?.contains("waiting until the status clears, at most 40 min") == true ? () : nil
        }
        status.restore()
        let result = try await running
        #expect(result.status == .exited(0) && result.standardOutput == "started\n")
    }

    @Test("A kept kill that was lifted meanwhile does not refuse the start")
    func keptKillThatWasLifted() async throws {
        status.kill()
        let script = "guard /bin/sh -c 'echo >started'"
        let refused = try await shell(script, options: "--start exit")
        #expect(refused.status == .exited(75))
        status.restore()
        let started = try await shell(script, options: "--start exit")
        #expect(started.status == .exited(0), "\(started.standardError)")
        #expect(home.text("started") == "")
    }

    @Test func aSignalToTheGuardEndsTheProgram() async throws {
        let guardProgram = try guardedWithoutTerminal(
            "trap 'echo >\"$HOME/ended\"; exit 8' TERM; echo >\"$HOME/started\"; while :; do sleep 0.05; done", by: status,
            home: home)
        try await eventually("start") { home.text("started") }
        guardProgram.send(SIGTERM)
        let end = try await onOwnThread { try guardProgram.waitForEnd() }
        #expect(end == .exited(8), "\(guardProgram.log)")
        #expect(home.text("ended") != nil)
    }
}
