import TerminalShadow
import TerminalUI

// The program: its start, its stops and its end.
extension GuardMachine {
    // MARK: The start

    mutating func startIfPossible() -> [GuardAction] {
        guard program == .waiting, mayStart, ending == nil, hasBegun, question != .open, screen != .lent else { return [] }
        let line = announce()
        program = .running
        return line + [.startProgram] + respond()
    }

    /// Sends the guard's own line as output of the program, so that the record of the screen has it too. The cursor's place is
    /// known by now.
    private mutating func announce() -> [GuardAction] {
        guard let announcement else { return [] }
        self.announcement = nil
        let bytes = cover.output(Array("\(announcement)\r\n".utf8)).terminal
        return bytes.isEmpty ? [] : [.sendToTerminal(bytes)]
    }

    /// Ends the guard, whose program was not started.
    ///
    /// It first waits for the reply to the guard's question, which the shell would otherwise get as input, and for the program
    /// that has the terminal.
    mutating func finishBeforeStart(_ ending: Ending) -> [GuardAction] {
        guard question == .open || screen == .lent else { return finish(ending.end) }
        self.ending = ending
        return []
    }

    /// Starts the program, or ends the guard if it should end before the start.
    mutating func startOrFinish() -> [GuardAction] {
        if program == .waiting, let ending { return finish(ending.end) }
        return startIfPossible()
    }

    // MARK: Stops

    mutating func stopProgram(for reason: StopReason) -> [GuardAction] {
        // A program that should end must run.
        guard program.isAlive, ending == nil else { return [] }
        let wasRunning = stops.isEmpty
        stops.insert(reason)
        guard wasRunning else { return [] }
        unreportedStops += 1
        return [.send(signal: GuardSignals.stop, to: .programAndForeground)]
    }

    mutating func continueProgram(after reason: StopReason) -> [GuardAction] {
        // A program that was stopped by others as well continues with its job.
        guard stops.remove(reason) != nil, stops.isEmpty, program == .running else { return [] }
        return [.send(signal: GuardSignals.continued, to: .programAndForeground)]
    }

    mutating func programStopped() -> [GuardAction] {
        let isOwn = unreportedStops > 0
        if isOwn { unreportedStops -= 1 }
        guard program == .running, stops.isEmpty else { return [] }
        if ending != nil || isOwn {
            // The stop was this machine's own, and the report of it comes late; or a program that should end was stopped.
            return [.send(signal: GuardSignals.continued, to: .programAndForeground)]
        }
        program = .stopped
        switch screen {
        case .program, .covering: return stopWithProgram()
        // Whoever stopped it, the cover stays. The job stops when the cover goes.
        case .cover, .lent: return []
        case .away: return [.stopJob]
        }
    }

    mutating func programContinued() -> [GuardAction] {
        if program == .stopped { program = .running }
        return []
    }

    // MARK: Signals to the guard

    mutating func signal(_ number: Int32) -> [GuardAction] {
        switch number {
        case GuardSignals.terminalStop: return terminalStop()
        case GuardSignals.interrupt, GuardSignals.quit:
            // The key that sends it is pressed in the program that has the terminal.
            if screen == .lent { return [] }
            if program == .waiting { return finishBeforeStart(Ending(cause: .signal, signal: number)) }
        case let number where GuardSignals.user.contains(number): break
        default: return end(by: number)
        }
        return program.isAlive ? [.send(signal: number, to: .program)] : []
    }

    // MARK: The end

    /// Asks the program to end, and kills it after a time. A stopped program cannot act on a signal, so it is continued.
    mutating func endProgram(_ ending: Ending, grace: Duration) -> [GuardAction] {
        self.ending = ending
        endingGrace = grace
        stops = []
        return [
            .send(signal: ending.signal, to: .programAndForeground),
            .send(signal: GuardSignals.continued, to: .programAndForeground),
            .schedule(.kill, after: grace),
        ]
    }

    mutating func quit() -> [GuardAction] {
        // The key was pressed on a cover. If the cover has gone meanwhile, its question is settled.
        guard screen == .cover else { return [] }
        let quitting = Ending(cause: .person, signal: GuardSignals.hangUp)
        if program == .waiting { return finishBeforeStart(quitting) }
        guard program.isAlive, ending == nil || ending?.cause == .status else { return [] }
        return endProgram(quitting, grace: Self.quitGrace)
    }

    /// Ends the program and then the guard with a signal.
    mutating func end(by number: Int32) -> [GuardAction] {
        let ending = Ending(cause: .signal, signal: number)
        switch program {
        // A terminal that is gone replies nothing more.
        case .waiting: return number == GuardSignals.hangUp || screen == .lent ? finish(ending.end) : finishBeforeStart(ending)
        case .running, .stopped: return self.ending == ending ? [] : endProgram(ending, grace: Self.signalGrace)
        case .ended: return screen == .lent ? finish(ending.end) : []
        }
    }

    /// The time to end is over.
    mutating func kill() -> [GuardAction] {
        guard program.isAlive, let ending else { return [] }
        if ending.cause == .status, !wantsEnd {
            // The status has changed, and the program has survived the request.
            self.ending = nil
            return respond()
        }
        return [.send(signal: GuardSignals.kill, to: .programAndForeground)]
    }

    private var wantsEnd: Bool {
        if case .terminate = block?.response { true } else { false }
    }

    mutating func programEnded(_ programEnd: ProgramEnd) -> [GuardAction] {
        guard !program.hasEnded else { return [] }
        program = .ended(programEnd)
        stops = []
        unreportedStops = 0
        var actions: [GuardAction] = [.cancel(.kill), .releaseProgram]
        if screen == .covering {
            screen = .program
            actions.append(.cancel(.coverDeadline))
        }
        let last = finishIfDue()
        return actions + (last.isEmpty ? [.schedule(.drain, after: Self.drainTime)] : last)
    }
}
