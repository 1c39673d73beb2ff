import Bellerophon
import BellerophonBase
import Foundation
internal import Processes

/// Performs the decisions of an ``UpdateMachine``: asks in the background, waits, and runs commands in a terminal.
@MainActor
package final class UpdateDriver: UpdateService {
    package var onChange: (@MainActor (UpdateChange) -> Void)?
    /// Starts the program again, as the person has agreed with the command.
    package var onRestart: @MainActor (_ version: String?) -> Void = { _ in }

    private var search: Search
    private var target: UpdateMachine.Target
    private let clock = DispatchClock()
    /// When the requirement was evaluated.
    private var evaluated: MonotonicInstant
    private var timer: ScheduledCall?
    private let lock: UpdateLock?
    /// The program's file, and what it was when it was started; nil if it can't be told whether the file has changed since.
    private let started: (path: String, file: [Int])?
    /// Whether a command has the terminal.
    private var isRunning = false

    /// The search for how the program is installed. It begins when an update is required, because it may read the lists of all
    /// packages of the machine.
    private enum Search {
        case due(@Sendable () -> any UpdateInspector)
        /// The update that is required now.
        case running(UpdateRequirement?)
        case done(any UpdateInspector, UpdateMachine)
    }

    /// - Parameters:
    ///   - file: the path of the program's file, without symbolic links.
    ///   - lock: keeps sessions of the same program from updating it at the same time.
    ///   - find: finds out how the program is installed, on another thread.
    private init(
        file: String, target: UpdateMachine.Target, lock: UpdateLock?, find: @escaping @Sendable () -> any UpdateInspector
    ) {
        (self.lock, self.target) = (lock, target)
        evaluated = clock.now
        search = .due(find)
        started = target == .watched ? nil : Self.identity(file).map { (file, $0) }
    }

    /// For an app that is watched from elsewhere, of which only what the options state is known.
    package convenience init(watched options: UpdateOptions) {
        let inspector = SystemUpdateInspector(.ofWatched(options))
        self.init(file: "", target: .watched, lock: nil) { inspector }
        search = .done(inspector, UpdateMachine(inspector.source, target: target))
    }

    /// Finds out how the program at a path can be updated.
    /// - Parameters:
    ///   - path: the path that the program is started by; an absolute one.
    ///   - installation: how it is installed; nil if that is not known yet.
    ///   - goesOn: whether the person agrees to the restart with the command.
    package static func of(
        path: String, _ installation: Installation? = nil, options: UpdateOptions, goesOn: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> UpdateDriver {
        let file = installation?.file ?? SystemFiles().realPath(path) ?? path
        return UpdateDriver(file: file, target: .program(goesOn: goesOn), lock: UpdateLock(file: file)) {
            SystemUpdateInspector(
                .of(
                    installation ?? InstallSource.find(path: path, environment: environment), options: options,
                    environment: environment))
        }
    }

    package var report: UpdateReport? { machine?.report }

    private var machine: UpdateMachine? { if case .done(_, let machine) = search { machine } else { nil } }

    private var inspector: (any UpdateInspector)? { if case .done(let inspector, _) = search { inspector } else { nil } }

    /// Decides whether the program is started again right after an update.
    package func change(target: UpdateMachine.Target) {
        self.target = target
        handle(.target(target))
    }

    package func require(_ requirement: UpdateRequirement?) {
        evaluated = clock.now
        switch search {
        case .due(let find): if requirement != nil { begin(find, requirement) }
        case .running: search = .running(requirement)
        case .done: handle(.required(requirement))
        }
    }

    private func begin(_ find: @escaping @Sendable () -> any UpdateInspector, _ requirement: UpdateRequirement?) {
        search = .running(requirement)
        Thread.detachNewThread { [weak self] in
            let inspector = find()
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.adopt(inspector) } }
        }
    }

    private func adopt(_ inspector: any UpdateInspector) {
        guard case .running(let requirement) = search else { return }
        search = .done(inspector, UpdateMachine(inspector.source, target: target))
        handle(.required(requirement))
    }

    package func askAgain() { handle(.askedAgain) }

    package func goOn() { handle(.wentOn) }

    private func handle(_ event: UpdateMachine.Event) {
        guard case .done(let inspector, var machine) = search else { return }
        let actions = machine.handle(event, after: evaluated.duration(to: clock.now))
        search = .done(inspector, machine)
        for action in actions { perform(action) }
    }

    private func perform(_ action: UpdateMachine.Action) {
        switch action {
        case .ask: ask()
        case .schedule(let wait):
            timer?.cancel()
            timer = clock.schedule(after: wait) { [weak self] in self?.handle(.askedAgain) }
        case .cancelTimer:
            timer?.cancel()
            timer = nil
        case .changed: onChange?(.report)
        case .deferUpdate(.cover): onChange?(.deferred(until: nil))
        case .deferUpdate(.goOn(let end)): onChange?(.deferred(until: end))
        case .know(let version): onChange?(.version(version))
        case .restart(let version): onRestart(version)
        }
    }

    private func ask() {
        let machine = machine
        inBackground {
            $0.findings { machine?.isEnough($0) == true }
        } then: { driver, findings in
            driver.handle(.found(findings, runs: driver.runsInstalledFile))
        }
    }

    /// Whether the program's file is still the one that was started.
    private var runsInstalledFile: Bool {
        guard let started else { return false }
        return Self.identity(started.path) == started.file
    }

    /// What identifies a file and its content; nil if there is none.
    private static func identity(_ path: String) -> [Int]? {
        guard let facts = FileFacts(path: path) else { return nil }
        #if canImport(Darwin)
        let time = facts.st_mtimespec
        #else
        let time = facts.st_mtim
        #endif
        return [
            Int(truncatingIfNeeded: facts.st_dev), Int(truncatingIfNeeded: facts.st_ino), Int(facts.st_size), time.tv_sec,
            time.tv_nsec,
        ]
    }

    /// Asks on a thread of its own, which may wait for processes.
    private func inBackground(
        _ ask: @escaping @Sendable (any UpdateInspector) -> UpdateFindings,
        then handle: @escaping @MainActor @Sendable (UpdateDriver, UpdateFindings) -> Void
    ) {
        guard let inspector else { return }
        Thread.detachNewThread { [weak self] in
            let findings = ask(inspector)
            DispatchQueue.main.async {
                MainActor.assumeIsolated { if let self { handle(self, findings) } }
            }
        }
    }

    // MARK: The command

    /// Runs a command in a terminal that was left to it.
    /// - Parameters:
    ///   - terminal: how the terminal is written to and how an Enter is awaited.
    ///   - name: the app's name.
    ///   - end: called when the terminal may be taken back. With ``onRestart`` it is not called.
    package func run(
        _ command: UpdateCommand, of name: String, in terminal: UpdateTerminal, then end: @escaping @MainActor () -> Void
    ) {
        guard !isRunning else { return end() }
        isRunning = true
        terminal.write(terminal.text.begin(command, of: name))
        let run = Run(command: command, terminal: terminal, end: end)
        guard let lock, command.purpose == .update else { return start(run) }
        acquire(lock, for: run)
    }

    /// A command that has the terminal.
    private struct Run: Sendable {
        let command: UpdateCommand
        let terminal: UpdateTerminal
        /// Called when the terminal may be taken back.
        let end: @MainActor () -> Void
    }

    private func acquire(_ lock: UpdateLock, for run: Run) {
        let terminal = run.terminal
        switch lock.tryLock() {
        case .taken: return start(run)
        case .unavailable(let reason):
            terminal.write(terminal.text.withoutLock(reason))
            return start(run)
        case .held(let process): terminal.write(terminal.text.waits(for: process))
        }
        terminal.awaitLine({ lock.tryLock() == .taken }) { [weak self] wasPressed in
            guard let self else { return }
            guard !wasPressed else {
                isRunning = false
                return run.end()
            }
            // The other session may have done it.
            inBackground {
                $0.installed()
            } then: { driver, findings in
                driver.resume(run, findings)
            }
        }
    }

    /// The lock was waited for.
    private func resume(_ run: Run, _ findings: UpdateFindings) {
        guard let machine, let installed = findings.installed, machine.isEnough(installed) else { return start(run) }
        finish(run, with: .updatedElsewhere(findings)) { $0.updatedElsewhere(installed, goesOn: $1) }
    }

    private func start(_ run: Run) {
        var variables = ["BELLEROPHON_UPDATE_PROGRAM": inspector?.source.installation.path ?? ""]
        if let version = run.command.version { variables["BELLEROPHON_UPDATE_VERSION"] = version }
        ChildProcess.runShell(run.command.text, adding: variables) { [weak self] outcome, tail in
            self?.commandEnded(run, outcome, tail)
        }
    }

    private func commandEnded(_ run: Run, _ outcome: ChildProcess.End, _ tail: OutputTail) {
        let attempt = UpdateReport.Attempt(
            command: run.command.text, end: outcome.localized,
            lines: tail.lines(UpdateText.lineLimit).map { TextSanitizer.sanitize($0, keepingNewlines: false, limit: 300) })
        inBackground {
            $0.installed()
        } then: { driver, findings in
            let result = UpdateMachine.UpdateRun(
                command: run.command, hasSucceeded: outcome == .exit(0), attempt: attempt, findings: findings)
            driver.finish(run, with: .ran(result)) { $0.ended(run.command, outcome, findings, goesOn: $1) }
        }
    }

    /// Says what has come of the command, and gives the terminal back after the person has seen it, or goes on at once.
    private func finish(_ run: Run, with event: UpdateMachine.Event, _ text: (UpdateText, _ goesOn: Bool) -> String) {
        lock?.release()
        let goesOn = machine?.restarts(after: event) == true
        run.terminal.write(text(run.terminal.text, goesOn))
        guard !goesOn else {
            isRunning = false
            return handle(event)
        }
        run.terminal.awaitLine({ false }) { [weak self] _ in
            guard let self else { return }
            isRunning = false
            handle(event)
            run.end()
        }
    }
}

/// A terminal that was left to a command, and the language of the person at it.
@MainActor
package struct UpdateTerminal {
    let text: UpdateText
    /// Writes text with new lines.
    package var write: (String) -> Void
    /// Waits for an Enter, or until the condition holds, which is looked at a few times a second. What was typed before counts as
    /// nothing. The argument says whether Enter was pressed.
    package var awaitLine: (_ condition: @escaping @MainActor () -> Bool, _ then: @escaping @MainActor (Bool) -> Void) -> Void

    package init(
        _ phrases: OverlayPhrases, write: @escaping (String) -> Void,
        awaitLine: @escaping (@escaping @MainActor () -> Bool, @escaping @MainActor (Bool) -> Void) -> Void
    ) {
        (text, self.write, self.awaitLine) = (UpdateText(phrases), write, awaitLine)
    }
}
