import Testing

@testable import TerminalGuard

/// What a person notices in the rarer states: before the start, on the cover, and while the update command has the terminal.
@Suite("Guard machine: stories")
struct GuardMachineStoryTests {
    private static let block = GuardEvent.block(GuardNotation.frame("A"), .cover)

    /// A guard whose cover is shown before the program was started.
    private func coveredBeforeTheStart() -> GuardUnderTest {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), Self.block])
        test.reply()
        return test
    }

    @Test("Quitting the cover before the start ends the guard as refused, and the shell's screen is as it was")
    func quittingBeforeTheStart() {
        var test = coveredBeforeTheStart()
        #expect(test.terminal.isFull(of: "A"))
        test.send(.quit)
        #expect(test.end == .refused && !test.hasStarted)
        #expect(test.terminal.lines == ["$ guard"] && !test.terminal.showsAlternate)
    }

    @Test(
        "A terminal that ends before the start ends the guard, whoever has it", arguments: [nil, GuardEvent.lend, .suspend])
    func terminalEndsBeforeTheStart(event: GuardEvent?) {
        var test = coveredBeforeTheStart()
        if let event { test.send(event) }
        // A stopped job gets the hangup when it continues.
        if test.isJobStopped { test.send(.resumed(isForeground: false)) }
        test.send(.inputEnded)
        #expect(test.end == .signal(GuardSignals.hangUp) && !test.hasStarted)
    }

    @Test("A program that is allowed while the update command runs starts when that has ended")
    func allowedDuringTheUpdate() {
        var test = coveredBeforeTheStart()
        test.send([.lend, .unblock, .startAllowed])
        #expect(!test.hasStarted)
        test.send(.takeBack)
        #expect(test.hasStarted && test.holdsTerminal)
        #expect(test.terminal.lines == ["$ guard"])
    }

    @Test("A start that is held while the update command runs does not come when that has ended")
    func heldDuringTheUpdate() {
        var test = coveredBeforeTheStart()
        test.send([.lend, .unblock, .startAllowed, .startHeld, .takeBack])
        #expect(!test.hasStarted && test.holdsTerminal)
    }

    @Test("A guard whose program has ended stays until the update command has ended, and then shows the last output")
    func programEndsDuringTheUpdate() {
        var test = GuardUnderTest.running()
        test.send(Self.block)
        test.output("last\r\n")
        test.send([.lend, .programEnded(.exited(3)), .outputEnded])
        #expect(test.end == nil)
        test.send(.takeBack)
        #expect(test.end == .program(.exited(3)))
        #expect(test.terminal.lines == ["$ guard", "work", "last"])
    }

    @Test("Control-Z on the cover holds the program, and the shell gets its own screen")
    func controlZOnTheCover() {
        var test = GuardUnderTest.running()
        test.send([Self.block, .suspend])
        #expect(test.takeSignals() == ["STOP"] && test.isJobStopped && !test.holdsTerminal)
        #expect(!test.terminal.isFull(of: "A") && !test.terminal.showsAlternate)
        test.send(.resumed(isForeground: true))
        #expect(test.terminal.isFull(of: "A"), "the cover is back, and the program continues under it")
        #expect(test.takeSignals() == ["CONT"])
    }
}
