#if Server
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
    enum Message: Sendable {
        case keep(socket: Int32, KeptConnection)
        case tellCounts(CheckedContinuation<RequestCounts, Never>)
        case giveAllBack(CheckedContinuation<Void, Never>)
        case takeAgain
        case end(CheckedContinuation<Void, Never>)
    }

    /// The event loops from which connections come, and to which they return.
    let homes: [LoopState]
    /// The sockets of the connections, and the pipe's end ``waking``.
    let set: Int32
    let waking: Int32
    private let wake: Int32
    private let messages = Mutex<[Message]>([])
    private let newest: Mutex<ReadModel>
    /// The number of read models that were shown. It is compared before each request, so that every request that arrives after
    /// ``show(_:)`` gets its reply from the new read model.
    let version = Atomic<Int>(0)

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
    /// - Parameter socket: belongs to the lane from now on.
    func keep(_ socket: Int32, _ connection: KeptConnection) { send(.keep(socket: socket, connection)) }

    var counts: RequestCounts {
        get async { await withCheckedContinuation { send(.tellCounts($0)) } }
    }

    /// Returns all connections to their event loop, also those that arrive later.
    func giveAllBack() async {
        await withCheckedContinuation { send(.giveAllBack($0)) }
    }

    /// Keeps connections again after ``giveAllBack()``.
    func takeAgain() { send(.takeAgain) }

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

    func takeMessages() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    var readModel: ReadModel { newest.withLock { $0 } }

    func closeDescriptors() {
        for descriptor in [set, waking, wake] { close(descriptor) }
    }
}

/// A connection at a ``ReaderLane``.
struct KeptConnection {
    /// When the connection closes if no request arrives.
    var until: NIODeadline
    /// The client's address, if its requests have a limit.
    let address: AddressKey?
    let slot: ConnectionSlot
    /// The index of its event loop.
    let home: Int
}

/// A connection on its way back from a ``ReaderLane`` to its event loop.
struct ReturnedConnection: Sendable {
    let socket: Int32
    let slot: ConnectionSlot
    /// When the connection closes if no request arrives.
    let until: NIODeadline
    /// Bytes that the client sent and nobody has interpreted, beginning with a request.
    var input = ByteBuffer()
    /// The end of a reply, which the client has not taken yet.
    var output = ByteBuffer()
}
#endif
