import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Makes channels of connections that arrive at an event loop.
enum ConnectionSetup {
    /// - Parameter tls: nil without TLS.
    static func receive(_ arrival: Arrival, _ loop: LoopState, tls: NIOSSLContext?) {
        loop.adopt(arrival.readModel)
        loop.willArrive()
        let handler = NIOLoopBound(ConnectionHandler(loop, arrival, isSecure: tls != nil), eventLoop: loop.loop)
        ClientBootstrap(group: loop.loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            // A channel keeps as many buffers as it may read at a time.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try add(handler.value, to: pipeline, arrival)
                }
            }
            .withConnectedSocket(arrival.connection.socket)
            .whenComplete { _ in loop.hasArrived(handler.value) }
    }

    /// Adds the parser and the connection's handler.
    static func add(
        _ handler: ConnectionHandler, to pipeline: ChannelPipeline.SynchronousOperations, _ arrival: Arrival? = nil
    ) throws {
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = handler.limits.headerSize
        limit.maxHeaderListSize = handler.limits.headerSize
        limit.maxHeaderFieldCount = 100
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(ConnectionAdmission(handler, arrival))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(handler)
    }
}
