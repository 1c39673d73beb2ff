import Bellerophon
import BellerophonViews
import Dispatch
import Foundation
import ProgramUpdates
import TerminalIO
import TerminalUI

/// A guarded program: the manager decides when its screen is covered, the relay does it.
///
/// Without a terminal, in a pipeline, a script or a job, the program has the standard descriptors of the guard. A status can't cover it
/// then: a kill does what the response says, or only prints a line on standard error.
@MainActor
package final class GuardSession {
    private let setup: GuardSetup
    private let window: GuardWindow
    private let lines: GuardLines?
    private let manager: BellerophonManager
    private let clock = DispatchClock()
    private var relay: Relay?
    private let control: GuardControl
    private let outcome = PendingResult()
    /// The processes that run although all are paused or killed.
    private var notHeld: [String] = []
    /// Whether it is decided if the program may start.
    private var isStartDecided = false
    private var hasStarted = false
    /// Whether a stop on this machine keeps the program from its start, which is otherwise decided.
    private var isStartHeld = false
    private var startTimer: ScheduledCall?
    /// Whether the terminal's title says that the status could not be read.
    private var hasSetTitle = false
    /// The last content that blocked the program, for the message at the end.
    private var lastContent: OverlayContent?

    package init(_ setup: GuardSetup, hasTerminal: Bool) {
        self.setup = setup
        lines = hasTerminal ? nil : GuardLines(program: Self.name(of: setup), OverlayPhrases(setup.configuration.languages))
        let kill = setup.configuration.killSwitchView ?? GuardViews.kill(isPlain: setup.isPlain)
        let update = setup.configuration.forceUpdateView ?? GuardViews.update(isPlain: setup.isPlain)
        window = GuardWindow(
            size: Size(columns: 80, rows: 24), policy: setup.policy, copiesText: setup.copiesText,
            glyphs: setup.isASCIIOnly ? .ascii : setup.look.glyphs, isPlain: setup.isPlain, stopView: kill, failureView: update,
            updates: setup.updates, lines: lines)
        var configuration = setup.configuration
        (configuration.window, configuration.killSwitchView, configuration.forceUpdateView) = (window, kill, update)
        manager = BellerophonManager(
            config: configuration, clock: setup.clock, generator: SystemRandomNumberGenerator())
        control = GuardControl(setup, manager, hasTerminal: hasTerminal)
    }

    /// The manager, for a simulation, which says who the program is and what time it is.
    package var status: BellerophonManager { manager }

    /// The present stage.
    package var stage: Stage { manager.machine.stage }

    /// Checks the status now, as if the person had asked for it, and abandons a check under way.
    package func checkNow() { manager.check(.person, isFresh: true) }

    /// Runs the program until it has ended, and the main run loop meanwhile.
    ///
    /// - Parameter terminal: the terminal of this process, which the session closes; nil without one.
    package func run(in terminal: sending OuterTerminal?) throws(SystemError) -> GuardEnd {
        try begin(in: terminal)
        return close(outcome.wait())
    }

    /// Runs the program until it has ended. Somebody else must serve the main queue.
    ///
    /// - Parameter terminal: the terminal of this process, which the session closes; nil without one.
    package func run(in terminal: sending OuterTerminal?) async throws(SystemError) -> GuardEnd {
        try begin(in: terminal)
        return close(await outcome.value())
    }

    /// Makes the program's process, and starts the relay and the checks.
    private func begin(in terminal: sending OuterTerminal?) throws(SystemError) {
        if terminal == nil { OwnProcess.endOnCrash() }
        let size = terminal?.size ?? TerminalSize(columns: 80, rows: 24)
        let cells = Size(columns: max(1, size.columns), rows: max(1, size.rows))
        window.resize(size.cells)
        let group = ControlGroup.make()
        var options = GuardedProgram.Options()
        options.orphans = setup.policy.orphans
        options.controlGroup = group?.descriptor ?? -1
        let sharesKeys = OuterTerminal.isAnyTerminal
        var place = GuardedProgram.Place.standard(sharesGroup: sharesKeys)
        if let terminal {
            // In the background the terminal has the modes of the shell's own line editor.
            let modes = terminal.isForeground ? terminal.originalModes : nil
            place = .terminal(modes: modes, size: size, inheritsStandardError: OuterTerminal.isErrorRedirected())
        }
        let program = try GuardedProgram(setup.command, in: place, options)
        let tree = ProgramTree(monitor: program.monitor, group: group)
        let writer = FrameWriter(setup.look, hyperlinks: setup.usesHyperlinks, asciiOnly: setup.isASCIIOnly)
        let machine = GuardMachine(
            size: cells, writer: writer, dialect: setup.dialect, alternateScreen: setup.alternateScreen,
            isUpdated: setup.origin != nil, place: terminal == nil ? .standard(sharesKeys: sharesKeys) : .terminal)
        let parts = Relay.Parts(terminal: terminal, program: program, tree: tree, machine: machine)
        count(monitor: program.monitor, groupPath: group?.path)
        let relay = try Relay.start(parts) { [weak self] news in self?.handle(news) }
        self.relay = relay
        connect(relay)
        control.register()
        manager.checkAppStatus()
        decideStart(isFinal: manager.keptStatusIsRecent && !window.isBlockedByStatus)
        startTimer = clock.schedule(after: setup.policy.startTimeout) { [weak self] in self?.waitIsOver() }
    }

    /// Ends the checks after the program's end.
    private func close(_ result: GuardEnd) -> GuardEnd {
        manager.suspend()
        manager.flush()
        if hasSetTitle {
            FileDescriptorOutput.write(UncheckedStart.titleEnd, patience: FileDescriptorOutput.lastPatience)
        }
        if case .restart = result {} else if let line = window.noticeForShell { GuardMessage.print(line) }
        control.close()
        return result
    }

    /// Replies to other processes how many processes the program has.
    private func count(monitor: Int32, groupPath: String?) {
        let system = LinuxTreeSystem(monitor: monitor)
        control.tree = { [weak self] in TreeSummary(system, groupPath: groupPath, notHeld: self?.notHeld ?? []) }
    }

    private func connect(_ relay: Relay) {
        window.post = { [relay] event in relay.post(event) }
        window.onChange = { [weak self] isPresented in self?.windowChanged(isPresented) }
        window.statusContent = { [manager] in manager.overlayContent() }
        window.restartProblem = { [restart = setup.restart] in restart.problem }
        setup.updates?.onRestart = { [weak window] version in window?.restart(version: version) }
        manager.onReport = { [weak self] report in self?.handle(report) }
        control.onChange = { [weak self] change in self?.handle(change) }
    }

    // MARK: The stop on this machine

    private func handle(_ change: LocalStopChange) {
        setup.onLocalStop(change)
        lines?.announce(change)
        switch change {
        case .stopped(let stop):
            if isStartAllowed, !hasStarted { holdStart() }
            window.setLocalStop(stop)
        case .released: window.setLocalStop(nil)
        }
    }

    /// The program was allowed to start and may not have started yet.
    private func holdStart() {
        isStartHeld = true
        relay?.post(.startHeld)
    }

    // MARK: The start

    private func handle(_ report: StatusReport) {
        setup.onReport(report, manager.machine)
        control.register()
        guard !isStartDecided else { return }
        switch report {
        // The window learns of a new stage at the end of the turn.
        case .checkSucceeded, .checkFailed, .pushed:
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { self?.decideStart(isFinal: true) }
            }
        default: break
        }
    }

    /// Decides whether the program starts, as soon as a status is known or the time is over.
    ///
    /// - Parameters:
    ///   - isFinal: whether nothing more is waited for. Otherwise only a status that blocks decides.
    ///   - waited: the time for the start, if it is over.
    private func decideStart(isFinal: Bool, waited: Duration? = nil) {
        // A kept kill may have been lifted since, so nothing is refused without asking.
        guard !isStartDecided, isFinal || (window.isBlockedByStatus && start != .exit) else { return }
        isStartDecided = true
        startTimer?.cancel()
        guard window.isBlockedByStatus else { return allowStart(afterWait: waited) }
        switch start {
        case .wait: if let lines, let content = window.display.cover?.content { wait(content, lines) }
        case .exit: relay?.post(.startRefused)
        case .anyway: allowStart()
        }
    }

    private var start: StartPolicy { setup.policy.start ?? (lines == nil ? .wait : .exit) }

    /// Waits for a status that allows the start, with a limit: without a terminal nobody sees what is waited for. A stop on this machine
    /// has none: the person who can release it is here.
    private func wait(_ content: OverlayContent, _ lines: GuardLines) {
        lines.wait(content, atMost: setup.policy.startWait)
        startTimer = clock.schedule(after: setup.policy.startWait) { [weak self] in
            guard let self, !hasStarted, window.isBlockedByStatus else { return }
            relay?.post(.startRefused)
        }
    }

    private func waitIsOver() { decideStart(isFinal: true, waited: setup.policy.startTimeout) }

    /// Starts the program, and says so if its status can't be read.
    private func allowStart(afterWait waited: Duration? = nil) {
        if let blind = manager.uncheckedStart(waited: waited) { announce(blind) }
        isStartAllowed = true
        guard control.localStop == nil else { return isStartHeld = true }
        relay?.post(.startAllowed)
    }

    /// Whether the status has allowed the start, or nothing is known that forbids it.
    private var isStartAllowed = false

    /// Says something on standard error before the program's output. On the terminal it is a part of the screen that the cover
    /// restores.
    private func announce(_ blind: UncheckedStart) {
        let line = blind.line(program: programName, phrases)
        if lines != nil || OuterTerminal.isErrorRedirected() {
            FileDescriptorOutput.write("\(line)\n", to: STDERR_FILENO)
            return
        }
        // A terminal that takes requests to its clipboard takes titles.
        hasSetTitle = setup.copiesText
        relay?.post(.announce((hasSetTitle ? UncheckedStart.title(program: programName, phrases) : "") + line))
    }

    private var phrases: OverlayPhrases { OverlayPhrases(setup.configuration.languages) }

    private var programName: String { Self.name(of: setup) }

    private static func name(of setup: GuardSetup) -> String { (setup.command.name as NSString).lastPathComponent }

    private func windowChanged(_ isPresented: Bool) {
        if lines != nil { setup.onPaint() }
        if isPresented { lastContent = window.display.cover?.content }
        guard !isPresented, isStartDecided, !hasStarted else { return }
        if isStartHeld {
            isStartHeld = false
            relay?.post(.startAllowed)
        } else if !isStartAllowed {
            allowStart()
        }
    }

    // MARK: News of the relay

    private func handle(_ news: RelayNews) {
        switch news {
        case .started: hasStarted = true
        case .program(let fate):
            control.fate = fate
            window.show(fate)
        case .tree(let summary):
            notHeld = summary.notHeld
            window.show(summary)
            setup.onTree(summary)
            lines?.reportNotHeld(notHeld)
        case .killed(let names): setup.onKilled(names)
        case .pressed(let keys): window.press(keys)
        case .resized(let size): window.resize(size)
        case .resumed:
            manager.resume()
            window.beginInteraction()
        case .painted: setup.onPaint()
        case .lent: window.terminalLent()
        case .failedEarly(let end, let lines): showFailure(end, lines)
        case .finished(let end): finish(end)
        }
    }

    private func finish(_ end: GuardEnd) {
        switch end {
        case .refused: outcome.set(.refused(message: refusal))
        case .restart: outcome.set(.restart(version: window.newVersion))
        case .program, .key, .signal: outcome.set(end)
        }
    }

    /// Why the program was refused or ended, in a line.
    private var refusal: String {
        guard let content = window.display.cover?.content ?? lastContent else {
            return phrases.lines.wasEnded.with(["name": programName])
        }
        return OverlayWords.summary(content, name: programName, wasEnded: hasStarted)
    }

    /// Says that the new version has failed right after its start.
    private func showFailure(_ end: ProgramEnd, _ lines: [String]) {
        let safe = lines.map { TextSanitizer.sanitize($0, keepingNewlines: false, limit: 300) }
        window.showFailure(version: setup.origin?.version, end: end.localized, lines: safe)
    }
}

extension UpdateTerminal {
    /// The terminal on the standard descriptors of this process.
    @MainActor
    static func ofThisProcess(_ phrases: OverlayPhrases) -> UpdateTerminal {
        UpdateTerminal(phrases) { text in
            FileDescriptorOutput.write(TextSanitizer.printable(text))
        } awaitLine: { condition, then in
            // Before the prompt: an Enter after it counts.
            tcflush(0, TCIFLUSH)
            LineInput.wait(orUntil: condition, then: then)
        }
    }
}

/// Input of a person in lines, from standard input.
@MainActor
private enum LineInput {
    /// How often a condition is looked at, in milliseconds.
    private nonisolated static let pause: Int32 = 200

    /// Waits for the end of a line or of the input, or until a condition holds.
    static func wait(orUntil condition: @escaping @MainActor () -> Bool, then: @escaping @MainActor (Bool) -> Void) {
        if condition() { return then(false) }
        Thread.detachNewThread {
            let hasEnded = readLine()
            DispatchQueue.main.async {
                MainActor.assumeIsolated { hasEnded ? then(true) : wait(orUntil: condition, then: then) }
            }
        }
    }

    /// - Returns: whether a line or the input has ended. False after the pause, and after a part of a line.
    private nonisolated static func readLine() -> Bool {
        var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, pause)
        guard count > 0 else { return count < 0 && errno != EINTR }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let length = read(0, &bytes, bytes.count)
        return length <= 0 || bytes[..<length].contains(0x0A) || bytes[..<length].contains(0x0D)
    }
}
