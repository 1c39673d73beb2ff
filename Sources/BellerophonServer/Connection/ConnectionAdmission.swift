#if Server
import NIOCore

/// A handler before the parser that passes raw input to the lane. The lane replies to simple requests without the parser, and
/// times all other heads from their first byte, because the parser reports only complete ones.
final class ConnectionAdmission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let lane: ConnectionHandler
    private var returned: ReturnedConnection?

    /// - Parameter returned: what a connection that was at a ``ReaderLane`` comes back with.
    init(_ lane: ConnectionHandler, _ returned: ReturnedConnection? = nil) {
        self.lane = lane
        self.returned = returned
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard let returned else { return }
        self.returned = nil
        if returned.output.readableBytes > 0 { lane.write(returned.output) }
        if returned.input.readableBytes > 0 { channelRead(context: context, data: wrapInboundOut(returned.input)) }
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let used = lane.answerDirectly(bytes)
        guard used < bytes.readableBytes else { return }
        bytes.moveReaderIndex(forwardBy: used)
        lane.bytesCame(bytes)
        context.fireChannelRead(used == 0 ? data : wrapInboundOut(bytes))
        lane.bytesWereRead()
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
#endif
