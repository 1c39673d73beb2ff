import Foundation
import TestSupport
import Testing

/// The version of a guarded program, which a command prints.
@Suite("Sessions: the version of a guarded program")
struct GuardVersionTests {
    /// Runs `echo hello` under a guard that takes the version from a command and refuses a version below 3.0. On a busy machine the
    /// command may take longer than the guard waits, so it is tried again then.
    private func start(_ status: StatusSwitch, versionCommand: String, home: TestFolder) async throws -> CommandResult {
        try await eventually("reply of the version command") {
            let result = try await bellerophon(
                [
                    "guard", "--status-url", status.url, "--start-timeout", "60", "--start", "exit", "--version-command",
                    versionCommand, "--", "/bin/echo", "hello",
                ], home: home)
            return result.standardError.contains("did not end within") ? nil : result
        }
    }

    @Test("A program of the required version starts, and no older one", arguments: [("3.2.1", true), ("2.9", false)])
    func requiredVersion(version: String, starts: Bool) async throws {
        let status = try StatusSwitch(StatusSwitch.requiring("3.0"))
        let result = try await start(status, versionCommand: "/bin/echo tool \(version)", home: TestFolder())
        #expect(result.status == .exited(starts ? 0 : 75), "\(result.standardError)")
        #expect(result.standardOutput == (starts ? "hello\n" : ""))
    }

    @Test(
        "The version of a program from a package is found before the status is judged, in a pipe too",
        .enabled(if: access("/usr/bin/dpkg-query", X_OK) == 0, "dpkg is not installed"), arguments: [("999.0", 75), ("0.1", 0)])
    func versionOfAPackage(required: String, code: Int32) async throws {
        let status = try StatusSwitch(StatusSwitch.requiring(required))
        let result = try await bellerophon([
            "guard", "--status-url", status.url, "--start-timeout", "60", "--version-timeout", "180", "--", "/bin/echo", "hello",
        ])
        #expect(result.status == .exited(code), "\(result.standardError)")
        #expect(result.standardOutput == (code == 0 ? "hello\n" : ""))
    }

    @Test func aVersionThatIsNotKnownIsSaidAndTheProgramRuns() async throws {
        let status = try StatusSwitch()
        let result = try await bellerophon([
            "guard", "--status-url", status.url, "--start-timeout", "180", "--version-command", "/nowhere/tool --version", "--",
            "/bin/echo", "hello",
        ])
        #expect(result.status == .exited(0))
        #expect(result.standardOutput == "hello\n")
        #expect(
            result.standardError
                == "bellerophon: the version of echo is not known: /nowhere/tool --version can't be started: No such file or directory\n"
        )
    }

    @Test("A version command that leads to a guard does not ask again")
    func versionCommandOfAWrapper() async throws {
        let status = try StatusSwitch(StatusSwitch.requiring("3.0")), home = try TestFolder()
        let tool = try home.write("#!/bin/sh\necho tool 3.2.1\n", to: "tool")
        let wrapper = try home.write(
            """
            #!/bin/sh
            echo asked below $BELLEROPHON_GUARD_ASKS >>"$HOME/asked"
            exec '\(try Products.path("bellerophon"))' guard --status-url \(status.url) --version-command "/bin/sh $0 -v" -- /bin/sh '\(tool)' "$@"
            """, to: "wrapper")
        // The shell reads the scripts: a file that was just written can be busy while another test starts a process.
        let result = try await start(status, versionCommand: "/bin/sh \(wrapper) -v", home: home)
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(result.standardOutput == "hello\n")
        let asked = try #require(home.text("asked")).split(separator: "\n")
        #expect(Set(asked).count == asked.count, "each guard asks once")
    }

    @Test("A signal ends the guard and the version command")
    func signalEndsTheVersionCommand() async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let command = try home.write(
            "#!/bin/sh\necho $$ >\"$HOME/own.new\"; mv \"$HOME/own.new\" \"$HOME/own\"; sleep 1000\n", to: "command")
        let guardian = try RunningProgram(
            "bellerophon",
            ["guard", "--status-url", status.url, "--version-command", "/bin/sh \(command)", "--", "/bin/sleep", "1000"],
            home: home)
        let own = try await eventually("start of the command") { home.text("own").flatMap { Int32($0) } }
        guardian.send(SIGTERM)
        #expect(try guardian.waitForEnd() == .signalled(SIGTERM))
        try await eventually("end of the command") { kill(own, 0) == 0 && !Self.isZombie(own) ? nil : () }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) }
        return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    @Test func aVersionIsStatedOrAsked() async throws {
        let result = try await bellerophon([
            "guard", "--status-url", "http://127.0.0.1:1/", "--app-version", "1", "--version-command", "true", "--", "true",
        ])
        #expect(result.status == .exited(64))
        #expect(result.standardError == "bellerophon: give --app-version or --version-command, not both\n")
    }
}
