import Bellerophon
import BellerophonBase
import Foundation
import Processes

/// Runs the person's own command after every change of the stage.
///
/// The command gets the facts as one JSON object on standard input. It comes only from the configuration, never from a status.
/// Commands run one after the other, and each has a time limit. The program never waits for one.
@MainActor
package final class TransitionCommand {
    package struct Settings: Equatable, Sendable {
        /// The shell command; nil for none.
        package var command: String?
        /// The time after which a command gets SIGTERM, and a second later SIGKILL.
        package var timeLimit = Duration.seconds(10)

        package init() {}
    }

    /// The most changes that wait for the command of an earlier one. Further changes replace the last.
    static let waitingLimit = 16

    private let command: String
    private let timeLimit: Duration
    private let clock: any ManagerClock
    private var waiting: [String] = []
    private var running: ChildProcess?
    private var deadline: ScheduledCall?
    /// Whether the running command was told to end.
    private var isLate = false
    /// Called when a command can't be started, fails or takes too long.
    package var onProblem: (String) -> Void = { _ in }

    /// - Returns: nil if no command is configured.
    package init?(_ settings: Settings, clock: any ManagerClock = DispatchClock()) {
        guard let command = settings.command else { return nil }
        self.command = command
        timeLimit = settings.timeLimit
        self.clock = clock
    }

    /// Whether a command runs.
    var isRunning: Bool { running != nil }

    /// Runs the command for a change of the stage.
    /// - Parameters:
    ///   - machine: the stage machine after the report.
    ///   - session: the app and the source of the status.
    package func take(_ report: StatusReport, _ machine: StageMachine, in session: SessionLogRecord.Session) {
        guard case .stageChanged(let transition) = report else { return }
        let facts = session.app.statusFacts(machine.document, machine.verdict)
        let details = PlainEvent.Details(facts, plan: machine.plan, installedVersion: session.app.version)
        let line = PlainEvent.transition(transition, details).json(at: clock.date, in: session)
        if waiting.count == Self.waitingLimit { waiting.removeLast() }
        waiting.append(line)
        startNext()
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        let facts = waiting.removeFirst() + "\n"
        running = ChildProcess.runDetachedShell(command, input: Array(facts.utf8)) { [weak self] end in self?.ended(end) }
        guard let running else { return onProblem("hooks.onTransition can't be started") }
        isLate = false
        deadline = clock.schedule(after: timeLimit) { [weak self] in self?.stop(running, with: SIGTERM) }
    }

    private func stop(_ child: ChildProcess, with signal: Int32) {
        guard running === child else { return }
        isLate = true
        child.signalGroup(signal)
        if signal == SIGTERM {
            deadline = clock.schedule(after: .seconds(1)) { [weak self] in self?.stop(child, with: SIGKILL) }
        }
    }

    private func ended(_ end: ChildProcess.End) {
        deadline?.cancel()
        running = nil
        if isLate {
            onProblem("hooks.onTransition was ended after \(timeLimit.briefText)")
        } else if end != .exit(0) {
            onProblem("hooks.onTransition \(end.description)")
        }
        startNext()
    }
}
