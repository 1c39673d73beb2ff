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
        let address = limits.connectionRule.key(ofSocket: channel.remoteAddress)
        guard let slot = loop.limiters.connections.take(address, limits) else {
            loop.countShed()
            guard loop.limiters.shedding.acquire(limit: limits.shedAtOnce) else { throw ConnectionGone() }
            let limiters = loop.limiters
            channel.closeFuture.whenComplete { _ in limiters.shedding.release() }
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            return try pipeline.addHandler(Shedder(date: loop.date))
        }
        let lane = ConnectionHandler(loop, slot, isSecure: tls != nil)
        do {
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            try add(lane, to: pipeline)
        } catch {
            // A handler that is in the pipeline releases it.
            if lane.context == nil { slot.release() }
            throw error
        }
    }

    /// Makes a channel of a connection that was at a ``ReaderLane``. It has kept its slot.
    static func take(back returned: ReturnedConnection, _ loop: LoopState) {
        let lane = NIOLoopBound(ConnectionHandler(loop, returned.slot, returned: returned), eventLoop: loop.loop)
        let hasHandler = NIOLoopBoundBox(false, eventLoop: loop.loop)
        loop.willReturn()
        ClientBootstrap(group: loop.loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try add(lane.value, to: channel.pipeline.syncOperations, returned)
                    hasHandler.value = true
                }
            }
            .withConnectedSocket(returned.socket)
            .whenComplete { _ in
                if !hasHandler.value { returned.slot.release() }
                loop.hasReturned(lane.value)
            }
    }

    /// Adds the parser and the lane. The lane releases the connection's slot when it is removed.
    static func add(
        _ lane: ConnectionHandler, to pipeline: ChannelPipeline.SynchronousOperations, _ returned: ReturnedConnection? = nil
    ) throws {
        let loop = lane.loop
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = loop.settings.limits.headerSize
        limit.maxHeaderListSize = loop.settings.limits.headerSize
        limit.maxHeaderFieldCount = 100
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(ConnectionAdmission(lane, returned))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(lane)
    }
}
#endif
