import BellerophonBase
import Foundation
import StatusModel

/// Asks for the status, and covers the app while the status says so.
///
/// It performs what its ``StageMachine`` decides: the timer, the check, the delegate and the window.
/// Keep a reference to it for as long as the app is to be killable.
@MainActor
public final class BellerophonManager {
    public let config: BellerophonConfig
    /// All that is decided; the display is derived from it.
    public private(set) var machine: StageMachine
    /// Told of everything that happens, in order. For a dashboard, a log, a test.
    public var onReport: ((StatusReport) -> Void)?
    /// Told of every event of the stream that is no status, such as a new version of a resource.
    public var onStreamEvent: ((StreamEvent) -> Void)?

    let clock: any ManagerClock
    /// The stage's begin and the last answer by the wall clock, for display only.
    var stageSince: Date?
    var lastAnswer: Date?

    /// The stream, where there is one, and the address that an answer named for it.
    var driver: StreamDriver?
    var discoveredURL: URL?

    /// Reads what is pushed and what was kept, and knows whose signature counts.
    let reader: StatusReader

    private(set) var generator: any RandomNumberGenerator
    private var events: [StageMachine.Event] = []
    private var isPerforming = false
    private var turnDepth = 0
    /// The stage as the window was last told.
    private var shownStage = Stage.unknown
    private var hasStarted = false
    private var hasRestored = false
    let keeper: StatusKeeper
    private var timer: ScheduledCall?
    private var ageTimer: ScheduledCall?
    private var ticker: ScheduledCall?
    private var sleepWatch: ScheduledCall?
    private var sleptBefore: Duration
    /// The check under way, and the last one that was cancelled from here.
    var check: StatusCheck?
    var abandoned: StageMachine.CheckID?
    var waiters = CheckWaiters()
    /// Completions of checks that ended in the present turn.
    private var endedChecks: [() -> Void] = []
    let transitions = Broadcast<Transition>(bufferSize: 256)

    /// Takes the production clock and chance.
    public convenience init(config: BellerophonConfig) {
        self.init(config: config, clock: DispatchClock(), generator: SystemRandomNumberGenerator())
    }

    /// Takes every seam.
    public init(config: BellerophonConfig, clock: any ManagerClock, generator: any RandomNumberGenerator) {
        self.config = config
        self.clock = clock
        self.generator = generator
        machine = StageMachine(policy: config.policy, freshness: config.freshness)
        reader = StatusReader(verifier: config.verifier ?? config.source?.verifier)
        keeper = StatusKeeper(store: config.store, maximumAge: config.freshness.maximumAge, clock: clock)
        sleptBefore = clock.slept
        // A view shows the problem too: it may be what covers the app.
        keeper.onProblem = { [weak self] problem in self?.onReport?(.remark(problem)) }
        config.window?.responder = self
    }

    // MARK: The original's face

    /// Whether a view covers the app.
    public var isDisplaying: Bool { config.event(for: machine.stage) != nil }

    /// Checks the status now. Does nothing while a check is pending.
    ///
    /// The first call starts the polling, which then goes on by itself in every stage.
    public func checkAppStatus() {
        check(hasStarted ? .program : .start)
    }

    /// Shows what a status says that came by another way: a push, a reply of the app's own backend.
    ///
    /// The app vouches for it: it counts without a signature and whatever its date. A signed one must not be a replay, and
    /// must not reuse the serial of another status.
    public func updateDisplay(_ status: any BellerophonObservable) {
        restoreOnce()
        send(.statusGiven(StatusReply(observing: status).received(on: clock.date)))
        endWaiting(.success(StatusReply(observing: status)))
    }

    /// Takes the overlay away although no status said so. The next status that blocks brings it back.
    public func dismissKillSwitchIfNeeded() {
        send(.dismissed)
    }

    /// Checks the status and tells how it went: `newData` when nothing blocks the app, `noData` while it
    /// still does, `failed` without a valid status. Joins a check that is already pending.
    public func fetchAppStatus(_ completionHandler: @escaping (_ result: BackgroundFetchResult) -> Void) {
        waiters.add(waiters.makeID()) { [weak self] outcome in
            switch outcome {
            case .success: completionHandler(self?.machine.stage.isBlocked == true ? .noData : .newData)
            case .failure: completionHandler(.failed)
            }
        }
        checkAppStatus()
    }

    private func restoreOnce() {
        guard !hasRestored else { return }
        hasRestored = true
        restore()
    }

    // MARK: Suspension

    /// Stops polling, before the process or the machine stops for a while.
    public func suspend() {
        send(.suspended)
        flush()
        driver?.stop()
    }

    /// Goes on after a suspension, with one prompt check. Safe to call when nothing was suspended.
    ///
    /// Before the first check it does nothing: the app says when the polling starts.
    public func resume() {
        guard hasStarted else { return }
        send(.resumed)
        driver?.restart(isFresh: false)
    }

    /// Checks the status now, for the given cause. A stream that waits to connect connects now too.
    package func check(_ cause: CheckCause) {
        start()
        if isStreamOnly { return listen(cause) }
        send(.checkRequested(cause))
        if !machine.isSuspended { driver?.start() }
    }

    // MARK: Events in, actions out

    private func start() {
        guard !hasStarted else { return }
        hasStarted = true
        restoreOnce()
        watchForSleep()
        setUpStream()
    }

    /// Hands an event to the machine. One that comes while actions are performed waits until they have been.
    func send(_ event: StageMachine.Event) {
        events.append(event)
        guard !isPerforming else { return }
        inOneTurn {
            isPerforming = true
            defer { isPerforming = false }
            while !events.isEmpty { handle(events.removeFirst()) }
        }
    }

    private func handle(_ event: StageMachine.Event) {
        let repliedBefore = machine.lastReplyAt
        let actions = machine.handle(event, at: clock.now, using: &generator)
        if machine.lastReplyAt != repliedBefore { lastAnswer = clock.date }
        for action in actions { perform(action) }
        if let outcome = outcome(of: actions) { endWaiting(outcome) }
    }

    /// Runs the work, then updates the window once: with the stage that holds then, however often it has changed.
    ///
    /// The delegate is told of every transition as it happens, and so is ``onReport``.
    func inOneTurn(_ work: () -> Void) {
        turnDepth += 1
        work()
        turnDepth -= 1
        guard turnDepth == 0 else { return }
        updateWindow()
        keeper.turnEnded()
        let ended = endedChecks
        endedChecks = []
        for complete in ended { complete() }
    }

    /// How the check ended that the actions are about; nil where none ended.
    private func outcome(of actions: [StageMachine.Action]) -> CheckWaiters.Outcome? {
        for case .report(let report) in actions {
            switch report {
            case .checkSucceeded(_, let reply), .pushed(let reply): return .success(reply)
            case .checkFailed(_, let error): return .failure(error)
            case .pushOutdated(let reply) where isStreamOnly: return .success(reply)
            case .pushFailed(let error) where isStreamOnly: return .failure(error)
            default: continue
            }
        }
        return nil
    }

    private func perform(_ action: StageMachine.Action) {
        switch action {
        case .fetch(let id): fetch(id)
        case .abandon(let id): abandon(id)
        case .startTimer(let id, let wait): startTimer(id, after: wait)
        case .stopTimer: timer?.cancel()
        case .startAgeTimer(let id, let wait): startAgeTimer(id, after: wait)
        case .transition(let transition): perform(transition)
        case .refreshStream: driver?.restart(isFresh: true)
        case .remember(let document, let isNew): remember(document, isNew: isNew)
        case .report(let report): perform(report)
        }
    }

    private func startTimer(_ id: StageMachine.TimerID, after wait: Duration) {
        timer?.cancel()
        timer = clock.schedule(after: wait) { [weak self] in self?.send(.timerFired(id)) }
    }

    private func startAgeTimer(_ id: StageMachine.TimerID, after wait: Duration) {
        ageTimer?.cancel()
        ageTimer = clock.schedule(after: wait) { [weak self] in self?.send(.ageTimerFired(id)) }
    }

    private func perform(_ report: StatusReport) {
        switch report {
        case .checkFailed(_, let error), .pushFailed(let error): config.delegate?.receivedError(error: error)
        default: break
        }
        onReport?(report)
    }

    /// Completes the checks that callers wait for, after the window has been updated: a completion may be the last that the
    /// app does before it rests.
    func endWaiting(_ outcome: CheckWaiters.Outcome) {
        let completions = waiters.removeAll()
        inOneTurn {
            endedChecks += completions.map { complete in { complete(outcome) } }
        }
    }

    // MARK: The overlay

    private func perform(_ transition: Transition) {
        if transition.cause != .restored { stageSince = clock.date }
        transitions.send(transition)
        let shown = config.event(for: transition.from)
        if let event = config.event(for: transition.to) {
            config.delegate?.bellerophonWillEngage(self, event: event)
        } else if let shown {
            config.delegate?.bellerophonWillDisengage(self, event: shown)
        }
        switch transition.to {
        case .killed: config.delegate?.shouldKillSwitch()
        case .updateRequired: config.delegate?.shouldForceUpdate()
        case .unknown, .active: break
        }
    }

    /// Shows the present stage, now and at each full second of the countdown.
    private func updateWindow() {
        ticker?.cancel()
        ticker = nil
        let stage = machine.stage, before = shownStage
        // First: a window may call back.
        shownStage = stage
        guard let window = config.window else { return }
        guard let event = config.event(for: stage) else {
            if config.event(for: before) != nil { window.dismiss() }
            return
        }
        ticker = clock.schedule(after: untilNextSecond) { [weak self] in self?.updateWindow() }
        if stage == before {
            window.update(overlayContent())
        } else {
            window.present(event.view, content: overlayContent())
        }
    }

    // MARK: Memory and sleep

    /// A monotonic timer stands still while the machine sleeps, so a wake-up is noticed by the slept time.
    private func watchForSleep() {
        sleepWatch = clock.schedule(after: .seconds(2)) { [weak self] in
            guard let self else { return }
            let total = clock.slept
            let slept = total - sleptBefore
            sleptBefore = total
            if slept > .zero { send(.slept(slept)) }
            if slept > .seconds(1), !machine.isSuspended { resume() }
            watchForSleep()
        }
    }
}

extension BellerophonManager: OverlayResponder {
    public func overlayRequestsCheck() { check(.person) }
    public func overlayDidRunUpdate() { check(.updated) }
    public func overlayDidResume() { resume() }
}
