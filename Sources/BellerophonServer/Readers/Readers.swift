import CPoll
import Foundation
import NIOCore
import Synchronization

/// The thread on which connections begin, as other threads see it.
///
/// It accepts all connections. A connection there is a descriptor and a deadline, without a channel. The thread answers complete
/// simple requests from the read model, with one read and one write each. At the first thing that is not a complete simple request,
/// the connection moves to an event loop with the bytes that were read, and never back.
final class Readers: Sendable {
    /// Work for the thread.
    typealias Message = @Sendable (inout ReaderThread) -> Void

    /// The event loops to which connections move, in turn.
    let loops: [LoopState]
    /// Nil without TLS.
    let tls: PresentCertificate?
    /// The sockets of the connections, the listening socket, and the pipe's end ``waking``.
    let set: Int32
    let waking: Int32
    private let wake: Int32
    /// Nil once the thread ends.
    private let messages = Mutex<[Message]?>([])
    private let newest: Mutex<ReadModel>
    /// The number of the newest read model. It is compared before each request, so that every request that arrives after
    /// ``show(_:)`` gets its reply from the new read model.
    let version: Atomic<Int>

    /// Starts the thread.
    /// - Parameters:
    ///   - listener: a socket that does not block, which belongs to the thread; nil in tests.
    ///   - tls: connections with TLS, and those whose requests are logged, move as soon as they are accepted.
    /// - Throws: `IOError` if the process may open no more files.
    init(_ loops: [LoopState], _ readModel: ReadModel, listener: Int32?, tls: PresentCertificate?) throws {
        var ends: [Int32] = [-1, -1]
        let set = cpoll_create()
        guard set >= 0, cpoll_pipe(&ends) == 0, cpoll_add(set, ends[0]) == 0 else {
            let number = errno
            for descriptor in [set, listener ?? -1] + ends where descriptor >= 0 { close(descriptor) }
            throw IOError(errnoCode: number, reason: "epoll and pipe")
        }
        newest = Mutex(readModel)
        version = Atomic(readModel.number)
        (self.loops, self.tls, self.set, waking, wake) = (loops, tls, set, ends[0], ends[1])
        Thread.detachNewThread { [self] in
            Thread.current.name = "readers"
            var thread = ReaderThread(self, listener: listener)
            thread.run()
        }
    }

    deinit {
        for descriptor in [set, waking, wake] { close(descriptor) }
    }

    /// Replies to all requests from now on come from this read model.
    func show(_ newer: ReadModel) {
        newest.withLock { $0 = newer }
        version.store(newer.number, ordering: .sequentiallyConsistent)
    }

    var readModel: ReadModel { newest.withLock { $0 } }

    /// Accepts connections and keeps them, also after ``moveAll()``.
    func acceptConnections() { send { $0.startAccepting() } }

    /// Accepts no more connections. When this returns, each accepted one belongs to the thread, or is on its way to an event loop.
    func stopAccepting() async { await run(else: ()) { $0.stopAccepting() } }

    /// Closes the listening socket. No connections are accepted from now on.
    func stopListening() async { await run(else: ()) { $0.stopListening() } }

    /// Moves all connections to event loops, also those that arrive later.
    func moveAll() async { await run(else: ()) { $0.moveAll() } }

    /// The requests that the thread has answered, and the connections that it has refused.
    var counts: RequestCounts { get async { await run(else: RequestCounts()) { $0.replies.counts } } }

    /// Ends the thread. Connections that it still has are closed.
    func end() async { await run(else: ()) { $0.end() } }

    /// - Returns: false if the thread has ended.
    @discardableResult
    func send(_ message: @escaping Message) -> Bool {
        let count = messages.withLock { messages in
            messages?.append(message)
            return messages?.count
        }
        // A full pipe wakes the thread too.
        if count == 1 { _ = write(wake, [0], 1) }
        return count != nil
    }

    /// Does work on the thread, and waits for it.
    /// - Parameter ended: the result if the thread has ended.
    func run<Value: Sendable>(else ended: Value, _ work: @escaping @Sendable (inout ReaderThread) -> Value) async -> Value {
        await withCheckedContinuation { waiting in
            if !send({ waiting.resume(returning: work(&$0)) }) { waiting.resume(returning: ended) }
        }
    }

    // MARK: From the thread

    /// - Parameter isLast: the thread ends; no message can be sent any more.
    func removeMessages(isLast: Bool = false) -> [Message] {
        messages.withLock { messages in
            defer { messages = isLast ? nil : [] }
            return messages ?? []
        }
    }
}

/// A connection that belongs to the ``Readers``.
struct ReaderConnection: Sendable {
    let socket: Int32
    let slot: Slot
    /// When the connection closes if no request arrives.
    var until: NIODeadline
    /// No request has arrived yet.
    var isFirst = true
}
