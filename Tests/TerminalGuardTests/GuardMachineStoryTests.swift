import Testing

@testable import TerminalGuard

/// What a person notices in the rarer states: before the start, on the cover, and while the update command has the terminal.
@Suite("Guard machine: stories")
struct GuardMachineStoryTests {
    /// A status covers the program before its start.
    private var test = GuardUnderTest()
    init() {
        test.send([.begun(isForeground: true), .kill])
        test.reply()
    }

    @Test("Quitting the cover before the start ends the guard as refused, and the shell's screen is as it was")
    mutating func quittingBeforeTheStart() {
        #expect(test.terminal.isFull(of: "A"))
        test.send(.quit)
        #expect(test.end == .refused() && !test.hasStarted)
        #expect(test.terminal.lines == ["$ guard"] && !test.terminal.showsAlternate)
    }

    @Test(
        "A terminal that ends before the start ends the guard, whoever has it", arguments: [nil, GuardEvent.lend, .suspend])
    mutating func terminalEndsBeforeTheStart(event: GuardEvent?) {
        if let event { test.send(event) }
        // A stopped job gets the hangup when it continues.
        if test.isJobStopped { test.send(.resumed(isForeground: false)) }
        test.send(.inputEnded)
        #expect(test.end == .signal(GuardSignals.hangUp) && !test.hasStarted)
    }

    @Test("A start that is held while the update command runs does not come when that has ended")
    mutating func heldDuringTheUpdate() {
        test.send([.lend, .unblock, .startAllowed, .startHeld, .takeBack])
        #expect(!test.hasStarted && test.holdsTerminal)
    }

    @Test("A guard whose program has ended stays until the update command has ended, and then shows the last output")
    func programEndsDuringTheUpdate() {
        var test = GuardUnderTest.running()
        test.send(.kill)
        test.output("last\r\n")
        test.send([.lend, .programEnded(.exited(3)), .outputEnded])
        #expect(test.end == nil)
        test.send(.takeBack)
        #expect(test.end == .program(.exited(3)))
        #expect(test.terminal.lines == ["$ guard", "work", "last"])
    }
}
