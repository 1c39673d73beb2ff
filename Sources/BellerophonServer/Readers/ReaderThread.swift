import CPoll
import Foundation
import NIOCore
import Synchronization

/// The state of the ``Readers``' thread. It is a value of that thread's function, so that nothing of it is shared.
struct ReaderThread {
    private let readers: Readers
    private let limits: Limits
    private let limiters: Limiters
    private let idleTime: TimeAmount
    private let tickTime: TimeAmount
    /// False if each connection moves at once.
    private let answers: Bool
    /// By descriptor.
    private var connections: [Int32: ReaderConnection] = [:]
    private(set) var replies: SimpleReplies
    private var now = NIODeadline.now()
    private var nextTick = NIODeadline.now()
    private var listener: Int32?
    private var accepts = false
    /// The process may open no more files; connections wait until the next tick.
    private var isFull = false
    private var nextLoop = 0
    /// The server ends: connections move at once.
    private var isEnding = false
    private var isOver = false
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
    private var ready = [Int32](repeating: 0, count: 256)

    /// Between two of these numbers of accepted connections the thread serves others.
    private static let acceptedAtOnce = 64

    init(_ readers: Readers, listener: Int32?) {
        (self.readers, self.listener) = (readers, listener)
        let (settings, limiters) = (readers.loops[0].settings, readers.loops[0].limiters)
        (limits, self.limiters, tickTime) = (settings.limits, limiters, settings.tick)
        idleTime = TimeAmount(limits.idleTime)
        answers = readers.tls == nil && !settings.logsAccess
        replies = SimpleReplies(cache: ReplyCache(readers.readModel))
    }

    mutating func run() {
        while !isOver {
            let found = cpoll_wait(readers.set, &ready, Int32(ready.count), wait)
            now = .now()
            replies.cache.updateDate()
            var (isWoken, isCalled) = (false, false)
            for index in 0..<Int(found) {
                switch ready[index] {
                case readers.waking: isWoken = true
                case listener: isCalled = true
                case let socket: serve(socket)
                }
            }
            // A descriptor may be used again for a connection that arrives, and no event of its former use must be pending.
            if isCalled { accept() }
            if isWoken { performMessages() }
            if now >= nextTick { tick() }
        }
        for message in readers.removeMessages(isLast: true) { message(&self) }
        end()
        input.deallocate()
    }

    /// Ends the thread. Connections that it still has are closed.
    mutating func end() {
        stopListening()
        for socket in connections.keys { close(socket) }
        isOver = true
    }

    /// In milliseconds, rounded up; -1 if nothing is due at a time.
    private var wait: Int32 {
        connections.isEmpty && !isFull ? -1 : Int32(clamping: max((nextTick - .now()).nanoseconds, 0) / 1_000_000 + 1)
    }

    // MARK: Requests

    private mutating func serve(_ socket: Int32) {
        guard var connection = connections[socket] else { return }
        let received = cpoll_receive(socket, input.baseAddress!, input.count)
        guard received > 0 else {
            if received != -1 { close(socket) }
            return
        }
        if readers.version.load(ordering: .sequentiallyConsistent) != replies.cache.readModel.number {
            replies.cache.readModel = readers.readModel
        }
        let bytes = UnsafeRawBufferPointer(start: input.baseAddress, count: received)
        let (output, used) = replies.answer(bytes)
        guard used > 0 else { return move(socket, input: ByteBuffer(bytes: bytes)) }
        let sent = output.withUnsafeReadableBytes { cpoll_send(socket, $0.baseAddress!, $0.count) }
        guard sent >= 0 else { return close(socket) }
        (connection.until, connection.isFirst) = (now + idleTime, false)
        connections[socket] = connection
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
            let key = limits.key(of: AddressKey(SocketAddress(&address)), limit: limits.connectionsOfAnAddress)
            let slot = limiters.acquireConnection(key, limits)
            if slot?.isRefused ?? true { replies.counts.shed += 1 }
            if let slot {
                register(ReaderConnection(socket: socket, slot: slot, until: now + idleTime))
            } else {
                _ = Foundation.close(socket)
            }
        }
    }

    private mutating func waitForFiles(_ listener: Int32) {
        isFull = true
        _ = cpoll_remove(readers.set, listener)
        if connections.isEmpty { nextTick = now + tickTime }
    }

    /// Accepts connections and keeps them, also after ``moveAll()``.
    mutating func startAccepting() {
        isEnding = false
        guard let listener, !accepts else { return }
        accepts = true
        if cpoll_add(readers.set, listener) != 0 { waitForFiles(listener) }
    }

    mutating func stopAccepting() {
        guard let listener, accepts else { return }
        _ = cpoll_remove(readers.set, listener)
        (accepts, isFull) = (false, false)
    }

    mutating func stopListening() {
        stopAccepting()
        if let listener { _ = Foundation.close(listener) }
        listener = nil
    }

    // MARK: Connections

    mutating func register(_ connection: ReaderConnection) {
        guard answers, !isEnding, !connection.slot.isReserved, !connection.slot.isRefused,
            cpoll_add(readers.set, connection.socket) == 0
        else { return arrive(Arrival(connection: connection, readModel: replies.cache.readModel)) }
        if connections.isEmpty { nextTick = now + tickTime }
        connections[connection.socket] = connection
    }

    private mutating func forget(_ socket: Int32) -> ReaderConnection? {
        guard let connection = connections.removeValue(forKey: socket) else { return nil }
        _ = cpoll_remove(readers.set, socket)
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
        let (loop, tls) = (readers.loops[nextLoop], readers.tls)
        nextLoop = (nextLoop + 1) % readers.loops.count
        loop.loop.execute { loop.receive(arrival, tls: tls?.value.context) }
    }

    // MARK: Messages and the clock

    private mutating func performMessages() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readers.waking, &bytes, bytes.count) == bytes.count {}
        for message in readers.removeMessages() { message(&self) }
    }

    /// Moves all connections to event loops, also those that arrive later.
    mutating func moveAll() {
        isEnding = true
        for socket in connections.keys { move(socket) }
    }

    private mutating func tick() {
        nextTick = now + tickTime
        if isFull, let listener, cpoll_add(readers.set, listener) == 0 { isFull = false }
        // A request that has arrived is answered, and not lost with the connection.
        for (socket, connection) in connections where connection.until <= now && cpoll_has_input(socket) == 0 { close(socket) }
    }
}
