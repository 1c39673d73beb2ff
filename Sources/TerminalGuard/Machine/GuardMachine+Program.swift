import Bellerophon
import TerminalShadow
import TerminalUI

// The program: its start, its stops and its end.
extension GuardMachine {
    /// What happens to the program now. A grace counts from this report on.
    package var fate: CoveredProgram {
        if program == .waiting { return .notStarted }
        if let ending, waitsForTree || program.isAlive && ending.cause != .signal { return .ending(after: ending.grace) }
        return program.hasEnded ? .ended : program == .stopped ? .stopped : stops.isEmpty ? .running : .paused
    }

    // MARK: The start

    mutating func startIfPossible() -> [GuardAction] {
        guard program == .waiting, mayStart, ending == nil, hasBegun, question != .open, screen != .lent else { return [] }
        let line = announce()
        program = .running
        let watch: [GuardAction] = start == .young ? [.schedule(.youth, after: Self.youth)] : []
        return line + [.startProgram(inForeground: screen != .away)] + watch + respond()
    }

    /// Sends the guard's own lines as output of the program, so that the record of the screen has them too. The cursor's place is
    /// known by now.
    private mutating func announce() -> [GuardAction] {
        let lines = announcements.map { "\($0)\r\n" }.joined()
        announcements = []
        let bytes = cover.output(Array(lines.utf8)).terminal
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

    /// Pauses the program with everything that it has started, because the status wants it.
    mutating func pause() -> [GuardAction] {
        // A program that should end must run.
        guard program.isAlive, ending == nil, stops.insert(.status).inserted else { return [] }
        return [.pauseTree]
    }

    /// Ends the pause that the status wanted. What others have stopped stays stopped.
    mutating func endPause() -> [GuardAction] {
        stops.remove(.status) == nil ? [] : [.resumeTree]
    }

    /// Stops the program because the person stops the job.
    mutating func hold() -> [GuardAction] {
        guard program.isAlive, ending == nil else { return [] }
        let isPaused = stops.contains(.status)
        stops.insert(.person)
        return isPaused ? [] : [.send(signal: GuardSignals.stop, to: .programAndForeground)]
    }

    mutating func programStopped(by number: Int32) -> [GuardAction] {
        guard program == .running, stops.isEmpty else { return [] }
        // A program that should end must run.
        if ending != nil { return [.send(signal: GuardSignals.continued, to: .programAndForeground)] }
        program = .stopped
        switch screen {
        case .program, .covering: return stopWithProgram(by: number)
        // Whoever stopped it, the cover stays. The job stops when the cover goes.
        case .cover, .lent: return []
        case .away: return [.stopJob(by: number)]
        // Without a terminal from the start on, a shell may wait for the job; for one that has lost it, none does.
        case .gone: return place == .terminal ? [] : [.stopJob(by: number)]
        }
    }

    mutating func programContinued() -> [GuardAction] {
        if program == .stopped { program = .running }
        if case .programStopped = heldDeparture { heldDeparture = nil }
        return []
    }

    // MARK: Signals to the guard

    mutating func signal(_ number: Int32) -> [GuardAction] {
        switch number {
        case GuardSignals.terminalStop: return terminalStop()
        case GuardSignals.interrupt, GuardSignals.quit:
            // The key that sends it is pressed in the program that has the terminal, or sends it to the program, too.
            if screen == .lent || place == .standard(sharesKeys: true) && program != .waiting { return [] }
            if program == .waiting { return finishBeforeStart(Ending(cause: .signal, signal: number)) }
        case let number where GuardSignals.user.contains(number): break
        default: return end(by: number)
        }
        return program.isAlive ? [.send(signal: number, to: .program)] : []
    }

    /// Passes a signal on that ends a program. The guard goes on as long as the program does, as if the program had got it itself.
    private mutating func end(by number: Int32) -> [GuardAction] {
        let ending = Ending(cause: .signal, signal: number)
        switch program {
        // A terminal that is gone replies nothing more.
        case .waiting: return number == GuardSignals.hangUp || screen == .lent ? finish(ending.end) : finishBeforeStart(ending)
        case .running, .stopped: return passOn(number)
        case .ended: return screen == .lent || holdsFailure ? finish(ending.end) : []
        }
    }

    private mutating func passOn(_ number: Int32) -> [GuardAction] {
        wasAskedToEnd = true
        let isHangUp = number == GuardSignals.hangUp
        if isHangUp {
            if hasHungUp { return [] }
            hasHungUp = true
        }
        var actions: [GuardAction] = [.send(signal: number, to: isHangUp ? .programAndForeground : .program)]
        // The system continues a program whose terminal is gone.
        if isHangUp { actions.append(.send(signal: GuardSignals.continued, to: .programAndForeground)) }
        guard stops.contains(.status) else { return actions }
        // A paused program could not act on the signal. What is left afterwards is paused again.
        stops = []
        ending = Ending(cause: .signal, signal: number)
        return actions + [.resumeTree, .schedule(.kill, after: Self.signalGrace)]
    }

    /// The terminal is gone. The program loses its own as well, and is told so. The guard goes on as long as the program does.
    mutating func terminalEnded() -> [GuardAction] {
        guard screen != .gone else { return [] }
        guard program != .waiting else { return end(by: GuardSignals.hangUp) }
        let departed = depart(to: .gone, sending: [])
        isOutputEnded = true
        guard program.isAlive else { return departed + finishIfDue() }
        return departed + passOn(GuardSignals.hangUp) + [.hangUp]
    }

    // MARK: The end

    /// Asks the program to end, and kills it after a time. A stopped program cannot act on a signal, so it is continued.
    mutating func endProgram(_ ending: Ending) -> [GuardAction] {
        self.ending = ending
        let isPaused = stops.contains(.status)
        stops = []
        let target = ending.isWholeTree ? GuardSignalTarget.tree : .programAndForeground
        return [.send(signal: ending.signal, to: target)] + (isPaused ? [.resumeTree] : [])
            + [.send(signal: GuardSignals.continued, to: target), .schedule(.kill, after: ending.grace)]
    }

    mutating func quit() -> [GuardAction] {
        // The key was pressed on a cover. If the cover has gone meanwhile, its question is settled.
        guard screen == .cover else { return [] }
        if case .ended(let end) = program, holdsFailure { return finish(.program(end)) }
        var quitting = Ending(cause: .person, signal: GuardSignals.hangUp, grace: Self.quitGrace)
        if program == .waiting { return finishBeforeStart(quitting) }
        if waitsForTree { return [.killTree] }
        guard program.isAlive, ending == nil || ending?.cause != .person else { return [] }
        // What a status stops with the program does not go on without it.
        quitting.isWholeTree = block?.response != .cover
        return endProgram(quitting)
    }

    /// Ends the program so that its new version can start. The terminal may still be the update command's.
    mutating func restart(grace: Duration) -> [GuardAction] {
        guard screen == .cover || screen == .lent else { return [] }
        // It ends already, so the terminal is only waited for.
        guard !program.hasEnded, ending == nil else { return takeBack() }
        var restarting = Ending(cause: .restart, signal: GuardSignals.terminate, grace: grace)
        if program == .waiting {
            ending = restarting
            return screen == .lent ? finish(.restart()) : finishBeforeStart(restarting)
        }
        restarting.isWholeTree = block?.response.holdsTree ?? false
        return endProgram(restarting)
    }

    /// The time to end is over.
    mutating func kill() -> [GuardAction] {
        guard let ending else { return [] }
        if waitsForTree { return [.killTree] }
        guard program.isAlive else { return [] }
        if ending.cause == .signal || ending.cause == .status && !wantsEnd {
            // The program has survived the request, and the status decides again.
            self.ending = nil
            return respond()
        }
        return ending.isWholeTree ? [.killTree] : [.send(signal: GuardSignals.kill, to: .programAndForeground)]
    }

    private var wantsEnd: Bool {
        if case .terminate = block?.response { true } else { false }
    }

    mutating func programEnded(_ programEnd: ProgramEnd) -> [GuardAction] {
        guard !program.hasEnded else { return [] }
        // The rest of what the status has paused must not go on without the guard.
        let rest =
            stops.contains(.status)
            ? endProgram(Ending(cause: .status, signal: GuardSignals.terminate, grace: Self.restGrace, isWholeTree: true)) : []
        program = .ended(programEnd)
        stops = []
        if start == .young { start = ending == nil && isFailure(programEnd) && holdsTerminal ? .failed : .unwatched }
        if waitsForTree { return rest + [.watchTree] }
        return [.cancel(.kill)] + letGo()
    }

    /// Whether a program has ended in a way that its person did not want.
    private func isFailure(_ end: ProgramEnd) -> Bool {
        switch end {
        case .exited(let code): code != 0
        case .signaled(let number): !typedSignals.contains(number)
        case .notStarted: true
        }
    }

    /// Everything that the program has started has ended.
    mutating func treeEnded() -> [GuardAction] {
        guard waitsForTree else { return [] }
        isTreeEnded = true
        return [.cancel(.kill)] + letGo()
    }

    /// Lets go of the pseudo-terminal, and waits for the last output.
    private mutating func letGo() -> [GuardAction] {
        var actions: [GuardAction] = [.releaseProgram]
        if screen == .covering {
            screen = .program
            actions.append(.cancel(.coverDeadline))
        }
        let last = finishIfDue()
        return actions + (last.isEmpty ? [.schedule(.drain, after: Self.drainTime)] : last)
    }
}
