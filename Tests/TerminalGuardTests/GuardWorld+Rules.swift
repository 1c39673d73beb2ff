import TerminalIO
import TerminalUI

@testable import TerminalGuard

// What holds after every event.
extension GuardWorld {
    mutating func check() {
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
        checkTimers(expect)
    }

    private func checkTimers(_ expect: (Bool, String) -> Void) {
        let isRunning = { (timer: GuardTimer) in test.timers[timer] != nil }
        expect(isRunning(.cursorReport) == (machine.question == .open), "the start has a time limit")
        expect(isRunning(.lateReport) == (machine.question == .late), "the end has a time limit")
        expect(isRunning(.coverDeadline) == (machine.screen == .covering), "the wait for the cover has a time limit")
        let isEnding = machine.ending != nil && (machine.program.isAlive || machine.waitsForTree)
        expect(!isRunning(.kill) || isEnding, "a kill has a reason")
        expect(isRunning(.kill) || killFired || !isEnding, "an end has a time limit")
        expect(!isRunning(.drain) || machine.program.hasEnded, "what remains is drained after the end")
        let isIncomplete = machine.sorter.isIncomplete || machine.reportFilter.isAmbiguous
        expect(isRunning(.escapeKey) == isIncomplete, "an Escape has a time limit")
        expect(isRunning(.pasteEnd) == machine.sorter.isPasting, "a paste has a time limit")
        expect(isRunning(.unitEnd) == machine.sorter.isUnfinished, "a sequence has a time limit")
        expect(isRunning(.replies) == machine.sorter.awaitsReply, "the wait for a reply has a time limit")
    }
}
