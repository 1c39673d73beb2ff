#if Server
import CPoll
import Foundation
import NIOCore
import Synchronization

/// The state of a ``ReaderLane``'s thread. It is a value of that thread's function, so that nothing of it is shared.
struct ReaderThread {
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
        let (reply, code) = entry.answer(request, in: bytes)
        counts.add(
            entry.reply.reply.route, code, bytes: reply.readableBytes, nanoseconds: (NIODeadline.now() - arrived).nanoseconds)
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
            return returnHome(
                ReturnedConnection(socket: socket, slot: connection.slot, until: connection.until), connection.home)
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
        // The event loop's channel may have another descriptor of the socket for a moment. The system would go on reporting the
        // socket by the number of this descriptor, which may then be another connection's.
        _ = cpoll_remove(lane.set, socket)
        _ = Foundation.close(socket)
        connection.slot.release()
    }

    private mutating func giveBack(
        _ socket: Int32, input: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        output: ByteBuffer = ByteBuffer()
    ) {
        guard let connection = forget(socket) else { return }
        _ = cpoll_remove(lane.set, socket)
        returnHome(
            ReturnedConnection(
                socket: socket, slot: connection.slot, until: connection.until, input: ByteBuffer(bytes: input), output: output),
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
            case .takeAgain: givesAllBack = false
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
