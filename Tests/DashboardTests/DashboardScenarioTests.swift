import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import ScenarioKit

/// A simulated user who picks what the simulated server replies.
@Suite struct DashboardScenarioTests {
    @Test func choosingAScenarioSelectsItAndChecksAtOnce() {
        var session = DashboardSession.afterAPause()
        #expect(session.lines(with: "▸ ✓ live").count == 1)
        session.press(.character("j"), .enter)

        #expect(
            session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh]
        )
        #expect(session.footer == " ✓ scenario: paused")
        #expect(session.lines(with: "▸ ✓ paused").count == 1)
        #expect(session.lines(with: "» scenario: paused").count == 1)
        session.reply(.killed, message: "Back soon.")
        #expect(session.header.hasPrefix(" ■ PAUSED   SIMULATED"))
    }

    @Test("A scenario selected during a check replaces that check")
    func newScenarioReplacesCheck() {
        var session = DashboardSession.afterAPause()
        session.untilCheck()
        session.press(.down, .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh])
        session.reply(.killed)
        #expect(session.takeEffects() == [])
        #expect(session.header.hasPrefix(" ■ PAUSED"))
    }

    @Test("Keys on the overlay open the scenario picker and control a timeline")
    func overlayKeysControlTimeline() {
        #expect(DashboardSession.afterAPause().model.takesOverOverlay(.character("s")))
        #expect(!DashboardSession.afterAPause().model.takesOverOverlay(.character("p")), "no timeline is shown")
        #expect(DashboardSession.afterAPause().model.overlayHints.map(\.key) == ["s"])

        var session = DashboardSession.playing()
        #expect(session.model.takesOverOverlay(.character("p")) && session.model.takesOverOverlay(.character("n")))
        #expect(!session.model.takesOverOverlay(.character("d")), "d is the overlay's own key")
        #expect(session.model.overlayHints.map(\.key) == ["s", "p", "n"])
        _ = session.takeEffects()
        session.send(.overlayKey(.character("n")))
        #expect(session.takeEffects() == [.barricade(.step(request: "status")), .checkAfresh])
    }

    @Test("The picker takes all keys and closes without a change")
    func pickerTakesAllKeys() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"))
        #expect(session.screen.contains("What the simulated server replies"))
        session.press(.character("r"), .character("y"), .down, .tab, .character("q"))
        #expect(!session.screen.contains("What the simulated server replies"))
        #expect(session.takeEffects() == [])

        session.press(.character("s"), .right, .right, .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "offline")), .checkAfresh])
        session.press(.character("s"), .control("c"))
        #expect(session.takeEffects() == [.quit])
    }

    @Test("The picker finds scenarios by a few letters, and Enter applies the best match")
    func pickerFindsByLetters() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("/"))
        session.type("pau ch")
        #expect(session.screen.contains(" /pau ch"))
        #expect(session.lines(with: "▸").contains { $0.contains("paused, Chinese message") })
        #expect(!session.screen.contains("HTTP 500"))
        session.press(.enter)
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "paused, Chinese message")))
        #expect(session.model.simulation.picker == nil)
    }

    @Test func escapeInThePickerClearsTheFilterFirst() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("/"))
        session.type("zzz")
        #expect(session.screen.contains("0 of "))
        session.press(.enter)
        #expect(session.model.simulation.picker != nil, "there is nothing to apply")
        session.press(.escape)
        #expect(session.lines(with: "▸").contains { $0.contains("oversized body") }, "the last one that matched")
        #expect(session.screen.contains("redirect loop"))
        session.press(.escape)
        #expect(session.model.simulation.picker == nil)
        #expect(session.takeEffects() == [])
    }

    @Test func thePickerListsItsKeys() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("?"))
        #expect(session.screen.contains("leave it as it is"))
        session.press(.character("q"))
        #expect(session.screen.contains("HTTP 500"), "the key returns to the list")
    }

    @Test func thePickerOpensWhateverElseIsOpen() {
        var session = DashboardSession.afterAPause()
        session.press(.character("/"))
        session.send(.overlayKey(.character("s")))
        session.press(.character("j"), .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh])
        #expect(session.footer.hasPrefix(" /  "))
        session = .afterAPause(isSimulated: false)
        session.send(.overlayKey(.character("s")))
        #expect(session.model.simulation.picker == nil)
    }

    @Test func aScenarioPickedElsewhereIsShown() {
        var session = DashboardSession.afterAPause()
        session.script(.select(request: "status", response: "update required"))
        #expect(session.lines(with: "▸ ✓ update required").count == 1)
        #expect(session.lines(with: "✓ live ").isEmpty)
        #expect(session.takeEffects().last == .checkAfresh)
    }

    @Test("With a real server there is no scenario picker")
    func realServerHasNoPicker() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        #expect(!session.screen.contains("SIMULATED"))
        #expect(!session.screen.contains("Scenarios"))
        #expect(!session.footer.contains("scenario"))
        session.press(.character("s"))
        #expect(session.model.simulation.picker == nil)
        session.press(.character("?"))
        #expect(!session.screen.contains("simulated"))
    }
}
