import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: job control")
struct GuardMachineJobTests {
    private var test = GuardUnderTest.running()

    // MARK: Control-Z in the program

    @Test("A program that stops also stops the guard's job, and both continue together")
    mutating func programStopStopsJob() {
        test.send(.signal(GuardSignals.terminalStop))
        #expect(test.takeSignals() == ["TSTP"], "the program decides")
        test.send(.stopped)
        #expect(test.isJobStopped)
        #expect(!test.holdsTerminal)
        test.send(.resumed(isForeground: true))
        #expect(test.holdsTerminal)
        #expect(test.takeSignals() == ["CONT"])
        test.send(.programContinued)
        test.type("j")
        #expect(test.takeTyped() == "j")
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test mutating func aStoppedJobContinuesInTheBackground() {
        test.send([.stopped, .resumed(isForeground: false)])
        #expect(test.takeSignals() == ["CONT"])
        #expect(!test.holdsTerminal)
        test.output("more\r\n")
        #expect(test.terminal.lines == ["$ guard", "work", "more"])
        test.send(.typed(Array("j".utf8)))
        #expect(test.takeTyped() == "", "the shell has the keyboard")
        test.send(.resumed(isForeground: true))
        test.type("k")
        #expect(test.takeTyped() == "k")
    }

    @Test("A status received in the background is shown when the guard returns to the foreground")
    mutating func backgroundStatusShowsLater() {
        test.send([.stopped, .resumed(isForeground: false), .pause])
        #expect(test.takeSignals() == ["CONT", "pause"])
        #expect(test.terminal.lines == ["$ guard", "work"])
        test.send(.resumed(isForeground: true))
        #expect(test.terminal.isFull(of: "A"))
        #expect(test.takeSignals() == [], "the program stays paused")
    }

    @Test("A pause whose cover is delayed takes effect when the guard moves to the background")
    mutating func delayedCoverPausesInBackground() {
        test.output("\u{1B}P" + String(repeating: "s", count: GuardUnderTest.overlong))
        test.send(.pause)
        #expect(test.takeSignals() == [])
        test.send(.resumed(isForeground: false))
        #expect(test.takeSignals() == ["CONT", "pause"])
        #expect(test.timers == [:])
    }

    @Test("A repeated continue event leaves the guard and the terminal unchanged")
    func repeatedContinueChangesNothing() {
        for event in [GuardEvent.kill, .pause, .unblock] {
            var test = GuardUnderTest.running()
            test.send([event, .resumed(isForeground: true)])
            let before = test
            test.send(.resumed(isForeground: true))
            #expect(GuardNotation.text(test.machine) == GuardNotation.text(before.machine))
            #expect(test.terminal.shows(before.terminal))
            #expect(test.holdsTerminal)
        }
    }

    @Test("A guard continued in the background releases the terminal")
    func backgroundGuardReleasesTerminal() {
        for event in [.kill, GuardEvent.unblock] {
            var test = GuardUnderTest.running()
            test.send([event, .resumed(isForeground: false)])
            #expect(!test.holdsTerminal)
            #expect(!test.terminal.showsAlternate)
            test.send([.resumed(isForeground: true), .unblock])
            #expect(test.terminal.lines == ["$ guard", "work"])
        }
    }

    // MARK: Control-Z on the cover

    @Test("Suspending removes the cover, and resuming shows the last frame again")
    mutating func suspendedCoverReturns() {
        test.send([.kill, .suspend])
        #expect(test.isJobStopped)
        #expect(test.takeSignals() == ["STOP"])
        #expect(test.terminal.lines == ["$ guard", "work"])
        #expect(!test.terminal.showsAlternate)
        test.send([.resumed(isForeground: true), .programContinued])
        #expect(test.terminal.isFull(of: "A"))
        #expect(test.takeSignals() == ["CONT"])
        test.send(.block(GuardNotation.frame("B"), .cover))
        #expect(test.terminal.isFull(of: "B"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test("A paused program stays paused when its job continues")
    mutating func pausedProgramStaysPaused() {
        test.send([.pause, .suspend, .stopped, .resumed(isForeground: true)])
        #expect(test.takeSignals() == ["pause"])
        test.send(.unblock)
        #expect(test.takeSignals() == ["resume"])
    }

    @Test("Output held under the cover is shown in the background when the status clears")
    mutating func backgroundOutputFollowsUnblock() {
        test.send([.kill, .suspend, .resumed(isForeground: false), .programContinued])
        test.output("more\r\n")
        #expect(test.terminal.lines == ["$ guard", "work"])
        test.send(.unblock)
        #expect(test.terminal.lines == ["$ guard", "work", "more"])
        test.output("last\r\n")
        #expect(test.terminal.lines == ["work", "more", "last"])
        #expect(!test.holdsTerminal)
    }

    @Test("The alternate screen is restored only when the guard is in the foreground again")
    mutating func backgroundHidesAlternateScreen() {
        test.output("\u{1B}[?1049h\u{1B}[Hscreen")
        test.send([.kill, .suspend, .resumed(isForeground: false), .programContinued, .unblock])
        #expect(!test.terminal.showsAlternate)
        test.send(.resumed(isForeground: true))
        #expect(test.terminal.lines == ["screen"])
    }

    @Test func halfAKeyOnTheCoverDoesNotTakeTheNextKey() {
        for half in ["\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}[200~pasted"] {
            var test = GuardUnderTest.running()
            test.send(.kill)
            test.type(half)
            test.send([.suspend, .resumed(isForeground: true)])
            test.type("q")
            #expect(test.takePressed() == [.character("q")])
            #expect(test.takeTyped() == "")
        }
    }

    // MARK: The program's place in its terminal

    @Test("A background program that reads the terminal stops the job and continues in the foreground")
    func backgroundReadStopsJob() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: false), .startAllowed])
        #expect(!test.isProgramInForeground)
        let actions = test.send(.programStopped(by: GuardSignals.wantsInput))
        #expect(actions.last == .stopJob(by: GuardSignals.wantsInput), "the shell reports why")
        test.send(.resumed(isForeground: true))
        #expect(test.isProgramInForeground)
        #expect(test.takeSignals() == ["CONT"])
    }

    // MARK: Stops that the machine has sent

    @Test("A program that stops under the cover stops the job only when the cover is removed")
    func stopUnderCoverWaitsForUnblock() {
        for event in [GuardEvent.kill, .pause] {
            var test = GuardUnderTest.running()
            test.send([.kill, .stopped, event])
            #expect(!test.isJobStopped)
            #expect(test.terminal.isFull(of: "A"))
            test.send(.unblock)
            #expect(test.isJobStopped)
            #expect(!test.takeSignals().contains("CONT"), "it continues with its job")
            #expect(test.terminal.lines == ["$ guard", "work"])
            test.send(.resumed(isForeground: true))
            #expect(test.takeSignals() == ["CONT"])
        }
    }

    // MARK: The update command

    @Test mutating func controlZInTheUpdateCommandStopsTheJobOnly() {
        test.send([.kill, .lend, .signal(GuardSignals.terminalStop)])
        #expect(test.isJobStopped)
        test.send([.resumed(isForeground: true), .takeBack])
        #expect(test.takeSignals() == [])
        #expect(test.terminal.isFull(of: "A"))
    }

    @Test("Queries of the covered program are sent after the update command returns the terminal")
    mutating func queriesWaitDuringUpdate() {
        test.send([.kill, .lend])
        let lines = test.terminal.lines
        #expect(test.output("text\r\n\u{1B}[c\u{1B}]2;title\u{7}").terminal == [])
        #expect(test.terminal.lines == lines)
        // The job stops with the program, and the queries must not come after that.
        let actions = [GuardEvent.unblock, .stopped, .takeBack].flatMap { test.send($0) }
        let place = actions.firstIndex(of: .sendToTerminal(Array("\u{1B}[c".utf8)))
        #expect(place != nil)
        #expect(place ?? .max < actions.firstIndex(of: .releaseTerminal) ?? 0)
        #expect(test.terminal.lines == ["$ guard", "work", "text"])
    }

    @Test mutating func queriesThatWaitAreLimited() {
        test.send([.kill, .lend])
        for _ in 0..<10_000 { test.output("\u{1B}[c") }
        #expect(test.machine.delayedQueries.count <= GuardMachine.queryLimit)
        #expect(test.machine.delayedQueries.count > GuardMachine.queryLimit - 3, "none is cut in two")
        #expect(test.machine.delayedQueries.suffix(3) == Array("\u{1B}[c".utf8))
    }
}
