import BellerophonBase

/// Decides when to connect to a stream, when it lives, and when to give it up. A pure value beside ``StageMachine``:
/// time and chance are parameters, and it knows nothing of statuses.
///
/// A stream lives once something was heard on it, not when its head came: a proxy that swallows events must not keep
/// the app from asking.
public struct StreamMachine: Equatable, Sendable {
    public typealias ConnectionID = Int
    public typealias TimerID = Int

    public enum State: Equatable, Sendable {
        case off
        /// The request is under way, or accepted and nothing was heard yet.
        case connecting
        case live(since: MonotonicInstant, lastHeard: MonotonicInstant)
        /// The next attempt is scheduled.
        case waiting(NextCheck)
        /// The server wants no further connection.
        case ended(StatusError)
    }

    /// What happened.
    public enum Event: Equatable, Sendable {
        /// Connect, unless a connection is there or the server wants none.
        case started
        /// Connect anew at once, whatever is there: after a sleep, or as a person asks for.
        /// - isFresh: the server is to repeat the status although it may be known. Only so a server that wants no
        ///   connection is asked again.
        case restarted(isFresh: Bool)
        case stopped
        case signal(ConnectionID, StreamSignal)
        case timerFired(TimerID)
    }

    /// What the shell has to do.
    public enum Action: Equatable, Sendable {
        /// Start a connection; what happens on it comes back with the same id.
        /// - resumes: whether the id of the last known status is sent along.
        case connect(ConnectionID, resumes: Bool)
        case disconnect(ConnectionID)
        /// Start the one timer anew.
        case startTimer(TimerID, after: Duration)
        case stopTimer
        /// Hand on an event.
        case deliver(StreamEvent)
        case report(StreamReport)
    }

    /// Until the server's `retry` says otherwise.
    public static let defaultRetry = Duration.seconds(3)
    /// Where the server does not say how often its heart beats.
    public static let assumedHeartbeat = Duration.seconds(30)
    /// So many silent heartbeats end a stream.
    public static let silentHeartbeats = 3

    public private(set) var state = State.off
    /// Connections in a row that brought neither an event nor a heartbeat.
    public private(set) var failures = 0
    /// Why the last connection ended; nil once one lives.
    public private(set) var failure: StatusError?
    public private(set) var heartbeat = assumedHeartbeat
    /// The base of the wait before a reconnection.
    public private(set) var retry = defaultRetry

    public var policy: PollPolicy
    /// Nothing but this stream brings statuses: although the server wants no connection it is asked again, rarely.
    public let isIndispensable: Bool
    private var connection: ConnectionID?
    private var lastConnection: ConnectionID = 0
    /// When the head came; nil before.
    private var acceptedAt: MonotonicInstant?
    private var timer: TimerID?
    private var lastTimer: TimerID = 0

    public init(policy: PollPolicy = PollPolicy(), isIndispensable: Bool = false) {
        self.policy = policy
        self.isIndispensable = isIndispensable
    }

    public var isLive: Bool {
        if case .live = state { true } else { false }
    }

    /// Takes one event and returns what to do about it.
    /// - Parameters:
    ///   - now: the present on a monotonic clock, never earlier than at the last call.
    ///   - generator: the source of the backoff's jitter.
    public mutating func handle(
        _ event: Event, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch event {
        case .started: start()
        case .restarted(let isFresh): restart(isFresh: isFresh)
        case .stopped: stop()
        case .signal(let id, let signal): id == connection ? take(signal, at: now, using: &generator) : []
        case .timerFired(let id): id == timer ? timerFired(at: now, using: &generator) : []
        }
    }

    // MARK: Connections

    private mutating func start() -> [Action] {
        switch state {
        case .off, .waiting: connect(resumes: true)
        case .connecting, .live, .ended: []
        }
    }

    private mutating func connect(resumes: Bool) -> [Action] {
        lastConnection += 1
        connection = lastConnection
        acceptedAt = nil
        state = .connecting
        heartbeat = Self.assumedHeartbeat
        return [.report(.connecting), startTimer(after: policy.checkTimeout), .connect(lastConnection, resumes: resumes)]
    }

    private mutating func drop() -> [Action] {
        defer { connection = nil }
        return connection.map { [.disconnect($0)] } ?? []
    }

    private mutating func restart(isFresh: Bool) -> [Action] {
        if case .ended = state, !isFresh { return [] }
        return drop() + connect(resumes: !isFresh)
    }

    /// What the server wanted for good stays.
    private mutating func stop() -> [Action] {
        switch state {
        case .off, .ended: return []
        case .connecting, .live, .waiting: state = .off
        }
        timer = nil
        return drop() + [.stopTimer]
    }

    /// Ends the connection and schedules the next attempt, unless the server wants none.
    private mutating func fall(
        _ error: StatusError, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        var lasted: Duration?
        if case .live(let since, _) = state { lasted = since.duration(to: now) }
        failures += 1
        failure = error
        let closed = drop() + [.report(.closed(error, lasted: lasted))]
        let isRefused = error.reason == .stream(.refused)
        if isRefused, !isIndispensable {
            state = .ended(error)
            timer = nil
            return closed + [.stopTimer]
        }
        let next =
            isRefused
            ? policy.rareCheck(at: now, using: &generator)
            : policy.nextCheck(
                afterFailures: failures, base: retry, asked: error.receipt?.retryAfter, at: now, using: &generator
            )
        state = .waiting(next)
        return closed + [startTimer(after: next.wait), .report(.retryScheduled(next))]
    }

    // MARK: Signals

    private mutating func take(
        _ signal: StreamSignal, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch signal {
        case .opened(let interval):
            acceptedAt = now
            heartbeat = interval ?? Self.assumedHeartbeat
            return [startTimer(after: silenceLimit)]
        case .retry(let wait):
            // A wait beyond the policy's bounds is one at the bound.
            retry = policy.clamp(seconds: wait.inSeconds).wait
            return heard(at: now)
        case .heartbeat:
            failures = 0
            return heard(at: now)
        case .event(let event):
            failures = 0
            return heard(at: now) + [.deliver(event)]
        case .closed(let error): return fall(error, at: now, using: &generator)
        }
    }

    private mutating func heard(at now: MonotonicInstant) -> [Action] {
        if case .live(let since, _) = state {
            state = .live(since: since, lastHeard: now)
            return []
        }
        failure = nil
        state = .live(since: now, lastHeard: now)
        return [.report(.opened(heartbeat: heartbeat)), startTimer(after: silenceLimit)]
    }

    // MARK: The timer

    private var silenceLimit: Duration { heartbeat * Self.silentHeartbeats }

    private mutating func startTimer(after wait: Duration) -> Action {
        lastTimer += 1
        timer = lastTimer
        return .startTimer(lastTimer, after: wait)
    }

    /// The timer is not started anew with every event: when it fires it looks how long it has been silent.
    private mutating func timerFired(
        at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        timer = nil
        switch state {
        case .waiting: return connect(resumes: true)
        case .connecting where acceptedAt == nil:
            return fall(StatusError(.timedOut(after: policy.checkTimeout)), at: now, using: &generator)
        case .connecting: return fall(StatusError(.stream(.silent(for: silenceLimit))), at: now, using: &generator)
        case .live(_, let lastHeard):
            let left = silenceLimit - lastHeard.duration(to: now)
            if left > .zero { return [startTimer(after: left)] }
            return fall(StatusError(.stream(.silent(for: silenceLimit))), at: now, using: &generator)
        case .off, .ended: return []
        }
    }
}

/// What the manager tells of a stream, for a dashboard, a log or a test.
public enum StreamReport: Equatable, Sendable {
    case connecting
    /// Something was heard: the stream lives, and asking rests.
    case opened(heartbeat: Duration)
    /// A connection has ended, and how long it had lived; nil where it never did. Lost heartbeats are
    /// ``StreamError/silent(for:)``.
    case closed(StatusError, lasted: Duration?)
    case retryScheduled(NextCheck)
    /// An event that is no status, such as ``StreamEvent/resourcesName``.
    case event(StreamEvent)
}
