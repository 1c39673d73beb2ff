import BellerophonBase
import Foundation
import StatusModel

/// Checks the status, and covers the app with a view while the status requires it.
///
/// A state machine makes all decisions; the manager performs them with the timers, the source, the delegate and the
/// window. The app must keep a reference to the manager: without one, checks stop.
@MainActor
public final class BellerophonManager {
    /// The configuration that the manager was created with.
    public let config: BellerophonConfig
    /// The state of all decisions. The display is derived from it.
    package private(set) var machine: StageMachine
    /// Called for every report, in order. For a dashboard, a log or a test.
    package var onReport: ((StatusReport) -> Void)?
    /// Called for every stream event that is not a status, such as a new version of a resource.
    public var onStreamEvent: ((StreamEvent) -> Void)?

    /// Whether views stand still between two changes; initially ``BellerophonConfig/reducesMotion``.
    package var reducesMotion: Bool {
        didSet { updateWindow() }
    }

    let clock: any ManagerClock
    /// When the stage began and when the last reply came, by the wall clock. For display only.
    var stageSince: Date?
    var lastAnswer: Date?

    /// The stream, if there is one, and the last stream address that a reply named.
    var driver: StreamDriver?
    var discoveredURL: URL?

    /// Decodes pushed and kept statuses, and verifies their signatures.
    let reader: StatusReader

    private(set) var generator: any RandomNumberGenerator
    private var progress = Progress.created
    private var events = EventQueue<StageMachine.Event>()
    private var turnDepth = 0
    private var timer: ScheduledCall?
    private var ageTimer: ScheduledCall?
    private let sleepWatch: SleepWatch
    private let presenter: OverlayPresenter
    /// Handles the commands of the window.
    package private(set) lazy var responder = ManagerResponder(self)
    let keeper: StatusKeeper
    /// The status of the last run, after the first check was started; nil if none was kept.
    package var keptStatus: RestoredStatus?
    var pendingCheck = PendingCheck()
    var waiters = CheckWaiters()
    let transitions = Broadcast<Transition>(bufferSize: 256)

    /// What the manager has begun.
    private enum Progress {
        case created
        /// The status of the last run was restored.
        case restored
        /// The polling was started.
        case started
    }

    /// Creates a manager with the system's clock and random number generator.
    public convenience init(config: BellerophonConfig) {
        self.init(config: config, clock: DispatchClock(), generator: SystemRandomNumberGenerator())
    }

    /// Creates a manager with a given clock and random number generator, for example for a test.
    public init(config: BellerophonConfig, clock: any ManagerClock, generator: any RandomNumberGenerator) {
        self.config = config
        reducesMotion = config.reducesMotion
        self.clock = clock
        self.generator = generator
        machine = StageMachine(policy: config.policy, freshness: config.freshness, app: config.app.facts)
        reader = StatusReader(verifier: config.verifier ?? config.source?.verifier)
        keeper = StatusKeeper(store: config.store, maximumAge: config.freshness.maximumAge, clock: clock)
        sleepWatch = SleepWatch(clock: clock)
        presenter = OverlayPresenter(config: config, clock: clock)
        presenter.onTick = { [weak self] in self?.updateWindow() }
        // The views show this problem too, because the restored status may cover the app.
        keeper.onProblem = { [weak self] problem in self?.onReport?(.remark(problem)) }
        config.window?.responder = responder
    }

    // MARK: The original API

    /// Whether a view covers the app.
    public var isDisplaying: Bool { display.takesScreen }

    /// What is shown over the app now.
    package var display: OverlayDisplay<BellerophonEvent> { config.display(of: machine.stage) }

    /// Checks the status now. Does nothing while a check is pending.
    ///
    /// The first call starts the polling, which then continues in every stage.
    public func checkAppStatus() {
        check(progress == .started ? .program : .start)
    }

    /// Applies a status that the app received by other means, such as a push notification or its own backend.
    ///
    /// The status is accepted without a signature and regardless of its date. A signed status must not be a replay, and
    /// must not reuse the serial of another status.
    public func updateDisplay(_ status: any BellerophonObservable) {
        restoreOnce()
        send(.statusGiven(StatusReply(observing: status).received(on: clock.date)))
        endWaiting(.success(StatusReply(observing: status)))
    }

    /// Removes the overlay regardless of the status. The next status that blocks the app shows it again.
    public func dismissKillSwitchIfNeeded() {
        send(.dismissed)
    }

    private func restoreOnce() {
        guard progress == .created else { return }
        progress = .restored
        restore()
    }

    // MARK: Suspension

    /// Stops polling and the stream, and writes a deferred save. Call it before the process or the machine is suspended.
    ///
    /// Does nothing before the first check, which starts the polling.
    public func suspend() {
        guard progress == .started else { return }
        send(.suspended)
        flush()
        driver?.stop()
    }

    /// Resumes after a suspension with an immediate check. Safe to call when nothing was suspended.
    ///
    /// Does nothing before the first check, which starts the polling.
    public func resume() {
        guard progress == .started else { return }
        send(.resumed)
        driver?.restart(isFresh: false)
    }

    /// Checks the status now, for the given cause. A stream that waits to reconnect connects now too.
    /// - Parameter isFresh: whether to abandon a pending check, because its reply may be older than a change.
    package func check(_ cause: CheckCause, isFresh: Bool = false) {
        start()
        if isStreamOnly { return listen(cause) }
        send(isFresh ? .freshCheckRequested(cause) : .checkRequested(cause))
        if !machine.isSuspended { driver?.start() }
    }

    // MARK: Events and actions

    private func start() {
        guard progress != .started else { return }
        let hasRestored = progress == .restored
        // Set first, because the delegate may call back.
        progress = .started
        if !hasRestored { restore() }
        sleepWatch.start { [weak self] slept in self?.wake(after: slept) }
        setUpStream()
    }

    /// Passes an event to the machine. An event that arrives while actions are performed is queued.
    func send(_ event: StageMachine.Event) {
        guard events.add(event) else { return }
        inOneTurn {
            while let next = events.next() { handle(next) }
        }
    }

    private func handle(_ event: StageMachine.Event) {
        let repliedBefore = machine.lastReplyAt
        let actions = machine.handle(event, at: clock.now, using: &generator)
        if machine.lastReplyAt != repliedBefore { lastAnswer = clock.date }
        for action in actions { perform(action) }
        if let outcome = outcome(of: actions) { endWaiting(outcome) }
    }

    /// Runs the work, then updates the window once, with the resulting stage.
    ///
    /// The delegate and ``onReport`` are called for every transition immediately.
    func inOneTurn(_ work: () -> Void) {
        turnDepth += 1
        work()
        turnDepth -= 1
        guard turnDepth == 0 else { return }
        updateWindow()
        keeper.turnEnded()
        for complete in waiters.takeEnded() { complete() }
    }

    /// The result of the check that ended with these actions; nil if none ended.
    private func outcome(of actions: [StageMachine.Action]) -> CheckWaiters.Outcome? {
        for case .report(let report) in actions {
            switch report {
            case .checkSucceeded(_, let reply, _), .pushed(let reply, _): return .success(reply)
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

    /// Completes all waiting checks after the window has been updated, because the app may be suspended as soon as a
    /// completion returns.
    func endWaiting(_ outcome: CheckWaiters.Outcome) {
        inOneTurn { waiters.end(outcome) }
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

    /// The time between two updates of a view that stands still.
    private static let quietTick = Duration.seconds(60)

    private func updateWindow() {
        presenter.show(machine.stage, untilTick: reducesMotion ? Self.quietTick : untilNextSecond) { overlayContent() }
    }

    // MARK: Sleep

    private func wake(after slept: Duration) {
        send(.slept(slept))
        if slept > .seconds(1), !machine.isSuspended { resume() }
    }
}
