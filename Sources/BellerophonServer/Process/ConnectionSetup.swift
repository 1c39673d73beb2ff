#if Server
import NIOCore
import NIOHTTP1
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

    /// Adds the parser and the lane. The lane releases the connection's slot when it is removed.
    static func addLane(to pipeline: ChannelPipeline.SynchronousOperations, _ loop: LoopState, isSecure: Bool) throws {
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = loop.settings.limits.headerSize
        limit.maxHeaderListSize = loop.settings.limits.headerSize
        limit.maxHeaderFieldCount = 100
        let lane = ConnectionHandler(loop, isSecure: isSecure)
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(ConnectionAdmission(lane))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(lane)
    }
}
#endif
