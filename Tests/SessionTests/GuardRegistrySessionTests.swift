import Foundation
import TestSupport
import Testing

/// `guard ps`, `guard stop` and `guard continue` beside programs that run.
@Suite("Sessions: guards that other processes see and stop")
struct GuardRegistrySessionTests {
    private let home: TestFolder
    private let status: StatusSwitch

    init() throws {
        (home, status) = (try TestFolder(), try StatusSwitch())
    }

    /// The guards, as `guard ps --json` prints them.
    private func guards() async throws -> [[String: Any]] {
        let text = try await bellerophon("guard", "ps", "--json", home: home).standardOutput
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["guards"] as? [[String: Any]])
    }

    private static let heading = "STOPPED ON THIS MACHINE"

    @Test(.enabled(if: GuardProgram.vim.isInstalled, "vim is not installed"))
    func anEditorIsStoppedByNameAndContinues() async throws {
        let editor = try await TerminalUnderTest.guarding(["vim", "-u", "NONE", "-i", "NONE", "-nN"], by: status, home: home)
        try await editor.wait(for: "VIM - Vi IMproved")
        try await editor.type("iwritten before")
        try await editor.wait(for: "written before")
        let before = try await editor.snapshot()
        let stop = try await bellerophon("guard", "stop", "vim", "--reason", "wrong folder", home: home)
        #expect(stop.status == .exited(0) && stop.standardOutput.hasSuffix("vim: stopped\n"))
        try await editor.wait(for: Self.heading, "wrong folder", "release it with", "q quit")
        #expect(try await bellerophon("guard", "stop", "vim", home: home).standardOutput.contains("already stopped"))
        let release = try await bellerophon("guard", "continue", "vim", home: home)
        #expect(release.status == .exited(0) && release.standardOutput.hasSuffix("vim: released\n"))
        try await editor.wait(whileShowing: Self.heading)
        try await editor.wait(for: before)
    }

    @Test("A local stop pauses the program, and a server status is shown above the stop")
    func serverStatusOutranksStop() async throws {
        let script = "echo $$ >\"$HOME/pid\"; echo ready; exec cat"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "ready")
        #expect(try await bellerophon("guard", "stop", "sh", home: home).status == .exited(0))
        try await terminal.wait(for: Self.heading)
        try await eventually("pause") { try await guards().first.map { Self.programState($0) } == "paused" ? () : nil }
        status.kill()
        try await terminal.wait(for: "SERVICE PAUSED", "It stays stopped on this machine")
        let refused = try await bellerophon("guard", "continue", "sh", home: home)
        #expect(refused.status == .exited(75) && refused.standardOutput.contains("still blocks it"))
        try await terminal.wait(for: "SERVICE PAUSED", without: "on this machine")
        #expect(try await bellerophon("guard", "stop", "--all", home: home).status == .exited(0))
        status.restore()
        try await terminal.wait(for: Self.heading, without: "SERVICE PAUSED")
        #expect(try await bellerophon("guard", "continue", "--all", home: home).status == .exited(0))
        try await terminal.wait(for: "ready", without: Self.heading)
        try await terminal.typeOnceUncovered("typed\r", for: "typed")
    }

    private static func programState(_ guardState: [String: Any]) -> String? {
        (guardState["program"] as? [String: Any])?["state"] as? String
    }

    @Test func theListTellsWhatAGuardKnows() async throws {
        #expect(try await bellerophon("guard", "ps", home: home).status == .exited(0))
        let terminal = try await TerminalUnderTest.guarding(script: "echo ready; exec cat", by: status, home: home)
        try await terminal.wait(for: "ready")
        let found = try #require(try await guards().first)
        #expect(found["stage"] as? String == "active" && found["health"] as? String == "ok")
        #expect(found["reachable"] as? Bool == true && found["terminal"] as? Bool == true)
        #expect(found["server"] as? String == "127.0.0.1" && found["statusAge"] as? Double != nil)
        let table = try await bellerophon("guard", "ps", home: home)
        #expect(table.status == .exited(0) && table.standardOutput.contains("127.0.0.1 seen"))
    }

    @Test("The ps command reports guards without a server status and guards that do not respond")
    func unreachableGuardIsReported() async throws {
        let server = try HostileServer(.failure(500))
        let terminal = try await TerminalUnderTest(
            "bellerophon",
            arguments: ["guard", "--status-url", server.address, "--", "/bin/sh", "-c", "echo ready; exec cat"],
            home: home)
        try await terminal.wait(for: "ready")
        let blind = try await bellerophon("guard", "ps", home: home)
        #expect(blind.status == .exited(1) && blind.standardOutput.contains("BLIND"))
        let pid = try #require(try await guards().first?["pid"] as? Int)
        kill(pid_t(pid), SIGSTOP)
        defer { kill(pid_t(pid), SIGCONT) }
        let hung = try await bellerophon("guard", "ps", home: home)
        #expect(hung.status == .exited(1) && hung.standardOutput.contains("not responding"))
        #expect(hung.standardOutput.contains("\(pid)") && hung.standardOutput.contains("sh"))
        #expect(try await bellerophon("guard", "stop", "\(pid)", home: home).status == .exited(1))
    }

    @Test("A guarded program can list and stop its own guard but cannot release the stop")
    func programStopsItsOwnGuard() async throws {
        let program = try Products.path("bellerophon")
        // It stops with everything else, and goes on when somebody else has released the stop.
        let inner = """
            '\(program)' guard ps --self >"$HOME/self"; \
            '\(program)' guard stop sh --reason 'asked by itself' >"$HOME/stop"; \
            '\(program)' guard continue --all >"$HOME/continue"; echo $? >"$HOME/code"
            """
        try home.write(inner, to: "inner")
        let terminal = try await TerminalUnderTest.guarding(
            script: "echo ready; setsid /bin/sh \"$HOME/inner\" & exec cat", by: status, home: home)
        try await terminal.wait(for: Self.heading, "asked by itself", "from inside the program")
        #expect(try await bellerophon("guard", "continue", "sh", home: home).status == .exited(0), "from outside")
        #expect(try await eventually("code") { home.text("code").flatMap { $0.isEmpty ? nil : $0 } } == "77")
        let own = try JSONSerialization.jsonObject(with: Data((home.text("self") ?? "").utf8)) as? [String: Any]
        #expect(own?["stage"] as? String == "active" && own?["responding"] as? Bool == true)
        #expect(home.text("continue")?.contains("can't release") == true)
        try await terminal.wait(whileShowing: Self.heading)
        #expect(try await bellerophon("guard", "ps", "--self", home: home).status == .exited(69))
    }

    @Test func aStopBeforeTheStartWaitsForTheContinue() async throws {
        status.kill()
        let terminal = try await TerminalUnderTest.guarding(
            script: "echo >\"$HOME/started\"; echo ready; exec cat", by: status, home: home)
        try await terminal.waitUntilCovered()
        #expect(try await bellerophon("guard", "stop", "--all", home: home).status == .exited(0))
        status.restore()
        try await terminal.wait(for: Self.heading, "has not started")
        #expect(home.text("started") == nil)
        #expect(try await bellerophon("guard", "continue", "--all", home: home).status == .exited(0))
        try await terminal.wait(for: "ready", without: Self.heading)
    }

    @Test("Without a terminal a local stop pauses the program and is printed and recorded")
    func stopWithoutTerminalIsPrinted() async throws {
        let guardProgram = try guardedWithoutTerminal(
            "echo >\"$HOME/started\"; while [ ! -f \"$HOME/go\" ]; do sleep 0.05; done", by: status,
            options: ["--journal", home.path("j.jsonl")], home: home)
        try await eventually("start") { home.text("started") }
        #expect(try await bellerophon("guard", "stop", "sh", "--reason", "wrong folder", home: home).status == .exited(0))
        try await eventually("line") { guardProgram.log.contains("sh was stopped on this machine by") ? () : nil }
        #expect(guardProgram.log.contains("wrong folder"))
        try await eventually("pause") { try await guards().first.map { Self.programState($0) } == "paused" ? () : nil }
        try home.write("", to: "go")
        #expect(try await bellerophon("guard", "continue", "sh", home: home).status == .exited(0))
        let end = try await onOwnThread { try guardProgram.waitForEnd() }
        #expect(end == .exited(0))
        let journal = home.text("j.jsonl") ?? ""
        #expect(journal.contains(#""event":"localStop""#) && journal.contains(#""reason":"wrong folder""#))
        #expect(journal.contains(#""event":"localRelease""#))
    }

    @Test("A marker of a process that is not a guard does not prevent guarding")
    func foreignMarkerIsIgnored() async throws {
        let program = try Products.path("bellerophon")
        // The first guard says what the fingerprint is. The second one has the mark of a shell.
        let script = """
            mark=$('\(program)' guard --status-url \(status.url) -- printenv BELLEROPHON_GUARD)
            export BELLEROPHON_GUARD=$$:${mark#*:}
            '\(program)' guard --status-url \(status.url) -- /bin/sh -c 'echo "ready ${BELLEROPHON_GUARD%%:*}"; exec cat'
            """
        let terminal = try await TerminalUnderTest("/bin/sh", arguments: ["-c", script], home: home)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
    }
}
