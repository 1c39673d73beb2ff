import TerminalUI
import Testing

@testable import TerminalGuard

/// When the terminal goes to somebody else while it owes the guard a reply.
@Suite struct GuardMachineDepartureTests {
    /// The program runs, and the terminal has not replied yet.
    private var test = GuardUnderTest()
    init() {
        test.send([.begun(isForeground: true), .startAllowed])
        test.fire(.cursorReport)
    }

    /// A shell would read it.
    @Test("A job stops once the outstanding reply has come, or its time is over", arguments: [true, false])
    mutating func stopWaitsForTerminalReply(replies: Bool) {
        test.send(.programStopped(by: GuardSignals.terminalStop))
        #expect(!test.isJobStopped && test.holdsTerminal)
        if replies { test.reply() } else { test.fire(.lateReport) }
        #expect(test.isJobStopped && !test.holdsTerminal)
        #expect(test.takeTyped() == "")
    }

    @Test mutating func aProgramThatGoesOnBeforeTheReplyStopsNoJob() {
        test.send([.programStopped(by: GuardSignals.terminalStop), .programContinued])
        test.reply()
        #expect(!test.isJobStopped && test.holdsTerminal)
    }

    @Test("A cover leaves the terminal to a shell or a command once the outstanding reply has come", arguments: [true, false])
    mutating func coverWaitsForTerminalReply(isLent: Bool) {
        test.send(.kill)
        test.send(isLent ? .lend : .suspend)
        #expect(test.holdsTerminal && test.terminal.isFull(of: "A"))
        test.reply()
        #expect(!test.holdsTerminal && test.isJobStopped == !isLent)
    }
}
