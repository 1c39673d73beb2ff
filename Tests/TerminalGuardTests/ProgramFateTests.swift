import Bellerophon
import Testing

@testable import TerminalGuard

/// What the machine says about its program, for the line on the cover.
@Suite("Guard machine: the fate of the program")
struct ProgramFateTests {
    private var test = GuardUnderTest.running()
    private static let terminate = GuardEvent.block(GuardNotation.frame("A"), .terminate(grace: .seconds(17)))

    @Test func itWaitsUntilItsStart() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), Self.terminate])
        #expect(test.machine.fate == .notStarted)
    }

    @Test(
        arguments: [
            ([], .running), ([.kill], .running), ([.pause], .paused), ([.pause, .stopped], .paused),
            ([.pause, .unblock], .running), ([.pause, .kill], .running), ([terminate], .ending(after: .seconds(17))),
            ([terminate, .kill], .ending(after: .seconds(17))), ([.kill, .stopped], .stopped),
            ([.kill, .stopped, .programContinued], .running), ([.kill, .quit], .ending(after: .seconds(5))),
            ([.pause, .quit], .ending(after: .seconds(5))), ([terminate, .quit], .ending(after: .seconds(5))),
            ([.signal(15)], .running), ([.pause, .signal(15)], .running),
            ([terminate, .programEnded(.exited(0))], .ending(after: .seconds(17))),
            ([.kill, .programEnded(.exited(0))], .ended),
        ] as [([GuardEvent], CoveredProgram)])
    mutating func itIsWhatHappensToTheProgram(events: [GuardEvent], fate: CoveredProgram) {
        test.send(events)
        #expect(test.machine.fate == fate)
    }

    /// A program that survives the request continues when the status has changed meanwhile.
    @Test mutating func aRequestThatIsWithdrawnIsOver() {
        test.send([Self.terminate, .pause])
        test.fire(.kill)
        #expect(test.machine.fate == .paused)
    }
}
