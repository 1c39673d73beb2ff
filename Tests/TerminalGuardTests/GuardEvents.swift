import Bellerophon
import TerminalUI

@testable import TerminalGuard

/// The events of a guard machine, with short names.
enum GuardEvents {
    static let all: [(name: String, event: GuardEvent)] =
        [
            ("begun", .begun(isForeground: true)), ("begunBehind", .begun(isForeground: false)),
            ("startAllowed", .startAllowed), ("startHeld", .startHeld), ("startRefused", .startRefused),
            ("blockA", .block(GuardNotation.frame("A"), .cover)), ("blockB", .block(GuardNotation.frame("B"), .cover)),
            ("pauseA", .block(GuardNotation.frame("A"), .pause)),
            ("terminateA", .block(GuardNotation.frame("A"), .terminate(grace: .seconds(10)))),
            ("pass", .pass(GuardNotation.copyRequest)), ("repaint", .repaint), ("unblock", .unblock),
            ("notice", .notice(Banner(["NOTICE"]))), ("noNotice", .notice(nil)),
            ("news", .tell(line: "news", Banner(["NOTICE"]))),
            ("quit", .quit), ("suspend", .suspend), ("lend", .lend), ("takeBack", .takeBack),
            ("key", .typed(Array("j".utf8))), ("report", .typed(GuardNotation.report)), ("ctrlC", .typed([0x03])),
            ("escape", .typed([0x1B])), ("inputEnded", .inputEnded), ("resized", .resized(Size(columns: 30, rows: 5))),
            ("exited", .programEnded(.exited(0))), ("notStarted", .programEnded(.notStarted(2))), ("stopped", .stopped),
            ("wantsInput", .programStopped(by: GuardSignals.wantsInput)), ("continued", .programContinued),
            ("outputEnded", .outputEnded), ("treeEnded", .treeEnded),
            ("resumed", .resumed(isForeground: true)), ("resumedBehind", .resumed(isForeground: false)),
        ]
        + [
            GuardSignals.terminate, GuardSignals.hangUp, GuardSignals.interrupt, GuardSignals.quit, GuardSignals.user[0],
            GuardSignals.terminalStop,
        ].map { (GuardNotation.name(of: $0), .signal($0)) }
        + GuardTimer.allCases.map { ("\($0)", .timer($0)) }
}

/// One event in one state, and what followed.
struct GuardStep {
    /// The names of the events before it.
    let path: [String]
    let name: String
    let event: GuardEvent
    let before: GuardUnderTest
    let actions: [GuardAction]
    let after: GuardUnderTest
    /// What this step sent to the program or typed for it, and the keys that it pressed on the cover.
    let signals: [String]
    let typed: [UInt8]
    let pressed: Int

    init(_ path: [String], _ name: String, _ event: GuardEvent, in before: GuardUnderTest) {
        var after = before
        let actions = if case .timer(let timer) = event { after.fire(timer) } else { after.send(event) }
        (self.path, self.name, self.event, self.before, self.actions) = (path, name, event, before, actions)
        (signals, typed, pressed) = (after.takeSignals(), after.typed, after.takePressed().count)
        _ = after.takeTyped()
        self.after = after
    }

    var machine: GuardMachine { before.machine }

    func isAny(_ names: String...) -> Bool { names.contains(name) }

    func contains(_ isWanted: (GuardAction) -> Bool) -> Bool { actions.contains(where: isWanted) }

    /// The step for a failure.
    var story: String {
        "\(path.joined(separator: " ")) | \(name): \(GuardNotation.text(actions, from: machine, to: after.machine))"
            + " > \(GuardNotation.text(after.machine))"
    }
}

/// Goes through the states that events lead to, the near ones first.
enum GuardExploration {
    /// Calls the closure with every event that is possible in each state. Two machines are in one state if they have the same
    /// description in ``GuardNotation``.
    /// - Parameter limit: the most states.
    /// - Returns: the descriptions of the states.
    static func visit(limit: Int, _ visit: (GuardStep) -> Void) -> Set<String> {
        var states: Set<String> = [], waiting: [(path: [String], test: GuardUnderTest)] = [([], GuardUnderTest())]
        var next = 0
        while next < waiting.count {
            let (path, test) = waiting[next]
            next += 1
            for (name, event) in GuardEvents.all where isPossible(event, in: test) {
                let step = GuardStep(path, name, event, in: test)
                visit(step)
                guard states.count < limit, states.insert(GuardNotation.text(step.after.machine)).inserted else { continue }
                waiting.append((path + [name], step.after))
            }
        }
        return states
    }

    /// Whether a relay can send the event now.
    private static func isPossible(_ event: GuardEvent, in test: GuardUnderTest) -> Bool {
        let machine = test.machine
        if case .begun = event { return !machine.hasBegun }
        guard machine.hasBegun else { return false }
        // A stopped job only continues.
        if test.isJobStopped { if case .resumed = event { return true } else { return false } }
        switch event {
        case .begun, .announce: return false
        case .typed: return test.holdsTerminal
        case .inputEnded, .resumed: return machine.screen != .gone
        case .programEnded, .programContinued: return machine.program.isAlive
        case .programStopped: return machine.program == .running
        case .treeEnded: return machine.waitsForTree
        case .timer(let timer): return test.timers[timer] != nil
        default: return true
        }
    }
}
