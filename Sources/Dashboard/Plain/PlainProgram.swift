import Barricade
import Bellerophon
import BellerophonCurses
import Dispatch
import Foundation
import TerminalUI

/// The program without a screen: it reports every change in a line, for screen readers, logs and scripts.
///
/// It sends no control sequences. If standard input is a terminal, the person can type a letter and Enter.
@MainActor
package final class PlainProgram {
    /// How the program ended.
    package enum End: Equatable, Sendable {
        /// The person quit.
        case quit
        /// The output can't be written; the text says why.
        case outputFailed(String)
        case signal(Int32)
    }

    private let manager: BellerophonManager
    private let output: PlainOutput
    private let clock = DispatchClock()
    private let session: JournalRecord.Session
    private let trust: String
    private let files: SessionFiles
    private let hook: TransitionHook?
    private let remote: SimulationRemote?
    private let updateCommand: String?
    private var reporter = PlainReporter()
    private var input: CommandLines?
    private var end: End?
    /// Whether the update command has the terminal.
    private var isUpdating = false

    /// - Parameter readsCommands: whether the person can type commands on standard input.
    package init(_ setup: DashboardSetup, output: PlainOutput, readsCommands: Bool) {
        let isSimulated = setup.simulation != nil
        self.output = output
        manager = BellerophonManager(config: setup.managerConfig(window: nil))
        session = JournalRecord.Session(
            app: setup.configuration.app, source: setup.source.name, isSimulated: isSimulated)
        trust =
            setup.source.verifier != nil
            ? "signed statuses only" : StandingLook.trust(manager.machine, setup.source.security, verifies: false).words
        files = SessionFiles(journal: JournalKeeper(session, file: setup.journal, clock: clock), recorder: setup.recorder)
        hook = TransitionHook(setup.configuration.hook, session, clock: clock)
        remote = setup.simulation.map { SimulationRemote($0, folders: setup.controlFolders) }
        updateCommand = setup.configuration.app.updateCommand
        guard readsCommands else { return }
        input = CommandLines { [weak self] line in
            self?.perform(line)
        } ended: { [weak self] in
            self?.finish(.quit)
        }
    }

    /// Runs until the person quits or a signal ends the program.
    package func run() -> End {
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { [weak self] number in self?.received(number) }
        report(.started(session, trust: trust))
        manager.onReport = { [weak self] report in self?.take(report) }
        files.begin { [weak self] problem in self?.report(.remark(problem)) }
        hook?.onProblem = { [weak self] problem in self?.report(.remark(problem)) }
        let problem = remote?.start(
            state: { [manager] in (manager.machine.stage, manager.machine.pending != nil) },
            changed: { [manager] in manager.check(.person, isFresh: true) })
        if let problem { report(.remark(problem)) }
        manager.checkAppStatus()
        input?.start()
        while end == nil { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        let end = end ?? .quit
        let cause =
            switch end {
            case .quit: "quit"
            case .signal(let number): SignalName.of(number)
            case .outputFailed(let problem): problem
            }
        input?.stop()
        remote?.stop()
        manager.suspend()
        manager.flush()
        files.end(cause)
        report(.ended(cause))
        signals.cancel()
        return end
    }

    // MARK: Reports

    private func take(_ report: StatusReport) {
        let events = reporter.events(
            for: report, manager.machine, manager.overlayContent(), actions: actions(at: manager.machine.stage))
        files.journal.take(report, machine: manager.machine)
        hook?.take(report, manager.machine)
        events.forEach { self.report($0) }
        // The lines are what the person sees.
        if !events.isEmpty { _ = files.journal.painted(at: .now) }
    }

    private func report(_ event: PlainEvent) {
        if let problem = output.write(event, at: clock.date) { finish(.outputFailed(problem)) }
    }

    private func received(_ signal: Int32) {
        // Control-C reaches the update command too, and is meant for it.
        if signal == SIGINT, isUpdating { return }
        finish(.signal(signal))
    }

    private func finish(_ end: End) {
        if self.end == nil { self.end = end }
        // Wakes the run loop if called from a timer, which does not end the loop's pass.
        DispatchQueue.main.async {}
    }

    // MARK: Commands

    private func actions(at stage: Stage) -> [PlainAction] {
        guard input != nil else { return [] }
        let update = stage == .updateRequired ? updateCommand.map { [PlainAction.update($0)] } ?? [] : []
        return update + [.check, .quit]
    }

    private func perform(_ line: String) {
        let typed = line.trimmingCharacters(in: .whitespaces)
        let known = actions(at: manager.machine.stage) + [.help]
        guard let action = known.first(where: { String($0.letter) == typed }) else {
            return list(known, after: typed.isEmpty ? nil : "there is nothing to do for \"\(typed.prefix(20))\"")
        }
        switch action {
        case .check:
            report(.notice("checking"))
            manager.check(.person)
        case .update(let command): update(command)
        case .help: list(known, after: nil)
        case .quit: finish(.quit)
        }
    }

    private func list(_ actions: [PlainAction], after problem: String?) {
        if let problem { report(.notice(problem)) }
        actions.forEach { report(.notice("action: \($0.sentence)")) }
    }

    /// Runs the update command in the terminal, which is the command's until it ends.
    private func update(_ command: String) {
        input?.stop()
        isUpdating = true
        report(.notice("running: \(command)"))
        ChildProcess.runShell(command) { [weak self] end in
            guard let self, self.end == nil else { return }
            isUpdating = false
            report(.notice("the update \(end.description)"))
            input?.start()
            manager.overlayDidRunUpdate()
        }
    }
}
