import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: the end")
struct GuardMachineEndTests {
    private var test = GuardUnderTest.running()
    private static let terminate = GuardEvent.block(GuardNotation.frame("A"), .terminate(grace: .seconds(60)))
    private static let exit: [GuardEvent] = [.programEnded(.exited(3)), .outputEnded]

    // MARK: The program's own end

    @Test func theGuardEndsAsTheProgramDid() {
        for end in [ProgramEnd.exited(3), .signaled(11)] {
            var test = GuardUnderTest.running()
            test.send(.programEnded(end))
            #expect(test.end == nil)
            test.output("last\r\n")
            test.send(.outputEnded)
            #expect(test.end == .program(end))
            #expect(test.terminal.lines == ["$ guard", "work", "last"])
            #expect(test.timers == [:])
            #expect(!test.holdsTerminal)
        }
    }

    @Test mutating func outputThatNeverEndsIsReadForATimeOnly() {
        test.send(.programEnded(.exited(0)))
        #expect(test.timers == [.drain: .milliseconds(200)])
        test.fire(.drain)
        #expect(test.end == .program(.exited(0)))
    }

    @Test mutating func theLastOutputUnderTheCoverIsShown() {
        test.send(.kill)
        test.output("more\r\n")
        test.send(.programEnded(.exited(0)))
        test.output("last\r\nha")
        #expect(test.terminal.isFull(of: "A"))
        test.send(.outputEnded)
        #expect(test.terminal.lines == ["work", "more", "last", "ha"])
        #expect(!test.terminal.showsAlternate)
    }

    @Test func anUnfinishedSequenceIsNotLost() {
        for events in [[], [GuardEvent.kill]] {
            var test = GuardUnderTest.running()
            test.send(events)
            test.output("\u{1B}[1")
            let actions = Self.exit.flatMap { test.send($0) }
            let sent = actions.flatMap { if case .sendToTerminal(let bytes) = $0 { bytes } else { [UInt8]() } }
            #expect(sent.suffix(3) == Array("\u{1B}[1".utf8))
        }
    }

    @Test("Remaining output is read after the program exits, even when much output is still queued")
    mutating func remainingOutputIsReadAfterExit() {
        test.send(.kill)
        for _ in 0..<5 { test.output(String(repeating: "x", count: 1 << 20)) }
        #expect(!test.machine.readsOutput, "the program waits")
        test.send(.programEnded(.exited(0)))
        #expect(test.machine.readsOutput)
        test.output("\u{1B}[2J\u{1B}[Hlast")
        test.send(.outputEnded)
        #expect(test.terminal.lines == ["last"])
        #expect(!test.machine.readsOutput)
    }

    @Test("The guard ends when the program exits while its job is stopped")
    mutating func stoppedProgramThatExitsEndsGuard() {
        test.send([.stopped, .resumed(isForeground: true)] + Self.exit)
        #expect(test.end == .program(.exited(3)))
    }

    @Test mutating func anEndInTheBackgroundShowsWhatWasCovered() {
        test.send([.kill, .suspend, .resumed(isForeground: false)])
        test.output("more\r\n")
        test.send(Self.exit)
        #expect(test.end == .program(.exited(3)))
        #expect(test.terminal.lines == ["$ guard", "work", "more"])
    }

    @Test mutating func aStatusAfterTheEndShowsNoCover() {
        test.send([.programEnded(.exited(0)), .kill])
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    // MARK: The person

    @Test mutating func quittingTheCoverHangsTheProgramUp() {
        test.send([.kill, .quit])
        #expect(test.takeSignals() == ["HUP", "CONT"])
        test.send(.quit)
        #expect(test.takeSignals() == [], "it was asked already")
        test.fire(.kill)
        #expect(test.takeSignals() == ["KILL"])
        test.send([.programEnded(.signaled(9)), .outputEnded])
        #expect(test.end == .refused())
        #expect(test.terminal.lines.contains("work"))
        #expect(!test.terminal.showsAlternate)
    }

    @Test mutating func quittingDoesNotWaitForTheGraceOfTheStatus() {
        test.send(Self.terminate)
        #expect(test.timers[.kill] == .seconds(60))
        test.send(.quit)
        #expect(test.timers[.kill] == .seconds(5))
    }

    @Test func aProgramThatIsToEndIsNotPaused() {
        for events in [[GuardEvent.kill, .quit], [Self.terminate], [.pause, .signal(GuardSignals.terminate)]] {
            var test = GuardUnderTest.running()
            test.send(events)
            _ = test.takeSignals()
            test.send([.pause, .pause])
            #expect(test.takeSignals() == [])
            test.send(.stopped)
            #expect(test.takeSignals() == ["CONT"], "a stopped program could not end")
            test.send(.suspend)
            #expect(test.takeSignals() == [])
            #expect(test.isJobStopped)
        }
    }

    // MARK: The status

    @Test mutating func aStatusEndsTheProgramOnceWithItsGrace() {
        test.send([Self.terminate, Self.terminate])
        #expect(test.takeSignals() == ["TERM→all", "CONT→all"])
        test.fire(.kill)
        #expect(test.takeSignals() == ["killAll"])
        test.send([.programEnded(.signaled(9)), .treeEnded, .outputEnded])
        #expect(test.end == .refused())
    }

    @Test mutating func theGuardWaitsForEverythingThatAStatusEnds() {
        test.send([Self.terminate, .programEnded(.exited(0))])
        #expect(test.isTreeWatched)
        #expect(test.machine.fate == .ending(after: .seconds(60)), "the deadline stays on the screen")
        test.output("a rest of it\r\n")
        #expect(test.terminal.isFull(of: "A"))
        _ = test.takeSignals()
        test.fire(.kill)
        #expect(test.takeSignals() == ["killAll"])
        test.send([.treeEnded, .outputEnded])
        #expect(test.end == .refused())
    }

    @Test("Descendants of a paused program are terminated, then killed, when the program is killed")
    mutating func pausedDescendantsAreTerminated() {
        test.send([.pause, .programEnded(.signaled(9))])
        #expect(test.takeSignals() == ["pause", "TERM→all", "resume", "CONT→all"])
        #expect(test.end == nil)
        test.fire(.kill)
        #expect(test.takeSignals() == ["killAll"])
        test.send([.treeEnded, .outputEnded])
        #expect(test.end == .refused())
    }

    @Test mutating func quittingFromThePauseEndsEverything() {
        test.send([.pause, .quit])
        #expect(test.takeSignals() == ["pause", "HUP→all", "resume", "CONT→all"])
    }

    @Test("A program still running when the grace period ends is not killed if the status has cleared")
    mutating func clearedTerminationSparesProgram() {
        test.send([Self.terminate, .unblock])
        #expect(test.terminal.lines == ["$ guard", "work"])
        _ = test.takeSignals()
        test.fire(.kill)
        #expect(test.takeSignals() == [])
        test.send(Self.exit)
        #expect(test.end == .program(.exited(3)))
    }

    @Test("A program that exits within the grace period counts as ended by the status")
    mutating func exitInGraceCountsAsRefused() {
        test.send([Self.terminate, .unblock, .programEnded(.exited(3)), .treeEnded, .outputEnded])
        #expect(test.end == .refused())
    }

    @Test("A program spared from termination is paused if the current status asks for a pause")
    mutating func sparedProgramIsPaused() {
        test.send([Self.terminate, .pause])
        _ = test.takeSignals()
        test.fire(.kill)
        #expect(test.takeSignals() == ["pause"])
        test.send(Self.terminate)
        #expect(test.takeSignals() == ["TERM→all", "resume", "CONT→all"])
    }

    @Test("A status terminates the program while the update command holds the terminal")
    mutating func statusTerminatesDuringUpdate() {
        test.send([.kill, .lend, Self.terminate])
        #expect(test.takeSignals() == ["TERM→all", "CONT→all"])
        let lines = test.terminal.lines
        test.send([.programEnded(.exited(3)), .treeEnded, .outputEnded])
        #expect(test.end == nil, "the update goes on")
        #expect(test.terminal.lines == lines)
        test.send(.takeBack)
        #expect(test.end == .refused())
        #expect(!test.holdsTerminal)
    }

    @Test("After a termination signal during the update command the guard exits with the program's status")
    mutating func signalEndsGuardDuringUpdate() {
        test.send([.kill, .lend, .signal(GuardSignals.terminate)] + Self.exit)
        #expect(test.end == .program(.exited(3)), "the guard ends as its program did")
    }

    // MARK: Signals and the terminal

    @Test("A termination signal under the cover ends the program and restores the terminal")
    mutating func signalUnderCoverRestoresTerminal() {
        test.output("\u{1B}[?1049h\u{1B}[?1000hscreen")
        test.send([.kill, .signal(GuardSignals.terminate)])
        #expect(test.takeSignals() == ["TERM→program"])
        #expect(test.timers[.kill] == nil, "the program takes the time that it needs")
        test.send([.programEnded(.signaled(15)), .outputEnded])
        #expect(test.end == .program(.signaled(GuardSignals.terminate)))
        #expect(!test.terminal.showsAlternate)
        #expect(!test.terminal.hasMode(1000))
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test("Closing the terminal window hangs up the program once, and the guard keeps running")
    mutating func closedWindowHangsUpProgramOnce() {
        #expect(test.send(.inputEnded).contains(.hangUp))
        test.send(.signal(GuardSignals.hangUp))
        #expect(test.takeSignals() == ["HUP", "CONT"])
        #expect(test.timers == [:], "the program takes the time that it needs")
        #expect(!test.holdsTerminal)
        test.send(.pause)
        #expect(test.takeSignals() == ["pause"], "a status acts without a terminal, too")
        test.send([.unblock, .programEnded(.exited(3))])
        #expect(test.end == .program(.exited(3)))
    }

    @Test("A paused program is resumed to handle a signal and is paused again if it survives")
    mutating func pausedProgramReceivesSignal() {
        test.send([.pause, .signal(GuardSignals.terminate)])
        #expect(test.takeSignals() == ["pause", "TERM→program", "resume"])
        #expect(test.timers[.kill] == .seconds(5))
        test.fire(.kill)
        #expect(test.takeSignals() == ["pause"])
    }

    @Test(arguments: [(UInt8(0x03), GuardSignals.interrupt), (UInt8(0x1C), GuardSignals.quit)])
    func aSignalOfAKeyEndsTheGuardsWholeGroup(key: UInt8, signal: Int32) {
        for isTyped in [true, false] {
            var test = GuardUnderTest.running()
            if isTyped { test.send(.typed([key])) }
            test.send([.programEnded(.signaled(signal)), .outputEnded])
            #expect(test.end == (isTyped ? .key(signal) : .program(.signaled(signal))))
        }
    }

    @Test("Input typed after the program exits is returned to the shell without terminal replies")
    func inputAfterExitGoesToShell() {
        var test = endedBeforeTheReply()
        test.type("ls\r\u{1B}[2;")
        test.type("1R")
        #expect(test.end == .program(.exited(3)))
        #expect(String(decoding: test.givenBack, as: UTF8.self) == "ls\r")
    }

    @Test("The guard stops reading output from leftover processes after the drain timeout")
    mutating func drainTimeoutLeavesOutput() {
        test.send(.programEnded(.exited(0)))
        #expect(!test.machine.leavesOutput)
        test.fire(.drain)
        #expect(test.machine.leavesOutput)
    }

    // MARK: A terminal that replies late

    /// A program that has ended, in a terminal that has not said where the cursor is.
    private func endedBeforeTheReply() -> GuardUnderTest {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .startAllowed])
        test.fire(.cursorReport)
        test.output("work\r\n")
        test.send(Self.exit)
        return test
    }

    @Test("The guard waits for an outstanding terminal reply before it exits")
    func exitWaitsForTerminalReply() {
        var test = endedBeforeTheReply()
        #expect(test.terminal.lines == ["$ guard", "work"], "the output does not wait")
        #expect(test.end == nil)
        test.type("x\u{1B}[2;")
        #expect(test.end == nil)
        test.type("1R")
        #expect(test.end == .program(.exited(3)))
        #expect(test.takeTyped() == "")
        #expect(test.timers == [:])
    }

    @Test("The guard exits after a timeout if the terminal does not reply")
    func exitWaitsBrieflyForReply() {
        var test = endedBeforeTheReply()
        #expect(test.timers == [.lateReport: .seconds(2)])
        test.fire(.lateReport)
        #expect(test.end == .program(.exited(3)))
    }

    @Test("A terminal known not to reply does not delay the guard's exit")
    func silentTerminalDoesNotDelayExit() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .startAllowed])
        test.fire(.cursorReport)
        test.fire(.lateReport)
        test.send(Self.exit)
        #expect(test.end == .program(.exited(3)))
    }

    @Test func aCoverIsTakenAwayBeforeTheReplyIsAwaited() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .startAllowed])
        test.fire(.cursorReport)
        test.output("work\r\n")
        test.send([.kill, .programEnded(.exited(0)), .outputEnded])
        #expect(test.terminal.lines == ["$ guard", "work"])
        #expect(test.end == nil)
        test.fire(.lateReport)
        #expect(test.end == .program(.exited(0)))
    }
}
