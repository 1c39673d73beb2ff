import TerminalUI
import Testing

@testable import TerminalGuard

/// When the terminal goes to somebody else while it owes the guard a reply.
@Suite struct GuardMachineDepartureTests {
    /// A guard whose program runs, and whose terminal has not replied yet.
    private func beforeTheReply() -> GuardUnderTest {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .startAllowed])
        test.fire(.cursorReport)
        return test
    }

    /// A shell would read it.
    @Test("A job stops once the outstanding reply has come, or its time is over", arguments: [true, false])
    func stopWaitsForTerminalReply(replies: Bool) {
        var test = beforeTheReply()
        test.send(.programStopped(by: GuardSignals.terminalStop))
        #expect(!test.isJobStopped && test.holdsTerminal)
        if replies { test.reply() } else { test.fire(.lateReport) }
        #expect(test.isJobStopped && !test.holdsTerminal)
        #expect(test.takeTyped() == "")
    }

    @Test func aProgramThatGoesOnBeforeTheReplyStopsNoJob() {
        var test = beforeTheReply()
        test.send([.programStopped(by: GuardSignals.terminalStop), .programContinued])
        test.reply()
        #expect(!test.isJobStopped && test.holdsTerminal)
    }

    @Test("A cover leaves the terminal to a shell or a command once the outstanding reply has come", arguments: [true, false])
    func coverWaitsForTerminalReply(isLent: Bool) {
        var test = beforeTheReply()
        test.send(.kill)
        test.send(isLent ? .lend : .suspend)
        #expect(test.holdsTerminal && test.terminal.isFull(of: "A"))
        test.reply()
        #expect(!test.holdsTerminal && test.isJobStopped == !isLent)
    }
}
