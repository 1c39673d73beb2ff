import Foundation

/// Performs the actions of a ``StreamMachine`` with a connection and a timer. It makes no decisions.
final class StreamDriver: @unchecked Sendable {
    // Used only with the lock of its core.
    private(set) var machine: StreamMachine
    /// The event id to resume after, read when a connection starts. With nil, the server repeats the status.
    var lastEventID: () -> String? = { nil }
    /// Called when the stream becomes live and when it ends.
    var onLivenessChange: (Bool) -> Void = { _ in }
    /// Called after every event of the machine.
    var onChange: () -> Void = {}
    var onEvent: (StreamEvent) -> Void = { _ in }
    /// Called with the server's time when it accepts a connection; nil if it sends none.
    var onServerDate: (Date?) -> Void = { _ in }
    var onReport: (StreamReport) -> Void = { _ in }

    /// Whether a connection without an event id is in progress, on which the server sends the status in any case.
    var awaitsStatus: Bool { machine.state == .connecting && !hasResumed }

    private let stream: any StatusStream
    private let clock: CoreClock
    private var generator: any RandomNumberGenerator
    private var connection: StreamConnection?
    private var timer: ScheduledCall?
    private var events = EventQueue<StreamMachine.Event>()
    /// Whether the last connection was started with an event id.
    private var hasResumed = false

    init(
        _ stream: any StatusStream, policy: PollPolicy, isIndispensable: Bool = false, clock: CoreClock,
        generator: any RandomNumberGenerator
    ) {
        self.stream = stream
        self.clock = clock
        self.generator = generator
        machine = StreamMachine(policy: policy, isIndispensable: isIndispensable)
    }

    deinit {
        connection?.cancel()
    }

    func start() { send(.started) }
    func restart(isFresh: Bool) { send(.restarted(isFresh: isFresh)) }
    func stop() { send(.stopped) }

    /// Passes an event to the machine. An event that arrives while actions are performed is queued.
    private func send(_ event: StreamMachine.Event) {
        guard events.add(event) else { return }
        while let next = events.next() {
            let wasLive = machine.isLive
            let actions = machine.handle(next, at: clock.now, using: &generator)
            onChange()
            // Called before the first event is delivered, so that its status is scheduled as with a live stream.
            if machine.isLive, !wasLive { onLivenessChange(true) }
            for action in actions { perform(action) }
            if wasLive, !machine.isLive { onLivenessChange(false) }
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
        case .deliver(let event): onEvent(event)
        case .report(let report): onReport(report)
        }
    }

    private func connect(_ id: StreamMachine.ConnectionID, resumes: Bool) {
        let inbox = StreamInbox { [weak self, clock] inbox in
            clock.enter { [weak self] in self?.drain(inbox, of: id) }
        }
        let known = resumes ? lastEventID() : nil
        hasResumed = known != nil
        connection = stream.connect(lastEventID: known) { inbox.put($0) }
    }

    /// Handles a bounded number of signals, in one turn. The rest waits for the next turn, so that timers are handled in between.
    private func drain(_ inbox: StreamInbox, of id: StreamMachine.ConnectionID) {
        let (signals, hasMore) = inbox.take()
        for signal in signals {
            if case .opened(_, let date) = signal { onServerDate(date) }
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
