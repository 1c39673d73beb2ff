import Foundation
import TestSupport
import Testing

/// A guarded program is told to update, and goes on as the new version in the same terminal.
@Suite("Sessions: the update of a guarded program")
struct GuardUpdateTests {
    /// A program that is a script, in two versions.
    private struct Rig {
        let home: TestFolder
        let status: StatusSwitch
        let script: String

        /// - Parameters:
        ///   - new: what the new version does when it is started.
        ///   - command: what installs it.
        init(
            new: String = #"printf "notes 1.5.2 has %s\n" "$*"; exec cat"#,
            command: String = #"cp "$HOME/new" "$HOME/copy" && mv "$HOME/copy" "$HOME/notes""#
        ) throws {
            (home, status) = (try TestFolder(), try StatusSwitch())
            script = try home.write(Self.text("1.4.0", #"printf "notes 1.4.0 has %s\n" "$*"; exec cat"#), to: "notes")
            _ = try home.write(Self.text("1.5.2", new), to: "new")
            let settings: [String: Any] = [
                "app": ["name": "notes"],
                "update": [
                    "command": "sh ~/install", "availableCommand": ["/bin/echo", "1.5.2"],
                    "versionCommand": ["/bin/sh", script, "--version"],
                ],
            ]
            _ = try home.write("echo run >>\"$HOME/runs\"\n\(command)\n", to: "install")
            let json = try JSONSerialization.data(withJSONObject: settings, options: .withoutEscapingSlashes)
            _ = try home.write(String(decoding: json, as: UTF8.self), to: "config.json")
        }

        private static func text(_ version: String, _ body: String) -> String {
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo notes \(version); exit; fi\n\(body)\n"
        }

        /// Starts a session, whose program runs.
        func start() async throws -> TerminalUnderTest {
            let terminal = try await TerminalUnderTest.guarding(
                ["/bin/sh", script, "one", "two"], by: status,
                options: [
                    "--config", home.path("config.json"), "--version-command", "/bin/sh \(script) --version", "--on-update",
                    "restart=2",
                ], home: home)
            try await terminal.wait(for: "notes 1.4.0 has one two")
            return terminal
        }

        /// Requires the new version, and presses the keys that run the command.
        func update(_ terminal: TerminalUnderTest) async throws {
            status.publish(StatusSwitch.requiring("1.5.2"))
            try await confirm(terminal)
        }

        func confirm(_ terminal: TerminalUnderTest) async throws {
            try await terminal.wait(for: "UPDATE REQUIRED", "1.5.2 is ready:", "u update")
            try await terminal.press("u")
            try await terminal.wait(for: "Run this command", "y run it")
            try await terminal.press("y")
        }

        var runs: Int { home.text("runs")?.split(separator: "\n").count ?? 0 }
    }

    @Test("After the update the new version runs with the same arguments, and the former output stands above it")
    func restart() async throws {
        let rig = try Rig()
        let terminal = try await rig.start()
        try await rig.update(terminal)
        try await terminal.wait(
            for: "notes 1.4.0 has one two", "1.5.2 is installed", "notes 1.5.2 has one two", without: "UPDATE REQUIRED")
        try await terminal.type("words\r")
        try await terminal.wait(until: "the new version has the keys") { $0.components(separatedBy: "words").count == 3 }
        try await terminal.type("\u{04}")
        try await terminal.expectEnd(.exited(0))
        #expect(rig.runs == 1)
    }

    @Test("What the command leaves in the terminal is gone for the program and for the shell")
    func theTerminalIsAsBefore() async throws {
        let rig = try Rig(
            command:
                #"cp "$HOME/new" "$HOME/copy" && mv "$HOME/copy" "$HOME/notes"; stty raw -echo; printf '\033[4h\033[?6h\033[5;9r\033]2;open'"#
        )
        let terminal = try await rig.start()
        try await rig.update(terminal)
        try await terminal.wait(for: "1.5.2 is installed", "notes 1.5.2 has one two", without: "UPDATE REQUIRED")
        try await terminal.type("words\r")
        try await terminal.wait(until: "the terminal echoes lines") { $0.components(separatedBy: "words").count == 3 }
        try await terminal.type("\u{04}")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("A command that fails is said with its last lines")
    func failure() async throws {
        let rig = try Rig(command: "echo E: no such package >&2; exit 100")
        let terminal = try await rig.start()
        try await rig.update(terminal)
        try await terminal.wait(for: "E: no such package", "the update failed with exit code 100")
        try await terminal.type("\r")
        try await terminal.wait(for: "UPDATE REQUIRED", "failed with exit code 100", "E: no such package")
    }

    @Test("A new version that fails at once leaves the person with its last lines and the shell")
    func brokenVersion() async throws {
        let rig = try Rig(new: "echo libnote.so: cannot open >&2; exit 127")
        let terminal = try await rig.start()
        try await rig.update(terminal)
        try await terminal.wait(
            for: "NEW VERSION FAILED", "1.5.2 failed with exit code 127 right after its start", "libnote.so: cannot open",
            "q quit")
        try await terminal.press("q")
        try await terminal.expectEnd(.exited(127))
        #expect(try await terminal.screen.contains("libnote.so: cannot open"))
    }

    @Test("Of two sessions one runs the command, and the other waits for it and goes on with the same version")
    func twoSessions() async throws {
        let rig = try Rig(
            command:
                #"while [ ! -e "$HOME/go" ]; do sleep 0.05; done; cp "$HOME/new" "$HOME/copy" && mv "$HOME/copy" "$HOME/notes""#)
        let first = try await rig.start(), second = try await rig.start()
        try await rig.update(first)
        try await eventually("run of the command") { rig.runs == 1 ? () : nil }
        try await rig.confirm(second)
        try await second.wait(for: "Another session", "is updating it", "Press Enter to go back without waiting")
        _ = try rig.home.write("", to: "go")
        try await first.wait(for: "notes 1.5.2 has one two", without: "UPDATE REQUIRED")
        try await second.wait(for: "the other session has installed 1.5.2", "notes 1.5.2 has one two", without: "UPDATE REQUIRED")
        #expect(rig.runs == 1)
    }

    @Test("A session that is killed in the middle leaves the old version, and the next one can update")
    func killedInTheMiddle() async throws {
        let rig = try Rig(
            command: """
                if [ ! -e "$HOME/go" ]; then while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 1; done; exit 1; fi
                cp "$HOME/new" "$HOME/copy" && mv "$HOME/copy" "$HOME/notes"
                """)
        let first = try await rig.start()
        try await rig.update(first)
        try await eventually("run of the command") { rig.runs == 1 ? () : nil }
        try first.signal(SIGKILL)
        _ = try rig.home.write("", to: "go")
        rig.status.restore()
        let second = try await rig.start()
        try await rig.update(second)
        try await second.wait(for: "notes 1.5.2 has one two", without: "UPDATE REQUIRED")
        #expect(rig.runs == 2)
    }
}
