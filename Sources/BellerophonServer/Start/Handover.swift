import BellerophonBase
import Foundation

/// The protocol between a server and its successor: the successor's descriptors, and the messages over a socket pair, a line for each.
///
/// A successor that has started completely sends ``ready``. The older server then accepts no more connections, ends what is not
/// a transfer of a resource, and sends ``begin`` with the newest row that it has shown. The successor reads that row, accepts
/// connections and sends ``serving``. Connections that arrive in between wait in the queue of the shared socket.
enum Handover {
    static let ready = "ready"
    /// A space and the row's number follow.
    static let begin = "begin"
    static let serving = "serving"

    /// Marks a process as a successor. The value states whether a supervisor created the listening socket.
    static let variable = "BELLEROPHON_HANDOVER"
    static let ownSocket = "own"
    static let activatedSocket = "activated"

    // The successor's descriptors.
    static let listener: Int32 = 3
    static let lock: Int32 = 4
    static let channel: Int32 = 5
    /// The first descriptor that the successor does not inherit.
    static let firstFree: Int32 = 6
}

/// One end of the socket pair between a server and its successor.
final class HandoverChannel: Sendable {
    enum Incoming: Equatable {
        case line(String)
        /// The other process has ended.
        case end
        /// Nothing has arrived in time.
        case nothing
    }

    private let descriptor: Descriptor

    init(_ descriptor: Int32) {
        self.descriptor = Descriptor(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sends a line. A process that has ended gets none.
    func send(_ line: String) {
        // The few lines of a hand-over fit into the socket's buffer, so each is sent whole.
        let bytes = Array("\(line)\n".utf8)
        while Foundation.send(descriptor.number, bytes, bytes.count, SocketPlatform.sendFlags) < 0, errno == EINTR {}
    }

    /// Waits for the next line, on a separate thread.
    /// - Parameter limit: the maximum wait; nil waits until the other process ends.
    func next(within limit: Duration?) async -> Incoming {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait(limit)) }
        }
    }

    private func wait(_ limit: Duration?) -> Incoming {
        let deadline = limit.map { ContinuousClock.now + $0 }
        var line: [UInt8] = []
        while deadline.map({ .now < $0 }) ?? true {
            var poller = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, 20) > 0 else { continue }
            var byte: UInt8 = 0
            let count = read(descriptor.number, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .end }
            if byte == UInt8(ascii: "\n") { return .line(String(decoding: line, as: UTF8.self)) }
            line.append(byte)
        }
        return .nothing
    }
}

/// The server that started this process and waits to hand over to it.
package struct Predecessor: Sendable {
    package let socket: ListeningSocket
    private let channel: HandoverChannel

    /// - Returns: nil if this process was not started as a successor.
    /// - Throws: ``ServerError`` if the variable is set but no server has started this process.
    package static func inherited(_ environment: [String: String]) throws(ServerError) -> Predecessor? {
        guard let origin = environment[Handover.variable] else { return nil }
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(Handover.channel, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
            let socket = ListeningSocket(inherited: Handover.listener, isActivated: origin == Handover.activatedSocket)
        else {
            throw ServerError("\(Handover.variable) is set, and no server has started this process", hint: "unset it")
        }
        return Predecessor(socket: socket, channel: HandoverChannel(Handover.channel))
    }

    /// The lock of a store: inherited from the older server if it is of the same store, otherwise a new one.
    package func lock(_ folder: URL) throws(ServerError) -> ServerLock {
        if let lock = ServerLock(inherited: Handover.lock, folder: folder) { return lock }
        close(Handover.lock)
        return try ServerLock(folder: folder)
    }

    /// Reports that this process is ready, and waits until the older server accepts no more connections or has ended.
    /// - Parameter lock: that of this process's store.
    /// - Returns: the newest row of the journal that the older server has shown; nil if it is unknown, or of another store.
    package func relieve(_ lock: ServerLock) async -> Int64? {
        channel.send(Handover.ready)
        guard case .line(let line) = await channel.next(within: nil), lock.isInherited else { return nil }
        return line.split(separator: " ").last.flatMap { Int64($0) }
    }

    /// Reports that this process accepts connections.
    package func reportServing() { channel.send(Handover.serving) }
}
