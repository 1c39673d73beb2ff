import Foundation
import Synchronization

/// The protocol between a server and its successor: the successor's descriptors, and the messages over a socket pair.
///
/// A successor that has started completely sends ``Word/ready``. The older server then accepts no more connections, ends what is not
/// a transfer of a resource, and sends the newest row that it has shown and ``Word/begin``. The successor reads that row, accepts
/// connections and sends ``Word/serving``. Connections that arrive in between wait in the queue of the shared socket.
enum Handover {
    enum Word: UInt8 {
        case ready = 0x52
        case begin = 0x42
        case serving = 0x53
    }

    /// Begins a number, which decimal digits and a line feed follow.
    static let number: UInt8 = 0x4E

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
        /// The newest row of the journal that the older server has shown.
        case serial(Int64)
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
    func send(_ word: Handover.Word) -> Bool { send([word.rawValue]) }

    /// - Returns: false if the other process has ended.
    func send(serial: Int64) -> Bool { send([Handover.number] + Array("\(max(serial, 0))\n".utf8)) }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, SocketPlatform.sendFlags) }
            if count > 0 { rest = rest.dropFirst(count) }
            guard count > 0 || errno == EINTR else { return false }
        }
        return true
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
        var number: Int64?
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
            switch byte {
            case Handover.number: number = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number.map { min($0, .max / 10 - 1) * 10 + Int64(byte - UInt8(ascii: "0")) }
            case UInt8(ascii: "\n"): if let number { return .serial(number) }
            default: if let word = Handover.Word(rawValue: byte) { return .word(word) }
            }
        }
    }
}

/// The server that started this process and waits to hand over to it.
package final class Predecessor: Sendable {
    package let socket: ListeningSocket
    private let channel: HandoverChannel
    /// Whether the older server has the same store.
    private let hasSameStore = Mutex(false)

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
        if let lock = ServerLock(inherited: Handover.lock, folder: folder) {
            hasSameStore.withLock { $0 = true }
            return lock
        }
        close(Handover.lock)
        return try ServerLock(folder: folder)
    }

    /// Reports that this process is ready, and waits until the older server accepts no more connections or has ended.
    /// - Returns: the newest row of the journal that the older server has shown; nil if it is unknown, or of another store.
    package func relieve() async -> Int64? {
        _ = channel.send(.ready)
        var shown: Int64?
        while true {
            switch await channel.next(within: nil) {
            case .serial(let serial): shown = serial
            case .word(.begin): return hasSameStore.withLock { $0 } ? shown : nil
            case .word: break
            case .end, .nothing: return nil
            }
        }
    }

    /// Reports that this process accepts connections.
    package func reportServing() { _ = channel.send(.serving) }
}
