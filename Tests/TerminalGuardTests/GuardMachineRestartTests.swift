import TerminalUI
import Testing

@testable import TerminalGuard

/// A program that is ended for its new version, and a new version that fails at once.
@Suite("Guard machine: the restart after an update") struct GuardMachineRestartTests {
    private var test = GuardUnderTest.running()
    init() { test.send(Self.update) }

    private static let update = GuardEvent.block(GuardNotation.frame("A"), .restart(grace: .seconds(9)))
    private static let exit: [GuardEvent] = [.programEnded(.exited(0)), .outputEnded]

    @Test("The program continues under the cover until the restart, is asked to end then, and is killed after the grace")
    mutating func grace() {
        #expect(test.takeSignals() == [])
        test.send(.restart(grace: .seconds(9)))
        #expect(test.takeSignals() == ["TERM", "CONT"])
        #expect(test.timers[.kill] == .seconds(9))
        #expect(test.machine.fate == .ending(after: .seconds(9)))
        test.fire(.kill)
        #expect(test.takeSignals() == ["KILL"])
        test.send([.programEnded(.signaled(9)), .outputEnded])
        #expect(test.end == .restart())
        #expect(test.faults == [])
    }

    @Test("The guard ends for the new version while the update command still has the terminal")
    mutating func whileLent() {
        test.send(.lend)
        test.write("updating\r\n")
        test.send(.restart(grace: .seconds(9)))
        #expect(!test.holdsTerminal)
        test.send(Self.exit)
        #expect(test.end == .restart())
        #expect(test.terminal.lines.suffix(1) == ["updating"], "nothing is painted over the output of the command")
        #expect(test.faults == [])
    }

    @Test("A paused program can act on the request to end")
    func pausedProgram() {
        var test = GuardUnderTest.running()
        test.send(.pause)
        _ = test.takeSignals()
        test.send(.restart(grace: .seconds(9)))
        #expect(test.takeSignals() == ["TERM→all", "resume", "CONT→all"])
        test.send(Self.exit)
        #expect(test.isTreeWatched && test.end == nil, "everything that it has started ends with it")
        test.send(.treeEnded)
        #expect(test.end == .restart())
    }

    @Test("A program that was not started yet needs no end")
    func beforeTheStart() {
        var test = GuardUnderTest()
        test.send(.begun(isForeground: true))
        test.reply()
        test.send([Self.update, .restart(grace: .seconds(9))])
        #expect(test.end == .restart() && test.takeSignals() == [])
        var lent = GuardUnderTest()
        lent.send(.begun(isForeground: true))
        lent.reply()
        lent.send([Self.update, .lend, .restart(grace: .seconds(9))])
        #expect(lent.end == .restart() && lent.faults == [])
    }

    @Test("A program that has ended by itself during the update ends the guard")
    mutating func programEndsItself() {
        test.send([.lend, .programEnded(.exited(3)), .outputEnded])
        #expect(test.end == nil, "the command has the terminal")
        test.send(.restart(grace: .seconds(9)))
        #expect(test.end == .program(.exited(3)))
    }

    @Test("A signal that ends the guard comes before the new version")
    mutating func signalMeanwhile() {
        test.send([.restart(grace: .seconds(9)), .signal(GuardSignals.terminate)])
        test.send([.programEnded(.signaled(GuardSignals.terminate)), .outputEnded])
        #expect(test.end == .program(.signaled(GuardSignals.terminate)))
    }

    @Test("Without a cover nothing is started again")
    func withoutACover() {
        var test = GuardUnderTest.running()
        #expect(test.send(.restart(grace: .seconds(9))) == [])
        #expect(test.takeSignals() == [])
    }

    // MARK: The new version

    private static func young() -> GuardUnderTest {
        var test = GuardUnderTest(isUpdated: true)
        test.send([.begun(isForeground: true), .startAllowed])
        test.reply()
        return test
    }

    @Test(
        "A new version that fails at once leaves the guard until the person has read why",
        arguments: [ProgramEnd.exited(1), .signaled(11)])
    func failsEarly(end: ProgramEnd) {
        var test = Self.young()
        #expect(test.timers[.youth] == .seconds(3))
        test.output("no library\r\n")
        test.send(.programEnded(end))
        #expect(test.end == nil)
        #expect(test.send(.outputEnded) == [.failedEarly(end)])
        test.send(.block(GuardNotation.frame("B"), .cover))
        #expect(test.terminal.isFull(of: "B") && test.end == nil)
        test.send(.quit)
        #expect(test.end == .program(end))
        #expect(test.terminal.lines.suffix(1) == ["no library"])
        #expect(test.faults == [])
    }

    @Test("An end without a failure, a later end, and an end by a key are the program's own")
    func ordinaryEnds() {
        var success = Self.young()
        success.send(Self.exit)
        #expect(success.end == .program(.exited(0)))
        var late = Self.young()
        late.fire(.youth)
        late.send([.programEnded(.exited(1)), .outputEnded])
        #expect(late.end == .program(.exited(1)))
        var key = Self.young()
        key.type("\u{03}")
        key.send([.programEnded(.signaled(GuardSignals.interrupt)), .outputEnded])
        #expect(key.end == .key(GuardSignals.interrupt))
        var first = GuardUnderTest.running()
        first.send([.programEnded(.exited(1)), .outputEnded])
        #expect(first.end == .program(.exited(1)), "only a new version is watched")
    }

    @Test("A terminal that goes away, and a signal, end a guard that shows why a version has failed")
    func leavesOtherwise() {
        for event in [GuardEvent.inputEnded, .signal(GuardSignals.terminate)] {
            var test = Self.young()
            test.send([.programEnded(.exited(1)), .outputEnded, .block(GuardNotation.frame("B"), .cover), event])
            #expect(test.end != nil, "\(event)")
        }
    }
}
