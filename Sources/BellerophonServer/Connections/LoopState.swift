import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// The state that the connections of one event loop share: the read model, the date, the clock and the counts.
///
/// It has no lock, because it is only used on its event loop. That is also why it is an unchecked `Sendable`.
final class LoopState: @unchecked Sendable {
    let loop: any EventLoop
    let settings: ConnectionSettings
    let limiters: Limiters
    let endpoints: Endpoints
    var replies: ReplyCache
    var counts = RequestCounts()
    /// The time of the last tick. Deadlines are as precise as the tick interval.
    private(set) var now = NIODeadline.now()
    private(set) var isDraining = false
    /// False once another process takes over, which may serve something newer.
    private(set) var takesRequests = true
    private(set) var connections: [ConnectionHandler] = []
    private var ticking: RepeatedTask?
    /// A pass over the connections, in batches, is in progress.
    private var isTicking = false
    private var drained: EventLoopPromise<Void>?
    /// Whether a connection that arrives while the server ends may have another request.
    private var keepsIdle = false
    /// The time over which the clients of streams spread their reconnects.
    private var window = Duration.seconds(1)
    /// The number of connections whose channels are being made.
    private var arriving = 0

    init(
        loop: any EventLoop, settings: ConnectionSettings, limiters: Limiters, readModel: ReadModel, endpoints: Endpoints
    ) {
        self.loop = loop
        self.settings = settings
        self.limiters = limiters
        replies = ReplyCache(readModel)
        self.endpoints = endpoints
    }

    // MARK: Replies

    var readModel: ReadModel { replies.readModel }
    var date: String { replies.date }

    // MARK: The read model

    /// Connections per batch; between two batches the loop serves other clients.
    static let atOnce = 512
    /// Streams per batch of a push. Requests wait for a batch, those of the next publish too.
    static let pushedAtOnce = 64
    /// The pause between two batches. The loop reads from its sockets only if the delay is not zero; a longer one adds up over the
    /// batches.
    private static let breath = TimeAmount.microseconds(20)

    /// Takes over a read model if it is newer: the publisher's, or that of a connection that arrives, whose client must not get older
    /// replies here. Requests from now on get their replies from it, and the streams are notified.
    func adopt(_ other: ReadModel) {
        guard other.number > readModel.number else { return }
        let resources = other.resourceEvents(since: readModel)
        replies.readModel = other
        loop.execute { self.push(resources: resources) }
    }

    /// Notifies all streams of the current status and of changed resources.
    private func push(resources: [StreamEvent]) {
        let streams = connections.filter { $0.stream != nil }
        guard !streams.isEmpty else { return }
        // The start is random, so that no client is always the last.
        let start = Int.random(in: streams.indices)
        inBatches((streams[start...] + streams[..<start])[...], of: Self.pushedAtOnce) { streams in
            // Most streams have the same topic, whose text is compared and not hashed.
            var (topic, status) = (StreamTopic?.none, StreamEvent?.none)
            for stream in streams {
                guard let wanted = stream.stream?.topic else { continue }
                if wanted != topic { (topic, status) = (wanted, self.readModel.statusEvent(wanted)) }
                stream.push(status: status, resources: resources)
            }
        }
    }

    /// Does work for connections in batches.
    /// - Parameter end: is called after the last one.
    private func inBatches(
        _ connections: ArraySlice<ConnectionHandler>, of size: Int, end: @escaping () -> Void = {},
        _ work: @escaping (ArraySlice<ConnectionHandler>) -> Void
    ) {
        work(connections.prefix(size))
        let rest = connections.dropFirst(size)
        guard !rest.isEmpty else { return end() }
        let bound = NIOLoopBound((rest, end, work), eventLoop: loop)
        loop.scheduleTask(in: Self.breath) { self.inBatches(bound.value.0, of: size, end: bound.value.1, bound.value.2) }
    }

    // MARK: Connections

    func add(_ connection: ConnectionHandler) {
        connection.index = connections.count
        connections.append(connection)
    }

    func remove(_ connection: ConnectionHandler) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        completeDrain()
    }

    /// Makes the channel of a connection that arrives from the readers.
    /// - Parameter tls: nil without TLS.
    func receive(_ arrival: Arrival, tls: NIOSSLContext?) {
        adopt(arrival.readModel)
        arriving += 1
        let handler = NIOLoopBound(ConnectionHandler(self, arrival, isSecure: tls != nil), eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            // A channel keeps as many buffers as it may read at a time.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try handler.value.add(to: pipeline, arrival)
                }
            }
            .withConnectedSocket(arrival.connection.socket)
            .whenComplete { [self] _ in
                arriving -= 1
                if drained != nil { handler.value.drain(returningWithin: window, keepsIdle: keepsIdle) }
                if !takesRequests { handler.value.endRequests() }
                completeDrain()
            }
    }

    /// The head of a connection's reply was written before the end was announced, so that its client may send another request.
    func drainIfEnding(_ connection: ConnectionHandler) {
        if drained != nil { connection.drain(returningWithin: window, keepsIdle: true) }
    }

    private func completeDrain() {
        if connections.isEmpty, arriving == 0 { drained?.succeed() }
    }

    /// Does work on the event loop, and waits for it. It is called from outside of the loop.
    /// - Returns: nil if the loop has ended.
    @discardableResult
    private func run<Value: Sendable>(_ work: @escaping @Sendable (LoopState) -> Value) async -> Value? {
        try? await loop.submit { work(self) }.get()
    }

    /// From now on replies have `Connection: close`, and no stream opens.
    func announceEnd() async { await run { $0.isDraining = true } }

    /// Goes on after an announced end.
    func withdrawEnd() async {
        await run {
            ($0.isDraining, $0.takesRequests) = (false, true)
            $0.drained?.succeed()
            $0.drained = nil
        }
    }

    /// Whether a request may still arrive, or is in progress that changes what clients read, uploads aside.
    var mayChangeReads: Bool {
        get async { await run { $0.arriving > 0 || $0.connections.contains(where: \.mayChangeReads) } ?? false }
    }

    /// Ends every connection without a transfer or a change in progress.
    func endRequests() async {
        await run {
            $0.takesRequests = false
            for connection in $0.connections { connection.endRequests() }
        }
    }

    /// Stops the clock.
    func end() async {
        await run {
            $0.ticking?.cancel()
            $0.ticking = nil
        }
    }

    func allCounts() async -> RequestCounts { await run { $0.counts } ?? RequestCounts() }

    /// Closes streams now, and the other connections after their current response.
    /// - Parameters:
    ///   - window: the time over which the clients of streams spread their reconnects.
    ///   - keepsIdle: idle connections stay open for a while: a busy client then learns from its last reply that the connection ends,
    ///     and none of its requests is lost.
    /// - Returns: succeeds once no connection is left.
    @discardableResult
    func drain(returningWithin window: Duration = .seconds(1), keepsIdle: Bool = false) -> EventLoopFuture<Void> {
        let promise = drained ?? loop.makePromise(of: Void.self)
        drained = promise
        (self.window, self.keepsIdle) = (window, keepsIdle)
        isDraining = true
        for connection in connections { connection.drain(returningWithin: window, keepsIdle: keepsIdle) }
        completeDrain()
        return promise.futureResult
    }

    /// Closes all remaining connections.
    func closeAll() {
        for connection in connections { connection.close() }
    }

    // MARK: The clock

    func startTicking() {
        let every = settings.tick
        ticking = loop.scheduleRepeatedTask(initialDelay: every, delay: every) { [weak self] _ in self?.tick() }
    }

    /// Checks every connection: one timer per connection would cost more than all their other work.
    func tick() {
        now = .now()
        replies.updateDate()
        // The previous pass is still in progress.
        guard !isTicking else { return }
        isTicking = true
        inBatches(connections[...], of: Self.atOnce, end: { self.isTicking = false }) {
            for connection in $0 { connection.tick() }
        }
    }
}

/// The part of the configuration that every connection uses.
struct ConnectionSettings: Sendable {
    var limits = Limits()
    var heartbeat = Duration.seconds(15)
    var logsAccess = false
    var logger = Logger(label: "bellerophon-server")

    var tick: TimeAmount { limits.tick(heartbeat: heartbeat) }
    /// In whole seconds, rounded up, at least 1, as in the header.
    var heartbeatSeconds: Int { max(Int(heartbeat.components.seconds) + (heartbeat.components.attoseconds > 0 ? 1 : 0), 1) }
}
