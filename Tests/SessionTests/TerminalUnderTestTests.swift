import Foundation
import TerminalUI
import TestSupport
import Testing

/// Tests of the tool for all sessions, with small shell programs.
@Suite struct TerminalUnderTestTests {
    /// Tests that hold a place and wait for another must not deadlock.
    @Test func aGateLetsPassWhereNoPlaceBecomesFree() async throws {
        let gate = SessionGate(limit: 1, bound: .milliseconds(20))
        let first = try await gate.enter()
        let second = try await gate.enter()
        second.giveBack()
        second.giveBack()
        first.giveBack()
        let patient = try await gate.enter()
        withExtendedLifetime((first, second, patient)) {}
    }

    @Test func sendsTheKeysOfThePresentMode() async throws {
        // Application cursor keys, as curses programs request them.
        let program = #"stty raw -echo; printf '\033[?1hready'; dd bs=1 count=7 2>/dev/null | od -An -tx1; stty sane"#
        let terminal = try await shell(program)
        try await terminal.wait(for: "ready")
        try await terminal.press(.up, .control("c"), .enter)
        try await terminal.press("q")
        try await terminal.press(.tab)
        try await terminal.wait(for: "1b 4f 41 03 0d 71 09")
    }

    @Test func seesATerminalThatWasNotGivenBack() async throws {
        let terminal = try await shell(#"stty -echo; printf '\033[?1049h\033[?25l\033[?1hready'; read -r line"#)
        try await terminal.wait(for: "ready")
        var expected = TerminalState.givenBack
        (expected.isAlternateScreen, expected.isCursorVisible) = (true, false)
        (expected.hasApplicationKeys, expected.hasChangedModes) = (true, true)
        #expect(try await terminal.state() == expected)
        try await terminal.press(.enter)
        _ = try await terminal.waitForExit()
        #expect(try await terminal.state() == expected)
    }

    @Test func reportsTheMouseAndTheClipboard() async throws {
        let terminal = try await shell(
            #"stty raw -echo; printf '\033]52;c;aGVsbG8=\007\033[?1000h\033[?1006hready'; dd bs=1 count=9 2>/dev/null | od -An -c; stty sane"#
        )
        try await terminal.wait(for: "ready")
        #expect(await terminal.clipboard == "hello")
        try await terminal.press(.mouse(MouseEvent(.press, at: Point(column: 4, row: 2))))
        try await terminal.wait(for: "033   [   <   0   ;   5   ;   3   M")
        try await terminal.waitForOutput("\u{1b}]52;c;aGVsbG8=")
    }

    @Test func givesEachProgramAHomeOfItsOwn() async throws {
        let terminal = try await shell(
            #"printf '%s|%s|%s' "$HOME" "${EXTRA-unset}" "${TERM-unset}"; read -r line"#,
            environment: ["EXTRA": "two words", "TERM": nil]
        )
        try await terminal.wait(until: "home, addition and removal show") { screen in
            screen.replacing("\n", with: "").hasSuffix("|two words|unset")
        }
        #expect(try await terminal.screen.replacing("\n", with: "").hasPrefix(terminal.home.url.path + "|"))
    }

    @Test func aFailedWaitShowsTheScreenAndThePlace() async throws {
        let terminal = try await shell("echo something else; exit 3")
        _ = try await terminal.waitForExit()
        let failure = await #expect(throws: TestError.self) {
            try await terminal.wait(for: "nothing", within: .milliseconds(30), file: "Here.swift", line: 5)
        }
        let text = failure?.description ?? ""
        #expect(text.hasPrefix("Here.swift:5: “nothing” shows: not within 0.03 seconds, /bin/sh has ended with status 3"))
        #expect(text.contains("something else"))
    }

    @Test func leavesNoProcessBehind() async throws {
        var terminal: TerminalUnderTest? = try await shell("trap '' HUP TERM INT; printf ready; while :; do sleep 0.05; done")
        try await terminal?.wait(for: "ready")
        let pid = try #require(terminal?.processIdentifier)
        #expect(pid > 1)
        terminal = nil
        try await eventually("end of the program") { kill(pid, 0) == -1 ? () : nil }
    }

    private func shell(
        _ program: String, environment: [String: String?] = [:], columns: Int = 80, rows: Int = 24
    ) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", program], environment: environment, columns: columns, rows: rows)
    }
}
