import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOPosix

/// The server of one store: listens, replies, pushes, and shuts down gracefully.
///
/// ```swift
/// let server = try await StatusServer(ServerConfiguration(), store: store, logger: logger)
/// print(server.address)
/// await server.stop()
/// ```
package final class StatusServer: Sendable {
    let socket: ListeningSocket
    let publisher: ReadModelPublisher
    let store: Store
    /// Nil without TLS.
    let certificate: PresentCertificate?
    /// The configuration at the server's start.
    let configuration: ServerConfiguration
    let logger: Logger
    let readers: Readers
    private let group: MultiThreadedEventLoopGroup
    let loops: [LoopState]
    private let pools: [FilePool]
    private let watching: Task<Void, Never>
    let contents: VerifiedFiles

    /// The maximum delay of a publish by another process.
    static let lookInterval = Duration.milliseconds(60)

    /// Starts the server and listens.
    /// - Parameters:
    ///   - socket: the listening socket, at the configuration's address or from a supervisor. Nil creates one.
    ///   - takesConnections: false leaves connections waiting until ``resume()`` is called.
    /// - Throws: ``ServerError`` with what to do, or the store's error.
    package init(
        _ configuration: ServerConfiguration, store: Store, logger: Logger, on socket: ListeningSocket? = nil,
        takesConnections: Bool = true
    ) async throws {
        let certificate = try configuration.tls.map { PresentCertificate(try $0.load()) }
        let signer = try configuration.signer()
        await Self.adopt(configuration.approval, in: store, logger)
        let limiters = Limiters()
        let publisher = try ReadModelPublisher(
            store, settings: configuration.readSettings, signer: signer, limiters: limiters, logger: logger)
        // More threads would reach the limit of the unit's tasks during a restart, and one core serves a hundred thousand checks a second.
        let cores = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 16)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: cores)
        let files = FilePool(threads: 2 * cores)
        // One reads while the other renders.
        let lists = FilePool(threads: 2)
        let requests = FilePool(threads: 8)
        let pools = [files, lists, requests]
        let contents = VerifiedFiles(store, files, logger: logger)
        let operators = OperatorRouter(
            store: store, files: files, logger: logger, didChange: { await publisher.refresh() })
        let router = ServerRouter(
            store: store, publisher: publisher,
            settings: ConnectionSettings(
                limits: configuration.limits, heartbeat: configuration.heartbeat, logsAccess: configuration.logsAccess,
                logger: logger),
            readSettings: configuration.readSettings, files: files, contents: contents, operators: operators,
            threads: (lists, requests), certificate: certificate, hasConsole: configuration.hasConsole
        )
        let (endpoints, readModel) = (router.endpoints, await publisher.readModel)
        let loops = group.makeIterator().map { loop in
            let state = LoopState(
                loop: loop, settings: router.settings, limiters: limiters, readModel: readModel, endpoints: endpoints)
            loop.execute { state.startTicking() }
            return state
        }
        do {
            let socket = try socket ?? ListeningSocket.bound(to: configuration.host, configuration.port)
            let readers = try Readers(
                loops, await publisher.readModel, listener: try socket.duplicateForAccepting(), tls: certificate)
            await publisher.serve(loops, readers)
            (self.socket, self.readers) = (socket, readers)
        } catch {
            await Self.end(group, loops, pools, publisher)
            throw ServerError(listening: configuration, error)
        }
        (self.configuration, self.store, self.logger, self.certificate) = (configuration, store, logger, certificate)
        (self.publisher, self.group, self.loops, self.contents) = (publisher, group, loops, contents)
        self.pools = pools
        watching = Task {
            async let _: Void = contents.watch()
            await publisher.watch(every: Self.lookInterval)
        }
        if takesConnections { await resume() }
    }

    /// Loads the keys and certificates that a server would start with, and tries its address.
    /// - Parameter triesAddress: false if a running server has the address.
    /// - Returns: when the TLS certificate ends; nil without TLS.
    /// - Throws: ``ServerError`` with the reason why the server would not start.
    package static func validate(
        _ configuration: ServerConfiguration, triesAddress: Bool
    ) throws(ServerError) -> Date? {
        let certificate = try configuration.tls.map { files throws(ServerError) in try files.load() }
        _ = try configuration.signer()
        _ = try configuration.hooks.secretBytes()
        if triesAddress {
            do {
                try ListeningSocket.bound(to: configuration.host, configuration.port).close()
            } catch {
                throw ServerError(listening: configuration, error)
            }
        }
        return certificate?.expiry
    }

    /// Shows what was published by another process, without waiting for the next look at the store.
    package func refresh() async { await publisher.refresh() }

    /// Why the server is not ready; empty if it is.
    package func problems() async -> [String] { await publisher.readiness().reasons }

    /// The configured port, or the free port that the system chose if the configuration has 0.
    package var port: Int { socket.address.port ?? configuration.port }

    /// Such as `http://127.0.0.1:8080`.
    package var address: String {
        let host = socket.isActivated ? socket.address.ipAddress ?? configuration.host : configuration.host
        return "\(configuration.tls == nil ? "http" : "https")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Whether only programs on this machine can reach the server.
    package var isLoopback: Bool { socket.isLoopback }

    /// When the certificate for new connections expires; nil without TLS.
    package var certificateExpiry: Date? { certificate?.value.expiry }

    // MARK: Accepting connections

    /// Accepts waiting and new connections, after a refresh of the read model, which includes what was published since the last one.
    package func resume() async {
        await publisher.refresh()
        readers.acceptConnections()
    }

    /// Like ``resume()``, for a server that takes over.
    /// - Parameter least: the newest row of the journal that the other server has shown; nil if that is unknown.
    /// - Throws: ``ServerError`` if this server's store does not have that row.
    package func resume(atLeast least: Int64?) async throws(ServerError) {
        await publisher.refresh()
        let serial = await publisher.readModel.snapshot.serial
        if let least, serial < least {
            throw ServerError(
                "clients have seen row #\(least), and the store's newest row that can be read is #\(serial)",
                hint: "see the lines above; after a return to an older copy, run `bellerophon-server init --restored` first",
                kind: .temporary)
        }
        await resume()
    }

    /// Accepts no more connections: they wait until ``resume()`` is called, here or in another process with the same
    /// socket.
    package func pause() async { await readers.stopAccepting() }

    /// From now on replies have `Connection: close`, no stream opens, and all connections are on the event loops.
    private func announceEnd() async {
        for loop in loops { await loop.announceEnd() }
        await readers.moveAll()
    }

    /// Ends everything but transfers of resources, so that another process can show what is newer.
    ///
    /// Streams end at once. Connections between two requests have half a second for one more: a client that is busy learns from its
    /// reply that the connection ends, and loses none. Requests that have begun have two seconds to arrive whole. A change that has is
    /// waited for.
    /// - Parameter changeTime: how long, after that.
    /// - Returns: false if a change still waits, for example for a disk that hangs. This server then has to ``goOn()``.
    func retire(changeTime: Duration = .seconds(10)) async -> Bool {
        await announceEnd()
        let window = StreamEvent.returnWindow(streams: loops.first?.limiters.streams ?? 0)
        let (start, time) = (ContinuousClock.now, configuration.limits.firstRequestTime)
        drain(window, keepsIdle: true)
        _ = await requestsEnd(before: start + time / 4)
        drain(window, keepsIdle: false)
        _ = await requestsEnd(before: start + time)
        for loop in loops { await loop.endRequests() }
        return await requestsEnd(before: .now + changeTime)
    }

    private func drain(_ window: Duration, keepsIdle: Bool) {
        for loop in loops { loop.loop.execute { loop.drain(returningWithin: window, keepsIdle: keepsIdle) } }
    }

    /// Waits until no request may arrive any more, and none is in progress that changes what clients read.
    /// - Returns: false if that is not so in time.
    private func requestsEnd(before end: ContinuousClock.Instant) async -> Bool {
        for loop in loops {
            while await loop.mayChangeReads {
                guard .now < end, !Task.isCancelled else { return false }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        return true
    }

    /// Goes on after ``retire()``.
    func goOn() async {
        for loop in loops { await loop.withdrawEnd() }
        await resume()
    }

    /// Closes the connections that are left when the time is over that accepted requests have.
    package func limitEnd() {
        let limit = TimeAmount(configuration.limits.shutdownTime)
        for loop in loops { loop.loop.scheduleTask(in: limit) { loop.closeAll() } }
    }

    /// Accepts no more connections, closes streams at once, and lets accepted requests finish.
    /// - Parameter isLimited: within `limits.shutdownTime`. If false, such as after ``handOver(to:_:)``, within the limits that they
    ///   have anyway, or those of ``limitEnd()``.
    package func stop(isLimited: Bool = true) async {
        await readers.stopListening()
        socket.close()
        let window = StreamEvent.returnWindow(streams: loops.first?.limiters.streams ?? 0)
        // All loops are notified before any connection closes, so that every reply after the first close has
        // `Connection: close`.
        await announceEnd()
        let drained = loops.map { loop in loop.loop.flatSubmit { loop.drain(returningWithin: window) } }
        if isLimited { limitEnd() }
        for future in drained { try? await future.get() }
        watching.cancel()
        _ = await watching.value
        await readers.end()
        await Self.end(group, loops, pools, publisher)
    }

    private static func end(
        _ group: MultiThreadedEventLoopGroup, _ loops: [LoopState], _ pools: [FilePool], _ publisher: ReadModelPublisher
    ) async {
        for loop in loops { await loop.end() }
        for pool in pools { await pool.shutDown() }
        // The loops have the publisher: without this, neither they nor the store would ever be released.
        await publisher.serve([])
        try? await group.shutdownGracefully()
    }
}
