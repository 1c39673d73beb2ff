import TerminalIO
import TerminalShadow
import TerminalUI

// The terminal: who has it.
extension GuardMachine {
    mutating func begin(_ isForeground: Bool) -> [GuardAction] {
        guard !hasBegun else { return [] }
        hasBegun = true
        isOutputEnded = place != .terminal
        guard isForeground, place == .terminal else { return startIfPossible() }
        screen = .program
        question = .open
        return [
            .takeTerminal, .sendToTerminal(screenQuestion.bytes), .schedule(.cursorReport, after: screenQuestion.patience),
        ]
    }

    // MARK: Leaving it

    /// The timers that wait for more input.
    private static let inputTimers: [GuardTimer] = [.escapeKey, .pasteEnd, .unitEnd, .replies]

    /// Begins to follow the input anew.
    mutating func resetInput() { sorter = InputSorter(isUTF8: cover.shadow.dialect.isUTF8) }

    /// Leaves the terminal to somebody else. What was typed last is completed by nobody.
    mutating func depart(to next: Screen, sending bytes: [UInt8]) -> [GuardAction] {
        let held = reportFilter.release(), heldTerminal = holdsTerminal
        // Whoever writes next must not find the notice.
        let lifted = heldTerminal && next != .gone ? cover.setNotice(nil) : []
        let bytes = lifted + bytes
        screen = next
        resetInput()
        cover.losePlace()
        // The reply that is missing comes to whoever reads now.
        question = .none
        asksForEmoji = false
        heldDeparture = nil
        return [.cancel(.cursorReport), .cancel(.lateReport), .cancel(.coverDeadline)] + Self.inputTimers.map { .cancel($0) }
            + (held.isEmpty ? [] : [.sendToProgram(held)]) + (bytes.isEmpty ? [] : [.sendToTerminal(bytes)])
            + (heldTerminal ? [.releaseTerminal] : []) + (next == .away ? moveProgram(toForeground: false) : [])
    }

    /// Whether a departure has to wait for the terminal's reply, which the next user of the terminal would otherwise get as input.
    private mutating func holds(_ departure: GuardEvent) -> Bool {
        guard question == .open || question == .late else { return false }
        heldDeparture = departure
        return true
    }

    /// Departs if that has waited for the terminal's reply, and is still wanted.
    mutating func departIfHeld() -> [GuardAction] {
        guard let departure = heldDeparture else { return [] }
        heldDeparture = nil
        if case .programStopped(let number) = departure { return stopIfProgramIsStopped(by: number) }
        return handle(departure)
    }

    private func moveProgram(toForeground: Bool) -> [GuardAction] {
        program.isAlive ? [.moveProgram(toForeground: toForeground)] : []
    }

    /// Stops the job because the program was stopped, as its shell expects.
    mutating func stopWithProgram(by number: Int32) -> [GuardAction] {
        holds(.programStopped(by: number)) ? [] : depart(to: .away, sending: []) + [.stopJob(by: number)]
    }

    mutating func stopIfProgramIsStopped(by number: Int32 = GuardSignals.terminalStop) -> [GuardAction] {
        program == .stopped && screen == .program && ending == nil ? stopWithProgram(by: number) : []
    }

    mutating func suspend() -> [GuardAction] {
        guard screen == .cover, !program.hasEnded, !holds(.suspend) else { return [] }
        return hold() + depart(to: .away, sending: cover.leave()) + [.stopJob(by: GuardSignals.terminalStop)]
    }

    /// Stops the job because the guard has got SIGTSTP.
    mutating func terminalStop() -> [GuardAction] {
        if program == .running, ending == nil, stops.isEmpty, screen != .cover, screen != .lent {
            // The program decides. If it stops, the job stops with it.
            return [.send(signal: GuardSignals.terminalStop, to: .programAndForeground)]
        }
        switch screen {
        case .cover: return suspend()
        case .program, .covering:
            if program.hasEnded || holds(.signal(GuardSignals.terminalStop)) { return [] }
            return stopWithProgram(by: GuardSignals.terminalStop)
        case .away, .lent, .gone: return [.stopJob(by: GuardSignals.terminalStop)]
        }
    }

    mutating func lend() -> [GuardAction] {
        guard screen == .cover, !program.hasEnded, !holds(.lend) else { return [] }
        return depart(to: .lent, sending: cover.leave()) + [.didLend]
    }

    // MARK: Getting it back

    mutating func resume(_ isForeground: Bool) -> [GuardAction] {
        // The terminal is not this machine's to take, and the program has not been stopped.
        guard screen != .lent else { return [] }
        let continued = continueJob()
        if screen == .gone { return continued }
        guard isForeground else {
            let departed = holdsTerminal ? depart(to: .away, sending: cover.leave()) : []
            return departed + continued + respond() + startOrFinish()
        }
        guard screen == .away else { return [.takeTerminal] + repaint() + continued }
        return [.takeTerminal] + moveProgram(toForeground: true) + continued + returnToTerminal() + startOrFinish()
    }

    /// Passes SIGCONT on to the program, unless the status has paused it.
    private mutating func continueJob() -> [GuardAction] {
        stops.remove(.person)
        heldDeparture = nil
        guard program.isAlive else { return [] }
        program = .running
        return stops.isEmpty ? [.send(signal: GuardSignals.continued, to: .programAndForeground)] : []
    }

    /// Shows what belongs on the terminal after it has come back.
    private mutating func returnToTerminal() -> [GuardAction] {
        screen = .program
        var actions: [GuardAction] = []
        if block != nil, !isAboutToFinish {
            actions = show()
        } else if cover.isCovered {
            actions = [.sendToTerminal(cover.comeBack())] + reveal()
        }
        if !delayedQueries.isEmpty { actions.append(.sendToTerminal(delayedQueries)) }
        delayedQueries = []
        return actions + layNotice() + expectReplies()
    }

    mutating func takeBack() -> [GuardAction] {
        guard screen == .lent else { return [] }
        let returned = [.takeTerminal] + returnToTerminal()
        let last = finishIfDue() + (program == .waiting ? startOrFinish() : [])
        return returned + last + stopIfProgramIsStopped()
    }
}
