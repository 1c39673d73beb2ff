import TerminalShadow
import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: cover and keys")
struct GuardMachineTests {
    private var test = GuardUnderTest.running()
    private static let other = GuardEvent.block(GuardNotation.frame("B"), .cover)

    // MARK: The cover

    @Test("The cover is shown and removed, and the program's screen with its new output is restored")
    mutating func coverIsShownAndRemoved() {
        test.send(.kill)
        #expect(test.terminal.isFull(of: "A"))
        test.output("more\r\n")
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "work", "more"])
        #expect(test.takeSignals() == [])
    }

    @Test mutating func onlyQueriesReachTheTerminalUnderTheCover() {
        test.send(.kill)
        let rest = [
            "text\r\n", "\u{1B}[1m", "\u{1B}]2;title\u{7}", "\u{1B}]52;c;eA==\u{7}", "\u{1B}[6n", "\u{1B}[?1049h",
            "\u{1B}[?1000h", "\u{7}",
        ]
        for text in rest + rest { #expect(test.output(text).terminal == []) }
        for query in ["\u{1B}[c", "\u{1B}[>q", "\u{1B}]11;?\u{1B}\\"] {
            #expect(test.output(query).terminal == Array(query.utf8))
        }
        #expect(test.terminal.isFull(of: "A"))
    }

    @Test mutating func aSecondStatusReplacesTheFrame() {
        test.send([.kill, Self.other])
        #expect(test.terminal.isFull(of: "B"))
        test.send([.unblock, .unblock])
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test("A paused program is resumed before its screen is restored")
    mutating func resumePrecedesScreenRestore() {
        test.send([.pause, .pause])
        #expect(test.takeSignals() == ["pause"])
        let actions = test.send(.unblock)
        #expect(actions.first == .resumeTree)
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test mutating func aRepaintSendsEveryCellAgain() {
        test.send(.kill)
        #expect(test.send(.kill) == [.didPaint], "nothing has changed")
        guard case .sendToTerminal(let bytes) = test.send(.repaint).first else {
            Issue.record("nothing was painted")
            return
        }
        #expect(bytes.filter { $0 == UInt8(ascii: "A") }.count == 80)
    }

    @Test("A terminal without an alternate screen is repainted when the cover is removed")
    func noAlternateScreenIsRepainted() {
        var test = GuardUnderTest.running(alternateScreen: .none)
        test.send(.kill)
        #expect(test.terminal.isFull(of: "A"))
        #expect(!test.terminal.showsAlternate)
        test.output("more\r\n")
        test.send(.unblock)
        #expect(test.terminal.lines.suffix(2) == ["work", "more"])
    }

    // MARK: Sequences that are not complete

    @Test mutating func theCoverWaitsForTheEndOfALongSequence() {
        test.output("\u{1B}]52;c;" + String(repeating: "A", count: GuardUnderTest.overlong))
        test.send([.kill, Self.other])
        #expect(test.timers[.coverDeadline] == .milliseconds(150))
        #expect(test.terminal.lines == ["$ guard", "work"])
        let (actions, bytes) = test.output("B\u{7}")
        #expect(bytes == Array("B\u{7}".utf8))
        #expect(actions.contains(.cancel(.coverDeadline)))
        #expect(test.terminal.isFull(of: "B"))
    }

    @Test mutating func theCoverDoesNotWaitLong() {
        test.output("\u{1B}P" + String(repeating: "A", count: GuardUnderTest.overlong))
        test.send(.pause)
        #expect(test.takeSignals() == [], "a paused program could not end its sequence")
        test.fire(.coverDeadline)
        #expect(test.terminal.isFull(of: "A"))
        #expect(test.takeSignals() == ["pause"])
    }

    @Test mutating func aStatusThatClearsAtOnceShowsNoCover() {
        test.output("\u{1B}P" + String(repeating: "A", count: GuardUnderTest.overlong))
        test.send([.pause, .unblock])
        #expect(test.takeSignals() == [])
        #expect(test.timers == [:])
        test.output("\u{1B}\\more")
        #expect(test.terminal.lines == ["$ guard", "work", "more"])
    }

    // MARK: Drawing again

    @Test("A temporary size change makes the program redraw a screen that cannot be restored")
    mutating func unrestorableScreenIsRedrawn() {
        test.output("\u{1B}[?1049h\u{1B}#6wide")
        test.send([.kill, .unblock])
        #expect(test.takeSizes() == [Size(columns: 20, rows: 3)])
        #expect(test.timers[.realSize] == .milliseconds(30))
        test.fire(.realSize)
        #expect(test.takeSizes() == [GuardUnderTest.size])
    }

    @Test("The program gets no size change when no redraw is needed")
    func redrawIsNotRequestedNeedlessly() {
        let rest: [(String, [GuardEvent])] = [
            ("\u{1B}[?1049hplain", []), ("\u{1B}#6main screen", []), ("\u{1B}[?1049h\u{1B}#6", [.stopped]),
            ("\u{1B}[?1049h\u{1B}#6", [.quit]),
        ]
        for (output, events) in rest {
            var test = GuardUnderTest.running()
            test.output(output)
            test.send([.kill] + events + [.unblock])
            #expect(test.takeSizes() == [])
        }
    }

    @Test mutating func aNewSizeReplacesTheSmallerOne() {
        test.output("\u{1B}[?1049h\u{1B}#6")
        test.send([.kill, .unblock, .resized(Size(columns: 30, rows: 5))])
        #expect(test.takeSizes().last == Size(columns: 30, rows: 5))
        #expect(test.timers[.realSize] == nil)
    }

    @Test("A resize under the cover reaches the program at once")
    mutating func resizeUnderCoverReachesProgram() {
        test.send([.kill, .resized(Size(columns: 30, rows: 5))])
        #expect(test.takeSizes() == [Size(columns: 30, rows: 5)])
    }

    // MARK: Keys

    @Test("Under the cover, keys go to the cover and terminal replies go to the program")
    mutating func coverSplitsKeysAndReplies() {
        test.send(.kill)
        test.output("\u{1B}[c")
        test.type("q\u{1B}[?62;1cx\u{1B}[A")
        #expect(test.takePressed() == [.character("q"), .character("x"), .up])
        #expect(test.takeTyped() == "\u{1B}[?62;1c")
    }

    @Test("Escape typed in the program does not consume the first key on the cover")
    mutating func escapeInProgramSparesCoverKey() {
        test.type("\u{1B}")
        #expect(test.takeTyped() == "\u{1B}")
        #expect(test.timers[.escapeKey] == .milliseconds(25))
        test.fire(.escapeKey)
        test.send(.kill)
        test.type("q")
        #expect(test.takePressed() == [.character("q")])
        #expect(test.takeTyped() == "")
    }

    @Test("Escape typed on the cover does not consume the first key for the program")
    mutating func escapeOnCoverSparesProgramKey() {
        test.send(.kill)
        test.type("\u{1B}")
        test.send(.unblock)
        test.fire(.escapeKey)
        test.type("j")
        #expect(test.takeTyped() == "j")
    }

    @Test mutating func escapeAloneIsAKeyAfterAMoment() {
        test.send(.kill)
        test.type("\u{1B}")
        #expect(test.takePressed() == [])
        test.fire(.escapeKey)
        #expect(test.takePressed() == [.escape])
        test.type("\u{1B}")
        test.type("[A")
        #expect(test.takePressed() == [.up])
        #expect(test.timers[.escapeKey] == nil)
    }

    @Test("A paste begun before the cover reaches the program completely")
    mutating func startedPasteReachesProgram() {
        test.type("\u{1B}[200~one ")
        test.send(.kill)
        test.type("two\u{1B}[201~q")
        #expect(test.takeTyped() == "\u{1B}[200~one two\u{1B}[201~")
        #expect(test.takePressed() == [.character("q")])
        #expect(test.timers == [:])
    }

    @Test("An unterminated paste stops consuming keys after five seconds")
    mutating func unterminatedPasteTimesOut() {
        test.send(.kill)
        test.type("\u{1B}[200~q")
        #expect(test.timers[.pasteEnd] == .seconds(5))
        test.type("q")
        #expect(test.takePressed() == [])
        test.fire(.pasteEnd)
        test.type("x")
        #expect(test.takePressed() == [.character("x")])
    }

    // MARK: After a crash

    @Test("The emergency reset leaves the alternate screen and resets the program's terminal modes")
    mutating func emergencyResetRestoresTerminal() {
        test.output("\u{1B}[?1000h")
        for event in [GuardEvent.unblock, .kill] {
            test.send(event)
            var terminal = test.terminal
            terminal.feed(test.machine.emergencyReset)
            #expect(!terminal.showsAlternate)
            #expect(!terminal.hasMode(1000))
        }
    }
}
