import TerminalUI
import Testing

@testable import TerminalGuard

/// What a machine does with every event in every state, in the notation of ``GuardNotation``.
enum GuardMachineTable {
    /// The events by name, in the table's order.
    static let events: [(name: String, event: GuardEvent)] =
        [
            ("begun", .begun(isForeground: true)), ("begunBehind", .begun(isForeground: false)),
            ("startAllowed", .startAllowed), ("startHeld", .startHeld), ("startRefused", .startRefused),
            ("blockA", .block(GuardNotation.frame("A"), .cover)), ("blockB", .block(GuardNotation.frame("B"), .cover)),
            ("pauseA", .block(GuardNotation.frame("A"), .pause)), ("pauseB", .block(GuardNotation.frame("B"), .pause)),
            ("terminateA", .block(GuardNotation.frame("A"), .terminate(grace: .seconds(10)))),
            ("terminateB", .block(GuardNotation.frame("B"), .terminate(grace: .seconds(10)))),
            ("pass", .pass(GuardNotation.copyRequest)), ("repaint", .repaint), ("unblock", .unblock),
            ("quit", .quit), ("suspend", .suspend), ("lend", .lend), ("takeBack", .takeBack),
            ("key", .typed(Array("j".utf8))), ("report", .typed(GuardNotation.report)), ("ctrlC", .typed([0x03])),
            ("escape", .typed([0x1B])), ("inputEnded", .inputEnded), ("resized", .resized(Size(columns: 30, rows: 5))),
            ("exited", .programEnded(.exited(0))), ("notStarted", .programEnded(.notStarted(2))),
            ("stopped", .stopped),
            ("wantsInput", .programStopped(by: GuardSignals.wantsInput)), ("continued", .programContinued),
            ("outputEnded", .outputEnded), ("treeEnded", .treeEnded),
            ("resumed", .resumed(isForeground: true)), ("resumedBehind", .resumed(isForeground: false)),
        ]
        + [
            GuardSignals.terminate, GuardSignals.hangUp, GuardSignals.interrupt, GuardSignals.quit, GuardSignals.user[0],
            GuardSignals.terminalStop,
        ].map { (GuardNotation.name(of: $0), .signal($0)) }
        + GuardTimer.allCases.map { ("\($0)", .timer($0)) }

    /// One state with its cells.
    struct Section: Sendable, CustomTestStringConvertible {
        /// The state in words.
        let state: String
        /// The events that lead to it, by name. `overlong` is output that begins a sequence of more than a mebibyte.
        let path: String
        /// One line for each event that has an effect: `names: actions > state afterwards`. The state is left out if it stays,
        /// and `$` is the event's name. All events without a line have no effect.
        let rows: String
        /// What the terminal gets when the program writes an x.
        let output: String

        init(_ state: String, after path: String, output: String = "", _ rows: String) {
            (self.state, self.path, self.output, self.rows) = (state, path, output, rows)
        }

        var testDescription: String { state }
    }

    static let sections = beforeTheStart + whileItRuns + whileItIsStopped + atTheEnd
}
