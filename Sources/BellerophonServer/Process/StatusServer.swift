#if Server
import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The server over one store: listens, answers, pushes, and stops in order.
///
/// ```swift
/// let server = try await StatusServer.start(ServerConfiguration(), store: store, logger: logger)
/// print(server.address)
/// await server.stop()
/// ```
public final class StatusServer: Sendable {
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let loops: [LoopState]
    private let files: FilePool
    private let watching: Task<Void, Never>
    private let configuration: ServerConfiguration
    private let logger: Logger

    /// How late a publish by another process may be seen.
    static let lookInterval = Duration.milliseconds(60)

    private init(
        listener: any Channel, group: MultiThreadedEventLoopGroup, loops: [LoopState], files: FilePool,
        watching: Task<Void, Never>, configuration: ServerConfiguration, logger: Logger
    ) {
        self.listener = listener
        self.group = group
        self.loops = loops
        self.files = files
        self.watching = watching
        self.configuration = configuration
        self.logger = logger
    }

    /// Begins to listen.
    /// - Throws: ``ServerProblem`` with what to do, or what the store throws.
    public static func start(
        _ configuration: ServerConfiguration, store: Store, logger: Logger
    ) async throws -> StatusServer {
        let tls = try configuration.tls.map { try TLSFiles($0).context(logger) }
        let signer = try configuration.signer()
        if configuration.shortensCaching { warnOfCaching(configuration, logger) }
        let gauges = Gauges()
        let certificate = CertificateExpiry()
        let keeper = try ReadSideKeeper(store, settings: configuration.readSettings, signer: signer, gauges: gauges, logger: logger)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.loopCount)
        let files = FilePool(threads: 2 * configuration.loopCount)
        let router = ServerRouter(
            store: store, keeper: keeper, settings: configuration.lane(logger), readSettings: configuration.readSettings, files: files,
            failures: gauges.failures, certificate: certificate
        )
        let loops = await makeLoops(group, router, gauges, keeper)
        do {
            let listener = try await listen(configuration, group, loops, tls)
            let watching = Task { await keeper.watch(every: lookInterval) }
            return StatusServer(
                listener: listener, group: group, loops: loops, files: files, watching: watching,
                configuration: configuration, logger: logger
            )
        } catch {
            await files.shutDown()
            try? await group.shutdownGracefully()
            throw ServerProblem(listening: configuration, error)
        }
    }

    private static func warnOfCaching(_ configuration: ServerConfiguration, _ logger: Logger) {
        let cache = configuration.reading.cache
        logger.warning("signed documents would expire in caches; caches are told to keep them for less than what is set", metadata: [
            "cache.sharedMaxAge": "\(cache.sharedMaxAge)", "cache.staleWhileRevalidate": "\(cache.staleWhileRevalidate)",
            "signing.lifetime": "\(configuration.signingLifetime.components.seconds)",
            "do": "let the two together stay below half of the lifetime",
        ])
    }

    private static func makeLoops(
        _ group: MultiThreadedEventLoopGroup, _ router: ServerRouter, _ gauges: Gauges, _ keeper: ReadSideKeeper
    ) async -> [LoopState] {
        let responder = router.responder()
        let readSide = await keeper.readSide
        var loops: [LoopState] = []
        for loop in group.makeIterator() {
            let state = LoopState(loop: loop, settings: router.settings, gauges: gauges, readSide: readSide, responder: responder)
            loop.execute { state.startTicking() }
            loops.append(state)
        }
        await keeper.serve(loops)
        // What was published since the first look.
        await keeper.refresh()
        return loops
    }

    private static func listen(
        _ configuration: ServerConfiguration, _ group: MultiThreadedEventLoopGroup, _ loops: [LoopState], _ tls: NIOSSLContext?
    ) async throws -> any Channel {
        var states: [ObjectIdentifier: LoopState] = [:]
        for loop in loops { states[ObjectIdentifier(loop.loop)] = loop }
        let known = states
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A request fits into one read; asking for more would cost each of them a call that finds nothing.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let loop = known[ObjectIdentifier(channel.eventLoop)] else { throw ChannelError.inappropriateOperationForState }
                    try ConnectionSetup.add(to: channel, loop, tls: tls)
                }
            }
            .bind(host: configuration.host, port: configuration.port)
            .get()
    }

    /// The port that was asked for, or the free one that was found for zero.
    public var port: Int { listener.localAddress?.port ?? configuration.port }

    /// Such as `http://127.0.0.1:8080`.
    public var address: String {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Takes no more connections, ends streams at once, and lets accepted requests finish within the limit.
    public func stop() async {
        try? await listener.close()
        let drained = loops.map { loop in loop.loop.flatSubmit { loop.drain() } }
        let limit = TimeAmount(configuration.limits.shutdownTime)
        let forced = loops.map { loop in loop.loop.scheduleTask(in: limit) { loop.closeAll() } }
        for future in drained { try? await future.get() }
        for task in forced { task.cancel() }
        watching.cancel()
        _ = await watching.value
        for loop in loops { try? await loop.loop.submit { loop.stopTicking() }.get() }
        await files.shutDown()
        try? await group.shutdownGracefully()
    }
}

/// The handlers of a new connection.
enum ConnectionSetup {
    static func add(to channel: any Channel, _ loop: LoopState, tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        let limits = loop.settings.limits
        guard loop.gauges.connections.enter(limit: limits.connections) else {
            loop.countShed()
            guard loop.gauges.shedding.enter(limit: limits.shedAtOnce) else { throw ConnectionGone() }
            let gauges = loop.gauges
            channel.closeFuture.whenComplete { _ in gauges.shedding.leave() }
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            return try pipeline.addHandler(Shedder(date: loop.date))
        }
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try addLane(to: pipeline, loop, isSecure: tls != nil)
    }

    /// The lane leaves the count of connections when it is removed.
    static func addLane(to pipeline: ChannelPipeline.SynchronousOperations, _ loop: LoopState, isSecure: Bool) throws {
        var limit = NIOHTTPDecoderLimitConfiguration()
        limit.maxHeaderFieldSize = loop.settings.limits.headerSize
        limit.maxHeaderListSize = loop.settings.limits.headerSize
        limit.maxHeaderFieldCount = 100
        let lane = FastLane(loop, isSecure: isSecure)
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limit)
        try pipeline.addHandler(Door(lane))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(lane)
    }
}
#endif
