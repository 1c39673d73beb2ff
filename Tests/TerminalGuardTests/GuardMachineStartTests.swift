import TerminalShadow
import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: the start")
struct GuardMachineStartTests {
    /// The reply of a terminal that has an alternate screen.
    private static let report = "\u{1B}[?1049;2$y" + place
    private static let place = "\u{1B}[2;1R"
    /// Its reply to the question how emoji are drawn.
    private static let emoji = "\u{1B}[2;10R"

    /// A guard whose terminal has not replied yet.
    private func asking(_ events: GuardEvent...) -> GuardUnderTest {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true)] + events)
        return test
    }

    // MARK: The status before the start

    @Test("A held start waits until the start is allowed again")
    func heldStartWaitsForPermission() {
        var test = asking(.startAllowed, .startHeld)
        test.reply()
        #expect(!test.hasStarted)
        test.send(.startAllowed)
        #expect(test.hasStarted)
        test.send(.startHeld)
        #expect(test.hasStarted && test.faults == [], "it comes too late")
    }

    @Test("An allowed program starts after the terminal has replied to the cursor query")
    func allowedStartFollowsReply() {
        var test = asking(.startAllowed)
        #expect(!test.hasStarted)
        test.reply()
        #expect(test.hasStarted)
        #expect(test.takeTyped() == "")
        #expect(test.timers == [:])
    }

    /// The line comes after the reply, which is the cursor's place without it.
    @Test("An announcement appears before the program output and is restored after the cover")
    func announcementIsRestored() {
        var test = asking(.announce("blind"), .startAllowed)
        #expect(test.terminal.lines == ["$ guard"])
        test.reply()
        #expect(test.hasStarted && test.terminal.lines == ["$ guard", "blind"])
        test.output("work\r\n")
        test.send(.kill)
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "blind", "work"])
        #expect(test.faults == [])
    }

    @Test("An announcement is not shown when the start is refused")
    func refusedStartHidesAnnouncement() {
        var test = asking(.announce("blind"), .startRefused)
        test.reply()
        #expect(test.end == .refused() && test.terminal.lines == ["$ guard"])
    }

    @Test("The program starts after 200 milliseconds if the terminal does not reply")
    func silentTerminalDelaysStartBriefly() {
        var test = asking(.startAllowed)
        #expect(test.timers == [.cursorReport: .milliseconds(200)])
        test.fire(.cursorReport)
        #expect(test.hasStarted)
    }

    @Test("A blocked start shows the cover, and the program starts when the status clears")
    func blockedStartWaitsUnderCover() {
        var test = asking(.pause)
        #expect(test.terminal.lines == ["$ guard"], "the terminal has not said yet how it can be covered")
        test.reply()
        #expect(test.terminal.isFull(of: "A"))
        #expect(!test.hasStarted)
        test.send([.unblock, .startAllowed])
        #expect(test.hasStarted)
        #expect(test.takeSignals() == [], "nothing has to be continued")
        test.output("work\r\n")
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test func aRefusedStartLeavesTheTerminalAsItWas() {
        var test = asking(.kill, .startRefused)
        #expect(test.end == nil, "a shell would read the reply")
        test.reply()
        #expect(test.end == .refused())
        #expect(!test.hasStarted)
        #expect(test.terminal.lines == ["$ guard"])
        #expect(!test.terminal.showsAlternate)
    }

    @Test("A refused start ends after the reply timeout when the terminal does not reply")
    func refusedStartTimesOut() {
        var test = asking(.startRefused)
        test.fire(.cursorReport)
        test.fire(.lateReport)
        #expect(test.end == .refused())
    }

    @Test("Output of a program started under the cover is shown when the cover is removed")
    func programStartsUnderCover() {
        var test = asking(.kill, .startAllowed)
        test.reply()
        #expect(test.hasStarted)
        test.output("work\r\n")
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test("The blocking response is applied to a program that starts under the cover")
    func responseAppliesAtStart() {
        let responses: [(GuardResponse, [String])] = [
            (.cover, []), (.pause, ["pause"]), (.terminate(grace: .seconds(1)), ["TERM→all", "CONT→all"]),
        ]
        for (response, signals) in responses {
            var test = asking(.block(GuardNotation.frame("A"), response))
            test.reply()
            #expect(test.takeSignals() == [])
            test.send(.startAllowed)
            #expect(test.takeSignals() == signals)
        }
    }

    @Test("A program that cannot start ends the guard with the reason")
    func failedStartEndsGuard() {
        for isCovered in [false, true] {
            var test = asking(.startAllowed)
            test.reply()
            if isCovered { test.send(.kill) }
            test.send([.programEnded(.notStarted(2)), .outputEnded])
            #expect(test.end == .program(.notStarted(2)))
            #expect(test.terminal.lines == ["$ guard"])
        }
    }

    @Test func nothingIsStartedBeforeTheUpdateHasEnded() {
        var test = asking(.kill)
        test.reply()
        test.send([.lend, .unblock, .startAllowed])
        #expect(!test.hasStarted)
        test.send(.takeBack)
        #expect(test.hasStarted)
    }

    @Test("A guard started in the background does not query the terminal")
    func backgroundStartSendsNoQuery() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: false), .startAllowed])
        #expect(test.hasStarted)
        #expect(!test.holdsTerminal)
        #expect(test.timers == [:])
    }

    // MARK: Keys before the start

    @Test("Input typed before the start reaches the program without the terminal's reply")
    func typeaheadReachesProgram() {
        var test = asking(.startAllowed)
        test.type("ab")
        test.type("c\(Self.report)d")
        test.type("e\(Self.emoji)f\r")
        #expect(test.takeTyped() == "abcdef\r")
        #expect(test.hasStarted)
    }

    @Test func controlCBeforeTheStartEndsTheGuard() {
        var test = asking(.startAllowed)
        test.type("\u{3}")
        #expect(test.end == nil)
        test.reply()
        #expect(test.end == .signal(GuardSignals.interrupt))
        #expect(!test.hasStarted)
    }

    @Test func controlZBeforeTheStartStopsTheJob() {
        var test = asking()
        test.reply()
        test.type("\u{1A}")
        #expect(test.isJobStopped)
        #expect(!test.holdsTerminal)
        test.send([.resumed(isForeground: true), .startAllowed])
        #expect(test.hasStarted)
    }

    @Test("A start delayed by a stopped job happens when the job resumes", arguments: [false, true])
    func stoppedJobStartsWhenResumed(isForeground: Bool) {
        var test = asking(.startAllowed, .signal(GuardSignals.terminalStop))
        #expect(!test.isJobStopped, "a shell would read the reply")
        test.reply()
        #expect(test.isJobStopped)
        #expect(!test.hasStarted)
        test.send(.resumed(isForeground: isForeground))
        #expect(test.hasStarted)
        #expect(test.timers == [:])
    }

    @Test func controlCAfterTheStartIsAKeyOfTheProgram() {
        var test = asking(.startAllowed)
        test.reply()
        test.type("\u{3}")
        #expect(test.takeTyped() == "\u{3}")
        #expect(test.end == nil)
    }

    // MARK: The reply to the guard's question

    @Test func theCursorIsWhereTheTerminalHasSaid() {
        for isCovered in [false, true] {
            var test = asking(.startAllowed)
            if isCovered { test.send(.kill) }
            test.reply()
            #expect(test.terminal.isFull(of: "A") == isCovered)
            test.output("ab")
            test.send(.kill)
            test.output("\u{1B}[6n")
            #expect(test.takeTyped() == "\u{1B}[2;3R", "the covered program asks where the cursor is")
        }
    }

    @Test(arguments: [false, true])
    func aLateReplyDoesNotReachTheProgram(isCovered: Bool) {
        var test = asking(.startAllowed)
        test.fire(.cursorReport)
        if isCovered { test.send(.kill) }
        test.type(Self.report)
        #expect(test.takeTyped() == "")
        #expect(test.takePressed() == [])
        #expect(!test.machine.cover.shadow.isAnchored, "the program may have moved the cursor")
        test.type(Self.report)
        #expect(test.takeTyped() == (isCovered ? "" : Self.report), "on a cover a reply must have been asked for")
    }

    @Test("A cursor reply that arrives after a resize is ignored")
    func resizeInvalidatesCursorReply() {
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
            if coverComes == 0 { test.send(.kill) }
            test.type(String(Self.report.prefix(length)))
            let isShort = [1, 2].contains(length < 12 ? length : length - 11)
            #expect((test.timers[.escapeKey] != nil) == isShort, "no key begins with more than Escape and a bracket")
            if coverComes == 1 { test.send(.kill) }
            test.type(Self.report.dropFirst(length) + (coverComes == nil ? "x" : ""))
            if !isLate { test.type(Self.emoji) }
            #expect(test.hasStarted)
            #expect(test.takeTyped() == (coverComes == nil ? "x" : ""))
            #expect(test.takePressed() == [])
            #expect(test.timers[.escapeKey] == nil)
        }
    }

    @Test("Sequences that only begin like a cursor reply reach the program unchanged")
    func similarSequencesReachProgram() {
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

    @Test("Input too long to be a cursor reply is passed on at once")
    func overlongReplyIsNotHeld() {
        var test = asking()
        let text = "\u{1B}[" + String(repeating: "1", count: 20)
        test.type(text)
        #expect(test.takeTyped() == text)
    }

    @Test("The Escape key reaches the program while a reply is awaited")
    func escapePassesWhileReplyAwaited() {
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

    @Test("A held partial reply is delivered to the program when the job stops")
    func partialReplySurvivesStop() {
        var test = asking(.startAllowed)
        test.fire(.cursorReport)
        test.type("\u{1B}[2")
        test.send(.stopped)
        test.fire(.lateReport)
        #expect(test.takeTyped() == "\u{1B}[2")
    }
}
