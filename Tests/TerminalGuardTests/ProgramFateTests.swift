import Testing

@testable import TerminalGuard

/// What the machine says about its program, for the line on the cover.
@Suite("Guard machine: the fate of the program")
struct ProgramFateTests {
    private static let cover = GuardEvent.block(GuardNotation.frame("A"), .cover)
    private static let pause = GuardEvent.block(GuardNotation.frame("A"), .pause)
    private static let terminate = GuardEvent.block(GuardNotation.frame("A"), .terminate(grace: .seconds(17)))

    @Test func itWaitsUntilItsStart() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), Self.terminate])
        #expect(test.machine.fate == .waiting)
    }

    @Test(
        arguments: [
            ([], .running), ([cover], .running), ([pause], .paused), ([pause, .stopped], .paused),
            ([pause, .unblock], .running), ([pause, cover], .running), ([terminate], .ending(grace: .seconds(17))),
            ([terminate, cover], .ending(grace: .seconds(17))), ([cover, .stopped], .stopped),
            ([cover, .stopped, .programContinued], .running), ([cover, .quit], .ending(grace: .seconds(5))),
            ([pause, .quit], .ending(grace: .seconds(5))), ([terminate, .quit], .ending(grace: .seconds(5))),
            ([.signal(15)], .running), ([pause, .signal(15)], .running), ([terminate, .programEnded(.exited(0))], .ending(grace: .seconds(17))),
            ([cover, .programEnded(.exited(0))], .ended),
        ] as [([GuardEvent], ProgramFate)])
    func itIsWhatHappensToTheProgram(events: [GuardEvent], fate: ProgramFate) {
        var test = GuardUnderTest.running()
        test.send(events)
        #expect(test.machine.fate == fate)
    }

    /// A program that survives the request continues when the status has changed meanwhile.
    @Test func aRequestThatIsWithdrawnIsOver() {
        var test = GuardUnderTest.running()
        test.send([Self.terminate, Self.pause])
        test.fire(.kill)
        #expect(test.machine.fate == .paused)
    }
}
