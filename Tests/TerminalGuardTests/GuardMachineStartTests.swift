import TerminalShadow
import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: the start")
struct GuardMachineStartTests {
    /// The reply of a terminal that has an alternate screen.
    private static let report = "\u{1B}[?1049;2$y" + place
    private static let place = "\u{1B}[2;5R"

    /// A guard whose terminal has not replied yet.
    private func asking(_ events: GuardEvent...) -> GuardUnderTest {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true)] + events)
        return test
    }

    // MARK: The status before the start

    @Test func aStartThatIsHeldWaitsUntilItIsAllowedAgain() {
        var test = asking(.startAllowed, .startHeld)
        test.type(Self.report)
        #expect(!test.hasStarted)
        test.send(.startAllowed)
        #expect(test.hasStarted)
        test.send(.startHeld)
        #expect(test.hasStarted && test.faults == [], "it comes too late")
    }

    @Test func aStatusThatAllowsTheStartStartsTheProgramAfterTheReply() {
        var test = asking(.startAllowed)
        #expect(!test.hasStarted)
        test.type(Self.report)
        #expect(test.hasStarted)
        #expect(test.takeTyped() == "")
        #expect(test.timers == [:])
    }

    /// The line comes after the reply, which is the cursor's place without it.
    @Test func anAnnouncementIsShownBeforeTheProgramAndIsPartOfTheScreenThatReturns() {
        var test = asking(.announce("blind"), .startAllowed)
        #expect(test.terminal.lines == ["$ guard"])
        test.reply()
        #expect(test.hasStarted && test.terminal.lines == ["$ guard", "blind"])
        test.output("work\r\n")
        test.send(.block(GuardNotation.frame("A"), .cover))
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "blind", "work"])
        #expect(test.faults == [])
    }

    @Test func anAnnouncementOfAStartThatIsRefusedIsNotShown() {
        var test = asking(.announce("blind"), .startRefused)
        test.type(Self.report)
        #expect(test.end == .refused && test.terminal.lines == ["$ guard"])
    }

    @Test func aTerminalThatDoesNotReplyDelaysTheStartOnlyForATime() {
        var test = asking(.startAllowed)
        #expect(test.timers == [.cursorReport: .milliseconds(200)])
        test.fire(.cursorReport)
        #expect(test.hasStarted)
    }

    @Test func aBlockedStartShowsTheCoverAndStartsWhenTheStatusClears() {
        var test = asking(.block(GuardNotation.frame("A"), .pause))
        #expect(test.terminal.lines == ["$ guard"], "the terminal has not said yet how it can be covered")
        test.type(Self.report)
        #expect(test.terminal.isFull(of: "A"))
        #expect(!test.hasStarted)
        test.send([.unblock, .startAllowed])
        #expect(test.hasStarted)
        #expect(test.takeSignals() == [], "nothing has to be continued")
        test.output("work\r\n")
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test func aRefusedStartLeavesTheTerminalAsItWas() {
        var test = asking(.block(GuardNotation.frame("A"), .cover), .startRefused)
        #expect(test.end == nil, "a shell would read the reply")
        test.type(Self.report)
        #expect(test.end == .refused)
        #expect(!test.hasStarted)
        #expect(test.terminal.lines == ["$ guard"])
        #expect(!test.terminal.showsAlternate)
    }

    @Test func aRefusedStartDoesNotWaitLongForATerminalThatDoesNotReply() {
        var test = asking(.startRefused)
        test.fire(.cursorReport)
        test.fire(.lateReport)
        #expect(test.end == .refused)
    }

    @Test func aProgramThatStartsUnderTheCoverIsShownAfterIt() {
        var test = asking(.block(GuardNotation.frame("A"), .cover), .startAllowed)
        test.type(Self.report)
        #expect(test.hasStarted)
        test.output("work\r\n")
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test func aStatusActsOnAProgramThatStartsUnderTheCover() {
        let responses: [(GuardResponse, [String])] = [
            (.cover, []), (.pause, ["pause"]), (.terminate(grace: .seconds(1)), ["TERM→all", "CONT→all"]),
        ]
        for (response, signals) in responses {
            var test = asking(.block(GuardNotation.frame("A"), response))
            test.type(Self.report)
            #expect(test.takeSignals() == [])
            test.send(.startAllowed)
            #expect(test.takeSignals() == signals)
        }
    }

    @Test func aProgramThatCannotBeStartedEndsTheGuardWithTheReason() {
        for isCovered in [false, true] {
            var test = asking(.startAllowed)
            test.type(Self.report)
            if isCovered { test.send(.block(GuardNotation.frame("A"), .cover)) }
            test.send([.programEnded(.notStarted(2)), .outputEnded])
            #expect(test.end == .program(.notStarted(2)))
            #expect(test.terminal.lines == ["$ guard"])
        }
    }

    @Test func nothingIsStartedBeforeTheUpdateHasEnded() {
        var test = asking(.block(GuardNotation.frame("A"), .cover))
        test.type(Self.report)
        test.send([.lend, .unblock, .startAllowed])
        #expect(!test.hasStarted)
        test.send(.takeBack)
        #expect(test.hasStarted)
    }

    @Test func aGuardInTheBackgroundAsksTheTerminalNothing() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: false), .startAllowed])
        #expect(test.hasStarted)
        #expect(!test.holdsTerminal)
        #expect(test.timers == [:])
    }

    // MARK: Keys before the start

    @Test func whatIsTypedBeforeTheStartReachesTheProgram() {
        var test = asking(.startAllowed)
        test.type("ab")
        test.type("c\(Self.report)d")
        test.type("e\r")
        #expect(test.takeTyped() == "abcde\r")
        #expect(test.hasStarted)
    }

    @Test func controlCBeforeTheStartEndsTheGuard() {
        var test = asking(.startAllowed)
        test.type("\u{3}")
        #expect(test.end == nil)
        test.type(Self.report)
        #expect(test.end == .signal(GuardSignals.interrupt))
        #expect(!test.hasStarted)
    }

    @Test func controlZBeforeTheStartStopsTheJob() {
        var test = asking()
        test.type(Self.report)
        test.type("\u{1A}")
        #expect(test.isJobStopped)
        #expect(!test.holdsTerminal)
        test.send([.resumed(isForeground: true), .startAllowed])
        #expect(test.hasStarted)
    }

    @Test(arguments: [false, true])
    func aStartThatTheJobsStopHasDelayedComesWhenTheJobContinues(isForeground: Bool) {
        var test = asking(.startAllowed, .signal(GuardSignals.terminalStop))
        #expect(test.isJobStopped)
        #expect(!test.hasStarted)
        test.send(.resumed(isForeground: isForeground))
        #expect(test.hasStarted)
        #expect(test.timers == [:])
    }

    @Test func controlCAfterTheStartIsAKeyOfTheProgram() {
        var test = asking(.startAllowed)
        test.type(Self.report)
        test.type("\u{3}")
        #expect(test.takeTyped() == "\u{3}")
        #expect(test.end == nil)
    }

    // MARK: The reply to the guard's question

    @Test func theCursorIsWhereTheTerminalHasSaid() {
        for isCovered in [false, true] {
            var test = asking(.startAllowed)
            if isCovered { test.send(.block(GuardNotation.frame("A"), .cover)) }
            test.type(Self.report)
            #expect(test.terminal.isFull(of: "A") == isCovered)
            test.output("ab")
            test.send(.block(GuardNotation.frame("A"), .cover))
            test.output("\u{1B}[6n")
            #expect(test.takeTyped() == "\u{1B}[2;7R", "the covered program asks where the cursor is")
        }
    }

    @Test(arguments: [false, true])
    func aLateReplyDoesNotReachTheProgram(isCovered: Bool) {
        var test = asking(.startAllowed)
        test.fire(.cursorReport)
        if isCovered { test.send(.block(GuardNotation.frame("A"), .cover)) }
        test.type(Self.report)
        #expect(test.takeTyped() == "")
        #expect(test.takePressed() == [])
        #expect(!test.machine.cover.shadow.isAnchored, "the program may have moved the cursor")
        test.type(Self.report)
        #expect(test.takeTyped() == Self.report, "this one answers the program")
    }

    @Test func aReplyAfterAResizeSaysNothingAboutTheCursor() {
        var test = asking(.startAllowed, .resized(Size(columns: 30, rows: 5)))
        #expect(test.hasStarted)
        test.type(Self.report)
        #expect(test.takeTyped() == "")
        #expect(!test.machine.cover.shadow.isAnchored)
    }

    @Test(arguments: 1..<report.count, [false, true])
    func aReplyInTwoPartsDoesNotReachTheProgram(length: Int, isLate: Bool) {
        for coverComes in [nil, 0, 1] {
            var test = asking(.startAllowed)
            if isLate { test.fire(.cursorReport) }
            if coverComes == 0 { test.send(.block(GuardNotation.frame("A"), .cover)) }
            test.type(String(Self.report.prefix(length)))
            let isShort = [1, 2].contains(length < 12 ? length : length - 11)
            #expect((test.timers[.escapeKey] != nil) == isShort, "no key begins with more than Escape and a bracket")
            if coverComes == 1 { test.send(.block(GuardNotation.frame("A"), .cover)) }
            test.type(Self.report.dropFirst(length) + (coverComes == nil ? "x" : ""))
            #expect(test.hasStarted)
            #expect(test.takeTyped() == (coverComes == nil ? "x" : ""))
            #expect(test.takePressed() == [])
            #expect(test.timers[.escapeKey] == nil)
        }
    }

    @Test func whatOnlyBeginsLikeAReplyReachesTheProgramWhole() {
        for text in [
            "\u{1B}[2~", "\u{1B}[2;5H", "\u{1B}[;R", "\u{1B}[0;5R", "\u{1B}[123456789;123R", "\u{1B}\u{1B}[A", "\u{1B}[2;5;6R",
        ] {
            for length in 1..<text.count {
                var test = asking()
                test.type(String(text.prefix(length)))
                test.type(String(text.dropFirst(length)))
                #expect(test.takeTyped() == text)
            }
        }
    }

    @Test func whatIsTooLongForAReplyIsNotHeld() {
        var test = asking()
        let text = "\u{1B}[" + String(repeating: "1", count: 20)
        test.type(text)
        #expect(test.takeTyped() == text)
    }

    @Test func escapeReachesTheProgramWhileAReplyIsAwaited() {
        var test = asking(.startAllowed)
        test.fire(.cursorReport)
        test.type("\u{1B}")
        #expect(test.takeTyped() == "")
        #expect(test.timers[.escapeKey] == .milliseconds(25))
        test.fire(.escapeKey)
        #expect(test.takeTyped() == "\u{1B}")
        test.type("[")
        #expect(test.takeTyped() == "[", "this is another key")
    }

    @Test func whatIsHeldOfAReplyIsNotLostWhenTheJobStops() {
        var test = asking(.startAllowed)
        test.fire(.cursorReport)
        test.type("\u{1B}[2")
        test.send(.stopped)
        #expect(test.takeTyped() == "\u{1B}[2")
    }
}
