import Bellerophon
import TerminalUI
import Testing

@testable import Dashboard

/// What a person sees of the effects: the session performs them with the program's own code.
@Suite struct DashboardHostTests {
    @Test("The footer says what was saved, and where")
    func saved() {
        var session = DashboardSession.afterAPause()
        session.press(.character("e"))
        #expect(session.footer == " ✓ journal saved: journal.jsonl")
        session.press(.character("w"))
        #expect(session.footer == " ✓ scenario saved: session.json; play it with --scenarios")
    }

    @Test(
        "The footer says why nothing was saved",
        arguments: [("e", "the journal"), ("w", "the scenario"), ("m", "the bookmarks")])
    func notSaved(key: Character, file: String) {
        var session = DashboardSession.afterAPause()
        session.problem = "No space left on device"
        session.press(.character(key))
        let verb = key == "m" ? "were" : "was"
        #expect(session.footer == " ! \(file) \(verb) not saved: No space left on device")
    }

    @Test("Without a reply there is no scenario to save")
    func nothingChecked() {
        var session = DashboardSession()
        session.start()
        session.press(.character("w"))
        #expect(session.footer == " ! nothing was checked yet")
    }

    @Test("A terminal without a clipboard is a problem")
    func noClipboard() {
        var session = DashboardSession.afterAPause()
        session.problem = "none"
        session.press(.character("y"))
        #expect(session.footer.hasPrefix(" ! this terminal has no clipboard"))
    }
}
