import BellerophonBase
import Foundation
import SafeText
import StatusModel
import Synchronization

/// One call of `withKillSwitch`: checks the status with a ``ManagerCore`` and performs the decisions of a ``LineMachine``.
///
/// Nothing here needs the main queue: timers and replies arrive on queues of the core and the clock.
final class LineRun: Sendable {
    /// Calls `onKill`, then the second closure.
    typealias KillHandler = @Sendable (KillNotice, _ done: @escaping @Sendable () -> Void) -> Void

    /// What was decided about the start.
    enum Start: Equatable, Sendable {
        case allowed
        case refused(KillNotice)
        case abandoned
    }

    private struct State: Sendable {
        var machine = LineMachine()
        /// The state of the core after its last output.
        var core: ManagerState?
        /// Decides which notices are told.
        var notices = NoticeMachine()
        var hasRestoredNotices = false
        /// What the status said when it decided on the end.
        var notice: KillNotice?
        var startTimer: ScheduledCall?
        var graceTimer: ScheduledCall?

        var isBlocked: Bool { core?.machine.stage.isBlocked ?? false }
    }

    let signal = KillSignal()
    let startDecision = Promise<Start>()
    /// Whether the caller gets the result of the body. After a kill the process ends instead, so false is only set in a test.
    let givesResult = Promise<Bool>()
    private let core: ManagerCore
    private let options: LineOptions
    private let dependencies: LineDependencies
    private let killHandler: KillHandler
    private let state = Mutex(State())

    init(
        _ statusURL: URL, _ app: AppInfo, _ options: LineOptions, dependencies: LineDependencies = LineDependencies(),
        killHandler: @escaping KillHandler
    ) throws(StatusAddressError) {
        if let problem = StatusAddress.problem(of: statusURL) { throw StatusAddressError(problem) }
        (self.options, self.dependencies, self.killHandler) = (options, dependencies, killHandler)
        let source = options.source ?? URLSessionStatusSource(url: statusURL, verifier: options.verifier)
        var config = BellerophonConfig(source: source, app: app)
        config.verifier = options.verifier
        config.transport = options.transport
        config.freshness = options.freshness
        config.policy = options.policy
        config.languages = options.languages
        config.store = dependencies.store
        if config.store == nil, options.remembersStatus {
            config.store = FileStatusStore.userState(app, statusURL: statusURL, isSigned: config.effectiveVerifier != nil)
        }
        core = ManagerCore(StatusSetup(windowless: config), clock: dependencies.clock, generator: SystemRandomNumberGenerator())
        core.onOutput { [weak self] in self?.receive() ?? true }
    }

    // MARK: The caller

    /// Starts the checks, which lead to the ``startDecision``. A caller may have been cancelled before.
    func start() {
        guard startDecision.value == nil else { return }
        let timer = dependencies.clock.call(after: options.startTimeout) { [weak self] in self?.startTimedOut() }
        state.withLock { $0.startTimer = timer }
        core.startCheck(nil)
    }

    /// The caller does not wait for the start any longer.
    func cancelStart() {
        perform(state.withLock { $0.machine.startCancelled() })
    }

    /// Says why the body does not start, and ends the process.
    func refuse(_ notice: KillNotice) {
        dependencies.writeLine(notice.line)
        end()
    }

    /// The body has ended. Decides, once, between its result and a kill.
    func bodyEnded() {
        perform(state.withLock { $0.machine.bodyEnded() })
    }

    // MARK: Events

    /// Takes the outputs of the core, on any thread.
    private func receive() -> Bool {
        let (actions, notices) = state.withLock { state in
            var actions: [LineMachine.Action] = []
            while let item = core.outbox.takeFirst(at: dependencies.clock.now) {
                state.core = item.state.value
                if let action = apply(item.output, &state) { actions.append(action) }
            }
            return (actions, announceNotices(&state))
        }
        show(notices)
        for action in actions { perform(action) }
        return true
    }

    private func apply(_ output: ManagerOutput, _ state: inout State) -> LineMachine.Action? {
        switch output {
        case .report(let report):
            if report.endsCheck { state.machine.checked() }
            return nil
        case .turnEnded:
            let isRecent = state.core?.keptStatus?.isRecent(options.policy) ?? false
            let action = state.machine.turnEnded(isBlocked: state.isBlocked, isRecent: isRecent)
            record(action, &state)
            return action
        case .transition, .streamEvent, .delegateCheck, .checkEnded: return nil
        }
    }

    private func startTimedOut() {
        let (action, notices) = state.withLock { state in
            let action = state.machine.startTimedOut(isBlocked: state.isBlocked)
            record(action, &state)
            return (action, announceNotices(&state))
        }
        show(notices)
        perform(action)
    }

    /// What a person at the terminal is told of the status for the first time, and what is to be kept of it; nil for nothing.
    private func announceNotices(_ state: inout State) -> (lines: [String], seen: [SeenNotice])? {
        guard dependencies.hasReader, state.machine.isRunning, let core = state.core, core.machine.document != nil else {
            return nil
        }
        if !state.hasRestoredNotices { state.notices.restore(core.keptNotices) }
        state.hasRestoredNotices = true
        let app = core.machine.app, date = core.machine.planDate(at: dependencies.clock.now) ?? dependencies.clock.date
        let input = NoticeMachine.Input(
            core.machine.verdict, of: core.machine.document, date: date, version: app.version, showsOffers: options.showsOffers)
        let told = state.notices.announce(input, at: dependencies.clock.now)
        guard !told.isEmpty else { return nil }
        let setup = self.core.setup
        let lines = told.map { showing in
            let notice = OverlayNotice(
                showing.notice, app: setup.app, date: showing.date, timeZone: setup.timeZone, languages: setup.languages)
            return TextSanitizer.sanitize("\(setup.app.name) (\(setup.senderName)): \(notice.texts[0])", keepingNewlines: false)
        }
        return (lines, state.notices.seen)
    }

    /// Tells notices before the body starts, or while it runs.
    private func show(_ notices: (lines: [String], seen: [SeenNotice])?) {
        guard let notices else { return }
        dependencies.writeLine(notices.lines.joined(separator: "\n"))
        core.save(notices.seen)
    }

    /// Remembers what the status says now if it ends the program. It may change before the action is performed.
    private func record(_ action: LineMachine.Action?, _ state: inout State) {
        guard let core = state.core, action == .refuse || action == .kill else { return }
        let content = core.content(self.core.setup, at: dependencies.clock.now, date: dependencies.clock.date)
        let lines = content.phrases.lines
        let outcome = action == .refuse ? lines.notStarted : lines.endsWithin.with(["time": options.grace.briefText])
        state.notice = KillNotice(content, outcome: outcome)
    }

    // MARK: Actions

    /// Performs an action without the lock.
    private func perform(_ action: LineMachine.Action?) {
        let notice = state.withLock { $0.notice }
        switch action {
        case .start: decide(.allowed)
        case .refuse: if let notice { decide(.refused(notice)) }
        case .abandon:
            core.suspend()
            decide(.abandoned)
        case .kill: if let notice { kill(notice) }
        case .stopBody: if let notice { signal.sent.fulfill(notice) }
        case .end: end()
        case .giveResult:
            core.suspend()
            givesResult.fulfill(true)
        case nil: break
        }
    }

    /// Gives `onKill` the first word, on a thread that nothing else uses: it and the line may take long.
    private func kill(_ notice: KillNotice) {
        let timer = dependencies.clock.call(after: options.grace) { [self] in perform(state.withLock { $0.machine.graceEnded() })
        }
        state.withLock { $0.graceTimer = timer }
        Thread.detachNewThread { [self] in
            dependencies.writeLine(notice.line)
            killHandler(notice) { [self] in perform(state.withLock { $0.machine.saved() }) }
        }
    }

    private func decide(_ start: Start) {
        state.withLock { $0.startTimer.take() }?.cancel()
        startDecision.fulfill(start)
    }

    private func end() {
        state.withLock { $0.graceTimer.take() }?.cancel()
        dependencies.end(options.exitStatus) { [core] in core.suspend() }
        givesResult.fulfill(false)
    }
}

extension StatusReport {
    /// Whether a check or a push has brought a status, or has failed to.
    fileprivate var endsCheck: Bool {
        switch self {
        case .checkSucceeded, .checkFailed, .replyOutdated, .pushed, .pushFailed, .pushOutdated: true
        default: false
        }
    }
}

/// What a test of `withKillSwitch` replaces.
struct LineDependencies: Sendable {
    var clock: any ManagerClock = DispatchClock()
    /// Writes a line for the person at the terminal or for the log.
    var writeLine: @Sendable (String) -> Void = LineOutput.standardError()
    /// Whether a person reads the lines. Otherwise no notices are told.
    var hasReader = isatty(STDERR_FILENO) == 1
    /// Ends the process with this status after calling the closure, which saves the last status. Returns only in a test.
    var end: @Sendable (Int32, @Sendable () -> Void) -> Void = { ProcessEnd.end(with: $0, after: $1) }
    /// Keeps the last status; nil for the file that the options describe.
    var store: (any StatusStore)?
}
