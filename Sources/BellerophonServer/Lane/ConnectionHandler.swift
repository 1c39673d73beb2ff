#if Server
import BellerophonStore
import NIOCore
import NIOHTTP1
import NIOTLS

/// One connection: answers hot paths with prerendered bytes, holds streams, and gives the rest to the router.
///
/// It stands after the HTTP/1 parser and writes bytes, so an answer from the read model costs no task, no conversion
/// and no encoder. Everything here happens on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = Never
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the connection is busy with.
    enum Phase {
        /// Between requests, or inside a request's head.
        case ready
        /// The router works on a request; what comes after it waits.
        case routed(Exchange)
        case streaming(EventStreamSubscriber)
        /// The last answer was written; what still comes is dropped.
        case ending
    }

    let loop: LoopState
    var phase = Phase.ready
    /// Where the loop's list has this connection.
    var place = 0
    var context: ChannelHandlerContext?
    /// When the connection ends unless something happens; what, depends on the phase.
    var deadline: NIODeadline
    /// Requests that came before the router was done with the one before them.
    var backlog = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    var needsFlush = false
    /// When the present request's head was taken up.
    private(set) var arrived: NIODeadline
    /// The TLS handshake is under way: nothing reaches the client yet.
    private var isSecuring: Bool
    private var hasHeldRead = false
    /// Our direction is closed, or will be: the client's end of its own ends the connection.
    private var isLingering = false
    /// Bytes of a request's head that has not come whole.
    private var headBytes = 0
    /// A request has come.
    private var hasAsked = false
    /// Since when the client takes no bytes though too many wait.
    private var stalledSince: NIODeadline?
    /// Bytes that waited for the client at the last look.
    private var waitingBytes = 0

    /// - Parameter isSecure: it begins with a TLS handshake, which may take as long as a request's header.
    init(_ loop: LoopState, isSecure: Bool = false) {
        self.loop = loop
        isSecuring = isSecure
        arrived = loop.now
        let limits = loop.settings.limits
        deadline = loop.now + TimeAmount(isSecure ? limits.headerTime : limits.idleTime)
    }

    var limits: Limits { loop.settings.limits }

    /// What this is a stream of; nil where it is none.
    var streamTopic: StreamTopic? {
        guard case .streaming(let stream) = phase else { return nil }
        return stream.topic
    }

    // MARK: The channel's life

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

    /// Gives back what a phase took.
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

    /// A request's first byte starts the time in which its head must be whole.
    func bytesCame(_ count: Int) {
        guard case .ready = phase else { return }
        if headBytes == 0 { deadline = loop.now + TimeAmount(limits.headerTime) }
        headBytes += count
    }

    /// A head that grows past the limit without an end.
    func bytesWereRead() {
        guard case .ready = phase, headBytes > limits.headerSize else { return }
        refuse(Self.headTooLarge)
    }

    static let headTooLarge = HTTPError(431, "the header is too large", hint: "send fewer or shorter fields")

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // What waits came before it.
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

    /// Takes the requests that waited, until one of them goes to the router, or the client takes no more answers.
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
        // What is still to be written is waited for.
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

    /// Nothing is read that could only wait: the client's own buffers then hold it.
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

    /// Ends the connection once everything is written.
    /// - Parameter dropsInput: the client may still be sending. Closing at once would reset the connection and lose
    ///   the answer on its way, so that only our direction is closed and what comes is dropped for 2 s.
    func end(dropsInput: Bool) {
        guard let context else { return }
        // What is written now would wait for a handshake that may never end.
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
            // A client that is slow to take the last answer still gets the whole of it.
            if !isLingering, stalledSince != nil { return }
            if !isLingering, hasTakenBytes() { deadline = loop.now + TimeAmount(limits.stallTime) }
            if loop.now >= deadline { close() }
        }
    }

    /// Whether fewer bytes wait for the client than at the last look: one that took some is slow, not gone.
    private func hasTakenBytes() -> Bool {
        let before = waitingBytes
        waitingBytes = bufferedBytes
        return waitingBytes < before
    }

    private var bufferedBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// How long a connection that has asked nothing yet may take until its first request, once the server goes down.
    private static let firstRequestTime = TimeAmount.seconds(2)

    /// The server is going down.
    /// - Parameter window: the time over which streams' clients come back.
    func drain(returningWithin window: Duration) {
        switch phase {
        case .ready where headBytes > 0: break
        // What was accepted is answered, and its first bytes may be on their way.
        case .ready where !hasAsked: deadline = min(deadline, .now() + Self.firstRequestTime)
        // The end of an answer may still be on its way, and so may another request: closing both directions would reset
        // the connection then. A client that sees its end asks on another one.
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
