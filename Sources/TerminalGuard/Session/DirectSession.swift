import Bellerophon
import BellerophonViews
import Dispatch
import Foundation
import TerminalIO
import TerminalUI

/// A guarded program without a terminal to cover: in a pipeline, a script or a job without a terminal.
///
/// The program has the standard descriptors of the guard. A status can't cover it, so a kill does what the response says, or
/// only prints a line on standard error.
@MainActor
package final class DirectSession {
    private let setup: GuardSetup
    private let manager: BellerophonManager
    private let control: GuardControl
    private let clock = DispatchClock()
    private var program: InheritingProgram?
    private var result: GuardResult?
    private var isStartDecided = false
    private var startTimer: ScheduledCall?
    private var killTimer: ScheduledCall?
    private var signals: [any DispatchSourceSignal] = []
    /// Why the program was ended; nil if no status has ended it.
    private var refusal: String?
    private var isPaused = false

    package init(_ setup: GuardSetup) {
        self.setup = setup
        manager = BellerophonManager(config: setup.configuration)
        control = GuardControl(setup, manager, hasTerminal: false)
    }

    /// Runs the program in place of this process, for a guard that runs below another guard with the same settings.
    /// - Returns: why it could not be started.
    package static func replaceThisProcess(with command: ProgramCommand) -> SystemError {
        InheritingProgram.replaceThisProcess(with: command)
    }

    /// Checks the status, then runs the program until it has ended.
    package func run() throws(SystemError) -> GuardResult {
        manager.onReport = { [weak self] report in self?.take(report) }
        control.onChange = { [weak self] change in self?.take(change) }
        control.register()
        defer { control.close() }
        manager.checkAppStatus()
        if blockingStage != nil || manager.keptStatusIsRecent { decideStart() }
        startTimer = clock.schedule(after: setup.startTimeout) { [weak self] in
            guard let self else { return }
            decideStart(waited: setup.startTimeout)
        }
        while result == nil { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        manager.suspend()
        manager.flush()
        return result ?? .signal(SIGTERM)
    }

    private var blockingStage: Stage? {
        let stage = manager.machine.stage
        return stage.isBlocked ? stage : nil
    }

    private func take(_ report: StatusReport) {
        setup.onReport(report, manager.machine)
        control.register()
        switch report {
        case .checkSucceeded, .checkFailed, .pushed, .stageChanged:
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { self?.statusChanged() }
            }
        default: break
        }
    }

    private func take(_ change: LocalStopChange) {
        setup.onLocalStop(change)
        switch change {
        case .stopped(let stop): say("\(OverlayWords.summary(stop, name: programName)) (release it with \(stop.release))")
        case .released(let author): say("\(author) has released the stop of \(programName) on this machine")
        }
        if isStartDecided { respond() }
    }

    private func statusChanged() {
        setup.onPaint()
        if isStartDecided { respond() } else { decideStart() }
    }

    // MARK: The start

    /// - Parameter waited: the time for the start, if it is over.
    private func decideStart(waited: Duration? = nil) {
        guard !isStartDecided else { return }
        isStartDecided = true
        startTimer?.cancel()
        if let blind = manager.blindStart(waited: waited) { print(blind.line(program: programName)) }
        if blockingStage == nil || setup.start == .anyway {
            isStartAllowed = true
            return respond()
        }
        if setup.start == .exit { return end(.refused(message: reason)) }
        say("\(reason) (waiting until the status clears)")
    }

    /// Whether the program may start although the status blocks it.
    private var isStartAllowed = false

    private func start() {
        let new = InheritingProgram(setup.command)
        program = new
        control.fate = .running
        watchSignals()
        new.start { [weak self] end in
            guard let self else { return }
            self.end(self.refusal.map { .refused(message: $0) } ?? .program(end))
        }
        respond()
    }

    private func end(_ result: GuardResult) {
        guard self.result == nil else { return }
        self.result = result
        killTimer?.cancel()
        DispatchQueue.main.async {}
    }

    // MARK: Statuses while the program runs

    private func respond() {
        guard result == nil else { return }
        guard let program else {
            if control.localStop == nil, isStartAllowed || blockingStage == nil { start() }
            return
        }
        let status = blockingStage.map { $0 == .updateRequired ? setup.responses.onUpdate : setup.responses.onKill }
        announce(status)
        switch GuardResponse.strongest([status, control.localStop == nil ? nil : .pause]) {
        case .cover?, nil: resume(program)
        case .pause?: pause(program)
        case .terminate(let grace)?: terminate(program, grace: grace)
        }
    }

    /// Says that the status blocks the program, or does no longer.
    private func announce(_ status: GuardResponse?) {
        let stage = blockingStage
        guard announced != stage else { return }
        announced = stage
        switch status {
        case .cover?: say("\(reason) (it continues: without a terminal it can't be covered)")
        case .pause?: say(reason)
        case .terminate?: break
        case nil: if isPaused { say("the status has cleared") }
        }
    }

    /// The stage that was announced last.
    private var announced: Stage?

    private func pause(_ program: InheritingProgram) {
        guard !isPaused, refusal == nil else { return }
        isPaused = true
        control.fate = .paused
        program.send(SIGSTOP)
    }

    private func resume(_ program: InheritingProgram) {
        guard isPaused else { return }
        isPaused = false
        control.fate = .running
        program.send(SIGCONT)
    }

    private func terminate(_ program: InheritingProgram, grace: Duration) {
        guard refusal == nil else { return }
        refusal = reason
        isPaused = false
        control.fate = .ending(grace: grace)
        program.send(SIGTERM)
        program.send(SIGCONT)
        killTimer = clock.schedule(after: grace) { program.send(SIGKILL) }
    }

    private var reason: String {
        OverlayWords.summary(manager.overlayContent(), name: programName)
    }

    private var programName: String { (setup.command.name as NSString).lastPathComponent }

    private func say(_ text: String) { print("bellerophon: \(text)") }

    private func print(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
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
                    guard let self, let program = self.program else { return }
                    if !isFromKey || !program.sharesTerminal { program.send(number) }
                }
            }
            Foundation.signal(number, SIG_IGN)
            source.resume()
            signals.append(source)
        }
    }
}
