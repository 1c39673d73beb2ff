import Bellerophon
import BellerophonBase
import Dispatch
import Foundation
import TerminalIO

/// A running program with the standard descriptors of the guard: its end, its stops, signals, and what a status does to
/// everything that it has started.
@MainActor
final class DirectProgram {
    enum News: Equatable {
        case tree(TreeSummary)
        /// These processes had to be killed, as `NAME (PID)`.
        case killed([String])
        /// The program has ended, and with it everything that a status ends. It is the last report.
        case ended(ProgramEnd)
    }

    private let program: GuardedProgram
    private let clock: any ManagerClock
    private let report: (News) -> Void
    private var tree: TreeDriver
    private let counter: TreeCounter
    private var treeCall: ScheduledCall?
    private var killCall: ScheduledCall?
    private var reports: (any DispatchSourceRead)?
    private var signals: [any DispatchSourceSignal] = []
    private var formerActions: [Int32: sig_t?] = [:]
    private var end: ProgramEnd?
    /// Whether the program and everything that it has started is to end.
    private var isEnding = false
    private(set) var isPaused = false
    private let sharesTerminal: Bool

    /// How long a paused program may run to act on a signal that the guard has got.
    private static let signalGrace = Duration.seconds(5)
    /// How long the rest may take to end after a paused program has ended.
    private static let restGrace = Duration.seconds(5)

    /// Starts the program.
    init(_ setup: GuardSetup, clock: any ManagerClock, report: @escaping (News) -> Void) throws(SystemError) {
        self.clock = clock
        self.report = report
        sharesTerminal = OuterTerminal.isAnyTerminal
        let group = ControlGroup.make()
        var options = GuardedProgram.Options()
        options.orphans = setup.policy.orphans
        options.controlGroup = group?.descriptor ?? -1
        program = try GuardedProgram(setup.command, in: .standard(sharesGroup: sharesTerminal), options)
        counter = TreeCounter(monitor: program.monitor, groupPath: group?.path)
        tree = TreeDriver(ProgramTree(monitor: program.monitor, group: group))
        watchSignals()
        // A descriptor of its own, which the source keeps open until it has ended.
        let watched = Descriptor(try SystemError.check("watch a process", fcntl(program.channel, F_DUPFD_CLOEXEC, 3)))
        let source = watched.readSource(on: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readReports() } }
        source.resume()
        reports = source
        program.start()
    }

    func close() {
        treeCall?.cancel()
        killCall?.cancel()
        reports?.cancel()
        program.close()
        tree.removeGroup()
        if case .notStarted = end { restoreSignals() }
    }

    // MARK: Requests

    func pause() {
        guard !isEnding, end == nil, !isPaused else { return }
        isPaused = true
        tree.pause(at: .now)
        runTree()
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        tree.resume()
        runTree()
        // It was stopped before the pause, or by others meanwhile.
        if program.isStopped { stopped(by: SIGSTOP) }
    }

    /// Asks everything to end, and kills what is left after a time.
    func terminate(grace: Duration) {
        guard !isEnding, end == nil else { return }
        isEnding = true
        tree.send(SIGTERM)
        resume()
        // A stopped process can't act on the signal.
        tree.send(SIGCONT)
        kill(after: grace)
    }

    private func kill(after grace: Duration) {
        killCall = clock.schedule(after: grace) { [weak self] in
            guard let self else { return }
            tree.kill(at: .now)
            runTree()
        }
    }

    /// How many processes run, and what holds them.
    func count() -> TreeSummary { counter.count(notHeld: tree.summary.notHeld) }

    // MARK: The tree

    /// Does what is due, and comes again when something else is.
    private func runTree() {
        treeCall?.cancel()
        let before = tree.summary
        if tree.turn(at: .now) { return finish() }
        if tree.summary != before || !tree.summary.notHeld.isEmpty { report(.tree(tree.summary)) }
        guard let next = tree.next else { return }
        treeCall = clock.schedule(after: max(.zero, ContinuousClock.now.duration(to: next))) { [weak self] in self?.runTree() }
    }

    private func finish() {
        guard let end else { return }
        killCall?.cancel()
        if !tree.killed.isEmpty { report(.killed(tree.killed)) }
        report(.ended(end))
    }

    // MARK: The program

    private func readReports() {
        for report in program.readReports() {
            switch report {
            case .started: OwnProcess.letGoOfInputAndOutput()
            case .stopped(let number): stopped(by: number)
            case .continued, .ungrouped: break
            case .ended(let end): programEnded(end)
            }
        }
        if program.end != nil { reports?.cancel() }
    }

    /// Stops the guard as its program was stopped, so that the shell notices it.
    private func stopped(by number: Int32) {
        guard !isPaused, !isEnding else { return }
        OwnProcess.stop(by: number)
        program.signal(SIGCONT)
    }

    private func programEnded(_ end: ProgramEnd) {
        self.end = end
        if isPaused {
            // The rest of what the status has paused must not go on without the guard.
            isEnding = true
            tree.send(SIGTERM)
            resume()
            kill(after: Self.restGrace)
        }
        guard isEnding else { return finish() }
        tree.watch(at: .now)
        runTree()
    }

    // MARK: Signals

    /// Signals that end the guard go to the program, whose end then ends the guard. The keys that send SIGINT and SIGQUIT send
    /// them to the program, too, which decides.
    private func watchSignals() {
        for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            let isFromKey = number == SIGINT || number == SIGQUIT
            source.setEventHandler { [weak self] in
                MainActor.assumeIsolated {
                    guard let self, !isFromKey || !self.sharesTerminal else { return }
                    self.passOn(number)
                }
            }
            formerActions[number] = Foundation.signal(number, SIG_IGN)
            source.resume()
            signals.append(source)
        }
    }

    /// After a program that could not be started this process may go on in its place.
    private func restoreSignals() {
        for source in signals { source.cancel() }
        for (number, action) in formerActions { Foundation.signal(number, action) }
    }

    private func passOn(_ number: Int32) {
        program.signal(number)
        guard isPaused, killCall == nil else { return }
        // A paused program could not act on the signal. What is left afterwards is paused again.
        resume()
        killCall = clock.schedule(after: Self.signalGrace) { [weak self] in
            self?.killCall = nil
            self?.pause()
        }
    }
}
