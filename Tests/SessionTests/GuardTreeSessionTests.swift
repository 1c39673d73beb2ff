#if os(Linux)
import Foundation
import TerminalUI
import TestSupport
import Testing

/// Everything that a guarded program has started, and the ends that nobody has asked the guard for.
@Suite("Sessions: everything that a guarded program has started")
struct GuardTreeSessionTests {
    private let home: TestFolder
    private let status: StatusSwitch

    init() throws {
        home = try TestFolder()
        status = try StatusSwitch()
        // Three processes that count: a child, one with a session of its own, and a daemon whose parents have ended. They ignore the
        // signals that ask a program to end.
        try home.write(
            "trap '' TERM HUP; n=0; while :; do n=$((n+1)); echo $n >\"$HOME/count$1.new\"; "
                + "mv \"$HOME/count$1.new\" \"$HOME/count$1\"; sleep 0.02; done\n", to: "count")
        try home.write(
            "cd \"$HOME\"\nsh count 1 &\nsetsid sh count 2 &\nsh -c 'setsid sh -c \"sh count 3 & exit\" & exit'\n", to: "start")
    }

    private func counts() -> [String?] { (1...3).map { home.text("count\($0)") } }

    /// Waits until all processes have counted on.
    private func waitUntilCounting() async throws {
        let before = counts()
        try await eventually("counting") { zip(counts(), before).allSatisfy { $0 != nil && $0 != $1 } ? () : nil }
    }

    /// The processes of the test that count.
    private func processes() throws -> [pid_t] {
        try SessionTests.processes(with: "HOME=\(home.url.path)").filter { process in
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return line.split(separator: 0).contains { $0.elementsEqual("count".utf8) }
        }
    }

    private func living() throws -> Int { try processes().count }

    /// Waits until none of them counts. An outside clock goes on: the script of this test runs between two looks.
    private func waitUntilStill() async throws {
        try await eventually("pause") {
            let before = counts()
            _ = try await runCommand("/bin/sh", ["-c", "n=0; while [ $n -lt 20000 ]; do n=$((n+1)); done"])
            return counts() == before ? () : nil
        }
    }

    @Test("A pause stops daemons of the program too, and they continue when it clears")
    func pauseStopsDaemons() async throws {
        let terminal = try await TerminalUnderTest.guarding(
            script: ". \"$HOME/start\"; echo ready; cat", by: status, options: ["--on-kill", "pause"], home: home)
        try await terminal.wait(for: "ready")
        try await waitUntilCounting()
        try await terminal.cover(by: status)
        try await waitUntilStill()
        try await terminal.wait(for: "more processes are stopped since")
        try await terminal.uncover(by: status)
        try await waitUntilCounting()
        // What the program leaves running when it ends by itself is not held any more.
        try await terminal.press(.control("d"))
        #expect(try await terminal.waitForExit() == .exited(0))
        try await waitUntilCounting()
        for process in try processes() { kill(process, SIGKILL) }
    }

    @Test("Termination by a status leaves no process and records what was killed")
    func terminationLeavesNoProcess() async throws {
        let journal = home.path("journal")
        let terminal = try await TerminalUnderTest.guarding(
            script: ". \"$HOME/start\"; echo ready; cat", by: status,
            options: ["--on-kill", "terminate=1", "--journal", journal], home: home)
        try await terminal.wait(for: "ready")
        try await waitUntilCounting()
        status.kill()
        #expect(try await terminal.waitForExit() == .exited(75))
        #expect(try living() == 0)
        let killed = home.text("journal")?.split(separator: "\n").first { $0.contains(#""event":"killed""#) }
        #expect(killed?.contains(#""sh ("#) == true)
    }

    @Test("Without a terminal a pause stops every process of the program")
    func pauseWorksWithoutTerminal() async throws {
        let program = try guardedWithoutTerminal(
            ". \"$HOME/start\"; while [ ! -f \"$HOME/go\" ]; do sleep 0.05; done; exit 6", by: status,
            options: ["--on-kill", "pause"], home: home)
        try await waitUntilCounting()
        status.kill()
        try await waitUntilStill()
        try home.write("", to: "go")
        status.restore()
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(6))
        for process in try processes() { kill(process, SIGKILL) }
    }

    @Test("When the guard is killed, its remaining processes end or continue as --orphans says", arguments: ["end", "keep"])
    func killedGuardHandlesOrphans(orphans: String) async throws {
        let terminal = try await TerminalUnderTest.guarding(
            script: ". \"$HOME/start\"; echo ready; cat", by: status, options: ["--on-kill", "pause", "--orphans", orphans],
            home: home)
        try await terminal.wait(for: "ready")
        try await waitUntilCounting()
        try await terminal.cover(by: status)
        try await waitUntilStill()
        try terminal.signal(SIGKILL)
        #expect(try await terminal.waitForExit() == .signalled(SIGKILL))
        if orphans == "keep" {
            try await waitUntilCounting()
            for process in try processes() { kill(process, SIGKILL) }
        }
        try await eventually("end of every process") { try living() == 0 ? () : nil }
    }

    @Test("When the monitor is killed, the guard leaves no process")
    func killedMonitorLeavesNoProcess() async throws {
        let terminal = try await TerminalUnderTest.guarding(
            script: ". \"$HOME/start\"; echo $PPID >\"$HOME/monitor\"; echo ready; cat", by: status, home: home)
        try await terminal.wait(for: "ready")
        try await waitUntilCounting()
        let monitor = try #require(home.text("monitor").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
        #expect(kill(monitor, SIGKILL) == 0)
        #expect(try await terminal.waitForExit() == .signalled(SIGHUP))
        #expect(try living() == 0)
    }

    @Test("A program has the time it needs to save after its window is closed")
    func closedWindowAllowsSaving() async throws {
        let script = """
            trap 'while [ ! -f "$HOME/go" ]; do sleep 0.05; done; echo >"$HOME/saved"; exit 0' HUP
            echo ready; while :; do sleep 0.05; done
            """
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "ready")
        let guardProcess = terminal.processIdentifier
        async let end = terminal.closeTerminal()
        // The guard is still there when the terminal is gone.
        try await eventually("end of the terminal") {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(guardProcess)/fd/0"))?.hasSuffix("(deleted)")
                == true
                ? () : nil
        }
        try home.write("", to: "go")
        _ = try await end
        try await eventually("saved") { home.text("saved") != nil ? () : nil }
    }

    @Test func aSignalOfACrashEndsAGuardWithoutATerminal() async throws {
        // Swift's own report of the crash needs no names of functions, which take a second.
        let program = try guardedWithoutTerminal(
            "echo >\"$HOME/started\"; exec sleep 600", by: status, home: home,
            environment: ["SWIFT_BACKTRACE": "symbolicate=off,images=none"])
        try await eventually("start") { home.text("started") }
        kill(program.pid, SIGSEGV)
        #expect(try await onOwnThread { try program.waitForEnd() } == .signalled(SIGSEGV))
    }
}
#endif
