import NIOCore

/// A handler before the parser that passes raw input to the connection's handler, which times a head from its first byte: the parser
/// reports only complete ones. It begins with what the connection brings along from the ``Readers``.
final class ConnectionAdmission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let handler: ConnectionHandler
    private var arrival: Arrival?

    init(_ handler: ConnectionHandler, _ arrival: Arrival? = nil) {
        self.handler = handler
        self.arrival = arrival
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard let arrival else { return }
        self.arrival = nil
        if arrival.output.readableBytes > 0 { handler.write(arrival.output) }
        if arrival.input.readableBytes > 0 { channelRead(context: context, data: wrapInboundOut(arrival.input)) }
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        handler.bytesCame(unwrapInboundIn(data))
        context.fireChannelRead(data)
        handler.bytesWereRead()
    }
}

/// Refuses a connection above the limit with 503 and `Retry-After`, and closes it.
///
/// Input is read and dropped for ``linger``: an immediate close would reset the connection, and the client could lose
/// the reply.
final class Shedder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let retryAfter = 5
    static let linger = TimeAmount.seconds(1)
    private let date: String

    init(date: String) {
        self.date = date
    }

    func channelActive(context: ChannelHandlerContext) {
        let problem = HTTPError.busy(retryAfter: Self.retryAfter)
        let bytes = ResponseHead.problem(problem, date: date, isHead: false)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in
            bound.value.close(mode: .output, promise: nil)
        }
        context.eventLoop.scheduleTask(in: Self.linger) { bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
