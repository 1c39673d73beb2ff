import Foundation
import TerminalUI
import TestSupport
import Testing

/// How a guard ends.
@Suite("Sessions: the end of a guarded program")
struct GuardExitTests {
    private let status: StatusSwitch
    private let home: TestFolder

    init() throws {
        (status, home) = (try StatusSwitch(), try TestFolder())
    }

    @Test(arguments: [0, 7, 126] as [Int32])
    func theExitStatusIsThatOfTheProgram(code: Int32) async throws {
        let terminal = try await TerminalUnderTest.guarding(script: "echo to the end; exit \(code)", by: status)
        #expect(try await terminal.waitForExit() == .exited(code))
        try await terminal.wait(for: "to the end")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test(arguments: [("/no/such/program", 127), ("no-such-program-anywhere", 127), ("/etc/passwd", 126)] as [(String, Int32)])
    func aProgramThatCannotBeStartedIsReported(program: String, code: Int32) async throws {
        let terminal = try await TerminalUnderTest.guarding([program], by: status, columns: 150)
        #expect(try await terminal.waitForExit() == .exited(code))
        try await terminal.wait(for: "bellerophon: can't start \(program): ")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test(arguments: [SIGSEGV, SIGTERM, SIGKILL, SIGINT])
    func aSignalThatEndsTheProgramEndsTheGuard(signal: Int32) async throws {
        let script = "ulimit -c 0; printf '\\033[?1049h\\033[?25l\\033[?1000hlost'; kill -\(signal) $$"
        let shell = "\(try guardCommand(by: status)) /bin/sh -c \"$1\"; echo \"ended with $?\"; exit 5"
        let terminal = try await TerminalUnderTest("/bin/sh", arguments: ["-c", shell, "shell", script])
        // A shell that runs no job of its own ends with the program that Control-C has ended.
        if signal == SIGINT {
            #expect([.signalled(SIGINT), .exited(5)].contains(try await terminal.waitForExit()))
        } else {
            #expect(try await terminal.waitForExit() == .exited(5))
            try await terminal.wait(for: "ended with \(128 + signal)")
        }
    }

    @Test("A signal ends a guard whose terminal nobody reads while its program prints", arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalEndsAGuardOfAnUnreadTerminal(signal: Int32) async throws {
        let terminal = try await TerminalUnderTest.guarding(
            script: "echo $$ >\"$HOME/program\"; echo ready; while [ ! -f \"$HOME/go\" ]; do sleep 0.05; done; exec yes",
            by: status, home: home)
        try await terminal.wait(for: "ready")
        let process = terminal.processIdentifier
        try await terminal.whileNotRead {
            try home.write("", to: "go")
            // The program has nothing more to do when it can't write.
            try await eventually("a program that waits for the terminal") { () -> Void? in
                let pid = pid_t(home.text("program")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") ?? 0
                let wait = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
                return wait?.contains("(yes) S") == true ? () : nil
            }
            try terminal.signal(signal)
            try await eventually("the end of the guard") { kill(process, 0) != 0 ? true : nil }
        }
        #expect(try await terminal.waitForExit() == .signalled(signal))
    }

    @Test func aKillThatTerminatesAsksFirst() async throws {
        let script = "trap 'echo cleaned up; exit 3' TERM; echo ready; read line"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, options: ["--on-kill", "terminate"])
        try await terminal.wait(for: "ready")
        status.kill()
        #expect(try await terminal.waitForExit() == .exited(75))
        try await terminal.wait(for: "ready\ncleaned up\nbellerophon: sh was ended (127.0.0.1): \(StatusSwitch.message)")
        #expect(try await terminal.state() == .givenBack)
    }

    @Test func aProgramThatIgnoresTheRequestIsKilled() async throws {
        let script = "trap '' TERM HUP; printf '\\033[?1049h\\033[?25lready'; while :; do sleep 0.05; done"
        let terminal = try await TerminalUnderTest.guarding(
            script: script, by: status, options: ["--on-kill", "terminate=0.2", "--exit-code", "42"])
        try await terminal.wait(for: "ready")
        status.kill()
        try await terminal.expectEnd(.exited(42))
    }

    @Test func aRequiredUpdateHasAResponseOfItsOwn() async throws {
        let options = ["--on-kill", "cover", "--on-update", "terminate"]
        let terminal = try await TerminalUnderTest.guarding(
            script: "echo ready; exec sleep 600", by: status, options: options)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        status.requireUpdate()
        #expect(try await terminal.waitForExit() == .exited(75))
        try await terminal.wait(for: "bellerophon: sh needs an update (127.0.0.1)")
    }

    @Test(arguments: [([], 75), (["--exit-code", "9"], 9)] as [([String], Int32)])
    func aStatusThatBlocksRefusesTheStart(options: [String], code: Int32) async throws {
        let status = try StatusSwitch(StatusSwitch.paused)
        let terminal = try await TerminalUnderTest.guarding(
            script: "echo >\"$HOME/started\"", by: status, options: ["--start", "exit"] + options,
            home: home)
        #expect(try await terminal.waitForExit() == .exited(code))
        try await terminal.wait(for: "bellerophon: sh is paused (127.0.0.1): \(StatusSwitch.message)")
        #expect(home.text("started") == nil)
        #expect(try await terminal.state() == .givenBack)
    }

    @Test func aPersonEndsTheProgramFromTheCover() async throws {
        let terminal = try await TerminalUnderTest.guarding(script: "printf '\\033[?1049hready'; exec cat", by: status)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        try await terminal.press("q")
        try await terminal.wait(for: "End sh?", "Unsaved work may be lost.", "y end sh")
        // The key that asked never confirms, and any other one withdraws the question.
        try await terminal.press(.character("q"), .character("n"))
        try await terminal.wait(for: "sh was not ended", "q quit")
        try await terminal.quit()
        try await terminal.expectEnd(.exited(75))
    }

    @Test("The last output of a program that ends under the cover is shown")
    func lastOutputFollowsCover() async throws {
        let script = "echo ready; while [ ! -f \"$HOME/go\" ]; do sleep 0.05; done; seq 1 40; echo last words; exit 6"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        try home.write("", to: "go")
        #expect(try await terminal.waitForExit() == .exited(6))
        try await terminal.wait(for: "39\n40\nlast words")
        #expect(try await terminal.snapshot().rows.contains("ready"))
        #expect(try await terminal.state() == .givenBack)
    }

    /// Two busy loops compete for the processor, so that the end and the last output race. `GuardedProgramTests` has more runs.
    @Test func theOutputOfQuickProgramsIsComplete() async throws {
        let program = try guardCommand(by: status, "--start-timeout 60")
        let shell = """
            (while :; do :; done) & busy=$!
            (while :; do :; done) & busy="$busy $!"
            for run in 1 2 3 4; do
                \(program) /bin/sh -c 'seq 1 300; echo "end of $0"; exit 3' $run
                [ $? -eq 3 ] || echo "wrong status"
            done
            kill $busy
            """
        let terminal = try await TerminalUnderTest("/bin/bash", arguments: ["-c", shell])
        #expect(try await terminal.waitForExit(within: patience * 5) == .exited(0))
        let numbers = (1...300).map { "\($0)" }
        let expected = (1...4).flatMap { numbers + ["end of \($0)"] }
        // tmux writes the file a moment after the terminal has the bytes.
        let lines = try await eventually("the last line") {
            let lines = terminal.outputAfterQuestions.split(whereSeparator: \.isNewline).map(String.init)
            return lines.contains("end of 4") ? lines : nil
        }
        #expect(Array(lines.difference(from: expected)).map { "\($0)" } == [])
    }
}
