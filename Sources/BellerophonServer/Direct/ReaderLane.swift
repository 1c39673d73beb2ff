#if Server
import BellerophonStore
import CPoll
import Foundation
import NIOCore
import Synchronization

/// A thread for connections whose clients only read documents, one request after the other: it waits for their sockets, and
/// answers simple requests from the read model with one read and one write each.
///
/// A connection begins on an event loop, where ``ConnectionHandler`` and ``ConnectionState`` know everything that can happen
/// to it. After some simple requests it moves here, where it has no channel and no handlers: it is a descriptor and a
/// deadline. It returns to its event loop at the first event that is not a complete simple request, with the bytes that were
/// read, when its client does not take a reply at once, and when the server shuts down.
final class ReaderLane: Sendable {
    /// What other threads ask the lane's thread for.
    fileprivate enum Message: Sendable {
        case keep(socket: Int32, KeptConnection)
        case tellCounts(CheckedContinuation<RequestCounts, Never>)
        case giveAllBack(CheckedContinuation<Void, Never>)
        case end(CheckedContinuation<Void, Never>)
    }

    /// The event loops from which connections come, and to which they return.
    fileprivate let homes: [LoopState]
    /// The sockets of the connections, and the pipe's end ``waking``.
    fileprivate let set: Int32
    fileprivate let waking: Int32
    private let wake: Int32
    private let messages = Mutex<[Message]>([])
    private let newest: Mutex<ReadModel>
    /// The number of read models that were shown. It is compared before each request, so that every request that arrives after
    /// ``show(_:)`` gets its reply from the new read model.
    fileprivate let version = Atomic<Int>(0)

    /// Starts the thread.
    /// - Parameter homes: the event loops whose connections it takes; at least one.
    /// - Returns: nil if the process may open no more files. The connections then stay on their event loops.
    init?(homes: [LoopState], _ readModel: ReadModel) {
        var ends: [Int32] = [-1, -1]
        let set = cpoll_create()
        guard set >= 0 else { return nil }
        guard cpoll_pipe(&ends) == 0 else {
            close(set)
            return nil
        }
        (self.homes, self.set, waking, wake) = (homes, set, ends[0], ends[1])
        newest = Mutex(readModel)
        guard cpoll_add(set, waking) == 0 else {
            for descriptor in [set] + ends { close(descriptor) }
            return nil
        }
        Thread.detachNewThread { [self] in
            Thread.current.name = "readers"
            var thread = ReaderThread(self)
            thread.run()
        }
    }

    // MARK: From other threads

    /// Replies to all requests from now on come from this read model.
    func show(_ newer: ReadModel) {
        newest.withLock { $0 = newer }
        version.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    /// Takes a connection that is between two requests and has no pending output.
    /// - Parameters:
    ///   - socket: belongs to the lane from now on.
    ///   - until: when the connection closes if no request arrives.
    ///   - address: the client's address, if its requests have a limit.
    ///   - home: the index of its event loop.
    func keep(_ socket: Int32, until: NIODeadline, address: AddressKey?, home: Int) {
        send(.keep(socket: socket, KeptConnection(until: until, address: address, home: home)))
    }

    var counts: RequestCounts {
        get async { await withCheckedContinuation { send(.tellCounts($0)) } }
    }

    /// Returns all connections to their event loop, also those that arrive later.
    func giveAllBack() async {
        await withCheckedContinuation { send(.giveAllBack($0)) }
    }

    /// Ends the thread. Connections that it still has are closed.
    func end() async {
        await withCheckedContinuation { send(.end($0)) }
    }

    private func send(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // A full pipe wakes the thread too.
        if isFirst { _ = write(wake, [0], 1) }
    }

    // MARK: From the thread

    fileprivate func takeMessages() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    fileprivate var readModel: ReadModel { newest.withLock { $0 } }

    fileprivate func closeDescriptors() {
        for descriptor in [set, waking, wake] { close(descriptor) }
    }
}

/// A connection at a ``ReaderLane``.
fileprivate struct KeptConnection {
    /// When the connection closes if no request arrives.
    var until: NIODeadline
    /// The client's address, if its requests have a limit.
    let address: AddressKey?
    /// The index of its event loop.
    let home: Int
}

/// A connection on its way back from a ``ReaderLane`` to its event loop.
struct ReturnedConnection: Sendable {
    let socket: Int32
    /// When the connection closes if no request arrives.
    let until: NIODeadline
    /// Bytes that the client sent and nobody has interpreted, beginning with a request.
    var input = ByteBuffer()
    /// The end of a reply, which the client has not taken yet.
    var output = ByteBuffer()
}

/// The state of a ``ReaderLane``'s thread. It is a value of that thread's function, so that nothing of it is shared.
private struct ReaderThread {
    private let lane: ReaderLane
    private let idleTime: TimeAmount
    private let tickTime: TimeAmount
    private let requestsPerAddress: Int
    /// By descriptor; nil for descriptors that the lane does not have.
    private var connections: [KeptConnection?] = []
    private var count = 0
    private let table = ReplyTable()
    private var readModel: ReadModel
    private var version = 0
    private var counts = RequestCounts()
    private var now = NIODeadline.now()
    private var nextTick = NIODeadline.now()
    private var second: Int64 = 0
    private var date = ""
    private var givesAllBack = false
    private var end: CheckedContinuation<Void, Never>?
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
    /// Replies to several requests that arrived together.
    private var output: [UInt8] = []
    private var ready = [Int32](repeating: 0, count: 256)

    init(_ lane: ReaderLane) {
        self.lane = lane
        idleTime = TimeAmount(lane.homes[0].settings.limits.idleTime)
        tickTime = lane.homes[0].settings.tick
        requestsPerAddress = lane.homes[0].settings.limits.requestsPerAddress
        readModel = lane.readModel
    }

    mutating func run() {
        while end == nil {
            let found = cpoll_wait(lane.set, &ready, Int32(ready.count), wait)
            lookAtClock()
            var isWoken = false
            for index in 0..<Int(found) {
                let socket = ready[index]
                if socket == lane.waking { isWoken = true } else { serve(socket) }
            }
            // A descriptor may be used again for a connection that arrives, and no event of its former use must be pending.
            if isWoken { takeMessages() }
            if now >= nextTick { tick() }
        }
        for socket in keptSockets { close(socket) }
        lane.closeDescriptors()
        input.deallocate()
        end?.resume()
    }

    /// In milliseconds, rounded up; -1 without connections.
    private var wait: Int32 {
        count == 0 ? -1 : Int32(clamping: max((nextTick - .now()).nanoseconds, 0) / 1_000_000 + 1)
    }

    // MARK: Requests

    private mutating func serve(_ socket: Int32) {
        let received = cpoll_receive(socket, input.baseAddress!, input.count)
        guard received > 0 else {
            if received != -1 { close(socket) }
            return
        }
        let arrived = NIODeadline.now()
        lookAtReadModel()
        let bytes = UnsafeRawBufferPointer(start: input.baseAddress, count: received)
        var (used, first) = (0, ByteBuffer?.none)
        while used < bytes.count, let request = SimpleRequest(bytes, at: used),
            let entry = entry(UnsafeRawBufferPointer(rebasing: bytes[request.path])), permitsRequest(socket, at: arrived)
        {
            let reply = answer(request, entry, bytes, since: arrived)
            if let first { collect(reply, after: first) } else { first = reply }
            used = request.end
        }
        guard let first else { return giveBack(socket, input: bytes) }
        let until = now + idleTime
        connections[Int(socket)]?.until = until
        defer { output.removeAll(keepingCapacity: true) }
        let (wanted, sent) =
            output.isEmpty
            ? first.withUnsafeReadableBytes { ($0.count, cpoll_send(socket, $0.baseAddress!, $0.count)) }
            : output.withUnsafeBytes { ($0.count, cpoll_send(socket, $0.baseAddress!, $0.count)) }
        if sent == wanted, used == bytes.count { return }
        guard sent >= 0 else { return close(socket) }
        let rest =
            output.isEmpty
            ? first.getSlice(at: first.readerIndex + sent, length: wanted - sent) : ByteBuffer(bytes: output[sent...])
        giveBack(socket, input: UnsafeRawBufferPointer(rebasing: bytes[used...]), output: rest ?? ByteBuffer())
    }

    private mutating func entry(_ path: UnsafeRawBufferPointer) -> ReplyTable.Entry? {
        table.entry(for: path) { path in readModel.reply(path).map { StampedReply($0, date: date) } }
    }

    /// Counts a request of the client. A refused request does not count; the event loop takes it, and it is refused there.
    private func permitsRequest(_ socket: Int32, at arrived: NIODeadline) -> Bool {
        guard let connection = connections[Int(socket)], let address = connection.address else { return true }
        let limiters = lane.homes[connection.home].limiters
        return limiters.rates.take(address, rate: requestsPerAddress, at: arrived) == nil
    }

    /// Counts a request and returns its reply.
    private mutating func answer(
        _ request: SimpleRequest, _ entry: ReplyTable.Entry, _ bytes: UnsafeRawBufferPointer, since arrived: NIODeadline
    ) -> ByteBuffer {
        let part = entry.part(
            isHead: request.isHead, condition: request.condition.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
        let reply = entry.reply.bytes(part, .implied)
        counts.add(
            entry.reply.reply.route, part == .notModified ? 304 : 200, bytes: reply.readableBytes,
            nanoseconds: (NIODeadline.now() - arrived).nanoseconds)
        return reply
    }

    private mutating func collect(_ reply: ByteBuffer, after first: ByteBuffer) {
        if output.isEmpty { output.append(contentsOf: first.readableBytesView) }
        output.append(contentsOf: reply.readableBytesView)
    }

    // MARK: Connections

    private mutating func keep(_ socket: Int32, _ connection: KeptConnection) {
        let index = Int(socket)
        if index >= connections.count {
            connections.append(contentsOf: repeatElement(nil, count: max(index + 1, connections.count * 2) - connections.count))
        }
        guard !givesAllBack, cpoll_add(lane.set, socket) == 0 else {
            return returnHome(ReturnedConnection(socket: socket, until: connection.until), connection.home)
        }
        if count == 0 { nextTick = now + tickTime }
        connections[index] = connection
        count += 1
    }

    private mutating func forget(_ socket: Int32) -> KeptConnection? {
        guard let connection = connections[Int(socket)] else { return nil }
        connections[Int(socket)] = nil
        count -= 1
        return connection
    }

    private mutating func close(_ socket: Int32) {
        guard let connection = forget(socket) else { return }
        _ = Foundation.close(socket)
        lane.homes[connection.home].limiters.connections.release()
    }

    private mutating func giveBack(
        _ socket: Int32, input: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        output: ByteBuffer = ByteBuffer()
    ) {
        guard let connection = forget(socket) else { return }
        _ = cpoll_remove(lane.set, socket)
        returnHome(
            ReturnedConnection(socket: socket, until: connection.until, input: ByteBuffer(bytes: input), output: output),
            connection.home)
    }

    private func returnHome(_ connection: ReturnedConnection, _ index: Int) {
        let home = lane.homes[index]
        home.loop.execute { ConnectionSetup.take(back: connection, home) }
    }

    private var keptSockets: [Int32] { connections.indices.filter { connections[$0] != nil }.map { Int32($0) } }

    // MARK: Messages and the clock

    private mutating func takeMessages() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(lane.waking, &bytes, bytes.count) == bytes.count {}
        for message in lane.takeMessages() {
            switch message {
            case .keep(let socket, let connection): keep(socket, connection)
            case .tellCounts(let waiting): waiting.resume(returning: counts)
            case .giveAllBack(let waiting):
                givesAllBack = true
                for socket in keptSockets { giveBack(socket) }
                waiting.resume()
            case .end(let waiting): end = waiting
            }
        }
    }

    private mutating func tick() {
        nextTick = now + tickTime
        guard count > 0 else { return }
        for index in connections.indices {
            if let connection = connections[index], connection.until <= now { close(Int32(index)) }
        }
    }

    private mutating func lookAtReadModel() {
        let newest = lane.version.load(ordering: .sequentiallyConsistent)
        guard newest != version else { return }
        version = newest
        readModel = lane.readModel
        table.removeAll()
    }

    private mutating func lookAtClock() {
        now = .now()
        let present = Int64(time(nil))
        guard present != second else { return }
        second = present
        date = HTTPDate.text(present)
        table.removeAll()
    }
}
#endif
