import CPoll
import NIOCore
import NIOHTTP1
import NIOTLS

/// One connection: replies to frequent paths with prerendered bytes, holds streams, and passes the rest to endpoints.
///
/// It follows the HTTP/1 parser and writes bytes, so that a reply from the read model needs no task, conversion or
/// encoder. ``ConnectionState`` decides what happens; the handler reports events to it and performs its actions. All of
/// its code runs on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = Never
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The seconds after which a client that is refused may try again.
    static let retryAfter = 5

    let loop: LoopState
    /// Nil in tests, and once the connection has ended.
    private var slot: Slot?
    /// The connection is beyond the limit, and only for a client with a token.
    let isReserved: Bool
    var state: ConnectionState
    /// The request that an endpoint handles.
    var exchange: Exchange?
    /// Nil if the connection is no stream.
    var stream: EventStreamSubscriber?
    /// The index of this connection in the loop's list.
    var index = 0
    var context: ChannelHandlerContext?
    var needsFlush = false
    /// When the current request's head arrived.
    var arrived: NIODeadline

    /// - Parameters:
    ///   - arrival: what the connection brings along; nil in tests.
    ///   - isSecure: the connection begins with a TLS handshake, which may take `limits.headerTime`.
    init(_ loop: LoopState, _ arrival: Arrival? = nil, isSecure: Bool = false) {
        self.loop = loop
        slot = arrival?.connection.slot
        isReserved = slot?.isReserved ?? false
        state = ConnectionState(
            loop.settings.limits, isSecure: isSecure, isReserved: isReserved || slot?.isRefused ?? false,
            idleUntil: arrival.flatMap { $0.connection.isFirst ? nil : $0.connection.until }, at: .now())
        arrived = loop.now
    }

    var limits: Limits { loop.settings.limits }

    /// Each reply is the connection's last one.
    var endsAfterReply: Bool { loop.isDraining || isReserved }

    // MARK: Channel lifecycle

    /// Adds the parser and this handler.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, _ arrival: Arrival) throws {
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = limits.headerSize
        limit.maxHeaderListSize = limits.headerSize
        limit.maxHeaderFieldCount = 100
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(ConnectionAdmission(self, arrival))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        state.phase = .closed
        release()
        loop.remove(self)
        slot = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        refuseBeyondLimits()
        context.fireChannelActive()
    }

    /// Refuses a connection beyond all limits as soon as something can be sent to its client.
    private func refuseBeyondLimits() {
        guard slot?.isRefused ?? false, state.isBetweenRequests else { return }
        write(ResponseHead.problem(.busy(retryAfter: Self.retryAfter), date: loop.date, isHead: false))
        end(dropsInput: true)
        // While it stays open it takes the place of another refused one.
        if case .lingering = state.phase { state.phase = .lingering(until: loop.now + .seconds(1)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        state.phase = .closed
        release()
        context.fireChannelInactive()
    }

    /// Releases what the request or the stream holds.
    private func release() {
        exchange?.abandon()
        (exchange, stream) = (nil, nil)
    }

    // MARK: Input

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(state.partCame(unwrapInboundIn(data), at: loop.now))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            state.handshakeCompleted(at: loop.now)
            refuseBeyondLimits()
        }
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        exchange?.clientSaysNoMore()
        perform(state.inputClosed(at: loop.now))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(state.failed(with: error))
    }

    // MARK: Back-pressure

    var isWritable: Bool { context?.channel.isWritable ?? false }

    /// The bytes that were written and that the client has not taken yet.
    var bufferedBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func read(context: ChannelHandlerContext) {
        if state.readWasRequested(isWritable: isWritable) { context.read() }
    }

    func resumeReading() {
        if state.resumesReading(isWritable: isWritable) { context?.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        perform(state.writabilityChanged(isWritable, waiting: bufferedBytes, at: loop.now))
        if isWritable { resumeReading() }
        context.fireChannelWritabilityChanged()
    }

    // MARK: The clock

    func tick() {
        // A request that has arrived is answered, and not lost with the connection.
        if state.isIdle(beyond: loop.now), hasUnreadInput { return }
        perform(state.tick(at: loop.now) { bufferedBytes })
    }

    /// Prepares the connection for the server's shutdown.
    /// - Parameters:
    ///   - window: the time over which the clients of streams spread their reconnects.
    ///   - keepsIdle: a connection between two requests stays open for its next one, for a while.
    func drain(returningWithin window: Duration, keepsIdle: Bool) {
        // The head of the reply was written and does not say that the connection ends: the client sends its next request here.
        if let exchange, exchange.hasBegun, exchange.persistence != .close { return }
        perform(state.drain(returningWithin: window, keepsIdle: keepsIdle || hasUnreadInput, at: .now()))
    }

    /// Whether the connection may still get a request, or has one that changes what clients read. An upload, which may take an hour,
    /// does not count.
    var mayChangeReads: Bool { state.mayGetRequest || exchange.map { $0.isChange } ?? false }

    /// Ends the connection unless a transfer or a change is in progress. The client sends its next request on another one.
    func endRequests() {
        if let exchange, exchange.isChange { perform(state.failBody(.bodyTooSlow)) }
        perform(state.endRequests(at: .now()))
    }

    /// Whether bytes have arrived at the socket that the channel has not read yet.
    private var hasUnreadInput: Bool {
        let hasInput = try? context?.channel.pipeline.syncOperations
            .withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { cpoll_has_input($0) != 0 }
        return hasInput ?? false
    }

    // MARK: Output

    func write(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
        needsFlush = true
        context?.write(wrapOutboundOut(bytes), promise: promise)
    }

    func flushIfNeeded() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    /// Closes the connection once everything is written.
    /// - Parameter dropsInput: the client may still be sending.
    func end(dropsInput: Bool) {
        perform(state.lastReplyWasWritten(dropsInput: dropsInput, at: loop.now))
    }

    func close() {
        perform(state.close())
    }

    // MARK: Actions

    func perform(_ action: ConnectionAction) {
        switch action {
        case .nothing: break
        case .begin(let head):
            arrived = .now()
            begin(head)
        case .passBody(let bytes): if exchange?.passBody(bytes) == false { state.bodyIsHeld() }
        case .completeBody: exchange?.endBody()
        case .failBody(let problem): exchange?.endBody(problem)
        case .refuse(let problem): refuse(problem)
        case .consumeHeldParts: consumeHeldParts()
        case .sendMissedEvents: sendMissed()
        case .sendHeartbeat: beat()
        case .endStream(let window):
            write(StreamEvent.goodbye(within: window))
            end(dropsInput: false)
        case .closeOnceWritten(let mode): closeOnceWritten(mode)
        case .close:
            release()
            context?.close(promise: nil)
        }
    }

    private func consumeHeldParts() {
        while let action = state.consumeHeldPart(isWritable: isWritable, at: loop.now) { perform(action) }
        flushIfNeeded()
        resumeReading()
    }

    private func closeOnceWritten(_ mode: CloseMode) {
        release()
        guard let context else { return }
        needsFlush = false
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(mode: mode, promise: nil)
        }
        state.waiting = bufferedBytes
        resumeReading()
    }
}
