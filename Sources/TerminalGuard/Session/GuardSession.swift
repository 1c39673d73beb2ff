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
    let setup: GuardSetup
    /// The manager, for a simulation, which says who the program is and what time it is.
    package let manager: BellerophonManager
    private let window: GuardWindow
    /// What is said in place of views; nil if the program runs in the terminal of this process, which can be covered.
    private let lines: GuardLines?
    private let clock = DispatchClock()
    private var relay: Relay?
    private let control: GuardControl
    /// How the guard has ended, and who waits for that in a task.
    private var result: GuardEnd?
    private var continuation: CheckedContinuation<GuardEnd, Never>?
    /// The processes that run although all are paused or killed.
    private var notHeld: [String] = []
    private var start = Start.undecided
    private var startTimer: ScheduledCall?
    /// Whether the terminal's title says that the status could not be read.
    private var hasSetTitle = false
    /// The last content that blocked the program, for the message at the end.
    private var lastContent: OverlayContent?

    private enum Start {
        /// It is not decided yet if the program may start.
        case undecided
        /// The status blocks the program.
        case blocked
        /// A stop on this machine keeps the program from its start, which the status allows.
        case held
        /// The status allows the start, or nothing is known that forbids it.
        case allowed
    }

    /// Looks at the terminal. If it can't be covered, a line on standard error says so.
    /// - Parameter setup: the parameters. What depends on the terminal is set here.
    package init(_ setup: GuardSetup, environment: [String: String]) {
        var setup = setup
        let type = environment["TERM"] ?? ""
        let hasTerminal = OuterTerminal.isTerminal() && GuardSetup.canCover(terminal: type)
        if hasTerminal {
            setup.adapt(toTerminalOf: environment)
        } else if OuterTerminal.isTerminal() {
            GuardMessage.print(setup.phrases.answers.cannotCover.with(["type": type]))
        }
        lines = hasTerminal ? nil : GuardLines(program: setup.programName, setup.phrases)
        window = GuardWindow(setup, lines)
        var configuration = setup.configuration
        (configuration.window, configuration.killSwitchView, configuration.forceUpdateView) =
            (window, window.stopView, window.failureView)
        manager = BellerophonManager(
            config: configuration, clock: setup.clock, generator: SystemRandomNumberGenerator())
        control = GuardControl(setup, manager, hasTerminal: hasTerminal)
        self.setup = setup
    }

    /// Runs the program until it has ended, and the main run loop meanwhile.
    package func run() throws(SystemError) -> GuardEnd {
        try begin()
        while true {
            if let result { return close(result) }
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }

    /// Runs the program until it has ended. Somebody else must serve the main queue.
    package func run() async throws(SystemError) -> GuardEnd {
        try begin()
        return close(await withCheckedContinuation { continuation = $0 })
    }

    /// Makes the program's process, and starts the relay and the checks.
    private func begin() throws(SystemError) {
        let terminal = lines == nil ? try OuterTerminal() : nil
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
        let counter = LinuxTreeSystem(monitor: program.monitor), groupPath = group?.path
        // Other processes may ask how many processes the program has.
        control.tree = { [weak self] in TreeSummary(counter, groupPath: groupPath, notHeld: self?.notHeld ?? []) }
        let relay = try Relay.start(terminal, program, tree, machine) { [weak self] news in self?.handle(news) }
        self.relay = relay
        window.post = { relay.post($0) }
        window.onChange = { [weak self] isPresented in self?.windowChanged(isPresented) }
        window.statusContent = { [manager] in manager.overlayContent() }
        setup.updates?.onRestart = { [weak window] version in window?.restart(version: version) }
        manager.onReport = { [weak self] report in self?.handle(report) }
        control.onChange = { [weak self] change in self?.handle(change) }
        control.register()
        manager.checkAppStatus()
        // A status of the last run counts while it is as recent as that of a program that runs: its next check would not be due yet.
        let isRecent = manager.keptStatus?.isRecent(manager.config.policy) ?? false
        decideStart(isFinal: isRecent && !window.isBlockedByStatus)
        let patience = setup.policy.startTimeout
        startTimer = clock.schedule(after: patience) { [weak self] in self?.decideStart(isFinal: true, waited: patience) }
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

    // MARK: The stop on this machine

    private func handle(_ change: LocalStopChange) {
        setup.onLocalStop(change)
        lines?.announce(change)
        switch change {
        case .stopped(let stop):
            // The program was allowed to start and may not have started yet.
            if start == .allowed, !hasStarted {
                start = .held
                relay?.post(.startHeld)
            }
            window.setLocalStop(stop)
        case .released: window.setLocalStop(nil)
        }
    }

    // MARK: The start

    private func handle(_ report: StatusReport) {
        setup.onReport(report, manager.machine)
        control.register()
        guard start == .undecided else { return }
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
        guard start == .undecided, isFinal || (window.isBlockedByStatus && startPolicy != .exit) else { return }
        start = .blocked
        startTimer?.cancel()
        guard window.isBlockedByStatus else { return allowStart(afterWait: waited) }
        switch startPolicy {
        case .wait: if let lines, let content = window.display?.content { wait(content, lines) }
        case .exit: relay?.post(.startRefused)
        case .anyway: allowStart()
        }
    }

    private var startPolicy: StartPolicy { setup.policy.start ?? (lines == nil ? .wait : .exit) }

    private var hasStarted: Bool { control.fate != .notStarted }

    /// Waits for a status that allows the start, with a limit: without a terminal nobody sees what is waited for. A stop on this machine
    /// has none: the person who can release it is here.
    private func wait(_ content: OverlayContent, _ lines: GuardLines) {
        lines.wait(content, atMost: setup.policy.startWait)
        startTimer = clock.schedule(after: setup.policy.startWait) { [weak self] in
            guard let self, !hasStarted, window.isBlockedByStatus else { return }
            relay?.post(.startRefused)
        }
    }

    /// Starts the program, and says so if its status can't be read.
    private func allowStart(afterWait waited: Duration? = nil) {
        if let blind = manager.uncheckedStart(waited: waited) { announce(blind) }
        start = control.localStop == nil ? .allowed : .held
        if start == .allowed { relay?.post(.startAllowed) }
    }

    /// Says something on standard error before the program's output. On the terminal it is a part of the screen that the cover
    /// restores.
    private func announce(_ blind: UncheckedStart) {
        let line = blind.line(program: setup.programName, setup.phrases)
        if lines != nil || OuterTerminal.isErrorRedirected() {
            FileDescriptorOutput.write("\(line)\n", to: STDERR_FILENO)
            return
        }
        // A terminal that takes requests to its clipboard takes titles.
        hasSetTitle = setup.copiesText
        relay?.post(.announce((hasSetTitle ? UncheckedStart.title(program: setup.programName, setup.phrases) : "") + line))
    }

    private func windowChanged(_ isPresented: Bool) {
        if lines != nil { setup.onPaint() }
        if isPresented { lastContent = window.display?.content }
        guard !isPresented, !hasStarted else { return }
        if start == .held {
            start = .allowed
            relay?.post(.startAllowed)
        } else if start == .blocked {
            allowStart()
        }
    }

    // MARK: News of the relay

    private func handle(_ news: RelayNews) {
        switch news {
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
        let result: GuardEnd =
            switch end {
            case .refused: .refused(message: refusal)
            case .restart: .restart(version: window.newVersion)
            case .program, .key, .signal: end
            }
        self.result = result
        continuation?.resume(returning: result)
        // Wakes the run loop.
        DispatchQueue.main.async {}
    }

    /// Why the program was refused or ended, in a line.
    private var refusal: String {
        guard let content = window.display?.content ?? lastContent else {
            return setup.phrases.lines.wasEnded.with(["name": setup.programName])
        }
        return OverlayWords.summary(content, name: setup.programName, wasEnded: hasStarted)
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
