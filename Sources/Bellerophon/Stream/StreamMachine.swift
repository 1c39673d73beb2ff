import BellerophonBase

/// Decides when to connect to a stream, when it is live, and when it has failed. A pure value like ``StageMachine``: time
/// and randomness are parameters. It does not interpret statuses.
///
/// A stream is live after its first event or heartbeat, not when the response begins: a proxy that withholds events must
/// not stop the polling.
package struct StreamMachine: Equatable, Sendable {
    /// Identifies a connection.
    package typealias ConnectionID = Int
    /// Identifies a timer.
    package typealias TimerID = Int

    /// The state of the stream.
    package enum State: Equatable, Sendable {
        /// Not started, or stopped.
        case off
        /// The request is in progress, or accepted without an event or heartbeat yet.
        case connecting
        /// An event, a heartbeat or a `retry` field has been received on this connection.
        case live(since: MonotonicInstant, lastHeard: MonotonicInstant)
        /// The next attempt is scheduled.
        case waiting(NextCheck)
        /// The server wants no further connection (HTTP 204).
        case ended(StatusError)
    }

    /// An input of the machine.
    package enum Event: Equatable, Sendable {
        /// Connect, unless a connection exists or the server wants none.
        case started
        /// Close any connection and connect immediately: after a sleep, or at a person's request.
        /// - isFresh: whether the server should repeat the status even if it is known. Only a fresh restart connects to a
        ///   server that wants no connection.
        case restarted(isFresh: Bool)
        /// Close the connection.
        case stopped
        /// A signal of the connection with this id. Signals of earlier connections are ignored.
        case signal(ConnectionID, StreamSignal)
        /// The timer with this id has fired.
        case timerFired(TimerID)
    }

    /// What the shell must do.
    package enum Action: Equatable, Sendable {
        /// Start a connection. Its signals are reported with the same id.
        /// - resumes: whether to send the id of the last known status.
        case connect(ConnectionID, resumes: Bool)
        /// Cancel the connection.
        case disconnect(ConnectionID)
        /// Start the timer. It replaces the running one.
        case startTimer(TimerID, after: Duration)
        /// Stop the timer.
        case stopTimer
        /// Pass on an event.
        case deliver(StreamEvent)
        /// Report to observers.
        case report(StreamReport)
    }

    /// The default of ``retry``, until the server sends a `retry` field.
    package static let defaultRetry = Duration.seconds(3)
    /// The default of ``heartbeat``, if the server states none.
    package static let assumedHeartbeat = Duration.seconds(30)
    /// The number of missed heartbeats after which a stream has failed.
    package static let silentHeartbeats = 3
    /// The number of failures that a flood stands for.
    static let floodFailures = 6

    /// The state of the stream.
    package private(set) var state = State.off
    /// The number of consecutive connections without an event or heartbeat. A connection that ends with
    /// ``StreamError/flood`` counts as six.
    package private(set) var failures = 0
    /// Why the last connection ended; nil once a connection is live.
    package private(set) var failure: StatusError?
    /// The interval between the server's heartbeats.
    package private(set) var heartbeat = assumedHeartbeat
    /// The base of the wait before a reconnection, within the bounds of ``policy``.
    package private(set) var retry = defaultRetry

    /// The bounds of the waits, and the time-out of a connection.
    package var policy: PollPolicy
    /// Whether the stream is the only source of statuses. The machine then reconnects, rarely, even if the server wants
    /// none.
    package let isIndispensable: Bool
    private var connection: ConnectionID?
    private var lastConnection: ConnectionID = 0
    /// When the response head arrived; nil before.
    private var acceptedAt: MonotonicInstant?
    private var timer: TimerID?
    private var lastTimer: TimerID = 0

    /// Creates a machine in the state ``State/off``.
    package init(policy: PollPolicy = PollPolicy(), isIndispensable: Bool = false) {
        self.policy = policy
        self.isIndispensable = isIndispensable
    }

    /// Whether the stream is live.
    package var isLive: Bool {
        if case .live = state { true } else { false }
    }

    /// Processes one event and returns the actions to perform.
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: the current time on a monotonic clock, never earlier than at the last call.
    ///   - generator: the source of the backoff's jitter.
    package mutating func handle(
        _ event: Event, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch event {
        case .started: start()
        case .restarted(let isFresh): restart(isFresh: isFresh)
        case .stopped: stop()
        case .signal(let id, let signal): id == connection ? receive(signal, at: now, using: &generator) : []
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

    /// Stops the stream. The state ``State/ended(_:)`` is kept.
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
        // The signals of a flood count as success. Without this a flood would be asked for again at once.
        failures = error.reason == .stream(.flood) ? Self.floodFailures : failures + 1
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
                afterFailures: failures, base: retry, asked: error.metadata?.retryAfter, at: now, using: &generator
            )
        state = .waiting(next)
        return closed + [startTimer(after: next.wait), .report(.retryScheduled(next))]
    }

    // MARK: Signals

    private mutating func receive(
        _ signal: StreamSignal, at now: MonotonicInstant, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        switch signal {
        case .opened(let interval, _):
            acceptedAt = now
            heartbeat = interval ?? Self.assumedHeartbeat
            return [startTimer(after: silenceLimit)]
        case .retry(let wait):
            // A wait beyond the policy's bounds is clamped.
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

    /// Handles the timer. It is not restarted with every event; when it fires, the time of silence is computed.
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

/// What the manager reports about a stream, for a dashboard, a log or a test.
package enum StreamReport: Equatable, Sendable {
    /// A connection is started.
    case connecting
    /// The stream is live, and polling is reduced to safety checks.
    case opened(heartbeat: Duration)
    /// A connection has ended. `lasted` is the time for which it was live; nil if it never was. Missed heartbeats are
    /// reported as ``StreamError/silent(for:)``.
    case closed(StatusError, lasted: Duration?)
    /// The next attempt was scheduled.
    case retryScheduled(NextCheck)
    /// An event that is not a status, such as ``StreamEvent/resourcesName``.
    case event(StreamEvent)
}
