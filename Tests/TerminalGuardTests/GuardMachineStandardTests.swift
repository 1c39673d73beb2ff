import Testing

@testable import TerminalGuard

/// What the machine does for a program on the standard descriptors of the guard, over which nothing can be shown.
@Suite("Guard machine: without a terminal")
struct GuardMachineStandardTests {
    private var test = Self.running()

    private static func begun(sharesKeys: Bool = false) -> GuardUnderTest {
        var test = GuardUnderTest(place: .standard(sharesKeys: sharesKeys))
        test.send(.begun(isForeground: true))
        return test
    }

    private static func running(sharesKeys: Bool = false) -> GuardUnderTest {
        var test = begun(sharesKeys: sharesKeys)
        test.send(.startAllowed)
        return test
    }

    @Test("The program starts at once: no terminal is asked anything or shows anything")
    func itStartsWithoutQuestions() {
        var test = Self.begun()
        #expect(!test.hasStarted)
        #expect(test.send(.startAllowed) == [.startProgram(inForeground: true)])
        #expect(test.send(.kill) == [])
        #expect(test.send(.unblock) == [])
    }

    @Test mutating func aStatusPausesAndContinuesIt() {
        #expect(test.send(.pause) == [.pauseTree])
        #expect(test.send(.unblock) == [.resumeTree])
    }

    @Test("A program that others have stopped stops the guard with it, for the shell that waits for both")
    mutating func aStopStopsTheJob() {
        #expect(test.send(.programStopped(by: GuardSignals.terminalStop)) == [.stopJob(by: GuardSignals.terminalStop)])
        test.send(.resumed(isForeground: false))
        #expect(test.takeSignals() == ["CONT"])
        test.send(.pause)
        #expect(test.send(.programStopped(by: GuardSignals.stop)) == [], "that is what the status wanted")
    }

    @Test("The program gets the signal of a key from the terminal that it shares with the guard, and otherwise from the guard")
    func keysReachItOnce() {
        for number in [GuardSignals.interrupt, GuardSignals.quit] {
            var shared = Self.running(sharesKeys: true), alone = Self.running()
            #expect(shared.send(.signal(number)) == [])
            #expect(alone.send(.signal(number)) == [.send(signal: number, to: .program)])
            var waiting = Self.begun(sharesKeys: true)
            waiting.send(.signal(number))
            #expect(waiting.end == .signal(number), "before the start the guard is alone")
        }
    }

    @Test mutating func theGuardEndsAsItsProgram() {
        test.send(.programEnded(.exited(3)))
        #expect(test.end == .program(.exited(3)), "no output is waited for")
        var refused = Self.begun()
        refused.send([.pause, .startRefused])
        #expect(refused.end == .refused())
    }

    @Test("A terminated program ends with everything that it has started")
    mutating func theTreeEndsWithIt() {
        test.send([.block(GuardNotation.frame("A"), .terminate(grace: .seconds(2))), .programEnded(.signaled(15))])
        #expect(test.isTreeWatched && test.end == nil)
        test.send(.treeEnded)
        #expect(test.end == .refused() && test.faults == [])
    }
}
