import TerminalIO
import TerminalUI

@testable import TerminalGuard

// What holds after every event.
extension GuardWorld {
    mutating func verify() {
        func expect(_ condition: Bool, _ rule: String) {
            if !condition { faults.append("\(rule) (\(GuardNotation.text(machine)), timers \(test.timers.keys))") }
        }
        faults += test.faults
        if hasFinished { expect(!replyIsDue, "the shell does not get the reply") }
        guard !machine.isEnding else { return }
        expect(test.holdsTerminal == machine.holdsTerminal, "the terminal is held by whom the machine thinks")
        if machine.screen == .cover, !machine.isAboutToFinish, let lastFrame {
            expect(test.terminal.isFull(of: lastFrame), "the last frame is shown")
        }
        if machine.screen == .program {
            var bare = test
            bare.send(.notice(nil))
            expect(bare.terminal.shows(direct), "the program's screen is as it left it")
        }
        if machine.screen == .cover || machine.screen == .program && machine.question != .open, !machine.isAboutToFinish {
            expect((machine.screen == .cover) == (machine.block != nil), "the cover is shown while a status blocks")
        }
        faults += test.timerFaults(killFired: killFired).map { "\($0) (\(GuardNotation.text(machine)))" }
    }
}

extension GuardUnderTest {
    /// The broken rules about timers: each runs exactly while something is waited for, and for a time only.
    /// - Parameter killFired: whether the time to end was over before.
    func timerFaults(killFired: Bool) -> [String] {
        let isEnding = machine.ending != nil && (machine.program.isAlive || machine.waitsForTree)
        let isKillTimed = timers[.kill] != nil
        let waits: [(GuardTimer, Bool)] = [
            (.cursorReport, machine.question == .open), (.lateReport, machine.question == .late),
            (.coverDeadline, machine.screen == .covering), (.kill, isEnding && (isKillTimed || !killFired)),
            (.drain, timers[.drain] != nil && machine.program.hasEnded),
            (.escapeKey, machine.sorter.isIncomplete || machine.reportFilter.isAmbiguous),
            (.pasteEnd, machine.sorter.isPasting), (.unitEnd, machine.sorter.isUnfinished),
            (.replies, machine.sorter.awaitsReply),
        ]
        return waits.filter { (timers[$0.0] != nil) != $0.1 }.map {
            "the timer \($0.0) does not run exactly while something is waited for"
        }
    }
}
