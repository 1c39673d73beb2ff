import Bellerophon
import TerminalUI
import TestSupport

@testable import TerminalGuard

/// A guard with a random program, person and status: every event comes only when a relay could send it.
struct GuardWorld {
    private(set) var test: GuardUnderTest
    private var chance: SplitMix64
    /// A terminal that gets the program's output directly.
    private(set) var direct = PersonsTerminal(GuardUnderTest.size)
    private(set) var process = Process.none
    /// What the monitor has not reported yet.
    private var reports: [GuardEvent] = []
    /// Whether the start of the program was reported. Signals wait until then.
    private var isKnown = false
    private var waitingSignals: [String] = []
    /// Whether everything is paused, and whether the program was stopped before.
    private(set) var isPaused = false
    private var wasStoppedBefore = false
    /// Whether a control group holds everything. Its processes are not stopped in the sense of job control.
    private let hasControlGroup: Bool
    /// Whether something that the program has started lives.
    private var hasRest = false
    private var isKilled = false
    /// Whether a signal that ends the program waits until it continues.
    private var isDoomed = false
    private var events: [GuardEvent] = []
    /// What was typed while the program's screen was shown.
    private(set) var meant = ""
    private var typedCount = 0
    private var lineCount = 0
    private(set) var replyIsDue = false
    private var isOutputEnded = false
    private(set) var killFired = false
    private(set) var lastFrame: Character?
    var faults: [String] = []

    enum Process { case none, running, stopped, dead }

    init(seed: UInt64) {
        chance = SplitMix64(seed: seed)
        hasControlGroup = seed % 2 == 0
        // Half of the terminals do not report modes, and are asked by trying.
        test = GuardUnderTest(PersonsTerminal(GuardUnderTest.size, reportsModes: seed % 2 == 0))
        send(.begun(isForeground: roll(8) > 0))
    }

    var machine: GuardMachine { test.machine }
    var hasFinished: Bool { test.end != nil }

    /// The last events by name, for a failure.
    var story: String {
        events.suffix(16).map { event in
            GuardEvents.all.first { $0.event == event }?.name ?? "\(event)"
        }.joined(separator: " ")
    }

    // MARK: Steps

    mutating func step() {
        guard !hasFinished else { return }
        if test.isJobStopped { return resume(isForeground: roll(4) > 0) }
        switch roll(36) {
        case 0: send(.startAllowed)
        case 1: if roll(40) == 0 { send(.startRefused) }
        case 2...5: block()
        case 6...8: send(.unblock)
        case 9: if roll(8) == 0 { send(.quit) }
        case 10: send(.suspend)
        case 11: send(.lend)
        case 12: send(.takeBack)
        case 13...17: type()
        case 18...21: write()
        case 22...24: report()
        case 25: stopItself()
        case 26: if roll(6) == 0 { exit() }
        case 27: signal()
        case 28, 29: fireAny()
        case 30: if !test.holdsTerminal || roll(3) == 0 { resume(isForeground: roll(3) > 0) }
        case 31: send(roll(2) == 0 ? .repaint : .pass(GuardNotation.copyRequest))
        case 32: reply()
        case 33, 34: notify()
        default: send(.resized(GuardUnderTest.size))
        }
    }

    /// Lets everything happen that is due: nothing blocks, the terminal is there, and all reports arrive.
    mutating func settle() {
        send(.startAllowed)
        for _ in 0..<60 where !hasFinished {
            if test.isJobStopped || machine.screen == .away { resume(isForeground: true) }
            send(.takeBack)
            send(.unblock)
            while !reports.isEmpty || process != .none && !isKnown || machine.waitsForTree && !hasRest, !test.isJobStopped {
                report()
            }
            for timer in GuardTimer.allCases where test.timers[timer] != nil { fire(timer) }
        }
    }

    /// Ends the program, and lets the end of its output be noticed.
    mutating func end() {
        exit()
        while !reports.isEmpty { report() }
        if machine.waitsForTree, test.timers[.kill] != nil { fire(.kill) }
        report()
        send(.outputEnded)
        if roll(2) == 0 { reply() }
        if test.timers[.lateReport] != nil { fire(.lateReport) }
    }

    mutating func type(_ text: String) {
        guard test.holdsTerminal, !test.isJobStopped, !hasFinished else { return }
        if machine.screen != .cover, !machine.isEnding { meant += text }
        send(.typed(Array(text.utf8)))
    }

    // MARK: Chance

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

    private mutating func notify() {
        let banner = Banner([TextLine(stringLiteral: "NOTICE \(roll(3))")])
        switch roll(3) {
        case 0: send(.notice(nil))
        case 1 where machine.program != .waiting: send(.tell(line: "news", banner))
        default: send(.notice(banner))
        }
    }

    private mutating func block() {
        let letter: Character = roll(2) == 0 ? "A" : "B"
        lastFrame = letter
        let response: GuardResponse =
            switch roll(16) {
            case 0..<8: .cover
            case 8..<15: .pause
            default: .terminate(grace: .seconds(10))
            }
        send(.block(GuardNotation.frame(letter), response))
    }

    private mutating func type() {
        typedCount += 1
        let text = "<\(typedCount)>"
        switch roll(6) {
        case 0: type("\u{1B}[A" + text)
        case 1: type("\u{1B}[200~\(text)\u{1B}[201~")
        case 2:
            type("\u{1B}")
            if test.timers[.escapeKey] != nil { fire(.escapeKey) }
        default: type(text)
        }
    }

    /// The terminal replies to the guard's questions, in one chunk or two.
    private mutating func reply() {
        guard replyIsDue else { return }
        replyIsDue = false
        let replies = test.takeReplies()
        guard test.holdsTerminal, !replies.isEmpty else { return }
        let cut = roll(replies.count)
        for part in [replies[..<cut], replies[cut...]] where !part.isEmpty && !hasFinished && test.holdsTerminal {
            send(.typed(Array(part)))
        }
    }

    private mutating func write() {
        // A program that was not started writes nothing, and one that stands still neither.
        guard isKnown, process == .running, !isPaused, machine.readsOutput else { return }
        lineCount += 1
        let text = ["n\(lineCount)\r\n", "\u{1B}[1m", "\u{1B}[2;3H*", "é"][roll(4)]
        direct.feed(Array(text.utf8))
        test.output(text)
        verify()
    }

    private mutating func stopItself() {
        guard process == .running, !isPaused, roll(2) == 0 else { return }
        process = .stopped
        reports.append(.stopped)
    }

    private mutating func exit() {
        guard process == .running || process == .stopped else { return }
        process = .dead
        hasRest = roll(3) == 0 && !isKilled
        reports.append(.programEnded(roll(2) == 0 ? .exited(0) : .signaled(9)))
    }

    private mutating func signal() {
        let numbers = [GuardSignals.interrupt, GuardSignals.quit, GuardSignals.user[0], GuardSignals.terminalStop]
        let ends = [GuardSignals.terminate, GuardSignals.hangUp]
        let number = roll(60) == 0 ? ends[roll(2)] : numbers[1 + roll(3)]
        // A terminal that is gone replies nothing more.
        if number == GuardSignals.hangUp { replyIsDue = false }
        send(.signal(number))
    }

    private mutating func fireAny() {
        // A start takes less time than any program is given to end.
        let running = GuardTimer.allCases.filter { test.timers[$0] != nil && ($0 != .kill || isKnown) }
        if !running.isEmpty { fire(running[roll(running.count)]) }
    }

    private mutating func fire(_ timer: GuardTimer) {
        events.append(.timer(timer))
        if timer == .kill { killFired = true }
        if timer == .lateReport { replyIsDue = false }
        test.fire(timer)
        react()
    }

    /// The next report of the monitor, or the end of the output.
    private mutating func report() {
        guard !hasFinished else { return }
        if process != .none, !isKnown {
            isKnown = true
            return deliverSignals()
        }
        if reports.isEmpty {
            if machine.waitsForTree {
                if !hasRest { send(.treeEnded) }
            } else if case .ended = machine.program, !isOutputEnded {
                isOutputEnded = true
                send(.outputEnded)
            }
            return
        }
        let report = reports.removeFirst()
        // A stop that is over is not reported.
        if case .programStopped = report, process != .stopped { return }
        send(report)
    }

    private mutating func resume(isForeground: Bool) {
        send(.resumed(isForeground: isForeground))
        // SIGCONT is also in the signal pipe.
        if roll(2) == 0, !hasFinished, !test.isJobStopped { send(.resumed(isForeground: isForeground)) }
    }

    // MARK: The system

    private mutating func send(_ event: GuardEvent) {
        guard !hasFinished else { return }
        events.append(event)
        let actions = test.send(event)
        let asks = actions.contains { action in
            if case .sendToTerminal(let bytes) = action { bytes.firstRange(of: Array("\u{1B}[6n".utf8)) != nil } else { false }
        }
        if asks { replyIsDue = true }
        react()
    }

    private mutating func react() {
        if test.hasStarted, process == .none {
            process = .running
        }
        waitingSignals += test.takeSignals()
        if isKnown { deliverSignals() }
        // Whoever has the terminal now gets the reply.
        if !machine.holdsTerminal { replyIsDue = false }
        verify()
    }

    private mutating func deliverSignals() {
        for signal in waitingSignals { deliver(signal) }
        waitingSignals = []
    }

    /// What a signal, or a request for the whole tree, does to the program.
    private mutating func deliver(_ signal: String) {
        if signal == "killAll" {
            hasRest = false
            isKilled = true
        }
        switch (signal.replacing("→all", with: ""), process) {
        case (_, .none), (_, .dead): break
        case ("pause", _): hold()
        case ("resume", _): letGo()
        case ("STOP", .running): stop()
        case ("CONT", .stopped):
            guard !isPaused else { break }
            continueProcess()
        case ("KILL", _), ("killAll", _): exit()
        case ("TSTP", .running): stopItself()
        case ("TERM", .running), ("HUP", .running): if roll(2) == 0 { if isPaused { isDoomed = true } else { exit() } }
        case ("TERM", .stopped), ("HUP", .stopped): isDoomed = isDoomed || roll(2) == 0
        default: break
        }
    }

    private mutating func stop() {
        process = .stopped
        reports.append(.programStopped(by: GuardSignals.stop))
    }

    private mutating func continueProcess() {
        process = .running
        // The monitor may notice only that the program continues. Nothing is noticed if SIGCONT comes before the stop.
        let stop = GuardEvent.programStopped(by: GuardSignals.stop)
        let isQuick = reports.last == stop
        if isQuick, roll(2) == 0 { reports.removeLast() }
        if !isQuick || reports.last == stop || roll(4) > 0 { reports.append(.programContinued) }
        if isDoomed { exit() }
    }

    /// Pauses the program: a control group freezes it, otherwise a signal stops it.
    private mutating func hold() {
        isPaused = true
        wasStoppedBefore = process == .stopped
        if !hasControlGroup, process == .running { stop() }
    }

    private mutating func letGo() {
        isPaused = false
        if !hasControlGroup, process == .stopped, !wasStoppedBefore { continueProcess() }
        if isDoomed, process == .running { exit() }
        if process == .stopped { reports.append(.programStopped(by: GuardSignals.stop)) }
    }
}
