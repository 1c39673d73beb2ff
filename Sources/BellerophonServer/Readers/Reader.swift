import CPoll
import Foundation
import NIOCore
import Synchronization

/// One of the ``Readers``, as other threads see it.
final class Reader: Sendable {
    /// Work for the thread.
    typealias Message = @Sendable (inout ReaderThread) -> Void

    /// The event loops to which connections move, in turn.
    let loops: [LoopState]
    let firstLoop: Int
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

    /// - Throws: `IOError` if the process may open no more files.
    init(_ loops: [LoopState], _ readModel: ReadModel, firstLoop: Int, tls: PresentCertificate?) throws {
        var ends: [Int32] = [-1, -1]
        let set = cpoll_create()
        guard set >= 0 else { throw IOError(errnoCode: errno, reason: "epoll_create") }
        guard cpoll_pipe(&ends) == 0, cpoll_add(set, ends[0]) == 0 else {
            let number = errno
            for descriptor in [set] + ends where descriptor >= 0 { close(descriptor) }
            throw IOError(errnoCode: number, reason: "pipe")
        }
        newest = Mutex(readModel)
        version = Atomic(readModel.number)
        (self.loops, self.firstLoop, self.tls, self.set, waking, wake) = (loops, firstLoop, tls, set, ends[0], ends[1])
    }

    deinit {
        for descriptor in [set, waking, wake] { close(descriptor) }
    }

    /// Starts the thread.
    /// - Parameters:
    ///   - listener: nil unless the thread accepts connections.
    ///   - answers: false if each connection moves at once.
    func start(listener: Int32?, answers: Bool) {
        Thread.detachNewThread { [self] in
            Thread.current.name = "readers"
            var thread = ReaderThread(self, listener: listener, answers: answers)
            thread.run()
        }
    }

    func show(_ newer: ReadModel) {
        newest.withLock { $0 = newer }
        version.store(newer.number, ordering: .sequentiallyConsistent)
    }

    var readModel: ReadModel { newest.withLock { $0 } }

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
    /// The client's address, if its requests have a limit.
    let address: AddressKey?
    /// When the connection closes if no request arrives.
    var until: NIODeadline
    /// No request has arrived yet.
    var isFirst = true
}
