#if Server
import Foundation

/// The protocol between a server and its successor: the successor's descriptors, and the messages over a socket pair.
///
/// A successor that has started completely sends ``Word/ready``. The older server then accepts no more connections and
/// sends ``Word/begin``. The successor accepts connections and sends ``Word/serving``, and the older server finishes
/// its requests. Connections that arrive in between wait in the queue of the shared socket.
enum Handover {
    enum Word: UInt8 {
        case ready = 0x52
        case begin = 0x42
        case serving = 0x53
    }

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
        case word(Handover.Word)
        /// The other process has ended.
        case end
        case nothing
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: false if the other process has ended.
    func send(_ word: Handover.Word) -> Bool {
        var byte = word.rawValue
        while true {
            let count = Foundation.send(descriptor, &byte, 1, SpawnPlatform.sendFlags)
            if count == 1 { return true }
            guard count < 0, errno == EINTR else { return false }
        }
    }

    /// Waits for the next message, on a separate thread.
    /// - Parameter limit: the maximum wait; nil waits until the other process ends.
    func next(within limit: Duration?) async -> Incoming {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait(limit)) }
        }
    }

    private func wait(_ limit: Duration?) -> Incoming {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { return .nothing }
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = left.map { $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 + 1 }
            guard poll(&poller, 1, milliseconds.map { Int32(min($0, 60_000)) } ?? -1) > 0 else { continue }
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .end }
            if let word = Handover.Word(rawValue: byte) { return .word(word) }
        }
    }
}

/// The server that started this process and waits to hand over to it.
package final class Predecessor: Sendable {
    package let socket: ListeningSocket
    private let channel: HandoverChannel

    private init(_ socket: ListeningSocket, _ channel: HandoverChannel) {
        self.socket = socket
        self.channel = channel
    }

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
        return Predecessor(socket, HandoverChannel(Handover.channel))
    }

    /// The lock of a store: inherited from the older server if it is of the same store, otherwise a new one.
    package func lock(_ folder: URL) throws(ServerError) -> ServerLock {
        if let lock = ServerLock(inherited: Handover.lock, folder: folder) { return lock }
        close(Handover.lock)
        return try ServerLock(folder: folder)
    }

    /// Reports that this process is ready, and waits until the older server accepts no more connections or has ended.
    package func relieve() async {
        _ = channel.send(.ready)
        while case .word(let word) = await channel.next(within: nil), word != .begin {}
    }

    /// Reports that this process accepts connections.
    package func tellServing() { _ = channel.send(.serving) }
}
#endif
