import Bellerophon
import Foundation
import Processes
import TerminalIO
import TerminalUI

/// The body of a relay's thread.
struct RelayLoop {
    let terminal: OuterTerminal?
    let program: GuardedProgram
    let relay: Relay
    let report: (RelayNews) -> Void
    var tree: TreeDriver
    /// What was reported last about the tree.
    var treeSummary = TreeSummary()
    var machine: GuardMachine
    var signals: SignalPipe?
    var toTerminal = OutputQueue()
    var toProgram = OutputQueue()
    var pacer = OutputPacer(start: .now)
    var timers: RelayTimers = [:]
    /// Whether the guard uses the user's terminal: it is in raw mode, and keys are read.
    var holdsTerminal = false
    /// What the machine's actions have led to, which it handles after them.
    var followingEvents: [GuardEvent] = []
    var end: GuardEnd?
    /// What was reported last about the program.
    var fate = CoveredProgram.notStarted
    /// The state for which the reset after a crash was set; nil if none is set.
    var resetState: GuardMachine.ResetState?
    /// Whether the last read of output may have left some.
    var hasMoreOutput = false
    /// The output of a new version, as long as its start is watched.
    var startOutput = OutputTail()
    /// The bytes of output that were read after the program's end.
    var readAfterEnd = 0
    /// When the program has ended.
    var endedAt: ContinuousClock.Instant?
    /// Since when the terminal takes nothing of what waits for it; nil if it takes it, or if nothing waits.
    var stuckSince: ContinuousClock.Instant?
    /// The value of `stuckSince` for which the last flush was given up.
    var givenUpSince: ContinuousClock.Instant?
    /// Whether the last output was given up because the terminal takes nothing.
    var hasGivenUpTerminal = false
    /// Whether a signal has asked this process to end.
    var isAskedToEnd = false
    /// The signals that came while output was flushed.
    var heldSignals: [Int32] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OutputPacer.largest, alignment: 16)

    /// The most lines of output that are kept of a new version that has failed.
    private static let failureLines = 5

    /// Runs until the machine has finished, and gives the terminal back.
    mutating func run() {
        defer { buffer.deallocate() }
        let ofTerminal = terminal == nil ? [] : [SIGWINCH, SIGCONT, SIGTSTP]
        signals = try? SignalPipe(ofTerminal + [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGUSR1, SIGUSR2])
        handle(.begun(isForeground: isForeground))
        // A change before the signals were watched was not noticed.
        updateSize()
        while end == nil { turn() }
        flushTerminal()
        // Processes that the program has left running may still write to the pseudo-terminal.
        if end?.isProgramsOwn == true, machine.leavesOutput, !hasGivenUpTerminal, let terminal {
            program.relayRest(to: terminal.output)
        }
        if !tree.killed.isEmpty { report(.killed(tree.killed)) }
        terminal?.close()
        signals?.close()
        program.close()
        tree.removeGroup()
        if let end { report(.finished(end)) }
    }

    // MARK: One turn

    mutating func turn() {
        if !heldSignals.isEmpty { readSignals() }
        let beforePoll = ContinuousClock.now
        var descriptors = [
            pollfd(fd: relay.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.channel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.master, events: masterEvents(at: beforePoll), revents: 0),
            pollfd(fd: readsKeys ? terminal?.input ?? -1 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: toTerminal.isEmpty ? -1 : terminal?.output ?? -1, events: Int16(POLLOUT), revents: 0),
        ]
        if descriptors[3].events == 0 { descriptors[3].fd = -1 }
        if program.end != nil { descriptors[2].fd = -1 }
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
        if count > 0 {
            let ready = descriptors.map { $0.revents != 0 }
            if ready[4] { readKeys() }
            if ready[3] { moveProgramBytes() }
            if ready[5] { sendToTerminal() }
            if ready[1] { readSignals() }
            if ready[0] { for event in relay.takeEvents() { handle(event) } }
            if ready[2] { readReports() }
        }
        while program.hasWaitingReports { readReports() }
        fireTimers(dueAt: beforePoll)
        if tree.turn(at: beforePoll) { handle(.treeEnded) }
        if machine.screen == .away { refreshForeground() }
        updateEmergencyReset()
        reportFate()
    }

    // MARK: The program and everything that it has started

    mutating func reportFate() {
        if tree.summary != treeSummary {
            treeSummary = tree.summary
            report(.tree(treeSummary))
        }
        guard machine.fate != fate else { return }
        fate = machine.fate
        report(.program(fate))
    }

    mutating func readReports() {
        for report in program.readReports() {
            switch report {
            case .started:
                // The program has them, and a pipe ends with the program.
                if terminal == nil { OwnProcess.letGoOfInputAndOutput() }
            case .stopped(let number):
                // The job may have come to the foreground without notice, and the program wanted the terminal before that was seen.
                if machine.screen == .away { refreshForeground() }
                if program.isStopped { handle(.programStopped(by: number)) }
            case .continued: handle(.programContinued)
            case .ended(let end):
                endedAt = .now
                handle(.programEnded(end))
            }
        }
    }

    // MARK: Events

    mutating func handle(_ event: GuardEvent) {
        perform(machine.handle(event))
        while !followingEvents.isEmpty {
            let next = followingEvents.removeFirst()
            // A stop that is over by now is none.
            if case .programStopped = next, !program.isStopped { continue }
            perform(machine.handle(next))
        }
        sendToTerminal()
        sendToProgram()
    }

    mutating func readSignals() {
        for number in takeSignals() { handle(signal: number) }
    }

    /// The signals that have come, also those that came while output was flushed.
    mutating func takeSignals() -> [Int32] {
        holdSignals()
        defer { heldSignals = [] }
        return heldSignals
    }

    mutating func holdSignals() {
        heldSignals += signals?.read() ?? []
        if heldSignals.contains(where: GuardSignals.ending.contains) { isAskedToEnd = true }
    }

    mutating func handle(signal number: Int32) {
        switch number {
        case SIGWINCH: updateSize()
        case SIGCONT: resumed()
        default: handle(.signal(number))
        }
    }

    // MARK: Actions

    mutating func perform(_ actions: [GuardAction]) {
        for action in actions { perform(action) }
    }

    mutating func perform(_ action: GuardAction) {
        switch action {
        case .sendToTerminal(let bytes): toTerminal.append(bytes)
        case .sendToProgram(let bytes): toProgram.append(bytes)
        case .takeTerminal: takeTerminal()
        case .releaseTerminal: releaseTerminal()
        case .startProgram(let inForeground): program.start(inForeground: inForeground)
        case .moveProgram(let toForeground): program.move(toForeground: toForeground)
        case .send(let signal, let target): send(signal, to: target)
        case .pauseTree: tree.pause(at: .now)
        case .resumeTree:
            tree.resume()
            followingEvents.append(.programStopped(by: SIGSTOP))
        case .killTree: tree.kill(at: .now)
        case .watchTree: tree.watch(at: .now)
        case .hangUp: program.hangUp()
        case .setSize(let size): resizeProgram(size)
        case .releaseProgram: program.release()
        case .stopJob(let number): stopJob(by: number)
        case .returnInput(let late): terminal?.putBack(program.unreadInput + toProgram.takeStorage() + late)
        case .schedule(let timer, let wait): timers[timer] = ContinuousClock.now + wait
        case .cancel(let timer): timers[timer] = nil
        case .press(let keys): report(.pressed(keys))
        case .didLend: report(.lent)
        case .didPaint: report(.painted)
        case .failedEarly(let end): report(.failedEarly(end, lines: startOutput.lines(Self.failureLines)))
        case .finish(let end): self.end = end
        }
    }

    func send(_ signal: Int32, to target: GuardSignalTarget) {
        switch target {
        case .program: program.signal(signal)
        case .programAndForeground: program.signalAll(signal)
        case .tree: tree.send(signal)
        }
    }
}
