import Foundation
import TestSupport
import Testing

/// The version of a guarded program, which a command prints.
@Suite("Sessions: the version of a guarded program", .timeLimit(.minutes(10)))
struct GuardVersionTests {
    @Test("The view shows the version that the command prints")
    func viewShowsTheVersion() async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        try home.write("tool version 3.2.1 (built today)\n", to: "version")
        let terminal = try await TerminalUnderTest.guarding(
            ["/bin/cat"], by: status, options: ["--version-command", "/bin/cat \(home.path("version"))"], home: home)
        try await terminal.waitUntilCovered()
        try await terminal.wait(for: "cat", "3.2.1")
    }

    @Test func aVersionThatIsNotKnownIsSaidAndTheProgramRuns() async throws {
        let status = try StatusSwitch()
        let result = try await runCommand(
            try Products.path("bellerophon"),
            ["guard", "--status-url", status.url, "--version-command", "/nowhere/tool --version", "--", "/bin/echo", "hello"])
        #expect(result.status == .exited(0))
        #expect(result.standardOutput == "hello\n")
        #expect(
            result.standardError
                == "bellerophon: the version of echo is not known: /nowhere/tool --version can't be started: No such file or directory\n"
        )
    }

    @Test("A version command that leads to a guard does not ask again")
    func versionCommandOfAWrapper() async throws {
        let status = try StatusSwitch(StatusSwitch.paused), home = try TestFolder()
        let tool = try home.write("#!/bin/sh\necho tool 3.2.1\n", to: "tool")
        let wrapper = try home.write(
            """
            #!/bin/sh
            echo asked >>"$HOME/asked"
            exec '\(try Products.path("bellerophon"))' guard --status-url \(status.url) --version-command "$0 -v" -- '\(tool)' "$@"
            """, to: "wrapper")
        for path in [tool, wrapper] { chmod(path, 0o755) }
        let terminal = try await TerminalUnderTest.guarding(
            [tool], by: status, options: ["--version-command", "\(wrapper) -v"], home: home)
        try await terminal.waitUntilCovered()
        try await terminal.wait(for: "tool", "3.2.1")
        #expect(home.text("asked") == "asked", "it is asked once")
    }

    @Test("A signal ends the guard and the version command")
    func signalEndsTheVersionCommand() async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let command = try home.write(
            "#!/bin/sh\necho $$ >\"$HOME/own.new\"; mv \"$HOME/own.new\" \"$HOME/own\"; sleep 1000\n", to: "command")
        chmod(command, 0o755)
        let guardian = try RunningProgram(
            try Products.path("bellerophon"),
            ["guard", "--status-url", status.url, "--version-command", command, "--", "/bin/sleep", "1000"], home: home)
        let own = try await eventually("start of the command") { home.text("own").flatMap { Int32($0) } }
        guardian.send(SIGTERM)
        #expect(try guardian.waitForEnd() == .signaled(SIGTERM))
        try await eventually("end of the command") { kill(own, 0) == 0 && !Self.isZombie(own) ? nil : () }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) }
        return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    @Test func aVersionIsStatedOrAsked() async throws {
        let result = try await runCommand(
            try Products.path("bellerophon"),
            ["guard", "--status-url", "http://127.0.0.1:1/", "--app-version", "1", "--version-command", "true", "--", "true"])
        #expect(result.status == .exited(64))
        #expect(result.standardError == "bellerophon: give --app-version or --version-command, not both\n")
    }
}
