import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Makes channels of connections that arrive at an event loop.
enum ConnectionSetup {
    typealias Pipeline = ChannelPipeline.SynchronousOperations

    /// - Parameter tls: nil without TLS.
    static func receive(_ arrival: Arrival, _ loop: LoopState, tls: NIOSSLContext?) {
        guard arrival.slot != nil else { return refuse(arrival, loop, tls) }
        loop.adopt(arrival.readModel)
        loop.willArrive()
        let handler = NIOLoopBound(ConnectionHandler(loop, arrival, isSecure: tls != nil), eventLoop: loop.loop)
        open(arrival, loop, tls) { try add(handler.value, to: $0, arrival) }.whenComplete { result in
            if case .failure = result { handler.value.releaseSlot() }
            loop.hasArrived(handler.value)
        }
    }

    private static func refuse(_ arrival: Arrival, _ loop: LoopState, _ tls: NIOSSLContext?) {
        let (shedding, date) = (loop.limiters.shedding, loop.date)
        open(arrival, loop, tls) { try $0.addHandler(Shedder(date: date)) }.whenComplete { result in
            guard case .success(let channel) = result else { return shedding.release() }
            channel.closeFuture.whenComplete { _ in shedding.release() }
        }
    }

    private static func open(
        _ arrival: Arrival, _ loop: LoopState, _ tls: NIOSSLContext?, _ add: @escaping @Sendable (Pipeline) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop.loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            // A channel keeps as many buffers as it may read at a time.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try add(pipeline)
                }
            }
            .withConnectedSocket(arrival.socket)
    }

    /// Adds the parser and the connection's handler, which releases the slot when it is removed.
    static func add(_ handler: ConnectionHandler, to pipeline: Pipeline, _ arrival: Arrival? = nil) throws {
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
