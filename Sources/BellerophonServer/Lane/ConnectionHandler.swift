#if Server
import BellerophonStore
import NIOCore
import NIOHTTP1
import NIOTLS

/// One connection: replies to frequent paths with prerendered bytes, holds streams, and passes the rest to the router.
///
/// It follows the HTTP/1 parser and writes bytes, so that a reply from the read model needs no task, conversion or
/// encoder. All of its code runs on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = Never
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the connection is doing.
    enum Phase {
        /// Between requests, or inside a request's head.
        case ready
        /// The router handles a request; later requests wait.
        case routed(Exchange)
        case streaming(EventStreamSubscriber)
        /// The last reply was written; further input is dropped.
        case ending
    }

    let loop: LoopState
    var phase = Phase.ready
    /// The index of this connection in the loop's list.
    var place = 0
    var context: ChannelHandlerContext?
    /// When the connection times out; the reason depends on the phase.
    var deadline: NIODeadline
    /// Parts of requests that arrived while an earlier request was in progress.
    var backlog = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    var needsFlush = false
    /// When the current request's head arrived.
    private(set) var arrived: NIODeadline
    /// The TLS handshake is in progress; nothing can be sent to the client yet.
    private var isSecuring: Bool
    private var hasHeldRead = false
    /// The output is closed or about to close; the connection ends when the client closes its side.
    private var isLingering = false
    /// Bytes received of an incomplete head.
    private var headBytes = 0
    /// At least one request has arrived.
    private var hasAsked = false
    /// Since when the channel has been unwritable; updated while the client takes bytes.
    private var stalledSince: NIODeadline?
    /// Bytes that waited for the client at the last measurement.
    private var waitingBytes = 0

    /// - Parameter isSecure: the connection begins with a TLS handshake, which may take `limits.headerTime`.
    init(_ loop: LoopState, isSecure: Bool = false) {
        self.loop = loop
        isSecuring = isSecure
        arrived = loop.now
        let limits = loop.settings.limits
        deadline = loop.now + TimeAmount(isSecure ? limits.headerTime : limits.idleTime)
    }

    var limits: Limits { loop.settings.limits }

    /// The stream's topic; nil if the connection is no stream.
    var streamTopic: StreamTopic? {
        guard case .streaming(let stream) = phase else { return nil }
        return stream.topic
    }

    // MARK: Channel lifecycle

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leavePhase()
        phase = .ending
        loop.remove(self)
        loop.limiters.connections.release()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leavePhase()
        context.fireChannelInactive()
    }

    /// Releases what the phase holds.
    private func leavePhase() {
        switch phase {
        case .routed(let exchange):
            exchange.abandon()
            exchange.place.release()
        case .streaming: loop.limiters.streams.release()
        case .ready, .ending: break
        }
        phase = .ending
    }

    func close() {
        leavePhase()
        context?.close(promise: nil)
    }

    // MARK: Input

    /// A request's first byte starts the time limit for its head.
    func bytesCame(_ count: Int) {
        guard case .ready = phase else { return }
        if headBytes == 0 { deadline = loop.now + TimeAmount(limits.headerTime) }
        headBytes += count
    }

    /// Refuses an incomplete head that exceeds the size limit.
    func bytesWereRead() {
        guard case .ready = phase, headBytes > limits.headerSize else { return }
        refuse(Self.headTooLarge)
    }

    static let headTooLarge = HTTPError(431, "the header is too large", hint: "send fewer or shorter fields")

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // Parts in the backlog arrived earlier.
        if case .ready = phase, !backlog.isEmpty { backlog.append(part) } else { take(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded()
        context.fireChannelReadComplete()
    }

    func take(_ part: HTTPServerRequestPart) {
        switch phase {
        case .ready:
            guard case .head(let head) = part else { return }
            headBytes = 0
            hasAsked = true
            deadline = loop.now + TimeAmount(limits.idleTime)
            arrived = .now()
            begin(head)
        case .routed(let exchange):
            if exchange.isBodyWhole { backlog.append(part) } else { exchange.take(part) }
        case .streaming, .ending: break
        }
    }

    /// Processes waiting requests until one of them goes to the router, or the channel is no longer writable.
    func takeBacklog() {
        while case .ready = phase, context?.channel.isWritable == true, let part = backlog.popFirst() { take(part) }
        if backlog.isEmpty { backlog = CircularBuffer(initialCapacity: 0) }
        flushIfNeeded()
        resumeReading()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            isSecuring = false
            deadline = loop.now + TimeAmount(limits.idleTime)
        }
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        switch phase {
        case .routed(let exchange) where exchange.isBodyWhole: exchange.mustClose = true
        // Pending output is written first.
        case .ending where !isLingering: break
        case .ready: end(dropsInput: false)
        case .routed, .streaming, .ending: close()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, error != .invalidEOFState else { return close() }
        let problem = HTTPError(400, "this is no valid HTTP/1.1 request", hint: "see RFC 9112")
        switch phase {
        case .ready: refuse(error == .headerOverflow ? Self.headTooLarge : problem)
        case .routed(let exchange) where exchange.isBodyWhole: exchange.mustClose = true
        case .routed(let exchange): exchange.fail(problem)
        case .streaming, .ending: close()
        }
    }

    // MARK: Back-pressure

    func read(context: ChannelHandlerContext) {
        hasHeldRead = !wantsInput
        if wantsInput { context.read() }
    }

    /// Whether to read from the socket. Input that could only wait is not read and stays in the client's buffers.
    private var wantsInput: Bool {
        switch phase {
        case .ready: context?.channel.isWritable ?? false
        case .routed(let exchange): !exchange.isBodyWhole && !exchange.isBodyHeld
        case .streaming: false
        case .ending: true
        }
    }

    func resumeReading() {
        guard hasHeldRead, wantsInput else { return }
        hasHeldRead = false
        context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalledSince = context.channel.isWritable ? nil : loop.now
        waitingBytes = bufferedBytes
        if context.channel.isWritable {
            switch phase {
            case .streaming(let stream): sendMissed(stream)
            case .ending where !isLingering: deadline = loop.now + TimeAmount(limits.stallTime)
            case .ready where !backlog.isEmpty: takeBacklog()
            case .ready, .routed, .ending: break
            }
            resumeReading()
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Output

    func write(_ bytes: ByteBuffer) {
        needsFlush = true
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flushIfNeeded() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    /// Closes the connection once everything is written.
    /// - Parameter dropsInput: the client may still be sending. An immediate close would reset the connection, and the
    ///   client could lose the reply; so only the output is closed, and input is dropped for 2 s.
    func end(dropsInput: Bool) {
        guard let context else { return }
        // Output written now would wait for a handshake that may never complete.
        if isSecuring { return close() }
        leavePhase()
        isLingering = dropsInput
        deadline = loop.now + (dropsInput ? .seconds(2) : TimeAmount(limits.stallTime))
        needsFlush = false
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(mode: dropsInput ? .output : .all, promise: nil)
        }
        waitingBytes = bufferedBytes
        resumeReading()
    }

    // MARK: The clock

    func tick() {
        if let stalledSince {
            if hasTakenBytes() {
                self.stalledSince = loop.now
            } else if loop.now - stalledSince >= TimeAmount(limits.stallTime) {
                return close()
            }
        }
        switch phase {
        case .ready:
            guard loop.now >= deadline, backlog.isEmpty else { return }
            if headBytes == 0 { return end(dropsInput: false) }
            refuse(HTTPError(408, "the request took too long", hint: "send its header at once"))
        case .routed(let exchange):
            guard !exchange.isBodyWhole, loop.now >= deadline else { return }
            exchange.fail(
                HTTPError(408, "the body took too long", hint: "send it faster, or raise limits.uploadTime for a resource"))
        case .streaming(let stream): beat(stream)
        case .ending:
            // A client that reads the last reply slowly still gets all of it.
            if !isLingering, stalledSince != nil { return }
            if !isLingering, hasTakenBytes() { deadline = loop.now + TimeAmount(limits.stallTime) }
            if loop.now >= deadline { close() }
        }
    }

    /// Whether fewer bytes wait than at the last measurement: a client that took some is slow, not gone.
    private func hasTakenBytes() -> Bool {
        let before = waitingBytes
        waitingBytes = bufferedBytes
        return waitingBytes < before
    }

    private var bufferedBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// The time for a connection's first request to arrive after the server begins to shut down.
    private static let firstRequestTime = TimeAmount.seconds(2)

    /// Prepares the connection for the server's shutdown.
    /// - Parameter window: the time over which the clients of streams spread their reconnects.
    func drain(returningWithin window: Duration) {
        switch phase {
        case .ready where headBytes > 0: break
        // The connection was accepted, and its first request may be in transit: it gets a reply.
        case .ready where !hasAsked: deadline = min(deadline, .now() + Self.firstRequestTime)
        // The end of a reply and another request may be in transit, and closing both directions would then reset the
        // connection. Only the output is closed; the client sends its next request on another connection.
        case .ready: end(dropsInput: true)
        case .streaming:
            write(StreamEvent.goodbye(within: window))
            end(dropsInput: false)
        case .routed(let exchange): exchange.mustClose = true
        case .ending: break
        }
    }
}
#endif
