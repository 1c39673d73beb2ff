import TerminalIO
import TerminalShadow
import TerminalUI

// The end of the guard.
extension GuardMachine {
    /// Ends the guard if the program and its output have ended. A program that has the terminal may finish first, unless a
    /// signal ends the guard.
    mutating func finishIfDue() -> [GuardAction] {
        let mayLeaveTerminal = screen != .lent || wasAskedToEnd || ending?.cause == .restart
        guard case .ended(let programEnd) = program, isOutputEnded, !waitsForTree, mayLeaveTerminal else { return [] }
        if holdsFailure, holdsTerminal {
            guard start == .failed else { return [] }
            start = .told
            return [.failedEarly(programEnd)]
        }
        return finish(end(of: programEnd))
    }

    private func end(of program: ProgramEnd) -> GuardEnd {
        // A signal that has come meanwhile ends the guard.
        if ending?.cause == .restart { return wasAskedToEnd ? .program(program) : .restart() }
        if let ending, ending.cause != .signal { return .refused() }
        if case .signaled(let number) = program, typedSignals.contains(number) { return .key(number) }
        return .program(program)
    }

    /// Gives the terminal back and ends the guard.
    ///
    /// If the terminal has not replied to the guard's question yet, the guard waits a little longer for the reply, which the
    /// shell would otherwise get as input. The terminal shows the last output meanwhile.
    mutating func finish(_ end: GuardEnd) -> [GuardAction] {
        let bytes = lastBytes(end)
        // A terminal that is gone replies nothing more.
        guard question == .late, end != .signal(GuardSignals.hangUp) else { return close(end, sending: bytes) }
        closing = end
        screen = .program
        resetInput()
        return GuardTimer.allCases.filter { $0 != .lateReport }.map { .cancel($0) }
            + (bytes.isEmpty ? [] : [.sendToTerminal(bytes)])
    }

    /// What brings the terminal into the state in which its next user expects it.
    private mutating func lastBytes(_ end: GuardEnd) -> [UInt8] {
        switch screen {
        case .lent, .gone: return []
        case .away: return uncoverInBackground() + cover.flush()
        case .program, .covering, .cover:
            let bytes = cover.setNotice(nil) + cover.uncover() + cover.flush()
            // A program that was ended from outside could not restore the terminal itself.
            return program == .waiting || end.isProgramsOwn && !wasAskedToEnd ? bytes : bytes + cover.reset
        }
    }

    private mutating func close(_ end: GuardEnd, sending bytes: [UInt8] = []) -> [GuardAction] {
        closing = nil
        hasFinished = true
        // What was typed for a program that a status has ended is not for the shell.
        let returned: [GuardAction] = holdsTerminal && end.isProgramsOwn ? [.returnInput(lateInput)] : []
        return GuardTimer.allCases.map { .cancel($0) } + (bytes.isEmpty ? [] : [.sendToTerminal(bytes)])
            + returned + (holdsTerminal ? [.releaseTerminal] : []) + [.finish(end)]
    }

    /// Handles an event while only the reply of the terminal is awaited.
    mutating func handle(_ event: GuardEvent, whileClosing end: GuardEnd) -> [GuardAction] {
        switch event {
        // No program runs. The shell gets the rest.
        case .typed(let bytes):
            let (rest, report) = reportFilter.filter(bytes)
            lateInput += rest
            return report == nil ? [] : close(end)
        case .timer(.lateReport), .inputEnded, .signal(GuardSignals.hangUp): return close(end)
        case .resumed(isForeground: true): return [.takeTerminal]
        case .resumed(isForeground: false):
            defer { screen = .away }
            return close(end)
        default: return []
        }
    }
}
