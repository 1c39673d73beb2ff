import Foundation
import TerminalUI
import TestSupport
import Testing

/// Programs that start themselves under a guard, in a terminal.
@Suite("Sessions: programs with a guard of their own")
struct ProgramGuardSessionTests {
    private let status: StatusSwitch
    private let home: TestFolder

    init() throws {
        (status, home) = (try StatusSwitch(), try TestFolder())
    }

    /// A shell script that runs as the second process of a program.
    private func probe(_ script: String, environment: [String: String?] = [:]) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "GuardProbe", arguments: ["sh", status.url, script], environment: environment, columns: 100, home: home)
    }

    // MARK: The screen. HostKindTests covers the examples.

    @Test("Ctrl-Z on the view of a program with an async main shows the shell, and fg the view")
    func stopOnViewShowsShell() async throws {
        let terminal = try await TerminalUnderTest("PlainEscapes", arguments: [status.url])
        try await terminal.wait(for: "PLAIN ESCAPES")
        try await terminal.cover(by: status)
        try await terminal.suspend()
        try await terminal.waitUntilGivenBack()
        try await terminal.resume()
        try await terminal.waitUntilCovered()
        try await terminal.uncover(by: status)
        try await terminal.press("a")
        try await terminal.wait(for: "PLAIN ESCAPES", "key 1: a")
        try terminal.signal(SIGTERM)
        #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    }

    @Test("A new size reaches an ncurses program with a loop around poll, also under the view")
    func sizeReachesLoop() async throws {
        let terminal = try await TerminalUnderTest("SelectLoop", arguments: [status.url])
        try await terminal.wait(for: "up for", "key 0: none")
        try await terminal.resize(columns: 90, rows: 30)
        try await terminal.wait(for: "key 1: number")
        try await terminal.cover(by: status)
        try await terminal.resize(columns: 70, rows: 20)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "key 2: number")
    }

    @Test("A terminal that can't be covered gets a line, and the program runs")
    func dumbTerminalGetsLine() async throws {
        let terminal = try await probe("echo in the program", environment: ["TERM": "dumb"])
        #expect(try await terminal.waitForExit() == .exited(0))
        try await terminal.wait(
            for: "bellerophon: a terminal of type \"dumb\" can't be covered; a kill prints a line", "in the program")
    }

    // MARK: The end

    @Test("A signal that ends the second process ends the first one", arguments: [SIGSEGV, SIGTERM, SIGKILL])
    func deathBySignalIsPassedOn(signal: Int32) async throws {
        let terminal = try await probe("ulimit -c 0; stty raw; printf 'to the end'; kill -\(signal) $$")
        #expect(try await terminal.waitForExit() == .signalled(signal))
        try await terminal.wait(for: "to the end")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test("A signal to the first process goes to the second one")
    func signalGoesToSecondProcess() async throws {
        let terminal = try await probe("trap 'echo asked to end; exit 8' TERM; echo ready; read line")
        try await terminal.wait(for: "ready")
        try terminal.signal(SIGTERM)
        #expect(try await terminal.waitForExit() == .exited(8))
        try await terminal.wait(for: "asked to end")
    }

    @Test("Ctrl-Z returns the terminal to the shell, and fg continues the program")
    func stopReturnsTerminalToShell() async throws {
        let terminal = try await probe("exec sed -u s/^/got:/")
        try await terminal.type("one\r")
        try await terminal.wait(for: "got:one")
        try await terminal.suspend()
        try await terminal.waitUntilGivenBack()
        try await terminal.resume()
        try await terminal.type("two\r")
        try await terminal.wait(for: "got:two")
        try await terminal.press(.control("d"))
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    // MARK: Statuses

    @Test("guard ps lists the program, and guard stop covers it")
    func registryKnowsProgram() async throws {
        let terminal = try await probe("echo ready; exec cat")
        try await terminal.wait(for: "ready")
        #expect(try await bellerophon("guard", "ps", home: home).standardOutput.contains("GuardProbe"))
        #expect(try await bellerophon("guard", "stop", "GuardProbe", home: home).status == .exited(0))
        try await terminal.wait(for: "STOPPED ON THIS MACHINE")
        #expect(try await bellerophon("guard", "continue", "GuardProbe", home: home).status == .exited(0))
        try await terminal.wait(for: "ready", without: "STOPPED ON THIS MACHINE")
    }
}

/// Programs that start themselves under a guard, without a terminal.
@Suite("Sessions: the second process of a program")
struct SecondProcessSessionTests {
    private let status: StatusSwitch
    private let home: TestFolder

    init() throws {
        (status, home) = (try StatusSwitch(), try TestFolder())
    }

    private func probe(_ script: String, mode: String = "sh", input: String = "") async throws -> CommandResult {
        try await runCommand("GuardProbe", [mode, status.url, script], input: input, home: home)
    }

    @Test("A pipeline is unchanged")
    func pipelineIsUnchanged() async throws {
        let result = try await probe("cat; echo problem >&2; exit 4", input: "x\ty")
        #expect(result.standardOutput == "x\ty" && result.standardError == "problem\n")
        #expect(result.status == .exited(4))
    }

    @Test("A status that blocks refuses the start")
    func blockedStartIsRefused() async throws {
        status.kill()
        let result = try await probe("echo started", mode: "exit")
        #expect(result.status == .exited(75) && result.standardOutput.isEmpty)
        #expect(result.standardError == "bellerophon: GuardProbe is paused (127.0.0.1): \(StatusSwitch.message)\n")
    }

    @Test("The mark is gone from the environment, and the guard's own variable is there")
    func markIsGone() async throws {
        let result = try await probe("env")
        let names = result.standardOutput.split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(!names.contains("BELLEROPHON_SECOND") && names.contains("BELLEROPHON_GUARD"))
    }

    @Test("A program below it with the same status has no guard of its own, with another status it has one")
    func nestedProgramWithSameStatusIsNotGuardedAgain() async throws {
        let other = try StatusSwitch()
        let show = "echo \"$BELLEROPHON_GUARD\""
        let script = "\(show); \"$0\" sh \(status.url) '\(show)'; \"$0\" sh \(other.url) '\(show)'"
        let lines = try await probe(script).standardOutput.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == lines[1] && lines[0] != lines[2])
        #expect(lines.allSatisfy { $0.contains(":") })
    }

    @Test("A guard above it with the same status is found without the variables of the environment")
    func outerGuardIsFoundWithoutEnvironment() async throws {
        let script = "env -i HOME=\"$HOME\" XDG_STATE_HOME=\"$XDG_STATE_HOME\" \"$0\" sh \(status.url) 'echo $PPID'; echo $$"
        let lines = try await probe(script).standardOutput.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == lines.last, "the parent of the inner script is the outer one")
    }

    @Test("Under bellerophon guard with the same status the program has no guard of its own")
    func commandGuardsProgram() async throws {
        let probe = try Products.path("GuardProbe")
        let script = "echo $PPID; exec '\(probe)' sh \(status.url) 'echo $PPID'"
        let result = try await runCommand("/bin/sh", ["-c", "\(try guardCommand(by: status)) /bin/sh -c \"$1\"", "sh", script])
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == lines.last, "both have the monitor of the command as their parent")
    }

    @Test("A program with an async main runs in a pipeline")
    func asyncMainRunsInPipeline() async throws {
        let result = try await runCommand("PlainEscapes", [status.url], input: "abq")
        #expect(result.standardOutput.contains("key 2: b") && result.status == .exited(0))
        #expect(result.standardError.isEmpty)
    }

    @Test("A program that starts further processes before the call is not started without end")
    func earlyChildrenEnd() async throws {
        let result = try await probe("echo once; exit 4", mode: "spawned")
        #expect(result.standardOutput == "once\n" && result.status == .exited(4))
    }

    @Test("A mark of another process is ignored and removed")
    func strayMarkIsIgnored() async throws {
        let result = try await runCommand(
            "GuardProbe", ["sh", status.url, "echo \"${BELLEROPHON_SECOND-none} $BELLEROPHON_GUARD\""],
            environment: ["BELLEROPHON_SECOND": "1:1"], home: home)
        #expect(result.standardOutput.hasPrefix("none ") && result.standardOutput.contains(":"))
    }

    @Test(
        "What can't be guarded is refused with a reason",
        arguments: [("threads", "2 threads run in this process"), ("task", "was called in a task without await")])
    func refusalHasReason(mode: String, reason: String) async throws {
        let result = try await probe("echo started", mode: mode)
        #expect(result.status == .exited(70) && result.standardOutput.isEmpty)
        #expect(result.standardError.contains(reason) && result.standardError.split(separator: "\n").count == 1)
    }

    @Test("An executable that was deleted meanwhile is started again", .enabled(if: Products.find("python3") != nil))
    func deletedExecutableIsStartedAgain() async throws {
        let starter = """
            import os, shutil, sys
            shutil.copy(sys.argv[1], "probe")
            program = os.open("probe", os.O_RDONLY)
            os.unlink("probe")
            os.execve(program, ["./probe"] + sys.argv[2:], os.environ)
            """
        try home.write(starter, to: "starter.py")
        let command = "cd \"$HOME\"; exec python3 starter.py \"$@\""
        let result = try await runCommand(
            "/bin/sh", ["-c", command, "sh", Products.path("GuardProbe"), "sh", status.url, "echo \"$0\"; exit 3"], home: home)
        #expect(result.standardOutput == "./probe\n" && result.status == .exited(3))
    }

    private static let loader = "/lib64/ld-linux-x86-64.so.2"

    @Test(
        "A program that was given to the dynamic loader is started again by the loader",
        .enabled(if: FileManager.default.isExecutableFile(atPath: loader)))
    func loaderStartsProgramAgain() async throws {
        let arguments = [try Products.path("GuardProbe"), "sh", status.url, "echo in the program; exit 3"]
        let result = try await runCommand(Self.loader, arguments)
        #expect(result.standardOutput == "in the program\n" && result.status == .exited(3))
    }

    @Test("Arguments that are not UTF-8 reach the second process unchanged")
    func argumentsAreUnchanged() async throws {
        let probe = try Products.path("GuardProbe")
        let script = "'\(probe)' sh \(status.url) 'printf %s \"$1\"' \"$(printf 'a\\377b')\" | od -An -c"
        let result = try await runCommand("/bin/sh", ["-c", script])
        #expect(result.standardOutput.split(separator: " ").joined(separator: " ") == "a 377 b\n")
    }
}
