import NIOCore
import NIOHTTP1

/// The protocol state of one connection: what it waits for, until when, and when it ends.
///
/// It is a value without a channel or a clock. ``ConnectionHandler`` reports each event with the present time and
/// performs the returned action.
struct ConnectionState: Equatable {
    /// What the connection is doing. `until` is the time at which the connection, or its request, is given up.
    enum Phase: Equatable {
        /// The TLS handshake is in progress; nothing can be sent to the client yet.
        case handshaking(until: NIODeadline)
        /// Between requests.
        /// - isFirst: no request has arrived yet.
        case idle(until: NIODeadline, isFirst: Bool)
        /// This number of bytes of an incomplete head has arrived.
        case readingHead(bytes: Int, until: NIODeadline)
        /// The endpoint handles a request. Later ones wait once its body is complete.
        case replying(PendingReply)
        /// The connection is a stream; input is not read.
        case streaming
        /// The last reply was written, and the connection closes once the client has it, or has stalled; input is dropped.
        case finishing
        /// The output is closed or about to close, and the connection ends when the client closes its side; input is
        /// dropped.
        case lingering(until: NIODeadline)
        /// The connection is closed or about to close.
        case closed
    }

    /// How much of a request's body has arrived.
    struct BodyProgress: Equatable {
        let until: NIODeadline
        /// The maximum size in bytes.
        let limit: Int64
        var received: Int64 = 0
        /// Reading is paused because the endpoint consumes the body too slowly.
        var isHeld = false
        /// The endpoint was told that the body has failed; the rest is dropped.
        var isFailed = false
    }

    /// The reply to the request that the endpoint handles.
    struct PendingReply: Equatable {
        /// The connection ends after the reply.
        var isLast = false
        /// The client waits for `100 Continue` before it sends the body.
        var owesContinue = false
        /// Nil if the request is complete.
        var body: BodyProgress?
    }

    /// The time for which input is dropped after the last reply.
    static let lingerTime = TimeAmount.seconds(2)

    let limits: Limits
    var phase: Phase
    /// Since when the channel has been unwritable, or the last reply waits for the client; updated while the client takes bytes. Nil
    /// otherwise.
    private(set) var stalledSince: NIODeadline?
    /// The bytes that waited for the client at the last measurement.
    var waiting = 0
    /// Parts of requests that arrived while an earlier request was in progress.
    var held = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    /// The time by which the first request must be complete on a reserved connection; nil on others, and after it.
    var askUntil: NIODeadline?
    /// The channel wanted to read when no input was wanted.
    private var hasHeldRead = false

    /// - Parameters:
    ///   - isSecure: the connection begins with a TLS handshake, which may take `limits.headerTime`.
    ///   - isReserved: the client must show a token in time: see ``Limiters``.
    ///   - until: how long a connection that has had requests waits for another one; nil for others.
    init(_ limits: Limits, isSecure: Bool, isReserved: Bool = false, idleUntil until: NIODeadline? = nil, at now: NIODeadline) {
        self.limits = limits
        askUntil = isReserved ? now + limits.tokenTime : nil
        phase = .closed
        phase =
            isSecure
            ? .handshaking(until: end(of: limits.headerTime, from: now))
            : .idle(until: until ?? end(of: limits.idleTime, from: now), isFirst: until == nil)
    }

    /// The end of a wait for the first request, or for a part of it.
    func end(of time: Duration, from now: NIODeadline) -> NIODeadline { min(now + time, askUntil ?? .distantFuture) }

    // MARK: The end

    /// The last reply of the connection was written.
    /// - Parameter dropsInput: the client may still be sending. An immediate close would reset the connection, and the
    ///   client could lose the reply; so only the output is closed, and input is dropped for ``lingerTime``.
    mutating func lastReplyWasWritten(dropsInput: Bool, at now: NIODeadline) -> ConnectionAction {
        switch phase {
        // The reply would wait for a handshake that may never complete.
        case .handshaking: return close()
        case .finishing, .lingering, .closed: return .nothing
        case .idle, .readingHead, .replying, .streaming: break
        }
        phase = dropsInput ? .lingering(until: now + Self.lingerTime) : .finishing
        if !dropsInput { stalledSince = stalledSince ?? now }
        return .closeOnceWritten(dropsInput ? .output : .all)
    }

    /// Ends the connection without waiting for pending output.
    mutating func close() -> ConnectionAction {
        guard phase != .closed else { return .nothing }
        phase = .closed
        return .close
    }

    /// Prepares the connection for the server's shutdown.
    /// - Parameters:
    ///   - window: the time over which the clients of streams spread their reconnects.
    ///   - keepsIdle: a connection between two requests stays open for its next one, for a while.
    mutating func drain(returningWithin window: Duration, keepsIdle: Bool, at now: NIODeadline) -> ConnectionAction {
        switch phase {
        // The connection was accepted, and its first request may be in transit: it gets a reply.
        case .handshaking(let until): phase = .handshaking(until: min(until, now + limits.firstRequestTime))
        case .idle(let until, let isFirst) where isFirst || keepsIdle || !held.isEmpty:
            phase = .idle(until: min(until, now + limits.firstRequestTime), isFirst: isFirst)
        // The end of a reply and another request may be in transit, and closing both directions would then reset the
        // connection. Only the output is closed; the client sends its next request on another connection.
        case .idle: return lastReplyWasWritten(dropsInput: true, at: now)
        case .replying: changeReply { $0.isLast = true }
        case .streaming: return .endStream(within: window)
        case .readingHead, .finishing, .lingering, .closed: break
        }
        return .nothing
    }

    /// Ends the connection unless an endpoint handles its request. A client whose request is incomplete may send it again on another
    /// connection (RFC 9110, section 15.5.9).
    mutating func endRequests(at now: NIODeadline) -> ConnectionAction {
        switch phase {
        case .handshaking: close()
        case .idle: lastReplyWasWritten(dropsInput: true, at: now)
        case .readingHead: .refuse(.headTooSlow)
        case .replying, .streaming, .finishing, .lingering, .closed: .nothing
        }
    }

    // MARK: Back-pressure

    /// Whether to read from the socket. Input that could only wait is not read and stays in the client's buffers.
    private func wantsInput(isWritable: Bool) -> Bool {
        switch phase {
        case .handshaking, .idle, .readingHead: isWritable
        case .replying(let reply): reply.body.map { !$0.isHeld } ?? false
        case .streaming: false
        case .finishing, .lingering, .closed: true
        }
    }

    /// The channel is ready to read.
    /// - Returns: whether to read now; if not, the read is held until ``resumesReading(isWritable:)`` is true.
    mutating func readWasRequested(isWritable: Bool) -> Bool {
        hasHeldRead = !wantsInput(isWritable: isWritable)
        return !hasHeldRead
    }

    /// Whether to perform a read that was held; true once per held read.
    mutating func resumesReading(isWritable: Bool) -> Bool {
        guard hasHeldRead, wantsInput(isWritable: isWritable) else { return false }
        hasHeldRead = false
        return true
    }

    /// The channel is writable again, or no longer.
    /// - Parameter waiting: the bytes that wait for the client.
    mutating func writabilityChanged(_ isWritable: Bool, waiting: Int, at now: NIODeadline) -> ConnectionAction {
        self.waiting = waiting
        stalledSince = isWritable && phase != .finishing ? nil : now
        guard isWritable else { return .nothing }
        switch phase {
        case .streaming: return .sendMissedEvents
        case .idle, .readingHead: return held.isEmpty ? .nothing : .consumeHeldParts
        case .handshaking, .replying, .finishing, .lingering, .closed: return .nothing
        }
    }

    // MARK: The clock

    /// Whether the connection closes because no request came in time.
    func isIdle(beyond now: NIODeadline) -> Bool {
        guard case .idle(let until, _) = phase, held.isEmpty, stalledSince == nil else { return false }
        return now >= until
    }

    /// Compares the deadlines with the present time.
    /// - Parameter waiting: measures the bytes that wait for the client. It is called only if the result depends on them.
    mutating func tick(at now: NIODeadline, waiting: () -> Int) -> ConnectionAction {
        if hasStalled(at: now, waiting: waiting) { return close() }
        switch phase {
        case .handshaking(let until): return now >= until ? close() : .nothing
        case .idle(let until, _):
            guard now >= until, held.isEmpty else { return .nothing }
            if askUntil != nil { return .refuse(.busy(retryAfter: ConnectionHandler.retryAfter)) }
            return lastReplyWasWritten(dropsInput: false, at: now)
        case .readingHead(_, let until): return now >= until && held.isEmpty ? .refuse(.headTooSlow) : .nothing
        case .replying(let reply):
            guard let body = reply.body, now >= body.until else { return .nothing }
            return failBody(.bodyTooSlow)
        case .streaming: return .sendHeartbeat
        case .lingering(let until): return now >= until ? close() : .nothing
        case .finishing, .closed: return .nothing
        }
    }

    /// Whether the client has taken nothing of what waits for it for ``Limits/stallTime``. One that took some is slow, not gone.
    private mutating func hasStalled(at now: NIODeadline, waiting: () -> Int) -> Bool {
        guard let since = stalledSince else { return false }
        let former = self.waiting
        self.waiting = waiting()
        if self.waiting < former { stalledSince = now }
        return self.waiting >= former && now - since >= TimeAmount(limits.stallTime)
    }
}
