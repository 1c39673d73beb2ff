import Foundation
import TestSupport
import Testing

/// An app with a kill switch of its own starts itself again after an update.
@Suite("Sessions: the update of an app")
struct AppUpdateTests {
    /// Requires an update, and presses the keys that run the command and start the program again.
    private func update(
        _ terminal: TerminalUnderTest, by status: StatusSwitch, _ question: String, _ program: String
    ) async throws {
        status.requireUpdate()
        try await terminal.wait(for: "UPDATE REQUIRED", "u update")
        try await terminal.press("u")
        try await terminal.wait(for: question, "y run it")
        try await terminal.press("y")
        try await terminal.wait(for: "the update finished", "Press Enter to go back")
        try await terminal.type("\r")
        try await terminal.wait(for: "the installed version is not known", "u start again")
        try await terminal.press("u")
        try await terminal.wait(for: "Start \(program) again?", "y start it")
        try await terminal.press("y")
    }

    @Test("An app asks, and goes on as the file that has replaced it: the same path, process, arguments and terminal")
    func restart() async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let program = home.path("notes")
        // A file that was just written can be busy while another test starts a process.
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: try Products.path("Notes"))
        let successor = try home.write(
            "#!/bin/sh\nstty -a >\"$HOME/modes\"\nprintf 'new notes as %s with %s\\n' \"$0\" \"$*\"\nexec cat\n", to: "successor")
        let install = "cp '\(successor)' '\(program).new' && chmod 755 '\(program).new' && mv '\(program).new' '\(program)'"
        let terminal = try await TerminalUnderTest(
            program, arguments: ["--status-url", status.url, home.path("my notes")],
            environment: ["NOTES_UPDATE_COMMAND": install], home: home)
        try await terminal.wait(for: "notes")
        try await update(terminal, by: status, "Run this command?", "notes")
        try await terminal.wait(for: "new notes as \(program) with --status-url", without: "UPDATE REQUIRED")
        let modes = try #require(home.text("modes"))
        #expect(modes.contains(" icanon") && modes.contains(" echo "), "the modes are those of a shell")
        try await terminal.type("\u{04}")
        try await terminal.expectEnd(.exited(0))
    }

    @Test("A program with a guard of its own goes on as the file that has replaced it, and its guard with it")
    func ownGuard() async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let program = home.path("probe")
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: try Products.path("GuardProbe"))
        let successor = try home.write("#!/bin/sh\necho new probe as \"$0\" with \"$3\"\n", to: "successor")
        _ = try home.write(
            "cp '\(successor)' '\(program).new' && chmod 755 '\(program).new' && mv '\(program).new' '\(program)'", to: "install")
        let terminal = try await TerminalUnderTest(
            program, arguments: ["sh", status.url, "echo old probe; exec cat"],
            environment: ["PROBE_UPDATE_COMMAND": "sh ~/install"], columns: 100, home: home)
        try await terminal.wait(for: "old probe")
        try await update(terminal, by: status, "sh ~/install", "probe")
        try await terminal.wait(for: "old probe", "new probe as \(program) with echo old probe; exec cat")
        try await terminal.expectEnd(.exited(0))
    }
}
