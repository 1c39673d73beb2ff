import Foundation
import TerminalUI
import TestSupport
import Testing

/// Whom the input of a covered terminal belongs to.
@Suite("Sessions: input of a guarded program")
struct GuardInputTests {
    /// Shows every byte that it gets.
    private static let showsInput = "stty raw -echo; printf 'ready '; exec cat -v"

    @Test func keysOnTheCoverDoNotReachTheProgram() async throws {
        let status = try StatusSwitch()
        let terminal = try await TerminalUnderTest.guarding(script: Self.showsInput, by: status)
        try await terminal.wait(for: "ready")
        try await terminal.type("one,")
        try await terminal.wait(for: "one,")
        try await terminal.cover(by: status)
        try await terminal.type("xyz")
        try await terminal.press(.up, .function(5), .enter, .tab)
        // The details page shows that the cover has handled every key before.
        try await terminal.press("d")
        try await terminal.wait(for: "attempts")
        try await terminal.uncover(by: status)
        try await terminal.type("two.")
        #expect(try await terminal.wait(for: "two.").hasPrefix("ready one,two."))
    }

    /// The program asks under the cover, and ends with an error if a reply does not come.
    @Test(arguments: [(#"\033[c"#, "c"), (#"\033[6n"#, "R"), (#"\033[5n"#, "n")])
    func repliesReachTheProgramUnderTheCover(query: String, last: String) async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        let script = """
            cd "$HOME"; stty raw -echo; printf '\\033[5;7Hready'
            while [ ! -f go ]; do sleep 0.05; done
            printf '\(query)'
            reply=
            while :; do
                byte=$(dd bs=1 count=1 2>/dev/null)
                reply=$reply$byte
                [ "$byte" != \(last) ] || break
            done
            printf '%s' "$reply" >.reply && mv .reply reply
            exec cat
            """
        let terminal = try await TerminalUnderTest.guarding(script: script, by: status, home: home)
        try await terminal.wait(for: "ready")
        try await terminal.cover(by: status)
        try home.write("", to: "go")
        let reply = try await eventually("reply") { home.text("reply") }
        #expect(reply.hasPrefix("\u{1B}["))
        // The place is that of the program's cursor and not that of the cover's.
        if last == "R" { #expect(reply == "\u{1B}[5;12R") }
        try await terminal.waitUntilCovered()
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "ready")
    }

    @Test("The program's mouse mode is off under the cover and restored after it")
    func mouseModeIsRestored() async throws {
        let status = try StatusSwitch()
        let terminal = try await TerminalUnderTest.guarding(
            script: "printf '\\033[?1002h\\033[?1006h'; \(Self.showsInput)", by: status)
        try await terminal.wait(for: "ready")
        let before = try await terminal.snapshot()
        #expect(before("mouse_button_flag") == "1" && before("mouse_sgr_flag") == "1")
        try await terminal.cover(by: status)
        #expect(try await terminal.snapshot()("mouse_any_flag") == "0")
        try await terminal.uncover(by: status)
        try await terminal.type("x")
        try await terminal.wait(for: "ready x")
        let after = try await terminal.snapshot()
        #expect(after("mouse_button_flag") == "1" && after("mouse_sgr_flag") == "1")
    }
}
