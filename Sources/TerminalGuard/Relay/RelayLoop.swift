internal import CPty
import Foundation
import TerminalIO
import TerminalUI

/// The body of a relay's thread.
struct RelayLoop {
    private let terminal: OuterTerminal
    private let program: GuardedProgram
    private let relay: Relay
    private let report: (RelayNews) -> Void
    private var tree: TreeDriver
    /// What was reported last about the tree.
    private var treeSummary = TreeSummary()
    private var machine: GuardMachine
    private var signals: SignalPipe?
    private var toTerminal = OutputQueue()
    private var toProgram = OutputQueue()
    private var pacer = OutputPacer(start: .now)
    private var timers = RelayTimers()
    /// Whether the guard uses the user's terminal: it is in raw mode, and keys are read.
    private var holdsTerminal = false
    private var isInputEnded = false
    /// Whether the terminal could not be put into raw mode. The machine is told after its present actions.
    private var hasLostTerminal = false
    /// Whether a pause has ended. The machine is told after its present actions if the program is stopped nevertheless.
    private var hasResumed = false
    private var end: GuardEnd?
    /// What was reported last about the program.
    private var fate = ProgramFate.waiting
    /// The state for which the reset after a crash was set; nil if none is set.
    private var resetState: GuardMachine.ResetState?
    /// Whether the last read of output may have left some.
    private var hasMoreOutput = false
    /// The bytes of output that were read after the program's end.
    private var readAfterEnd = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OutputPacer.largest, alignment: 16)

    /// A read of fewer bytes has emptied the pseudo-terminal, which passes on up to 4 KiB at a time.
    private static let shortRead = 1024
    /// The bytes for the program that may wait before no more keys are read.
    private static let programLimit = 65536
    /// How often a guard in the background looks whether it has come to the foreground, in milliseconds.
    private static let foregroundTime: Int32 = 250
    /// How long a terminal may take nothing of the last bytes before they are given up. A slow terminal gets all of them.
    private static let flushTime = Duration.seconds(10)
    /// How long the end of output is waited for again while the terminal is too slow to read on.
    private static let drainTime = Duration.milliseconds(200)

    init(_ parts: Relay.Parts, relay: Relay, report: @escaping (RelayNews) -> Void) {
        terminal = parts.terminal
        program = parts.program
        tree = TreeDriver(parts.tree)
        machine = parts.machine
        self.relay = relay
        self.report = report
    }

    /// Runs until the machine has finished, and gives the terminal back.
    mutating func run() {
        defer { buffer.deallocate() }
        signals = try? SignalPipe([SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGUSR1, SIGUSR2])
        handle(.begun(isForeground: isForeground))
        // A change before the signals were watched was not noticed.
        updateSize()
        while end == nil { turn() }
        flushTerminal(within: Self.flushTime)
        if leavesOutput { program.relayRest(to: terminal.output) }
        if !tree.killed.isEmpty { report(.killed(tree.killed)) }
        terminal.close()
        signals?.close()
        program.close()
        tree.removeGroup()
        if let end { report(.finished(end)) }
    }

    /// Whether processes that the program has left running still write to the pseudo-terminal.
    private var leavesOutput: Bool {
        switch end {
        case .program, .key: machine.leavesOutput
        case .refused, .signal, nil: false
        }
    }

    private var isForeground: Bool { terminal.isForeground }

    // MARK: One turn

    private mutating func turn() {
        let beforePoll = ContinuousClock.now
        var descriptors = [
            pollfd(fd: relay.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.channel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.master, events: masterEvents(at: beforePoll), revents: 0),
            pollfd(fd: readsKeys ? terminal.input : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: toTerminal.isEmpty ? -1 : terminal.output, events: Int16(POLLOUT), revents: 0),
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
        if machine.screen == .away { lookForTerminal() }
        updateEmergencyReset()
        reportFate()
    }

    private mutating func reportFate() {
        if tree.summary != treeSummary {
            treeSummary = tree.summary
            report(.tree(treeSummary))
        }
        guard machine.fate != fate else { return }
        fate = machine.fate
        report(.program(fate))
    }

    /// In the background, nothing tells that the job has come to the foreground or that the terminal is gone.
    private mutating func lookForTerminal() {
        if terminal.isGone {
            isInputEnded = true
            handle(.inputEnded)
        } else if isForeground {
            resumed()
        }
    }

    private func masterEvents(at now: ContinuousClock.Instant) -> Int16 {
        var events: Int32 = 0
        if machine.readsOutput, pacer.allowance(waiting: toTerminal.count, at: now) > 0 { events |= Int32(POLLIN) }
        if !toProgram.isEmpty { events |= Int32(POLLOUT) }
        return Int16(events)
    }

    private var readsKeys: Bool { holdsTerminal && !isInputEnded && toProgram.count < Self.programLimit }

    /// The milliseconds until the next timer, rounded up; -1 without a timer.
    private var timeout: Int32 {
        // A shell that brings a running job to the foreground tells it nothing.
        guard machine.screen == .away else { return untilTimer }
        return untilTimer < 0 ? Self.foregroundTime : min(untilTimer, Self.foregroundTime)
    }

    private var untilTimer: Int32 {
        guard let next = [timers.next, tree.next].compactMap(\.self).min() else { return -1 }
        let wait = ContinuousClock.now.duration(to: next)
        guard wait > .zero else { return 0 }
        return Int32(
            clamping: wait.components.seconds.multipliedReportingOverflow(by: 1000).partialValue
                + wait.components.attoseconds / 1_000_000_000_000_000 + 1)
    }

    private mutating func fireTimers(dueAt instant: ContinuousClock.Instant) {
        while let timer = timers.takeNext(dueAt: instant) {
            if timer == .drain, isBehindTheEnd {
                // The next read tells anew.
                hasMoreOutput = false
                timers.set(.drain, to: instant + Self.drainTime)
                continue
            }
            handle(.timer(timer))
        }
    }

    /// Whether output that the program wrote before its end may be unread, because the terminal is too slow. It is no more than
    /// the kernel holds; what comes later is of another process.
    private var isBehindTheEnd: Bool {
        readAfterEnd < OutputPacer.kernelQueue && (hasMoreOutput || !toTerminal.isEmpty)
    }

    // MARK: Bytes

    private mutating func readKeys() {
        switch terminal.read(limit: 4096) {
        case .bytes(let bytes): handle(.typed(bytes))
        case .nothing: break
        case .ended:
            isInputEnded = true
            handle(.inputEnded)
        }
    }

    private mutating func moveProgramBytes() {
        sendToProgram()
        let limit = pacer.allowance(waiting: toTerminal.count, at: .now)
        guard machine.readsOutput, limit > 0, let base = buffer.baseAddress else { return }
        let (filled, hasEnded) = readOutput(into: base, limit: limit)
        hasMoreOutput = filled == limit
        if program.end != nil { readAfterEnd += filled }
        if filled > 0 {
            var forTerminal: [UInt8] = toTerminal.takeStorage()
            var forProgram: [UInt8] = []
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled]).assumingMemoryBound(to: UInt8.self)
            let actions = machine.output(bytes, terminal: &forTerminal, program: &forProgram)
            toTerminal.put(back: forTerminal)
            toProgram.append(forProgram)
            perform(actions)
            sendToTerminal()
            sendToProgram()
        }
        if hasEnded, program.end != nil { handle(.outputEnded) }
    }

    private func readOutput(into base: UnsafeMutableRawPointer, limit: Int) -> (count: Int, hasEnded: Bool) {
        var filled = 0
        while filled < limit {
            let count = cpty_read(program.master, base + filled, limit - filled)
            guard count > 0 else { return (filled, count != -Int(EAGAIN)) }
            filled += count
            // So little was all. A key's echo is not delayed by another read.
            if count < Self.shortRead { break }
        }
        return (filled, false)
    }

    private mutating func sendToTerminal() {
        let before = toTerminal.count
        guard before > 0 else { return }
        toTerminal.send { [terminal] in terminal.write($0) }
        pacer.sent(before - toTerminal.count, waiting: toTerminal.count, at: .now)
    }

    private mutating func sendToProgram() {
        toProgram.send { [program] in program.write($0) }
    }

    /// Sends what waits for the terminal before the terminal changes hands.
    private mutating func flushTerminal(within limit: Duration) {
        var deadline = ContinuousClock.now + limit
        sendToTerminal()
        while !toTerminal.isEmpty {
            let before = toTerminal.count
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return }
            var descriptor = pollfd(fd: terminal.output, events: Int16(POLLOUT), revents: 0)
            guard poll(&descriptor, 1, 100) >= 0 || errno == EINTR else { return }
            if descriptor.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
            sendToTerminal()
            if toTerminal.count < before { deadline = ContinuousClock.now + limit }
        }
    }

    // MARK: Events

    private mutating func handle(_ event: GuardEvent) {
        perform(machine.handle(event))
        if hasLostTerminal {
            hasLostTerminal = false
            isInputEnded = true
            perform(machine.handle(.inputEnded))
        }
        if hasResumed {
            hasResumed = false
            if program.isStopped { perform(machine.handle(.programStopped(by: SIGSTOP))) }
        }
        sendToTerminal()
        sendToProgram()
    }

    private mutating func readSignals() {
        for number in signals?.read() ?? [] { take(signal: number) }
    }

    private mutating func take(signal number: Int32) {
        switch number {
        case SIGWINCH: updateSize()
        case SIGCONT: resumed()
        default: handle(.signal(number))
        }
    }

    private mutating func updateSize() {
        guard let size = terminal.size else { return }
        let cells = Size(columns: max(1, size.columns), rows: max(1, size.rows))
        guard cells != machine.size else { return program.resize(size) }
        handle(.resized(cells))
        program.resize(size)
        report(.resized(size.cells))
    }

    private mutating func resumed() {
        // After SIGSTOP the terminal has the modes of whoever had it meanwhile.
        if holdsTerminal, isForeground { terminal.leaveRawMode() }
        updateSize()
        handle(.resumed(isForeground: isForeground))
        report(.resumed)
    }

    private mutating func readReports() {
        for report in program.readReports() {
            switch report {
            case .started: self.report(.started)
            case .stopped(let number): programStopped(by: number)
            case .continued: handle(.programContinued)
            // The tree finds out by itself what holds it.
            case .ungrouped: break
            case .ended(let end): handle(.programEnded(end))
            }
        }
    }

    private mutating func programStopped(by number: Int32) {
        // The job may have come to the foreground without notice, and the program wanted the terminal before that was seen.
        if machine.screen == .away { lookForTerminal() }
        if program.isStopped { handle(.programStopped(by: number)) }
    }

    // MARK: Actions

    private mutating func perform(_ actions: [GuardAction]) {
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: GuardAction) {
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
            hasResumed = true
        case .killTree: tree.kill(at: .now)
        case .watchTree: tree.watch(at: .now)
        case .hangUp: program.hangUp()
        case .setSize(let size): resizeProgram(size)
        case .releaseProgram: program.release()
        case .stopJob(let number): stopJob(by: number)
        case .returnInput(let late): terminal.putBack(program.unreadInput + toProgram.takeStorage() + late)
        case .schedule(let timer, let wait): timers.set(timer, to: ContinuousClock.now + wait)
        case .cancel(let timer): timers.cancel(timer)
        case .press(let keys): report(.pressed(keys))
        case .didLend: report(.lent)
        case .didPaint: report(.painted)
        case .finish(let end): self.end = end
        }
    }

    private func send(_ signal: Int32, to target: GuardSignalTarget) {
        switch target {
        case .program: program.signal(signal)
        case .programAndForeground: program.signalAll(signal)
        case .tree: tree.send(signal)
        }
    }

    private func resizeProgram(_ cells: Size) {
        var size = terminal.size ?? TerminalSize(columns: cells.columns, rows: cells.rows)
        size.columns = cells.columns
        size.rows = cells.rows
        program.resize(size)
    }

    private mutating func takeTerminal() {
        do {
            try terminal.enterRawMode()
            holdsTerminal = true
        } catch {
            hasLostTerminal = true
        }
    }

    private mutating func releaseTerminal() {
        flushTerminal(within: Self.flushTime)
        holdsTerminal = false
        terminal.clearEmergencyReset()
        resetState = nil
        terminal.leaveRawMode()
    }

    private mutating func stopJob(by number: Int32) {
        flushTerminal(within: Self.flushTime)
        OwnProcess.stop(by: number, withGroup: true)
        // The signal that has continued this process is handled here.
        let others = signals?.read().filter { $0 != SIGCONT } ?? []
        resumed()
        for number in others { take(signal: number) }
    }

    private mutating func updateEmergencyReset() {
        guard holdsTerminal, resetState != machine.resetState else { return }
        resetState = machine.resetState
        try? terminal.setEmergencyReset(machine.emergencyReset)
    }
}
