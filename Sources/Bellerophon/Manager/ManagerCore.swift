import BellerophonBase
import Dispatch
import Foundation
import StatusModel

/// Performs the decisions of a ``StageMachine``: the timers, the checks, the stream and the kept status. It needs no main queue.
///
/// One lock serialises everything. Who brings an event handles it and all that follows from it. Replies and timers enter on a
/// queue of the core; the main actor enters directly, so that what it asks for is done when its call returns. The outputs
/// wait in the outbox for a receiver, who is called without the lock.
final class ManagerCore: @unchecked Sendable {
    // All variables are used only with the lock.
    let setup: StatusSetup
    let outbox = ManagerOutbox()
    let clock: CoreClock
    /// Decodes pushed and kept statuses, and verifies their signatures.
    let reader: StatusReader
    let keeper: StatusKeeper
    /// The time that the machine had slept when that was last observed. A monotonic timer does not notice a sleep, because it stops
    /// meanwhile.
    private var sleptBefore: Duration
    private static let sleepInterval = Duration.seconds(2)

    private let lock = NSRecursiveLock()
    /// Serial, so that the replies of a source arrive in their order.
    private let queue = DispatchQueue(label: "bellerophon.manager", qos: .userInitiated)
    /// Called on any thread, without the lock, when outputs wait. Returns false if it is busy with earlier ones, further up on the
    /// stack of this thread.
    private var receive: @Sendable () -> Bool = { true }
    /// The number of calls of ``enter(_:)`` on the stack.
    private var depth = 0
    /// Whether the state may have changed in this turn.
    private var hasChanged = false
    /// The state for the next output; nil if it has changed since the last one.
    private var sharedState: ManagerOutbox.SharedState?

    private(set) var machine: StageMachine
    private(set) var generator: any RandomNumberGenerator
    private var progress = Progress.created
    private var events = EventQueue<StageMachine.Event>()
    private var timers: [StageMachine.TimerKind: ScheduledCall] = [:]
    /// Runs while a status is being saved.
    private var saveTimer: ScheduledCall?
    private var isSaveLate = false
    /// The results of the checks that ended in this turn.
    private var ended: [Result<StatusReply, StatusError>] = []
    var stageSince: Date?
    private var lastReplyDate: Date?
    var keptStatus: RestoredStatus?
    /// The notices that earlier runs and this one have shown.
    var seenNotices: [SeenNotice] = []
    /// The check that the source carries out; nil before the first check, and for a check by the delegate.
    var runningCheck: StatusCheck?
    var abandonedCheck: StageMachine.CheckID?
    /// The stream, if there is one, and the last stream address that a reply named.
    var driver: StreamDriver?
    var discoveredURL: URL?
    var mainWatch = MainWatch()
    private var sourceSearch = SourceSearch.notNeeded

    /// The search for the app's fact `source`, which begins when a rule asks for it.
    private enum SourceSearch {
        case notNeeded, running
        case found(String)
    }

    /// What the core has begun.
    private enum Progress {
        case created
        /// The status of the last run was restored.
        case restored
        /// The polling was started.
        case started
    }

    init(_ setup: StatusSetup, clock: any ManagerClock, generator: any RandomNumberGenerator) {
        self.setup = setup
        self.generator = generator
        let facts = setup.appFacts ?? setup.app.appFacts(.current, keptIn: setup.store)
        machine = StageMachine(policy: setup.policy, freshness: setup.freshness, app: facts)
        reader = StatusReader(verifier: setup.verifier)
        self.clock = CoreClock(clock)
        keeper = StatusKeeper(store: setup.store, maximumAge: setup.freshness.maximumAge, clock: self.clock)
        sleptBefore = clock.slept
        self.clock.enter = { [weak self] work in self?.arrive(work) }
        // The views show this problem too, because the restored status may cover the app.
        keeper.onProblem = { [weak self] problem in
            self?.noteChange()
            if let problem { self?.add(.report(.remark(problem))) }
        }
        keeper.enter = { [weak self] work in self?.enter(work) }
    }

    /// Sets who is called when outputs wait, on any thread.
    /// - Parameter receive: returns false if it is busy with earlier outputs, further up on the stack of the same thread. It then
    ///   calls ``finishTurn()`` when it has taken everything.
    func onOutput(_ receive: @escaping @Sendable () -> Bool) {
        lock.withLock { self.receive = receive }
    }

    // MARK: The lock

    /// Runs work that arrives from elsewhere, such as a reply: at once on the main actor, otherwise on the core's queue.
    ///
    /// A source may wait for its own network code, so its completion never waits for the lock.
    func arrive(_ work: @escaping @Sendable () -> Void) {
        if MainQueue.isCurrent { return enter(work) }
        queue.async { [weak self] in self?.enter(work) }
    }

    /// Runs work with the lock, as one turn. Statuses are saved and outputs are passed on at its end.
    func enter<Result>(_ work: () -> Result) -> Result {
        lock.lock()
        depth += 1
        sharedState = nil
        let result = work()
        depth -= 1
        guard depth == 0 else {
            lock.unlock()
            return result
        }
        if hasChanged { add(.turnEnded) }
        hasChanged = false
        if unlockAndPassOn() { finishTurn() }
        return result
    }

    /// Begins to save the last status, now that the window is updated, and ends the checks that were waited for once it is saved,
    /// or after ``StatusKeeper/patience``.
    func finishTurn() {
        lock.lock()
        sharedState = nil
        depth += 1
        keeper.turnEnded()
        depth -= 1
        if !keeper.isWriting {
            saveTimer?.cancel()
            (saveTimer, isSaveLate) = (nil, false)
            endChecks()
        } else if isSaveLate {
            endChecks()
        } else if saveTimer == nil {
            saveTimer = clock.schedule(after: StatusKeeper.patience) { [weak self] in self?.saveIsLate() }
        }
        hasChanged = false
        _ = unlockAndPassOn()
    }

    private func saveIsLate() {
        guard let since = keeper.writingSince, !isSaveLate else { return }
        let left = StatusKeeper.patience - since.duration(to: clock.now)
        saveTimer?.cancel()
        // Another write has begun meanwhile.
        if left > .zero { return saveTimer = clock.schedule(after: left) { [weak self] in self?.saveIsLate() } }
        isSaveLate = true
        keeper.reportProblem("the status is not saved yet: its file can't be written at present")
    }

    private func endChecks() {
        for outcome in ended { add(.checkEnded(outcome)) }
        ended = []
    }

    /// - Returns: false if the receiver is busy further up on the stack.
    private func unlockAndPassOn() -> Bool {
        let receive = outbox.isEmpty ? nil : receive
        lock.unlock()
        guard let receive else { return true }
        guard receive() else { return false }
        // What was not received at once waits for the main queue.
        if !outbox.isEmpty { lock.withLock { watchMain() } }
        return true
    }

    /// Adds an output.
    func add(_ output: ManagerOutput) {
        hasChanged = true
        let shared = sharedState ?? ManagerOutbox.SharedState(state)
        sharedState = shared
        outbox.add(output, shared, at: clock.now)
    }

    /// Records that the state may have changed: the window is updated at the end of the turn.
    func noteChange() {
        hasChanged = true
        sharedState = nil
    }

    /// The present state.
    var state: ManagerState {
        ManagerState(
            machine: machine, stream: driver?.machine, stageSince: stageSince, lastReplyDate: lastReplyDate,
            storeProblem: keeper.problem, keptStatus: keptStatus, keptNotices: seenNotices)
    }

    // MARK: Requests

    /// Checks the status now, for the given cause. A stream that waits to reconnect connects now too.
    /// - Parameters:
    ///   - cause: nil for the program: its first check starts the polling.
    ///   - isFresh: whether to abandon a pending check, because its reply may be older than a change.
    func startCheck(_ cause: CheckCause?, isFresh: Bool = false) {
        prepare()
        enter {
            let cause = cause ?? (progress == .started ? .program : .start)
            start()
            if isStreamOnly { return listen(cause) }
            send(isFresh ? .freshCheckRequested(cause) : .checkRequested(cause))
            if !machine.isSuspended { driver?.send(.started) }
        }
    }

    /// Takes a status that the app has received by other means.
    func give(_ reply: StatusReply) {
        prepare()
        enter {
            if progress == .created {
                progress = .restored
                restore()
            }
            send(.statusGiven(reply.received(on: clock.date)))
            ended.append(.success(reply))
        }
    }

    func dismiss() {
        enter { send(.dismissed) }
    }

    /// Decides again for the changed facts of the app.
    func change(to facts: AppFacts) {
        enter {
            var facts = facts
            if case .found(let source) = sourceSearch { facts.values["source"] = facts.values["source"] ?? source }
            send(.factsChanged(facts))
        }
    }

    /// Goes on without a required update until a date; nil: not any longer.
    func deferUpdates(until end: Date?) {
        enter { send(.updatesDeferred(until: end)) }
    }

    /// Takes time into account at once that the machine has slept.
    func lookAtSleep() {
        enter { observeSleep() }
    }

    /// Forgets what is known of the time. Only for a simulation: a real clock is never replaced.
    func replaceClock() {
        guard setup.isSimulated else { return }
        enter { send(.clockReplaced) }
    }

    /// Stops polling and the stream, and writes a deferred save. Does nothing before the first check.
    func suspend() {
        enter {
            guard progress == .started else { return }
            send(.suspended)
            driver?.send(.stopped)
        }
        flush()
    }

    /// Resumes after a suspension with an immediate check. Does nothing before the first check.
    func resume() {
        enter {
            guard progress == .started else { return }
            send(.resumed)
            driver?.send(.restarted(isFresh: false))
        }
    }

    /// Keeps what the person has seen and dismissed. Nothing that is shown changes by it.
    func save(_ seen: [SeenNotice]) {
        enter {
            seenNotices = seen
            guard let document = machine.document else { return }
            keeper.enqueue(isNew: true) { record(of: document) }
        }
    }

    /// Writes a deferred save now, and waits for it, at most for ``StatusKeeper/patience`` and once for the same write.
    func flush() {
        let saved = Latch()
        let isLate = enter {
            keeper.flush { saved.open() }
            return isSaveLate
        }
        guard !isLate, !saved.wait(atMost: StatusKeeper.patience) else { return }
        enter { saveIsLate() }
    }

    // MARK: Before the start

    /// Reads the kept status, without the lock. If a rule of it asks for the app's source, the cover that it may cause waits for that,
    /// at most for ``StatusKeeper/patience``.
    private func prepare() {
        let plan = keeper.readStore()?.document(for: setup.app.version).plan
        guard let plan, let found = enter({ findSource(for: plan) }) else { return }
        found.wait(atMost: StatusKeeper.patience)
    }

    /// Begins to find out the fact `source` if a rule asks for it. Until it is known, no rule with such a condition holds, and each rule
    /// with such an exception exempts the app.
    /// - Returns: what opens when it is known; nil if it is not looked for.
    @discardableResult
    private func findSource(for plan: StatusPlan?) -> Latch? {
        guard case .notNeeded = sourceSearch, machine.app.values["source"] == nil, plan?.asks(for: "source") == true else {
            return nil
        }
        sourceSearch = .running
        let found = Latch()
        clock.base.perform { [weak self, find = setup.findSource] in
            let source = find()
            self?.enter { self?.adopt(source) }
            found.open()
        }
        return found
    }

    private func adopt(_ source: String) {
        sourceSearch = .found(source)
        change(to: machine.app)
    }

    private func start() {
        guard progress != .started else { return }
        let hasRestored = progress == .restored
        progress = .started
        if !hasRestored { restore() }
        watchSleep()
        setUpStream()
    }

    private func watchSleep() {
        _ = clock.schedule(after: Self.sleepInterval) { [weak self] in
            self?.observeSleep()
            self?.watchSleep()
        }
    }

    /// Takes into account what the machine has slept. Does nothing before the start.
    private func observeSleep() {
        guard progress == .started else { return }
        let total = clock.slept
        let slept = total - sleptBefore
        sleptBefore = total
        guard slept > .zero else { return }
        send(.slept(slept))
        if slept > .seconds(1), !machine.isSuspended { resume() }
    }

    // MARK: Events and actions

    /// Passes an event to the machine. An event that arrives while actions are performed is queued.
    func send(_ event: StageMachine.Event) {
        guard events.add(event) else { return }
        while let next = events.next() { handle(next) }
    }

    private func handle(_ event: StageMachine.Event) {
        noteChange()
        let repliedBefore = machine.lastReplyAt
        let actions = machine.handle(event, at: clock.now, using: &generator)
        if machine.lastReplyAt != repliedBefore { lastReplyDate = clock.date }
        findSource(for: machine.document?.plan)
        sharedState = nil
        for action in actions { perform(action) }
        if let outcome = outcome(of: actions) { endWaiting(outcome) }
    }

    /// Ends the checks that are waited for, at the end of the turn.
    func endWaiting(_ outcome: Result<StatusReply, StatusError>) { ended.append(outcome) }

    /// The result of the check that ended with these actions; nil if none ended.
    private func outcome(of actions: [StageMachine.Action]) -> Result<StatusReply, StatusError>? {
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
        case .startTimer(let kind, let id, let wait):
            timers[kind]?.cancel()
            timers[kind] = clock.schedule(after: wait) { [weak self] in self?.send(.timerFired(id)) }
        case .stopTimer(let kind): timers[kind]?.cancel()
        case .transition(let transition):
            if transition.cause != .restored { stageSince = clock.date }
            sharedState = nil
            add(.transition(transition))
        case .refreshStream: driver?.send(.restarted(isFresh: true))
        case .remember(let document, let isNew): keeper.enqueue(isNew: isNew) { record(of: document) }
        case .report(let report): add(.report(report))
        }
    }
}
