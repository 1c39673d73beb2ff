#if Server
import BellerophonStore
import Foundation
import Logging
import NIOCore

/// What the connections of one event loop share: the read model, the date, the clock's tick, counts.
///
/// Nothing here is locked: everything is touched on the one loop alone. That is also why it may be called Sendable.
final class LoopState: @unchecked Sendable {
    let loop: any EventLoop
    let settings: LaneSettings
    let limiters: Limiters
    let responder: LaneResponder
    private(set) var readModel: ReadModel
    fileprivate(set) var counts = RequestCounts()
    /// The tick's time: deadlines are as exact as the tick.
    private(set) var now = NIODeadline.now()
    private(set) var isDraining = false
    private var second: Int64 = 0
    private(set) var date = ""
    /// Replies with the present date in them, by path.
    private var stamped: [String: StampedReply] = [:]
    private var connections: [ConnectionHandler] = []
    private var ticking: RepeatedTask?
    /// Connections are being looked at, one go after the other.
    private var isLooking = false
    private var drained: EventLoopPromise<Void>?

    init(
        loop: any EventLoop, settings: LaneSettings, limiters: Limiters, readModel: ReadModel, responder: @escaping LaneResponder
    ) {
        self.loop = loop
        self.settings = settings
        self.limiters = limiters
        self.readModel = readModel
        self.responder = responder
        lookAtClock()
    }

    // MARK: Replies

    /// The reply to a path with the present date, made at the first question of a second.
    func reply(_ path: String) -> StampedReply? {
        if let reply = stamped[path] { return reply }
        guard let reply = readModel.reply(path) else { return nil }
        let made = StampedReply(reply, date: date)
        // Channels that nobody published for have a reply each: names that clients make up must not fill the memory.
        if stamped.count < 4096 { stamped[path] = made }
        return made
    }

    /// The reply to a path that depends on the name under which a client knows this server. Whatever is no host gets the
    /// same one, so that nothing but hosts is kept.
    func reply(_ path: String, host: String) -> StampedReply? {
        let host = ReadModel.isHost(host) ? host : ""
        let key = "\(host) \(path)"
        if let reply = stamped[key] { return reply }
        guard let reply = readModel.reply(path, host: host) else { return nil }
        let made = StampedReply(reply, date: date)
        if stamped.count < 4096 { stamped[key] = made }
        return made
    }

    /// Replies that are kept for the next question.
    var keptReplies: Int { stamped.count }

    func count(_ route: RouteClass, _ code: Int, bytes: Int) {
        counts.add(route, code, bytes: bytes)
    }

    /// - Parameter time: from the request's head to the answer's last byte.
    func count(_ route: RouteClass, _ code: Int, bytes: Int, in time: TimeAmount) {
        counts.add(route, code, bytes: bytes, nanoseconds: time.nanoseconds)
    }

    func countPushed(bytes: Int) { counts.addPushed(bytes: bytes) }
    func countShed() { counts.shed += 1 }

    // MARK: The read model

    /// Connections that are told, or looked at, in one go; between two goes the loop looks after everyone else.
    static let atOnce = 512
    /// A moment later, and not at once: only then does the loop read from its sockets before.
    private static let breath = TimeAmount.microseconds(100)

    /// Puts a new read model in place of the present one: what is asked from now on is answered from it.
    /// - Returns: the resources whose change streams have to be told.
    func take(_ newer: ReadModel) -> [StreamEvent] {
        let resources = newer.resourceEvents(since: readModel)
        readModel = newer
        stamped.removeAll(keepingCapacity: true)
        return resources
    }

    /// Tells every stream whose status changed.
    func push(resources: [StreamEvent]) {
        let streams = connections.filter { $0.streamTopic != nil }
        guard !streams.isEmpty else { return }
        // From another one each time: nobody is always the last to know.
        let start = Int.random(in: streams.indices)
        push((streams[start...] + streams[..<start])[...], resources)
    }

    private func push(_ streams: ArraySlice<ConnectionHandler>, _ resources: [StreamEvent]) {
        var events: [StreamTopic: StreamEvent] = [:]
        for stream in streams.prefix(Self.atOnce) {
            guard let topic = stream.streamTopic else { continue }
            if events[topic] == nil { events[topic] = readModel.statusEvent(topic) }
            stream.push(status: events[topic], resources: resources)
        }
        let rest = streams.dropFirst(Self.atOnce)
        guard !rest.isEmpty else { return }
        let bound = NIOLoopBound(rest, eventLoop: loop)
        loop.scheduleTask(in: Self.breath) { self.push(bound.value, resources) }
    }

    // MARK: Connections

    func add(_ connection: ConnectionHandler) {
        connection.place = connections.count
        connections.append(connection)
    }

    func remove(_ connection: ConnectionHandler) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.place] = last
            last.place = connection.place
        }
        if isDraining, connections.isEmpty { drained?.succeed() }
    }

    /// From now on an answer says that it is its connection's last, and no stream begins.
    func announceEnd() { isDraining = true }

    /// Ends streams and idle connections now, and each of the others after its present answer.
    /// - Parameter window: the time over which the streams' clients come back.
    /// - Returns: done once no connection is left.
    func drain(returningWithin window: Duration = .seconds(1)) -> EventLoopFuture<Void> {
        let promise = drained ?? loop.makePromise(of: Void.self)
        drained = promise
        announceEnd()
        for connection in connections { connection.drain(returningWithin: window) }
        if connections.isEmpty { promise.succeed() }
        return promise.futureResult
    }

    /// Ends what is left.
    func closeAll() {
        for connection in connections { connection.close() }
    }

    // MARK: The clock

    func startTicking() {
        let every = settings.tick
        ticking = loop.scheduleRepeatedTask(initialDelay: every, delay: every) { [weak self] _ in self?.tick() }
    }

    func stopTicking() {
        ticking?.cancel()
        ticking = nil
    }

    /// One look at every connection: a clock of its own for each would cost more than all that they do.
    func tick() {
        lookAtClock()
        // The last look at all of them is still under way.
        guard !isLooking else { return }
        isLooking = true
        look(at: connections[...])
    }

    private func look(at some: ArraySlice<ConnectionHandler>) {
        for connection in some.prefix(Self.atOnce) { connection.tick() }
        let rest = some.dropFirst(Self.atOnce)
        guard !rest.isEmpty else { return isLooking = false }
        let bound = NIOLoopBound(rest, eventLoop: loop)
        loop.scheduleTask(in: Self.breath) { self.look(at: bound.value) }
    }

    private func lookAtClock() {
        now = .now()
        let present = Int64(time(nil))
        guard present != second else { return }
        second = present
        date = HTTPDate.text(present)
        stamped.removeAll(keepingCapacity: true)
    }
}

/// A reply whose variants are rendered when they are first asked for. It belongs to one event loop.
final class StampedReply {
    let reply: PrerenderedReply
    private let date: String
    private var variants = [ByteBuffer?](repeating: nil, count: 9)

    init(_ reply: PrerenderedReply, date: String) {
        self.reply = reply
        self.date = date
    }

    func bytes(_ part: PrerenderedReply.Part, _ persistence: PrerenderedReply.Persistence) -> ByteBuffer {
        let index = part.rawValue * 3 + persistence.rawValue
        if let bytes = variants[index] { return bytes }
        let bytes = reply.render(part, persistence, date: date)
        variants[index] = bytes
        return bytes
    }
}

/// What every connection needs to know of the configuration.
struct LaneSettings: Sendable {
    var limits = Limits()
    var heartbeat = Duration.seconds(15)
    var metaPath = ReadSettings().metaPath
    var dataPath = ReadSettings().dataPath
    var logsAccess = false
    var logger = Logger(label: "bellerophon-server")

    var tick: TimeAmount { limits.tick(heartbeat: heartbeat) }
    /// Whole seconds, at least one, as the header says it.
    var heartbeatSeconds: Int { max(Int(heartbeat.components.seconds) + (heartbeat.components.attoseconds > 0 ? 1 : 0), 1) }
}
#endif
