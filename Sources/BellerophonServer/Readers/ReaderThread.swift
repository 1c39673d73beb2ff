import CPoll
import Foundation
import NIOCore
import Synchronization

/// The state of a ``Reader``'s thread. It is a value of that thread's function, so that nothing of it is shared.
struct ReaderThread {
    private let reader: Reader
    private let limits: Limits
    private let limiters: Limiters
    private let idleTime: TimeAmount
    private let tickTime: TimeAmount
    private let answers: Bool
    /// By descriptor; nil for descriptors that the thread does not have.
    private var connections: [ReaderConnection?] = []
    private var count = 0
    private(set) var replies: SimpleReplies
    private var now = NIODeadline.now()
    private var nextTick = NIODeadline.now()
    private var listener: Int32?
    private var accepts = false
    /// The process may open no more files; connections wait until the next tick.
    private var isFull = false
    /// The threads that share the accepted connections, the next one first.
    private var takers: [Reader] = []
    private var nextTaker = 0
    private var nextLoop: Int
    /// The server ends: connections move at once.
    private var isEnding = false
    private var isOver = false
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
    private var ready = [Int32](repeating: 0, count: 256)

    /// Between two of these numbers of accepted connections the thread serves others.
    private static let acceptedAtOnce = 64

    init(_ reader: Reader, listener: Int32?, answers: Bool) {
        self.reader = reader
        self.listener = listener
        self.answers = answers
        let first = reader.loops[0]
        (limits, limiters, tickTime) = (first.settings.limits, first.limiters, first.settings.tick)
        idleTime = TimeAmount(limits.idleTime)
        nextLoop = reader.firstLoop
        replies = SimpleReplies(reader.readModel)
    }

    mutating func run() {
        while !isOver {
            let found = cpoll_wait(reader.set, &ready, Int32(ready.count), wait)
            now = .now()
            replies.cache.updateDate()
            var (isWoken, isCalled) = (false, false)
            for index in 0..<Int(found) {
                switch ready[index] {
                case reader.waking: isWoken = true
                case listener: isCalled = true
                case let socket: serve(socket)
                }
            }
            // A descriptor may be used again for a connection that arrives, and no event of its former use must be pending.
            if isCalled { accept() }
            if isWoken { performMessages() }
            if now >= nextTick { tick() }
        }
        for message in reader.removeMessages(isLast: true) { message(&self) }
        end()
        input.deallocate()
    }

    /// Ends the thread. Connections that it still has are closed.
    mutating func end() {
        stopListening()
        for socket in sockets { close(socket) }
        isOver = true
    }

    /// In milliseconds, rounded up; -1 if nothing is due at a time.
    private var wait: Int32 {
        count == 0 && !isFull ? -1 : Int32(clamping: max((nextTick - .now()).nanoseconds, 0) / 1_000_000 + 1)
    }

    // MARK: Requests

    private mutating func serve(_ socket: Int32) {
        guard var connection = connections[Int(socket)] else { return }
        let received = cpoll_receive(socket, input.baseAddress!, input.count)
        guard received > 0 else {
            if received != -1 { close(socket) }
            return
        }
        adoptReadModel()
        let bytes = UnsafeRawBufferPointer(start: input.baseAddress, count: received)
        // A refused request does not count; it is refused where the connection moves to.
        let (address, rates, rate) = (connection.address, limiters.rates, limits.requestsPerAddress)
        let (output, used) = replies.answer(bytes) { arrived in
            address.map { rates.admit($0, rate: rate, at: arrived) == nil } ?? true
        }
        guard used > 0 else { return move(socket, input: ByteBuffer(bytes: bytes)) }
        let sent = output.withUnsafeReadableBytes { cpoll_send(socket, $0.baseAddress!, $0.count) }
        guard sent >= 0 else { return close(socket) }
        (connection.until, connection.isFirst) = (now + idleTime, false)
        connections[Int(socket)] = connection
        if sent == output.readableBytes, used == bytes.count { return }
        let rest = output.getSlice(at: output.readerIndex + sent, length: output.readableBytes - sent)
        move(socket, input: ByteBuffer(bytes: bytes[used...]), output: rest ?? ByteBuffer())
    }

    // MARK: Accepting connections

    private mutating func accept() {
        guard let listener, accepts, !isFull else { return }
        for _ in 0..<Self.acceptedAtOnce {
            var address = sockaddr_storage()
            let socket = cpoll_accept(listener, &address)
            guard socket >= 0 else {
                if socket == -2 { waitForFiles(listener) }
                return
            }
            admit(socket, SocketAddress(&address))
        }
    }

    private mutating func admit(_ socket: Int32, _ client: SocketAddress?) {
        let address = AddressKey(client)
        let slot = limiters.acquireConnection(limits.key(of: address, limit: limits.connectionsOfAnAddress), limits)
        if slot?.isRefused ?? true { replies.counts.shed += 1 }
        guard let slot else { return _ = Foundation.close(socket) }
        let connection = ReaderConnection(
            socket: socket, slot: slot, address: limits.key(of: address, limit: limits.requestsPerAddress), until: now + idleTime)
        let taker = takers[nextTaker]
        nextTaker = (nextTaker + 1) % takers.count
        if taker === reader { register(connection) } else { taker.send { $0.register(connection) } }
    }

    private mutating func waitForFiles(_ listener: Int32) {
        isFull = true
        _ = cpoll_remove(reader.set, listener)
        if count == 0 { nextTick = now + tickTime }
    }

    /// Accepts connections, and shares them out.
    mutating func accept(sharedBy takers: [Reader]) {
        guard let listener, !accepts else { return }
        (accepts, self.takers) = (true, takers)
        if cpoll_add(reader.set, listener) != 0 { waitForFiles(listener) }
    }

    mutating func stopAccepting() {
        guard let listener, accepts else { return }
        _ = cpoll_remove(reader.set, listener)
        (accepts, isFull) = (false, false)
    }

    mutating func stopListening() {
        stopAccepting()
        if let listener { _ = Foundation.close(listener) }
        listener = nil
    }

    // MARK: Connections

    mutating func register(_ connection: ReaderConnection) {
        let index = Int(connection.socket)
        guard answers, !isEnding, !connection.slot.isReserved, !connection.slot.isRefused,
            cpoll_add(reader.set, connection.socket) == 0
        else { return arrive(Arrival(connection: connection, readModel: replies.cache.readModel)) }
        if index >= connections.count {
            connections.append(contentsOf: repeatElement(nil, count: max(index + 1, connections.count * 2) - connections.count))
        }
        if count == 0 { nextTick = now + tickTime }
        connections[index] = connection
        count += 1
    }

    private mutating func forget(_ socket: Int32) -> ReaderConnection? {
        guard let connection = connections[Int(socket)] else { return nil }
        connections[Int(socket)] = nil
        count -= 1
        _ = cpoll_remove(reader.set, socket)
        return connection
    }

    private mutating func close(_ socket: Int32) {
        if forget(socket) != nil { _ = Foundation.close(socket) }
    }

    private mutating func move(_ socket: Int32, input: ByteBuffer = ByteBuffer(), output: ByteBuffer = ByteBuffer()) {
        guard let connection = forget(socket) else { return }
        arrive(Arrival(connection: connection, readModel: replies.cache.readModel, input: input, output: output))
    }

    private mutating func arrive(_ arrival: Arrival) {
        let (loop, tls) = (reader.loops[nextLoop], reader.tls)
        nextLoop = (nextLoop + 1) % reader.loops.count
        loop.loop.execute { loop.receive(arrival, tls: tls?.context) }
    }

    private var sockets: [Int32] { connections.compactMap { $0?.socket } }

    // MARK: Messages and the clock

    private mutating func performMessages() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader.waking, &bytes, bytes.count) == bytes.count {}
        for message in reader.removeMessages() { message(&self) }
    }

    /// Moves all connections to event loops, also those that arrive later.
    mutating func moveAll() {
        isEnding = true
        for socket in sockets { move(socket) }
    }

    /// Keeps new connections again.
    mutating func keepAgain() { isEnding = false }

    private mutating func tick() {
        nextTick = now + tickTime
        if isFull, let listener, cpoll_add(reader.set, listener) == 0 { isFull = false }
        guard count > 0 else { return }
        for connection in connections {
            // A request that has arrived is answered, and not lost with the connection.
            if let connection, connection.until <= now, cpoll_has_input(connection.socket) == 0 { close(connection.socket) }
        }
    }

    private mutating func adoptReadModel() {
        guard reader.version.load(ordering: .sequentiallyConsistent) != replies.cache.readModel.number else { return }
        replies.cache.readModel = reader.readModel
    }
}
