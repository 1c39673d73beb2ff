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
    private let clock = DispatchClock()
    private var program: DirectProgram?
    private var result: GuardResult?
    private var isStartDecided = false
    private var startTimer: ScheduledCall?
    /// The stage that was announced last.
    private var announced: Stage?
    /// Why the program was ended; nil if no status has ended it.
    private var refusal: String?

    package init(_ setup: GuardSetup) {
        self.setup = setup
        manager = BellerophonManager(config: setup.configuration)
    }

    /// Runs the program in place of this process, for a guard that runs below another guard with the same settings.
    /// - Returns: why it could not be started.
    package static func replaceThisProcess(with command: ProgramCommand) -> SystemError {
        ProgramReplacement.start(command)
    }

    /// Checks the status, then runs the program until it has ended.
    package func run() throws(SystemError) -> GuardResult {
        OwnProcess.endOnCrash()
        manager.onReport = { [weak self] report in self?.take(report) }
        manager.checkAppStatus()
        if blockingStage != nil || manager.keptStatusIsRecent { decideStart() }
        startTimer = clock.schedule(after: setup.startTimeout) { [weak self] in
            guard let self else { return }
            decideStart(waited: setup.startTimeout)
        }
        while result == nil { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        program?.close()
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
        switch report {
        case .checkSucceeded, .checkFailed, .pushed, .stageChanged:
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { self?.statusChanged() }
            }
        default: break
        }
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
        guard blockingStage != nil, setup.start != .anyway else { return start() }
        if setup.start == .exit { return end(.refused(message: reason)) }
        say("\(reason) (waiting until the status clears)")
    }

    private func start() {
        do {
            program = try DirectProgram(setup, clock: clock) { [weak self] news in self?.take(news) }
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
            guard !summary.notHeld.isEmpty else { return }
            say("not held: \(summary.notHeld.joined(separator: ", "))")
        }
    }

    private func end(_ result: GuardResult) {
        guard self.result == nil else { return }
        self.result = result
        DispatchQueue.main.async {}
    }

    // MARK: Statuses while the program runs

    private func respond() {
        guard let program, result == nil else {
            if program == nil, result == nil, blockingStage == nil { start() }
            return
        }
        guard let stage = blockingStage else {
            announced = nil
            if program.isPaused { say("the status has cleared") }
            return program.resume()
        }
        guard announced != stage else { return }
        announced = stage
        switch stage == .updateRequired ? setup.responses.onUpdate : setup.responses.onKill {
        case .cover:
            say("\(reason) (it continues: without a terminal it can't be covered)")
            program.resume()
        case .pause:
            say("\(reason) (it is paused, with everything that it has started)")
            program.pause()
        case .terminate(let grace):
            refusal = reason
            say("\(reason) (it is asked to end, and is killed after \(grace.briefText))")
            program.terminate(grace: grace)
        }
    }

    private var reason: String {
        OverlayWords.summary(manager.overlayContent(), name: programName)
    }

    private var programName: String { (setup.command.name as NSString).lastPathComponent }

    private func say(_ text: String) { print("bellerophon: \(text)") }

    private func print(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
