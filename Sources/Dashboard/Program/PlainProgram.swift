import Barricade
import Bellerophon
import BellerophonCurses
import Dispatch
import Foundation
import Processes
import ProgramKit
import ProgramUpdates
import ScenarioKit
import TerminalUI

/// The program without a screen: it reports every change in a line, for screen readers, logs and scripts.
///
/// It sends no control sequences. The person can type a letter or a word and Enter. In a demo, that also picks what the simulated
/// server replies.
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

    private let program: StatusProgram
    private var services: [WatchedService] { program.services }
    private var simulated: SimulatedSession? { program.simulated }
    /// One for each service.
    private var reporters: [PlainReporter]
    private let output: PlainOutput
    private var phrases: PlainPhrases { output.phrases }
    private let presentation: Presentation?
    private var lastCaption: String?
    /// What is typed for the simulated server; nil where nobody picks its replies.
    private var demo: DemoDialog?
    private var input: CommandLines?
    /// How many checks a person has waited for.
    private var awaited = 0
    private var writer: LineWriter?
    /// The lines that were left out because nobody read the output.
    private var leftOut = 0
    private var end: End?
    private var signals: SignalWatch?

    /// - Parameter origin: where lines come from; nil if nobody can type.
    package init(_ setup: DashboardSetup, output: PlainOutput, linesFrom origin: CommandLines.Origin?) {
        self.output = output
        program = StatusProgram(setup)
        reporters = setup.services.map { _ in PlainReporter(output.phrases) }
        presentation = setup.presentation
        guard let origin else { return }
        if setup.simulation?.hasPicker == true { demo = DemoDialog(isPresented: presentation != nil) }
        input = CommandLines(from: origin) { [weak self] line in
            self?.perform(line)
        } ended: { [weak self] in
            self?.finish(.quit)
        }
    }

    /// Runs until the person quits or a signal ends the program.
    package func run() -> End {
        writer = LineWriter { [weak self] problem in self?.finish(.outputFailed(problem)) }
        signals = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { [weak self] number in self?.finish(.signal(number)) }
        for (index, service) in services.enumerated() {
            let trust = phrases.trust(service.source.security, verifies: service.source.verifier != nil)
            report(.started(service.session, trust: trust), of: service)
            service.manager.onReport = { [weak self] report in self?.receive(report, of: index) }
        }
        program.begin { [weak self] problem in self?.report(.remark(problem)) }
        if let problem = program.startSimulation(checks: true) { report(.remark(problem)) }
        simulated?.onMove = { [weak self] in self?.reportSteps() }
        present()
        if demo != nil, presentation == nil { report(.listing([DemoDialog.invitation])) }
        reportSteps()
        for service in services { service.manager.checkAppStatus() }
        // The first line of a pipe waits for the first status.
        input?.hold()
        input?.start()
        while end == nil { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        let end = end ?? .quit
        let cause =
            switch end {
            case .quit: output.format == .json ? "quit" : phrases.quit
            case .signal(let number): SignalName.of(number)
            case .outputFailed(let problem): problem
            }
        input?.stop()
        for service in services { service.manager.suspend() }
        program.end(cause)
        report(.ended(cause))
        // After a signal, a reader that does not read is not waited for.
        _ = writer?.finish(within: end == .quit ? .seconds(5) : .milliseconds(500))
        signals?.cancel()
        return end
    }

    // MARK: Reports

    private func receive(_ report: StatusReport, of index: Int) {
        let service = services[index]
        let (manager, actions) = (service.manager, actions(of: service))
        var events = reporters[index].events(for: report, manager.machine, manager.overlayContent(), actions: actions)
        events += reporters[index].events(for: manager.countingNotices)
        program.record(report, of: service)
        events.forEach { self.report($0, of: service) }
        // The lines are what the person sees.
        if !events.isEmpty { _ = service.journal.painted(at: .now) }
        // After the other reports of this check.
        guard report.endsCheck, let input, input.isHeld else { return }
        let awaited = awaited
        DispatchQueue.main.async { MainActor.assumeIsolated { if awaited == self.awaited { input.goOn() } } }
    }

    private func report(_ event: PlainEvent, of service: WatchedService? = nil) {
        var text = output.text(event, of: service?.session.service, at: program.clock.date)
        if leftOut > 0 {
            text = output.text(.remark(phrases.leftOutText(leftOut)), at: program.clock.date) + text
        }
        guard writer?.write(text) == true else { return leftOut += 1 }
        leftOut = 0
    }

    private func finish(_ end: End) {
        if self.end == nil { self.end = end }
        // Wakes the run loop if called from a timer, which does not end the loop's pass.
        DispatchQueue.main.async {}
    }

    // MARK: Commands

    private func actions(of service: WatchedService) -> [PlainAction] {
        guard input != nil else { return [] }
        return (service.dueUpdate.map { [.update($0)] } ?? []) + (presentation == nil ? [] : [.next, .previous]) + [
            .check, .quit,
        ]
    }

    /// The first service that requires an update and has a command for it.
    private var outdated: WatchedService? { services.first { $0.dueUpdate != nil } }

    private func perform(_ line: String) {
        let typed = line.trimmingCharacters(in: .whitespaces)
        if let simulated, let effects = demo?.effects(of: typed, simulated.driver.list) {
            return effects.forEach { perform($0, simulated) }
        }
        let outdated = outdated
        let known = actions(of: outdated ?? services[0]) + [.status, .help]
        // Enter alone goes on in a presentation.
        let letter = typed.isEmpty && presentation != nil ? PlainAction.next.letter : typed
        guard let action = known.first(where: { $0.isMeant(by: letter) }) else {
            if demo != nil { return report(.notice(DemoDialog.unknown(typed))) }
            return list(known, after: typed.isEmpty ? nil : phrases.nothingToDoText(String(typed.prefix(20))))
        }
        switch action {
        case .check:
            report(.notice(phrases.checking))
            awaitCheck()
            for service in services { service.manager.check(.person) }
        case .update(let command): if let outdated { update(outdated, command) }
        case .next: present(.next)
        case .previous: present(.previous)
        case .status: for service in services { report(.listing(spokenState(of: service)), of: service) }
        case .help:
            guard let demo else { return list(known, after: nil) }
            report(.listing(demo.help + known.map { "\($0.letter): \(phrases.help($0))" }))
        case .quit: finish(.quit)
        }
    }

    /// The end of the next check is told in any case, and lines of a pipe wait for it.
    private func awaitCheck() {
        input?.hold()
        awaited += 1
        for index in reporters.indices { reporters[index].awaitCheck() }
    }

    /// The state, with the text of the view that would cover a program, in reading order.
    private func spokenState(of service: WatchedService) -> [String] {
        let content = service.manager.overlayContent()
        guard content.stage.isBlocked else { return [phrases.uncovered(content.app.name, content.stage)] }
        return LinearText(content, keys: KeyMap([])).lines
    }

    // MARK: Demo

    private func perform(_ effect: DemoDialog.Effect, _ simulated: SimulatedSession) {
        switch effect {
        case .say(let lines): report(.listing(lines))
        case .perform(let request):
            do {
                awaitCheck()
                try simulated.perform(request) { command in
                    for line in demo?.answer(to: command, simulated.driver.list) ?? [] { report(.notice(line)) }
                }
                reportSteps()
            } catch {
                report(.notice("\(error)"))
                input?.goOn()
            }
        }
    }

    /// Reports the step of a timeline that has begun, once.
    private func reportSteps() {
        guard end == nil, let list = simulated?.driver.list else { return }
        guard presentation == nil else { return reportCaption() }
        for line in demo?.news(list) ?? [] { report(.notice(line)) }
    }

    // MARK: Presentation

    private func present() {
        guard presentation != nil else { return }
        reportCaption()
        list(actions(of: services[0]), after: nil)
    }

    private func present(_ action: Presentation.Action) {
        guard let presentation, let simulated else { return }
        let commands = presentation.commands(for: action, simulated.driver.list.playback(of: presentation.timeline))
        if commands.isEmpty { report(.notice(phrases.lastStep)) }
        do {
            if !commands.isEmpty { awaitCheck() }
            try simulated.perform(commands)
        } catch {
            report(.notice("\(error)"))
            input?.goOn()
        }
        // At once: lines that were typed together may end the program before the observers are called.
        reportCaption()
    }

    /// Reports the caption of the present step, once.
    private func reportCaption() {
        guard end == nil, let presentation, let playback = simulated?.driver.list.playback(of: presentation.timeline) else {
            return
        }
        let caption = "\(Presentation.place(of: playback)): \(playback.caption)"
        guard caption != lastCaption else { return }
        lastCaption = caption
        report(.caption(caption))
    }

    private func list(_ actions: [PlainAction], after problem: String?) {
        if let problem { report(.notice(problem)) }
        actions.forEach { report(.notice(phrases.sentence($0))) }
    }

    /// Runs the update command in the terminal, which is the command's until it ends.
    private func update(_ service: WatchedService, _ command: String) {
        // Afterwards the status is checked, and lines of a pipe wait for that.
        awaitCheck()
        input?.stop()
        // Control-C reaches the update command too, and is meant for it.
        signals?.beginIgnoring(SIGINT)
        report(.notice(phrases.runningText(command)), of: service)
        ChildProcess.runShell(command) { [weak self] end in
            guard let self, self.end == nil else { return }
            signals?.endIgnoring(SIGINT)
            report(.notice(phrases.updateEndedText(end.localized)), of: service)
            if input?.isHeld == false { input?.start() }
            service.manager.responder.overlayDidRunUpdate()
        }
    }
}

extension WatchedService {
    /// The update command, while an update is required.
    fileprivate var dueUpdate: String? { manager.machine.stage == .updateRequired ? session.app.updateCommand : nil }
}

extension StatusReport {
    /// Whether a check, or what a stream has in place of one, has ended.
    fileprivate var endsCheck: Bool {
        switch self {
        case .checkSucceeded, .checkFailed, .pushed, .pushFailed: true
        default: false
        }
    }
}
