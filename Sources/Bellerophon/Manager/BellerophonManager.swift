import BellerophonBase
import Dispatch
import StatusModel
import Synchronization

/// Checks the status, and covers the app with a view while the status requires it.
///
/// A state machine makes all decisions. The timers, the source, the stream and the store do not need the main queue
/// to be served; the delegate and the window are called on the main actor. The app must keep a reference to the manager:
/// without one, checks stop.
@MainActor
public final class BellerophonManager {
    /// The configuration that the manager was created with.
    public let config: BellerophonConfig
    /// Called for every report, in order. For a dashboard, a log or a test.
    package var onReport: ((StatusReport) -> Void)?
    /// Called for every stream event that is not a status, such as a new version of a resource.
    public var onStreamEvent: ((StreamEvent) -> Void)?

    /// Whether views stand still between two changes; initially ``BellerophonConfig/reducesMotion``.
    package var reducesMotion: Bool {
        didSet { updateWindow() }
    }

    let core: ManagerCore
    let clock: any ManagerClock
    /// The state as the main actor knows it: after the last output that was passed on.
    private(set) var state: ManagerState
    /// The stage that the window was last updated with.
    private var shownStage = Stage.unknown
    /// Updates the view at each full second of the countdown.
    private var ticker: ScheduledCall?
    /// Handles the commands of the window.
    package private(set) lazy var responder = ManagerResponder(self)
    /// Finds out how a required update can be had; nil without a window that runs updates.
    let updates: (any UpdateService)?
    /// In the order of their calls.
    var waiters: [Waiter] = []
    let transitions = Broadcast<Transition>(bufferSize: 256)
    /// Decides about notices.
    var notices = NoticeMachine()
    var hasRestoredNotices = false
    /// The notice for the present status; nil for none.
    var notice: OverlayNotice?
    /// The notice that the window has.
    var givenNotice: OverlayNotice?
    var noticeTimer: ScheduledCall?
    private var isReceiving = false
    /// Whether a block of the main queue will take what waits.
    private nonisolated let isReceivingScheduled = Atomic(false)
    /// Whether a turn has ended and the window does not show its result yet.
    private var isWindowBehind = false
    /// The most outputs of other threads that one turn of the main queue takes, so that keys are served in between.
    private static let turnLimit = 256
    /// How many turns of the main queue may pass before the window is updated, if more outputs wait.
    private static let turnsBehind = 8
    private var turnsBehind = 0

    /// Creates a manager with the system's clock and random number generator.
    public convenience init(config: BellerophonConfig) {
        self.init(config: config, clock: DispatchClock(), generator: SystemRandomNumberGenerator())
    }

    /// Creates a manager with a given clock and random number generator, for example for a test.
    public init(config: BellerophonConfig, clock: any ManagerClock, generator: any RandomNumberGenerator) {
        self.config = config
        reducesMotion = config.reducesMotion
        self.clock = clock
        core = ManagerCore(StatusSetup(config), clock: clock, generator: generator)
        state = core.state
        updates = (config.window as? any UpdatingWindow)?.makeUpdateService(for: config.app)
        updates?.onChange = { [weak self] change in self?.apply(change) }
        config.window?.responder = responder
        core.onOutput { [weak self] in
            if MainQueue.isCurrent { return MainActor.assumeIsolated { self?.receiveNow() ?? true } }
            self?.scheduleReceiving()
            return true
        }
    }

    // MARK: The original API

    /// Whether a view covers the app.
    public var isDisplaying: Bool { display != nil }

    /// Checks the status now. Does nothing while a check is pending.
    ///
    /// The first call starts the polling, which then continues in every stage.
    public func checkAppStatus() { core.startCheck(nil) }

    /// Applies a status that the app received by other means, such as a push notification or its own backend.
    ///
    /// The status is accepted without a signature and regardless of its date. A signed status must not be a replay, and
    /// must not reuse the serial of another status.
    public func updateDisplay(_ status: any BellerophonObservable) { core.give(StatusReply(observing: status)) }

    /// Removes the overlay regardless of the status. The next status that blocks the app shows it again.
    public func dismissKillSwitchIfNeeded() { core.dismiss() }

    /// Removes the notice that is shown over the app. It comes back if it becomes more urgent: for example, a maintenance that was
    /// dismissed when it was announced is told again shortly before it begins. Does nothing without a notice.
    public func dismissNotice() {
        if notices.dismiss(date: noticeDate, at: clock.now) { core.save(notices.seen) }
        updateWindow()
    }

    // MARK: Suspension

    /// Stops polling and the stream, and writes a deferred save. Call it before the process or the machine is suspended.
    ///
    /// Does nothing before the first check, which starts the polling.
    public func suspend() { core.suspend() }

    /// Resumes after a suspension with an immediate check. Safe to call when nothing was suspended.
    ///
    /// Does nothing before the first check, which starts the polling.
    public func resume() { core.resume() }

    /// Writes a deferred save now. ``suspend()`` does this too. Call it before the app exits.
    public func flush() { core.flush() }

    /// Checks the status now, for the given cause. A stream that waits to reconnect connects now too.
    /// - Parameter isFresh: whether to abandon a pending check, because its reply may be older than a change.
    package func check(_ cause: CheckCause, isFresh: Bool = false) { core.startCheck(cause, isFresh: isFresh) }

    // MARK: What a verdict depends on

    /// Decides again what the status means, because other facts of the app are known now: its version after an update, or a
    /// version that was not known at the start. It needs no reply of the server, and starts no check.
    package func change(to facts: AppFacts) { core.change(to: facts) }

    /// Takes time into account at once that the machine has slept by its clock, in place of within two seconds.
    package func lookAtSleep() { core.lookAtSleep() }

    /// Forgets what is known of the time, until the next reply. Does nothing unless the server is simulated: a simulation may start
    /// again at an earlier time, and a real clock is never replaced.
    package func replaceClock() { core.replaceClock() }

    // MARK: What is known

    /// The state of all decisions. The display is derived from it.
    package var machine: StageMachine { state.machine }

    /// The current state of the stream; nil without a stream.
    package var streamMachine: StreamMachine? { state.stream }

    /// The transport in use: `.stream` while a stream is live, otherwise `.poll`.
    public var liveTransport: Transport { state.transport }

    /// The status of the last run, after the first check was started; nil if none was kept.
    package var keptStatus: RestoredStatus? { state.keptStatus }

    /// The view over the app; nil for none.
    package var display: BellerophonEvent? { config.event(for: machine.stage) }

    // MARK: Outputs of the core

    /// Takes what waits, in order. What the delegate causes meanwhile is taken afterwards.
    /// - Parameters:
    ///   - limit: the most outputs that are taken.
    ///   - showsResult: whether the window is updated even if more waits.
    /// - Returns: false if this happens further up on the stack.
    private func receive(limit: Int, showsResult: Bool = false) -> Bool {
        guard !isReceiving else { return false }
        isReceiving = true
        let window = config.window as? any DeputizedWindow
        window?.mainQueueReturns()
        var count = 0
        while count < limit, let item = core.outbox.takeFirst(at: clock.now) {
            count += 1
            state = item.state.value
            perform(item.output)
            // Several turns that wait update the window once, with the last result.
            if core.outbox.isEmpty { catchUpWindow() }
        }
        turnsBehind += 1
        if showsResult || turnsBehind >= Self.turnsBehind { catchUpWindow() }
        isReceiving = false
        if !isWindowBehind { window?.mainQueueReturned() }
        return true
    }

    /// Takes what waits by now: what other threads add meanwhile waits for the main queue, so that a flood does not hold it.
    private func receiveNow() -> Bool {
        guard receive(limit: max(Self.turnLimit, core.outbox.count), showsResult: true) else { return false }
        if !core.outbox.isEmpty { scheduleReceiving() }
        return true
    }

    /// Has the main queue take what waits. One block does it for everything: with one for each output, a key that is pressed
    /// while statuses arrive faster than they are handled would wait behind thousands of them.
    private nonisolated func scheduleReceiving() {
        guard !isReceivingScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.receiveLater() ?? () } }
    }

    /// Takes what other threads have passed on.
    private func receiveLater() {
        isReceivingScheduled.store(false, ordering: .sequentiallyConsistent)
        guard receive(limit: Self.turnLimit) else { return }
        // What the end of the turn adds waits for the next block, behind the keys.
        isReceiving = true
        core.finishTurn()
        isReceiving = false
        if !core.outbox.isEmpty { scheduleReceiving() }
    }

    private func catchUpWindow() {
        turnsBehind = 0
        guard isWindowBehind else { return }
        isWindowBehind = false
        updateWindow()
    }

    private func perform(_ output: ManagerOutput) {
        switch output {
        case .transition(let transition): perform(transition)
        case .report(let report):
            if let error = report.failure { config.delegate?.receivedError(error: error) }
            onReport?(report)
        case .streamEvent(let event): onStreamEvent?(event)
        case .delegateCheck(let id): askDelegate(id)
        case .turnEnded: isWindowBehind = true
        case .checkEnded(let outcome):
            if !waiters.isEmpty { catchUpWindow() }
            let ended = waiters
            waiters = []
            for waiter in ended { waiter.complete(outcome) }
        }
    }

    private func askDelegate(_ id: StageMachine.CheckID) {
        guard let delegate = config.delegate else { return core.end(id, with: .failure(StatusError(.noStatus))) }
        delegate.bellerophonStatus(self) { [weak core] status, error in
            core?.end(id, with: status.map { .success(StatusReply(observing: $0)) } ?? .failure(StatusError(observing: error)))
        }
    }

    private func perform(_ transition: Transition) {
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

    // MARK: The overlay

    /// The time between two updates of a view that stands still.
    private static let quietTick = Duration.seconds(60)

    func updateWindow() {
        updates?.require(machine.updateRequirement(at: clock.now))
        decideNotice()
        let isCovered = isDisplaying
        if isCovered { giveNotice(nil) }
        updateCover()
        if !isCovered { giveNotice(notice) }
    }

    /// Presents, updates or dismisses the view of the present stage.
    private func updateCover() {
        ticker?.cancel()
        ticker = nil
        let (stage, before) = (machine.stage, shownStage)
        // Set first, because the window may call back.
        shownStage = stage
        guard let window = config.window else { return }
        guard let event = config.event(for: stage) else {
            if config.event(for: before) != nil { window.dismiss() }
            return
        }
        ticker = clock.schedule(after: reducesMotion ? Self.quietTick : untilNextSecond) { [weak self] in self?.updateWindow() }
        if stage == before {
            window.update(overlayContent())
        } else {
            window.present(event.view, content: overlayContent())
        }
    }
}

extension StatusReport {
    /// The error of a check or a push that has failed.
    fileprivate var failure: StatusError? {
        switch self {
        case .checkFailed(_, let error), .pushFailed(let error): error
        default: nil
        }
    }
}
