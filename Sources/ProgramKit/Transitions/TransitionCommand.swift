import Bellerophon
import BellerophonBase
import Foundation
import Processes
import TerminalUI

/// Runs the person's own command after every change of the stage.
///
/// The command gets the facts as one JSON object on standard input. It comes only from the configuration, never from a status.
/// Commands run one after the other, and each has a time limit. The program never waits for one.
///
/// A stage that is only known from an earlier run, or from a bundled status, is no change yet: its command runs once a reply has
/// confirmed it. With a simulated server the command has the variable ``simulationVariable``, and the events say so.
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
    /// The variable that is `1` for a command whose status comes from a simulated server, and missing for any other.
    nonisolated package static let simulationVariable = "BELLEROPHON_SIMULATED"
    /// The most lines of its errors that a report quotes.
    private static let quotedLines = 3

    private let command: String
    private let timeLimit: Duration
    private let clock: any ManagerClock
    private var waiting: [Call] = []
    /// The change that no reply has confirmed yet, for each service.
    private var unconfirmed: [String: Transition] = [:]
    private var running: ChildProcess?
    private var deadline: ScheduledCall?
    /// Whether the running command was told to end.
    private var isLate = false
    /// Called when a command can't be started, fails, takes too long or has written to standard error.
    package var onProblem: (String) -> Void = { _ in }

    /// A run of the command that waits for its turn.
    private struct Call {
        let facts: String
        let isSimulated: Bool

        /// The command in a report.
        var name: String { "hooks.onTransition" + (isSimulated ? " (simulation)" : "") }
    }

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
        let service = session.service ?? ""
        let change: Transition? = if case .stageChanged(let transition) = report { transition } else { nil }
        guard machine.basis != .lastRun, machine.basis != .bundled else {
            if let change { unconfirmed[service] = change }
            return
        }
        let kept = change != nil || machine.basis == .status ? unconfirmed.removeValue(forKey: service) : nil
        // A reply that says something else is a change of its own.
        guard let transition = change ?? kept.flatMap({ $0.to == machine.stage ? $0 : nil }) else { return }
        let facts = session.app.statusFacts(machine.document, machine.verdict)
        let details = PlainEvent.Details(facts, plan: machine.plan, installedVersion: session.app.version)
        let line = PlainEvent.transition(transition, details).json(at: clock.date, in: session)
        if waiting.count == Self.waitingLimit { waiting.removeLast() }
        waiting.append(Call(facts: line + "\n", isSimulated: session.isSimulated))
        startNext()
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        let call = waiting.removeFirst()
        running = ChildProcess.runDetachedShell(
            command, input: Array(call.facts.utf8), changes: [Self.simulationVariable: call.isSimulated ? "1" : nil]
        ) { [weak self] end, errors in self?.ended(call, end, errors) }
        guard let running else { return onProblem("\(call.name) can't be started") }
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

    private func ended(_ call: Call, _ end: ChildProcess.End, _ errors: OutputTail) {
        deadline?.cancel()
        running = nil
        let lines = errors.lines(Self.quotedLines, limit: 120).map { TextSanitizer.sanitize($0, keepingNewlines: false) }
        let quote = lines.isEmpty ? "" : ": " + lines.joined(separator: "; ")
        if isLate {
            onProblem("\(call.name) was ended after \(timeLimit.briefText)\(quote)")
        } else if end != .exit(0) {
            onProblem("\(call.name) \(end.description)\(quote)")
        } else if !lines.isEmpty {
            onProblem("\(call.name) wrote to standard error\(quote)")
        }
        startNext()
    }
}
