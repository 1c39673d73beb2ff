import Foundation
import TerminalUI
import TestSupport
import Testing

/// What a guarded terminal shows before, under and after a cover.
@Suite("Sessions: the screen of a guarded program")
struct GuardScreenTests {
    @Test(arguments: ["", "\\033[?1049h"])
    func everyModeAndAttributeComesBack(screen: String) async throws {
        let text = (1...9).map { "\\033[\($0)m\($0)\\033[0m" }.joined()
        let script = """
            seq 1 60
            printf '\(screen)\\033[2;3H\(text)\\033[38;2;1;2;3;48;5;200mcolours   \\033[0m下一行 e\\314\\201'
            printf '\\033]2;a title\\007\\033[4:3mcurly\\033[0m\\033[12;1Hready'
            printf '\\033[5;15r\\033[?6h\\033[4h\\033=\\033[?1h\\033[?7l\\033[?1003h\\033[?1006h\\033[?25l\\033[?2004h'
            printf '\\033[3g\\033[1;9H\\033H\\033[4;7H\\033[1;35m'
            stty -echo raw; dd bs=1 count=1 2>/dev/null; printf 'after'; exec cat
            """
        let status = try StatusSwitch()
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status)
        try await terminal.wait(for: "ready")
        let before = try await terminal.pollScreen("the last mode") {
            let now = try await terminal.snapshot()
            return now("cursor_x") == "6" ? now : nil
        }
        #expect(before("insert_flag") == "1" && before("origin_flag") == "1" && before("wrap_flag") == "0")
        #expect(before("mouse_all_flag") == "1" && before("scroll_region_upper") == "4" && before("pane_title") == "a title")
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: before)
        // What the program writes next has its attributes, and is inserted where its cursor was.
        try await terminal.type("x")
        try await terminal.wait(for: "after")
        let rows = try await terminal.snapshot().rows
        #expect(rows.contains { $0.contains("<1 35>xafter") }, "\(rows.joined(separator: "\n"))")
    }

    @Test(arguments: ["", "\\033[?1049h"])
    func outputUnderTheCoverShowsAfterIt(screen: String) async throws {
        let script = """
            printf '\(screen)'; seq 1 30; echo ready; while [ ! -f "$HOME/go" ]; do sleep 0.05; done
            printf '\\033[3;3Hplaced\\033[20;1H\\033[1;32m'; seq 31 60
            printf '\\033]2;a title\\007\\033[0mdone'; echo >"$HOME/done"; stty -echo raw; exec cat
            """
        let expected = try await plainState(script) { terminal in
            try terminal.home.write("", to: "go")
            try await terminal.wait(for: "60", "done")
        }
        let status = try StatusSwitch()
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        try terminal.home.write("", to: "go")
        try await eventually("the end of the output") { terminal.home.text("done") }
        try await terminal.waitUntilCovered()
        try await terminal.uncover(by: status)
        try await terminal.wait(for: expected)
    }

    /// The state of a terminal in which a script has run without the guard. The terminal is closed: a test that held one while
    /// it waits for another would keep further tests waiting.
    private func plainState(
        _ script: String, files: (TestFolder) throws -> Void = { _ in }, _ session: (TerminalUnderTest) async throws -> Void
    ) async throws -> TerminalSnapshot {
        let home = try TestFolder()
        try files(home)
        let terminal = try await TerminalUnderTest("/bin/sh", arguments: ["-c", script], home: home)
        try await session(terminal)
        return try await terminal.settledSnapshot()
    }

    @Test("A guarded program's output reaches the terminal byte for byte")
    func outputIsUnchanged() async throws {
        let script = "stty -echo; echo ready; read line; echo begin; tput smcup; seq 1 100; tput rmcup; printf 'to the end 下\n'"
        let status = try StatusSwitch()
        let guarded = try await output(of: TerminalUnderTest.guarding(script: script, by: status))
        let plain = try await output(of: TerminalUnderTest("/bin/sh", arguments: ["-c", script]))
        #expect(guarded == plain && plain.contains("99"))
    }

    /// Presses Enter and returns the output that follows. What came before may be missing in the record, which begins a moment
    /// after the program.
    private func output(of terminal: TerminalUnderTest) async throws -> String {
        try await terminal.wait(for: "ready")
        try await terminal.type("\n")
        #expect(try await terminal.waitForExit() == .exited(0))
        try await eventually("the end in the record") { terminal.output.contains("to the end 下") ? () : nil }
        return terminal.output.components(separatedBy: "begin").last ?? ""
    }

    @Test func aNewSizeReachesTheProgram() async throws {
        let status = try StatusSwitch()
        let script = "trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status)
        try await terminal.wait(for: "24 80")
        try await terminal.resize(columns: 70, rows: 20)
        try await terminal.wait(for: "20 70")
        try await terminal.cover(by: status)
        for (columns, rows) in [(40, 12), (120, 36)] {
            try await terminal.resize(columns: columns, rows: rows)
            try await terminal.wait(until: "the view fills \(columns)×\(rows)") { screen in
                screen.contains("SERVICE PAUSED") && screen.contains(String(repeating: "─", count: columns))
                    && !screen.contains(String(repeating: "─", count: columns + 1))
            }
        }
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "36 120")
    }

    @Test(
        "An editor resized under the cover looks the same as without the cover",
        .enabled(if: GuardProgram.vim.isInstalled, "vim is not installed"))
    func resizedEditorIsRestored() async throws {
        let script = "cd \"$HOME\"; exec \(GuardProgram.vim.command) '+set ls=2 stl=%{&columns}\\ columns'"
        let expected = try await plainState(script, files: GuardProgram.writeFiles) { terminal in
            try await terminal.wait(for: "80 columns")
            try await terminal.resize(columns: 60, rows: 18)
            try await terminal.wait(for: "60 columns")
        }
        let status = try StatusSwitch(), home = try TestFolder()
        try GuardProgram.writeFiles(in: home)
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "80 columns")
        try await terminal.cover(by: status)
        try await terminal.resize(columns: 60, rows: 18)
        try await terminal.wait(until: "the view is 60 columns wide") { screen in
            screen.contains("SERVICE PAUSED") && !screen.contains(String(repeating: "─", count: 61))
        }
        try await terminal.uncover(by: status)
        try await terminal.wait(for: expected)
    }

    // MARK: Nested guards

    @Test("A nested guard of the same status shows no second cover")
    func nestedGuardDoesNotCover() async throws {
        let status = try StatusSwitch()
        let inner = "\(try guardCommand(by: status)) /bin/sh -c 'echo ready; exec cat'"
        let terminal = try await TerminalUnderTest.guarding(script: inner, by: status)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "ready")
        #expect(status.server.requests.map(\.path).sorted() == ["/events", "/status"], "one client")
        #expect(terminal.outputAfterQuestions.components(separatedBy: "\u{1B}[?1049h").count == 2, "one cover")
    }

    @Test func guardsOfTwoStatusesCoverEachForItself() async throws {
        let outer = try StatusSwitch(), inner = try StatusSwitch()
        let script = "\(try guardCommand(by: inner)) /bin/sh -c 'echo ready; exec cat'"
        let terminal = try await TerminalUnderTest.guarding(script: script, by: outer)
        try await terminal.wait(for: "ready")
        let before = try await terminal.snapshot()

        try await terminal.cover(by: inner)
        try await terminal.wait(for: "SERVICE PAUSED", inner.url.replacing("http://", with: ""))
        try await terminal.cover(by: outer)
        try await terminal.wait(for: "SERVICE PAUSED", outer.url.replacing("http://", with: ""))
        outer.restore()
        try await terminal.wait(for: "SERVICE PAUSED", inner.url.replacing("http://", with: ""))
        try await terminal.uncover(by: inner)
        try await terminal.wait(for: before)
        try await terminal.press(.control("d"))
        #expect(try await terminal.waitForExit() == .exited(0))
    }
}
