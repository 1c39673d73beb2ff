import Bellerophon
import BellerophonBase
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
    private var program: DirectProgram?
    private let outcome = PendingResult()
    private var isStartDecided = false
    private var startTimer: ScheduledCall?
    /// The stage that was announced last.
    private var announced: Stage?
    /// Whether the program may start although the status blocks it.
    private var isStartAllowed = false
    /// Why the program was ended; nil if no status has ended it.
    private var refusal: String?

    package init(_ setup: GuardSetup) {
        self.setup = setup
        manager = BellerophonManager(config: setup.configuration)
        control = GuardControl(setup, manager, hasTerminal: false)
    }

    /// Runs the program in place of this process, for a guard that runs below another guard with the same settings.
    /// - Returns: why it could not be started.
    package static func replaceThisProcess(with command: ProgramCommand) -> SystemError {
        ProgramReplacement.start(command)
    }

    /// Checks the status, then runs the program until it has ended, and the main run loop meanwhile.
    package func run() -> GuardResult {
        begin()
        return close(outcome.wait())
    }

    /// Checks the status, then runs the program until it has ended. Somebody else must serve the main queue.
    package func run() async -> GuardResult {
        begin()
        return close(await outcome.value())
    }

    private func begin() {
        OwnProcess.endOnCrash()
        manager.onReport = { [weak self] report in self?.take(report) }
        control.onChange = { [weak self] change in self?.take(change) }
        control.register()
        manager.checkAppStatus()
        // A kept kill may have been lifted since, so nothing is refused without asking.
        if blockingStage == nil ? manager.keptStatusIsRecent : startPolicy != .exit { decideStart() }
        startTimer = clock.schedule(after: setup.policy.startTimeout) { [weak self] in
            guard let self else { return }
            decideStart(waited: setup.policy.startTimeout)
        }
    }

    private func close(_ result: GuardResult) -> GuardResult {
        program?.close()
        manager.suspend()
        manager.flush()
        control.close()
        return result
    }

    private var blockingStage: Stage? {
        let stage = manager.machine.stage
        return stage.isBlocked ? stage : nil
    }

    private func take(_ report: StatusReport) {
        setup.onReport(report, manager.machine)
        control.register()
        switch report {
        case .checkSucceeded, .checkFailed, .pushed: changeLater()
        // A kept status decides nothing about the start.
        case .stageChanged: if isStartDecided { changeLater() }
        default: break
        }
    }

    private func changeLater() {
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.statusChanged() }
        }
    }

    private func take(_ change: LocalStopChange) {
        setup.onLocalStop(change)
        switch change {
        case .stopped(let stop):
            let release = phrases.status.releaseWith.with(["command": stop.release])
            say("\(OverlayWords.summary(stop, name: programName, phrases)) (\(release))")
        case .released(let author): say(phrases.lines.releasedBy.with(["author": author, "name": programName]))
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
        if let blind = manager.blindStart(waited: waited) { print(blind.line(program: programName, phrases)) }
        if blockingStage == nil || startPolicy == .anyway {
            isStartAllowed = true
            return respond()
        }
        if startPolicy == .exit { return end(.refused(message: reason)) }
        say("\(reason) (\(phrases.lines.waiting.with(["time": setup.policy.startWait.waitText])))")
        startTimer = clock.schedule(after: setup.policy.startWait) { [weak self] in self?.waitIsOver() }
    }

    private var startPolicy: StartPolicy { setup.policy.start ?? .exit }

    /// Ends a start that the status still forbids. A stop on this machine has no limit: the person who can release it is here.
    private func waitIsOver() {
        guard program == nil, blockingStage != nil, !outcome.isSet else { return }
        end(.refused(message: reason))
    }

    private func start() {
        do {
            let new = try DirectProgram(setup, clock: clock) { [weak self] news in self?.take(news) }
            program = new
            control.tree = { [weak new] in new?.count() ?? TreeSummary() }
            control.fate = .running
        } catch {
            return end(.program(.notStarted(error.code)))
        }
        respond()
    }

    private func take(_ news: DirectProgram.News) {
        switch news {
        case .ended(let programEnd): end(refusal.map { .refused(message: $0) } ?? .program(programEnd))
        case .killed(let names): setup.onKilled(names)
        case .tree(let summary):
            setup.onTree(summary)
            if !summary.notHeld.isEmpty { say("not held: \(summary.notHeld.joined(separator: ", "))") }
        }
    }

    private func end(_ result: GuardResult) { outcome.set(result) }

    // MARK: Statuses while the program runs

    private func respond() {
        guard !outcome.isSet else { return }
        guard let program else {
            if control.localStop == nil, isStartAllowed || blockingStage == nil { start() }
            return
        }
        let status = blockingStage.map { $0 == .updateRequired ? setup.policy.onUpdate : setup.policy.onKill }
        announce(status)
        switch GuardResponse.strongest([status, control.localStop == nil ? nil : .pause]) {
        case .cover?, .restart?, nil:
            program.resume()
            control.fate = .running
        case .pause?:
            program.pause()
            control.fate = .paused
        case .terminate(let grace)?: terminate(program, grace: grace)
        }
    }

    private func terminate(_ program: DirectProgram, grace: Duration) {
        guard refusal == nil else { return }
        refusal = summary(wasEnded: true)
        say("\(reason) (\(phrases.lines.asked.with(["time": grace.briefText])))")
        control.fate = .ending(grace: grace)
        program.terminate(grace: grace)
    }

    /// Says that the status blocks the program, or does no longer.
    private func announce(_ status: GuardResponse?) {
        let stage = blockingStage
        guard announced != stage else { return }
        announced = stage
        switch status {
        case .cover?, .restart?: say("\(reason) (\(phrases.lines.continues))")
        case .pause?: say("\(reason) (\(phrases.lines.pausedWhole))")
        case .terminate?: break
        case nil: if program?.isPaused == true { say(phrases.lines.cleared) }
        }
    }

    private var reason: String { summary(wasEnded: false) }

    private func summary(wasEnded: Bool) -> String {
        OverlayWords.summary(manager.overlayContent(), name: programName, wasEnded: wasEnded)
    }

    private var phrases: OverlayPhrases { OverlayPhrases(setup.configuration.languages) }

    private var programName: String { (setup.command.name as NSString).lastPathComponent }

    private func say(_ text: String) { print("bellerophon: \(text)") }

    private func print(_ line: String) {
        FileDescriptorOutput.write("\(line)\n", to: STDERR_FILENO)
    }
}
