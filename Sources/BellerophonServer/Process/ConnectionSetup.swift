#if Server
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The handlers of a new connection.
enum ConnectionSetup {
    static func add(to channel: any Channel, _ loop: LoopState, tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        let limits = loop.settings.limits
        guard loop.limiters.connections.acquire(limit: limits.connections) else {
            loop.countShed()
            guard loop.limiters.shedding.acquire(limit: limits.shedAtOnce) else { throw ConnectionGone() }
            let limiters = loop.limiters
            channel.closeFuture.whenComplete { _ in limiters.shedding.release() }
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            return try pipeline.addHandler(Shedder(date: loop.date))
        }
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try addLane(to: pipeline, loop, isSecure: tls != nil)
    }

    /// Makes a channel of a connection that was at a ``ReaderLane``. It has kept its slot.
    static func take(back returned: ReturnedConnection, _ loop: LoopState) {
        let hasHandler = NIOLoopBoundBox(false, eventLoop: loop.loop)
        ClientBootstrap(group: loop.loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try addLane(to: channel.pipeline.syncOperations, loop, isSecure: false, returned)
                    hasHandler.value = true
                }
            }
            .withConnectedSocket(returned.socket)
            .whenFailure { _ in
                if !hasHandler.value { loop.limiters.connections.release() }
            }
    }

    /// Adds the parser and the lane. The lane releases the connection's slot when it is removed.
    static func addLane(
        to pipeline: ChannelPipeline.SynchronousOperations, _ loop: LoopState, isSecure: Bool,
        _ returned: ReturnedConnection? = nil
    ) throws {
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = loop.settings.limits.headerSize
        limit.maxHeaderListSize = loop.settings.limits.headerSize
        limit.maxHeaderFieldCount = 100
        let lane = ConnectionHandler(loop, isSecure: isSecure, returned: returned)
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(ConnectionAdmission(lane, returned))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(lane)
    }
}
#endif
