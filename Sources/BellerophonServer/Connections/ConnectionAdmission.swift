import NIOCore

/// A handler before the parser that passes raw input to the connection's handler, which times a head from its first byte: the parser
/// reports only complete ones. It begins with what the connection brings along from the ``Readers``.
final class ConnectionAdmission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let handler: ConnectionHandler
    private var arrival: Arrival?

    init(_ handler: ConnectionHandler, _ arrival: Arrival) {
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
        handler.state.bytesCame(unwrapInboundIn(data).readableBytes, at: handler.loop.now)
        context.fireChannelRead(data)
        handler.perform(handler.state.bytesWereRead())
    }
}
