import TerminalShadow
import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: terminals without an alternate screen")
struct GuardMachineScreenQuestionTests {

    private func terminal(_ hasScreen: Bool, reportsModes: Bool = false) -> PersonsTerminal {
        PersonsTerminal(GuardUnderTest.size, hasAlternateScreen: hasScreen, reportsModes: reportsModes)
    }

    // MARK: The question

    @Test(
        "The trial detects whether the terminal has an alternate screen and leaves no trace",
        arguments: [AlternateScreenClaim.described, .askable, .optional, .doubtful], [false, true])
    func alternateScreenIsDetected(claim: AlternateScreenClaim, hasScreen: Bool) {
        for reportsModes in [false, true] {
            // A terminal that knows the mode has the screen, unless a setting has turned it off.
            if reportsModes, !hasScreen, claim == .askable { continue }
            let test = GuardUnderTest.running(in: terminal(hasScreen, reportsModes: reportsModes), alternateScreen: claim)
            #expect(test.machine.cover.hasAlternateScreen == hasScreen)
            #expect(test.hasStarted && test.typed == [] && test.timers == [:])
            #expect(test.terminal.lines == ["$ guard", "work"], "the trial leaves no trace")
            #expect(test.machine.cover.shadow.isAnchored)
        }
    }

    @Test("A terminal described as having no alternate screen is only asked for the cursor position")
    func noClaimAsksOnlyForCursor() {
        var test = GuardUnderTest(terminal(true), alternateScreen: .none)
        let actions = test.send(.begun(isForeground: true))
        #expect(actions.contains(.sendToTerminal(Array("\u{1B}[6n".utf8))))
        test.send(.startAllowed)
        test.reply()
        #expect(test.hasStarted && !test.machine.cover.hasAlternateScreen)
    }

    @Test("A terminal that is not known to understand it is not asked for a mode")
    func modeIsAskedForWhereItIsUnderstood() {
        for claim in AlternateScreenClaim.allCases where claim != .askable {
            var test = GuardUnderTest(terminal(true), alternateScreen: claim)
            #expect(test.send(.begun(isForeground: true)).contains(.sendToTerminal(Array("\u{1B}[6n".utf8))))
        }
    }

    @Test("The alternate screen trial moves the cursor to a position other than the current one")
    func trialUsesAnotherCursorPosition() {
        for place in ["\u{1B}[1;1R", "\u{1B}[2;2R", "\u{1B}[4;20R"] {
            var test = GuardUnderTest(terminal(false))
            test.send([.begun(isForeground: true), .startAllowed])
            test.type(place)
            test.type("\u{1B}[3;3R")
            #expect(test.hasStarted, "a place that is neither of both says nothing")
            #expect(test.machine.cover.hasAlternateScreen)
            var question = AlternateScreenQuestion(.described)
            let report = CursorReport(column: 1, row: 1)
            guard case .ask(let bytes) = question.evaluate(report, mode: nil, size: (80, 24)) else {
                Issue.record("nothing was tried")
                return
            }
            #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2;2H"))
            #expect(question.evaluate(report, mode: nil, size: (80, 24)) == .done(report, hasScreen: true))
        }
    }

    @Test func aScreenOfOneCellIsNotTried() {
        var question = AlternateScreenQuestion(.optional)
        let report = CursorReport(column: 0, row: 0)
        #expect(question.evaluate(report, mode: nil, size: (1, 1)) == .done(report, hasScreen: nil))
    }

    @Test(
        "Without a reply, the terminal description decides whether there is an alternate screen",
        arguments: AlternateScreenClaim.allCases)
    func unansweredTrialUsesClaim(claim: AlternateScreenClaim) {
        var test = GuardUnderTest(terminal(true), alternateScreen: claim)
        test.send([.begun(isForeground: true), .startAllowed])
        let isSureToReply = claim == .optional || claim == .doubtful
        #expect(test.timers == [.cursorReport: isSureToReply ? .seconds(2) : .milliseconds(200)])
        test.fire(.cursorReport)
        #expect(test.hasStarted)
        #expect(test.machine.cover.hasAlternateScreen == (claim != .none && claim != .doubtful))
    }

    @Test(arguments: [
        (true, ["TERM": "xterm"], AlternateScreenClaim.described), (false, ["TERM": "vt100"], .none),
        (true, ["TERM": "tmux-256color", "TMUX": "x"], .optional), (true, ["TERM": "tmux-256color"], .optional),
        (true, ["TERM": "screen", "STY": "1"], .doubtful), (true, ["TERM": "screen-256color"], .doubtful),
        (true, ["TERM": "screen", "TMUX": "x"], .optional), (true, ["TERM": "xterm", "STY": "1"], .doubtful),
        (false, ["TERM": "screen", "STY": "1"], .none), (true, ["TERM": "xterm-kitty"], .askable),
        (true, ["TERM": "foot-direct"], .askable),
        (true, ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .described),
        (true, ["TERM": "xterm-kitty", "TMUX": "x"], .optional),
    ])
    func theEnvironmentSaysWhatIsClaimed(isDescribed: Bool, environment: [String: String], claim: AlternateScreenClaim) {
        #expect(AlternateScreenClaim(isDescribed: isDescribed, environment: environment) == claim)
    }

    /// The second reply, to the trial, comes late as the first one can: neither the program nor the shell gets it.
    @Test("A late reply to the alternate screen trial reaches neither the program nor the cover", arguments: [false, true])
    func lateTrialReplyIsDropped(isCovered: Bool) {
        var test = GuardUnderTest(terminal(false))
        test.send([.begun(isForeground: true), .startAllowed])
        test.type("\u{1B}[2;1R")
        test.fire(.cursorReport)
        #expect(test.hasStarted)
        if isCovered { test.send(.kill) }
        test.type("\u{1B}[2;2R")
        #expect(test.takeTyped() == "" && test.takePressed() == [])
        #expect(test.timers[.lateReport] == nil)
    }

    @Test("A terminal that has replied once gets two seconds to reply to the trial")
    func repliedTerminalGetsMoreTime() {
        var test = GuardUnderTest(terminal(false))
        test.send([.begun(isForeground: true), .startAllowed])
        test.type("\u{1B}[2;1R")
        #expect(test.timers == [.cursorReport: .seconds(2)])
        test.fire(.cursorReport)
        #expect(test.timers == [.lateReport: .seconds(5)], "the end of the guard waits longer for it, too")
    }

    @Test func aGuardThatEndsWaitsForTheReplyToTheTrial() {
        var test = GuardUnderTest(terminal(false))
        test.send([.begun(isForeground: true), .startRefused])
        test.type("\u{1B}[2;1R")
        #expect(test.end == nil, "a shell would read the reply")
        test.type("\u{1B}[2;2R")
        #expect(test.end == .refused())
    }

    // MARK: The cover

    @Test("The cover keeps the screen contents in the scrollback without an alternate screen")
    func coverPreservesScrollback() {
        var test = GuardUnderTest.running(in: terminal(false))
        test.send(.kill)
        #expect(test.terminal.isFull(of: "A"))
        #expect(test.terminal.scrollback == ["$ guard"])
        test.output("more\r\n")
        test.send(.unblock)
        #expect(test.terminal.lines == ["", "work", "more"])
        test.send([.kill, .unblock])
        #expect(test.terminal.scrollback == ["$ guard"], "nothing is moved there twice")
        test.output("end")
        #expect(test.terminal.lines == ["", "work", "more", "end"])
        #expect(test.faults == [])
    }

    @Test func aCoverAtTheStartKeepsWhatWasOnTheScreen() {
        var test = GuardUnderTest(terminal(false))
        test.send([.begun(isForeground: true), .kill])
        test.reply()
        #expect(test.terminal.isFull(of: "A") && test.terminal.scrollback == ["$ guard"])
        test.send([.unblock, .startAllowed])
        test.output("work")
        #expect(test.terminal.lines == ["", "work"])
    }

    /// Such a terminal shows a full screen on its only screen, and so does the record.
    @Test("A full-screen program is restored after the cover on a terminal without an alternate screen")
    func fullScreenProgramIsRestored() {
        var test = GuardUnderTest.running(in: terminal(false))
        test.output("\u{1B}[?1049h\u{1B}[H\u{1B}[2Jone\r\ntwo\u{1B}[4;1Hstatus")
        test.send([.kill, .unblock])
        #expect(test.terminal.lines == ["one", "two", "", "status"])
        test.output("\u{1B}[?1049l\r\nshell")
        test.send([.kill, .unblock])
        #expect(test.terminal.lines == ["two", "", "status", "shell"])
        #expect(test.faults == [])
    }

    @Test("Shell output written while the job was stopped is kept in the scrollback")
    func shellOutputIsKeptInScrollback() {
        var test = GuardUnderTest.running(in: terminal(false))
        test.send(.stopped)
        test.write("$ fg\r\n")
        test.send(.resumed(isForeground: true))
        test.send(.kill)
        #expect(test.terminal.scrollback.contains("$ fg"))
    }
}
