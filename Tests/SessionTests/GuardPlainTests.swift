import Foundation
import TestSupport
import Testing

/// A guard for a person who does not see the screen.
@Suite("Sessions: plain covers")
struct GuardPlainTests {
    private static let script = "printf 'the work\\n'; stty -echo raw; exec cat"

    @Test("A cover is lines that are only added, and its keys are said in a line", arguments: ["ACCESSIBLE", "--plain"])
    func linesAreOnlyAdded(wish: String) async throws {
        let status = try StatusSwitch()
        let isFlag = wish.hasPrefix("-")
        let terminal = try await TerminalUnderTest.guarding(
            ["/bin/sh", "-c", Self.script], by: status, options: isFlag ? [wish] : [], environment: isFlag ? [:] : [wish: "1"])
        try await terminal.wait(for: "the work")
        status.kill()
        let begin = "sh is paused (127.0.0.1): \(StatusSwitch.message)"
        try await terminal.wait(for: begin, "sh continues underneath", "Keys: r check now, d details")
        try await terminal.type("q")
        try await terminal.wait(for: "End sh?", "Keys: y end sh, any other key goes back")
        try await terminal.type("n")
        try await terminal.wait(for: "sh was not ended")
        let screen = try await terminal.snapshot().rows.joined()
        for drawing in ["─", "█", "▀", "00:0"] { #expect(!screen.contains(drawing), "\(drawing)") }
        status.restore()
        try await terminal.wait(for: "the work", without: "sh is paused")
        // A space on an empty row is not sent: the cursor moves over it.
        let sent = terminal.output.replacing(/\u{1B}\[[0-9;]*[CGH]/, with: " ")
        for line in [begin, "sh continues underneath", "End sh?", "sh was not ended", "sh is available again."] {
            #expect(sent.components(separatedBy: line).count == 2, "\(line)")
        }
    }

    @Test func aNoticeIsALineBeforeTheProgram() async throws {
        let rules = #""rules":[{"id":"n1","effect":"notice","message":"Search is read-only."}]"#
        let status = try StatusSwitch(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":600,\#(rules)}"#)
        let terminal = try await TerminalUnderTest.guarding(
            ["/bin/sh", "-c", Self.script], by: status, options: ["--plain"])
        try await terminal.wait(for: "bellerophon: sh: Search is read-only.", "the work")
        #expect(terminal.output.components(separatedBy: "Search is read-only.").count == 2)
    }
}
