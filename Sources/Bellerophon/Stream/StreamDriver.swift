/// Performs the actions of a ``StreamMachine`` with a connection and a timer. It makes no decisions.
final class StreamDriver: @unchecked Sendable {
    // Used only with the lock of its core.
    private(set) var machine: StreamMachine

    /// Whether a connection without an event id is in progress, on which the server sends the status in any case.
    var awaitsStatus: Bool { machine.state == .connecting && !hasResumed }

    private let stream: any StatusStream
    private weak var core: ManagerCore?
    private let clock: CoreClock
    private var generator: any RandomNumberGenerator
    private var connection: StreamConnection?
    private var timer: ScheduledCall?
    private var events = EventQueue<StreamMachine.Event>()
    /// Whether the last connection was started with an event id.
    private var hasResumed = false

    init(_ stream: any StatusStream, isIndispensable: Bool, of core: ManagerCore) {
        self.stream = stream
        self.core = core
        clock = core.clock
        generator = core.generator
        machine = StreamMachine(policy: core.setup.policy, isIndispensable: isIndispensable)
    }

    deinit {
        connection?.cancel()
    }

    /// Passes an event to the machine. An event that arrives while actions are performed is queued.
    func send(_ event: StreamMachine.Event) {
        guard events.add(event) else { return }
        while let next = events.next() {
            let wasLive = machine.isLive
            let actions = machine.handle(next, at: clock.now, using: &generator)
            core?.noteChange()
            // Called before the first event is delivered, so that its status is scheduled as with a live stream.
            if machine.isLive, !wasLive { core?.streamChanged(isLive: true) }
            for action in actions { perform(action) }
            if wasLive, !machine.isLive { core?.streamChanged(isLive: false) }
        }
    }

    private func perform(_ action: StreamMachine.Action) {
        switch action {
        case .connect(let id, let resumes): connect(id, resumes: resumes)
        case .disconnect: disconnect()
        case .startTimer(let id, let wait):
            timer?.cancel()
            timer = clock.schedule(after: wait) { [weak self] in self?.send(.timerFired(id)) }
        case .stopTimer: timer?.cancel()
        case .deliver(let event): core?.handle(event)
        case .report(let report): core?.handle(report)
        }
    }

    private func connect(_ id: StreamMachine.ConnectionID, resumes: Bool) {
        let inbox = StreamInbox { [weak self, clock] inbox in
            clock.enter { [weak self] in self?.drain(inbox, of: id) }
        }
        let known = resumes ? core?.resumableEventID : nil
        hasResumed = known != nil
        connection = stream.connect(lastEventID: known) { inbox.put($0) }
    }

    /// Handles a bounded number of signals, in one turn. The rest waits for the next turn, so that timers are handled in between.
    private func drain(_ inbox: StreamInbox, of id: StreamMachine.ConnectionID) {
        let (signals, hasMore) = inbox.dequeue()
        for signal in signals {
            if case .opened(_, let date) = signal { core?.send(.serverDate(date, receivedOn: clock.date)) }
            send(.signal(id, signal))
        }
        guard hasMore else { return }
        _ = clock.schedule(after: .zero) { [weak self] in self?.drain(inbox, of: id) }
    }

    private func disconnect() {
        connection?.cancel()
        connection = nil
    }
}
