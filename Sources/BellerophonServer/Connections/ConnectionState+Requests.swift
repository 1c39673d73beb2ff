import NIOCore
import NIOHTTP1

extension ConnectionState {
    // MARK: Input

    /// The client has completed the TLS handshake.
    mutating func handshakeCompleted(at now: NIODeadline) {
        guard case .handshaking = phase else { return }
        phase = .idle(until: end(of: limits.idleTime, from: now), isFirst: true)
    }

    /// Bytes arrived that the parser has not read yet. A request's first byte starts the time limit for its head.
    mutating func bytesCame(_ count: Int, at now: NIODeadline) {
        switch phase {
        case .idle: phase = .readingHead(bytes: count, until: end(of: limits.headerTime, from: now))
        case .readingHead(let bytes, let until): phase = .readingHead(bytes: bytes + count, until: until)
        case .handshaking, .replying, .streaming, .finishing, .lingering, .closed: break
        }
    }

    /// The parser has read all bytes that arrived. Refuses an incomplete head that exceeds the size limit.
    func bytesWereRead() -> ConnectionAction {
        guard case .readingHead(let bytes, _) = phase, bytes > limits.headerSize else { return .nothing }
        return .refuse(.headTooLarge)
    }

    /// The parser has read a part of a request.
    mutating func partCame(_ part: HTTPServerRequestPart, at now: NIODeadline) -> ConnectionAction {
        // Held parts arrived earlier.
        if isBetweenRequests, !held.isEmpty {
            held.append(part)
            return .nothing
        }
        return consume(part, at: now)
    }

    /// Takes the next held part, until a request goes to the endpoint or the channel is no longer writable.
    /// - Returns: nil if no part is to be taken now.
    mutating func consumeHeldPart(isWritable: Bool, at now: NIODeadline) -> ConnectionAction? {
        guard isBetweenRequests, isWritable, let part = held.popFirst() else {
            // A large buffer is not kept for one burst of requests.
            if held.isEmpty { held = CircularBuffer(initialCapacity: 0) }
            return nil
        }
        return consume(part, at: now)
    }

    /// Whether the next request may arrive at any time.
    var mayGetRequest: Bool {
        if case .handshaking = phase { true } else { isBetweenRequests }
    }

    var isBetweenRequests: Bool {
        switch phase {
        case .idle, .readingHead: true
        case .handshaking, .replying, .streaming, .finishing, .lingering, .closed: false
        }
    }

    private mutating func consume(_ part: HTTPServerRequestPart, at now: NIODeadline) -> ConnectionAction {
        switch phase {
        case .idle, .readingHead:
            guard case .head(let head) = part else { return .nothing }
            askUntil = nil
            phase = .idle(until: now + limits.idleTime, isFirst: false)
            return .begin(head)
        case .replying(let reply):
            if let body = reply.body { return consume(part, of: body, reply) }
            held.append(part)
            return .nothing
        case .handshaking, .streaming, .finishing, .lingering, .closed: return .nothing
        }
    }

    private mutating func consume(
        _ part: HTTPServerRequestPart, of body: BodyProgress, _ reply: PendingReply
    ) -> ConnectionAction {
        var (body, reply) = (body, reply)
        switch part {
        case .head: return .nothing
        case .body(let bytes):
            body.received += Int64(bytes.readableBytes)
            (reply.owesContinue, reply.body) = (false, body)
            phase = .replying(reply)
            if body.received > body.limit { return failBody(.tooLarge(body.limit)) }
            return body.isFailed ? .nothing : .passBody(bytes)
        case .end:
            reply.body = nil
            phase = .replying(reply)
            return body.isFailed ? .nothing : .completeBody
        }
    }

    /// The client has closed its side of the connection.
    mutating func inputClosed(at now: NIODeadline) -> ConnectionAction {
        switch phase {
        case .idle, .readingHead: return lastReplyWasWritten(dropsInput: false, at: now)
        case .replying(let reply) where reply.body == nil: changeReply { $0.isLast = true }
        // Pending output is written first.
        case .finishing: break
        case .handshaking, .replying, .streaming, .lingering, .closed: return close()
        }
        return .nothing
    }

    /// The channel has failed, or the parser cannot read the input.
    mutating func failed(with error: any Error) -> ConnectionAction {
        guard let error = error as? HTTPParserError, error != .invalidEOFState else { return close() }
        switch phase {
        case .idle, .readingHead: return .refuse(error == .headerOverflow ? .headTooLarge : .invalidRequest)
        case .replying(let reply) where reply.body != nil: return failBody(.invalidRequest)
        case .replying: changeReply { $0.isLast = true }
        case .handshaking, .streaming, .finishing, .lingering, .closed: return close()
        }
        return .nothing
    }

    // MARK: Requests

    /// The request that began last has turned the connection into a stream.
    mutating func streamOpened() {
        guard isBetweenRequests else { return }
        phase = .streaming
        held = CircularBuffer(initialCapacity: 0)
    }

    /// The endpoint handles the request that began last.
    /// - Parameters:
    ///   - body: nil if the request has no body.
    ///   - expectsContinue: the client waits for `100 Continue` before it sends the body.
    mutating func requestWasRouted(_ body: BodyProgress?, expectsContinue: Bool) {
        guard isBetweenRequests else { return }
        phase = .replying(PendingReply(owesContinue: expectsContinue && body != nil, body: body))
    }

    /// The endpoint has begun to read the body.
    /// - Returns: whether to send `100 Continue`.
    mutating func bodyIsRead() -> Bool {
        changeReply { reply in
            defer { reply.owesContinue = false }
            return reply.owesContinue
        } ?? false
    }

    /// The endpoint consumes the body more slowly than it arrives: reading pauses. The rest of a failed body is dropped, so
    /// that it never waits for the endpoint.
    mutating func bodyIsHeld() {
        changeReply { reply in
            if let body = reply.body { reply.body?.isHeld = !body.isFailed }
        }
    }

    /// The endpoint has consumed the buffered part of the body: reading resumes.
    mutating func bodyIsWanted() {
        changeReply { $0.body?.isHeld = false }
    }

    /// The body is incomplete and will not be completed.
    mutating func failBody(_ problem: HTTPError) -> ConnectionAction {
        guard case .replying(let reply) = phase, reply.body?.isFailed == false else { return .nothing }
        changeReply {
            $0.body?.isFailed = true
            $0.body?.isHeld = false
            $0.isLast = true
        }
        return .failBody(problem)
    }

    /// The head of the reply is about to be written.
    /// - Returns: whether the reply is the connection's last one.
    mutating func replyBegins(isDraining: Bool) -> Bool {
        changeReply {
            // The reply does not wait for the rest of the body, so that the connection cannot be used again.
            $0.isLast = $0.isLast || isDraining || $0.body != nil
            $0.owesContinue = false
            return $0.isLast
        } ?? true
    }

    /// The reply of the endpoint is complete.
    mutating func replyEnded(isLast: Bool, at now: NIODeadline) -> ConnectionAction {
        switch phase {
        case .replying(let reply):
            let isIncomplete = reply.body != nil
            if isLast || reply.isLast || isIncomplete { return lastReplyWasWritten(dropsInput: isIncomplete, at: now) }
            phase = .idle(until: now + limits.idleTime, isFirst: false)
            return .consumeHeldParts
        case .handshaking, .idle, .readingHead, .streaming, .finishing, .lingering, .closed: return .nothing
        }
    }

    /// - Returns: nil if the endpoint handles no request.
    @discardableResult
    mutating func changeReply<Value>(_ change: (inout PendingReply) -> Value) -> Value? {
        guard case .replying(var reply) = phase else { return nil }
        defer { phase = .replying(reply) }
        return change(&reply)
    }
}
