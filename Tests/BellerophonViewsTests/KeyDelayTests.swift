import Bellerophon
import TerminalUI
import Testing

@testable import BellerophonViews

/// Keys that come just as a view does, which were meant for the program below it.
@MainActor @Suite struct KeyDelayTests {
    private var overlay = OverlayUnderTest(ForceUpdateView(), OverlayUnderTest.outdated)

    @Test("Keys pressed in the first second are ignored with a notice")
    mutating func earlyKeysAreIgnored() {
        overlay.begin()
        #expect(overlay.presentation.ignoresKeys)
        for key in [Key.character("u"), .character("q"), .enter, .character("x"), .escape] {
            #expect(overlay.press(key) == [])
            #expect(overlay.presentation.notice == "keys ignored; pause for a moment")
            #expect(overlay.interaction.question == nil)
        }
        overlay.pass(.milliseconds(999))
        #expect(overlay.press("u") == [])
        #expect(overlay.interaction.question == nil)
    }

    @Test mutating func afterASecondWithoutKeysTheyCount() {
        overlay.begin()
        overlay.pass(.milliseconds(1000))
        #expect(!overlay.presentation.ignoresKeys)
        #expect(overlay.press("r") == [.check])
    }

    @Test("A key that is held down stays ignored until half a second after its release")
    mutating func heldKeyStaysIgnored() {
        overlay.begin()
        for _ in 0..<200 {
            #expect(overlay.press("q") == [])
            overlay.pass(.milliseconds(30))
        }
        // The last key was ignored 30 ms before.
        overlay.pass(.milliseconds(469))
        #expect(overlay.presentation.ignoresKeys && overlay.presentation.notice != nil)
        overlay.pass(.milliseconds(1))
        #expect(!overlay.presentation.ignoresKeys && overlay.presentation.notice == nil, "the footer says when keys count")
        #expect(overlay.press("r") == [.check])
    }

    @Test mutating func aSentenceThatIsTypedOnDoesNothing() {
        overlay.begin()
        for character in "you quickly undo or quit, you know" {
            #expect(overlay.press(.character(character)) == [])
            overlay.pass(.milliseconds(180))
        }
        #expect(overlay.interaction.question == nil && overlay.presentation.page == .status)
    }

    @Test mutating func controlCAsksAtOnce() {
        overlay.begin()
        #expect(overlay.press(.control("c")) == [])
        #expect(overlay.interaction.question?.title == "End example?")
        #expect(overlay.press("y") == [], "too soon")
        overlay.pass(.seconds(1))
        #expect(overlay.press("y") == [.quit])
    }

    @Test("Harmless keys work at once and do not extend the waiting time")
    mutating func harmlessKeysWorkAtOnce() {
        overlay = OverlayUnderTest(KillSwitchView(), OverlayUnderTest.paused)
        overlay.begin()
        overlay.pass(.milliseconds(900))
        #expect(overlay.press(.control("z")) == [.suspend])
        #expect(overlay.press(.control("l")) == [.redrawEveryCell])
        #expect(overlay.press(.mouse(MouseEvent(.wheelDown, at: Point(column: 0, row: 0)))) == [])
        #expect(overlay.presentation.scroll == 3)
        overlay.pass(.milliseconds(100))
        #expect(overlay.press("r") == [.check])
    }

    @Test("A new view withdraws the question and starts the waiting time again")
    mutating func newViewWithdrawsQuestion() {
        overlay.begin()
        overlay.pass(.seconds(2))
        overlay.press("d")
        overlay.press("u")
        #expect(overlay.interaction.isAsking)
        overlay.begin()
        #expect(!overlay.interaction.isAsking && overlay.presentation.page == .status)
        overlay.pass(.milliseconds(999))
        #expect(overlay.press("y") == [])
        overlay.pass(.seconds(1))
        #expect(overlay.press("r") == [.check])
    }

    @Test(arguments: [(20, 5), (20, 7), (40, 12), (80, 24), (200, 60)])
    mutating func theFooterNamesKeysOnlyWhileTheyCount(columns: Int, rows: Int) {
        overlay.size = Size(columns: columns, rows: rows)
        overlay.begin()
        #expect(overlay.footer.contains("moment") && !overlay.footer.contains("quit"))
        overlay.press("q")
        #expect(overlay.screen.contains("keys ignored"))
        overlay.pass(.seconds(1))
        #expect(overlay.footer.contains("q quit") && !overlay.screen.contains("keys ignored"))
    }

    @Test mutating func keysOfAnAccessoryAreNamedAllTheTime() {
        overlay.accessoryKeys = [KeyHint(.character("s"), word: "scenario")]
        overlay.begin()
        #expect(overlay.footer.contains("s scenario") && !overlay.footer.contains("quit"))
        overlay.pass(.seconds(1))
        #expect(overlay.footer.contains("s scenario") && overlay.footer.contains("q quit"))
    }

    @Test mutating func anEarlyOrLateWakeIsHarmless() {
        overlay.begin()
        #expect(overlay.interaction.wake(at: overlay.now.advanced(by: .milliseconds(400))) == [.wake(after: .milliseconds(600))])
        #expect(overlay.presentation.ignoresKeys)
        #expect(overlay.interaction.wake(at: overlay.now.advanced(by: .seconds(30))) == [.redraw])
        #expect(overlay.interaction.wake(at: overlay.now.advanced(by: .seconds(31))) == [])
    }
}
