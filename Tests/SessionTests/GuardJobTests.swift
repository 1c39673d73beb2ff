import Foundation
import TerminalUI
import TestSupport
import Testing

/// A guard as a job of an interactive shell.
@Suite("Sessions: job control of a guarded program")
struct GuardJobTests {
    private let status: StatusSwitch
    private let home: TestFolder

    init() throws {
        (status, home) = (try StatusSwitch(), try TestFolder())
    }

    /// An interactive shell in which `guarded` is the guard's command line.
    private func shell(options: String = "") async throws -> TerminalUnderTest {
        let command = try guardCommand(by: status, options)
        let setup = try home.write("PS1='shell> '; cd \"$HOME\"; guarded() { \(command) \"$@\"; }\n", to: "setup")
        let terminal = try await TerminalUnderTest(
            "/bin/bash", arguments: ["--noprofile", "--rcfile", setup, "-i"], columns: 100, home: home)
        try await terminal.wait(for: "shell>")
        return terminal
    }

    /// Expects that the program ends well and the shell is back.
    private func expectEnd(_ terminal: TerminalUnderTest) async throws {
        try await terminal.wait(until: "the shell is back") { $0.hasSuffix("shell>") }
        try await terminal.type("echo status $?\r")
        try await terminal.wait(for: "\nstatus 0")
    }

    /// A shell in which a guarded program shows each line that it gets.
    private func shellShowingLines(_ options: String = "") async throws -> TerminalUnderTest {
        let terminal = try await shell(options: options)
        try await terminal.type("guarded \(Self.showsLines)\rone\r")
        try await terminal.wait(for: "got:one")
        return terminal
    }

    private static let shellCommand = "/bin/sh -c"
    /// Shows each line that it gets with a mark, so that the echo of the terminal is not taken for it.
    private static let showsLines = "sed -u s/^/got:/"

    @Test("Ctrl-Z returns the terminal to the shell, and fg continues the program")
    func stopReturnsTerminalToShell() async throws {
        let terminal = try await shellShowingLines()
        try await terminal.press(.control("z"))
        try await terminal.wait(for: "Stopped")
        try await terminal.type("echo 'in the' shell\r")
        try await terminal.wait(for: "in the shell")
        #expect(try await !terminal.screen.contains("got:echo"))
        try await terminal.type("fg\r")
        try await terminal.type("two\r")
        try await terminal.wait(for: "got:two")
        try await terminal.press(.control("d"))
        try await expectEnd(terminal)
    }

    @Test func aJobContinuesInTheBackground() async throws {
        let terminal = try await shell()
        // A shell that starts programs all the time can miss the stop: it may wait for a child that was stopped before exec.
        try await terminal.type("mkfifo go; guarded \(Self.shellCommand) 'echo ready; read line <go; echo >done; exit 4'\r")
        try await terminal.wait(for: "\nready")
        try await terminal.press(.control("z"))
        try await terminal.wait(for: "Stopped")
        try await terminal.type("bg\recho >go\r")
        try await eventually("work in the background") { home.text("done") }
        try await terminal.type("wait %1; echo status $?\r")
        try await terminal.wait(for: "\nstatus 4")
    }

    @Test("A job started in the background works in the foreground after fg")
    func backgroundJobMovesToFront() async throws {
        let terminal = try await shell()
        try await terminal.type(
            "guarded \(Self.shellCommand) 'echo >started; while [ ! -f go ]; do sleep 0.05; done; exec \(Self.showsLines)' &\r")
        try await eventually("start") { home.text("started") }
        try await terminal.type("echo 'in the' shell\r")
        try await terminal.wait(for: "in the shell")
        try await terminal.type("fg\r")
        try home.write("", to: "go")
        try await terminal.type("one\r")
        try await terminal.wait(for: "got:one")
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "got:one", "in the shell")
        try await terminal.press(.control("d"))
        try await expectEnd(terminal)
    }

    @Test func aStopOnTheCoverShowsTheShellAndFgTheCover() async throws {
        let terminal = try await shellShowingLines()
        try await terminal.cover(by: status)
        try await terminal.press(.control("z"))
        try await terminal.wait(for: "Stopped", without: "SERVICE PAUSED")
        try await terminal.type("echo 'in the' shell\r")
        try await terminal.wait(for: "\nin the shell")
        try await terminal.type("fg\r")
        try await terminal.waitUntilCovered()
        try await terminal.uncover(by: status)
        try await terminal.type("two\r")
        try await terminal.wait(for: "got:one", "in the shell", "got:two")
    }

    // MARK: A kill that stops the program

    @Test("The program is stopped under the cover with --on-kill pause and continues after it")
    func pausedProgramIsStopped() async throws {
        let script = "echo $$ >\"$HOME/process\"; exec \(Self.showsLines)"
        let terminal = try await TerminalUnderTest.guarding(
            script: script, by: status, options: ["--on-kill", "pause"], home: home)
        try await terminal.type("one\n")
        try await terminal.wait(for: "got:one")
        try await terminal.cover(by: status)
        let process = try #require(home.text("process"))
        try await eventually("stop") { try Self.standsStill(process) ? () : nil }
        try await terminal.uncover(by: status)
        try await terminal.type("two\n")
        try await terminal.wait(for: "got:two")
    }

    /// Whether a process is stopped by a signal or frozen by its control group.
    private static func standsStill(_ process: String) throws -> Bool {
        let facts = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        if facts.split(separator: ")").last?.hasPrefix(" T") == true { return true }
        let groups = try String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8)
        guard let path = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") })?.dropFirst(3) else { return false }
        let folder = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first { FileManager.default.fileExists(atPath: $0 + path) }
        let events = try String(contentsOfFile: (folder ?? "") + path + "/cgroup.events", encoding: .utf8)
        return events.contains("frozen 1")
    }

    @Test func manyShortPausesDoNotStopTheJob() async throws {
        let terminal = try await shellShowingLines("--on-kill pause")
        for _ in 0..<60 {
            status.kill()
            status.restore()
            // The pauses come one by one and not as one burst.
            _ = try await terminal.screen
        }
        try await terminal.typeOnceUncovered("two\r", for: "got:two")
        try await terminal.wait(for: "got:two", without: "Stopped", "SERVICE PAUSED")
    }

    // MARK: Signals

    @Test("A signal to the guard is forwarded, and the guard exits with the program's status", arguments: [SIGTERM, SIGHUP])
    func signalIsForwarded(signal: Int32) async throws {
        let script = """
            trap 'echo >"$HOME/ended"; exit 3' TERM HUP
            printf 'line one\\n\\033[?1049h\\033[?25l\\033[?1000h\\033[?1hready'; while :; do sleep 0.05; done
            """
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "ready")
        try terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .exited(3), "as without the guard")
        #expect(home.text("ended") != nil)
        #expect(try await terminal.state() == .givenBack)
        try await terminal.wait(for: "line one")
    }

    @Test func anInterruptOfTheGuardIsOneOfTheProgram() async throws {
        let script =
            "trap 'echo interrupted' INT; echo ready; until [ \"$line\" = end ]; do read line && echo \"got $line\"; done"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status)
        try await terminal.wait(for: "ready")
        try terminal.signal(SIGINT)
        try await terminal.wait(for: "interrupted")
        try await terminal.type("one\n")
        try await terminal.wait(for: "got one")
        try await terminal.type("end\n")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test("A program that ignores a signal keeps running under its guard")
    func ignoredSignalKeepsGuard() async throws {
        let script = "trap '' TERM; printf 'one\\ntwo\\n'; read line; echo \"got $line\"; exit 5"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status)
        try await terminal.wait(for: "two")
        try terminal.signal(SIGTERM)
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await terminal.typeOnceUncovered("line\n", for: "got line")
        #expect(try await terminal.waitForExit() == .exited(5))
    }

    @Test("Ctrl-C that ends the guarded program also ends the surrounding script")
    func interruptEndsLoop() async throws {
        let command = try guardCommand(by: status)
        try home.write(
            "for turn in 1 2 3; do \(command) sh -c 'echo turn '$turn'; sleep 600'; done; echo not reached\n", to: "loop")
        let terminal = try await shell()
        try await terminal.type("bash loop; echo after\r")
        try await terminal.wait(for: "turn 1")
        try await terminal.press(.control("c"))
        try await terminal.wait(until: "the shell is back") { $0.hasSuffix("shell>") }
        #expect(try await !terminal.screen.contains("turn 2"))
    }

    @Test("A background program that reads the terminal is stopped until fg")
    func backgroundReadStopsJob() async throws {
        let terminal = try await shell()
        try await terminal.type("guarded \(Self.showsLines) &\r")
        try await eventually("stop") {
            try await terminal.type("jobs -l\r")
            return try await terminal.screen.contains("tty input") ? () : nil
        }
        try await terminal.type("fg\r")
        try await terminal.type("one\r")
        try await terminal.wait(for: "got:one")
        try await terminal.press(.control("d"))
    }

    @Test("A guarded program in a pipeline that stops itself returns the shell prompt")
    func stopInPipelineReturnsPrompt() async throws {
        let terminal = try await shell()
        // A function would run in a shell of its own, which does not stop.
        let command = try guardCommand(by: status)
        try await terminal.type("echo x | \(command) \(Self.shellCommand) 'kill -STOP $$; echo it goes on; exit 3'\r")
        try await terminal.wait(for: "Stopped")
        try await terminal.type("fg\r")
        try await terminal.wait(for: "\nit goes on")
        try await terminal.type("echo status $?\r")
        try await terminal.wait(for: "\nstatus 3")
    }

    @Test("Output of a leftover background process appears after the program ends")
    func leftoverOutputIsShown() async throws {
        let terminal = try await shell()
        let script = "(while [ ! -f go ]; do sleep 0.05; done; echo from the background) & echo first"
        try await terminal.type("guarded \(Self.shellCommand) '\(script)'; echo ended with $?\r")
        try await terminal.wait(for: "ended with 0")
        try home.write("", to: "go")
        try await terminal.wait(for: "from the background")
    }

    @Test(
        "Input typed ahead reaches the shell after the program ends",
        .enabled(if: Self.mayType, "this system does not let programs put bytes into the input of a terminal"))
    func typeaheadGoesToShell() async throws {
        let terminal = try await shell()
        try await terminal.type("guarded \(Self.shellCommand) 'echo ready; while [ ! -f go ]; do sleep 0.05; done'\r")
        try await terminal.wait(for: "\nready")
        try await terminal.type("echo typed a''head\r")
        try home.write("", to: "go")
        try await terminal.wait(for: "\ntyped ahead")
    }

    /// Whether a program may put bytes into the input of its terminal (TIOCSTI).
    private static var mayType: Bool {
        let setting = try? String(contentsOfFile: "/proc/sys/dev/tty/legacy_tiocsti", encoding: .utf8)
        return setting == nil || setting?.hasPrefix("1") == true
    }

    #if os(Linux)
    @Test func aClosedTerminalLeavesNoProcess() async throws {
        let mark = "GUARD_MARK=\(UUID().uuidString)"
        let terminal = try await TerminalUnderTest.guarding(
            script: "env '\(mark)' sleep 600 & export '\(mark)'; echo ready; cat | env cat", by: status)
        try await terminal.wait(for: "ready")
        // The shell starts the others after it has printed.
        try await eventually("processes") { try processes(with: mark).count > 1 ? () : nil }
        let end = try await terminal.closeTerminal()
        #expect(end == .signalled(SIGHUP))
        try await eventually("end of every process") { try processes(with: mark).isEmpty ? () : nil }
    }
    #endif
}
