import BellerophonBase
import Foundation

/// Sends a line to running programs and receives a line from each.
package enum LineExchange {
    /// The maximum bytes of a reply.
    private static let replyLimit = 4 << 20
    /// The wait before another attempt to connect to a program that accepts no connection now, in milliseconds.
    private static let retryTime: Int32 = 10

    /// Sends a line to a program of this user, and waits for the reply.
    /// - Parameter limit: the limit for connecting, and for each read and write.
    package static func exchange(_ line: String, with path: String, limit: Duration) throws(SocketError) -> String {
        let connection = try UnixSocket.connected(to: path, limit: limit)
        var output = Array((line + "\n").utf8)[...]
        while !output.isEmpty {
            guard let count = UnixSocket.send(output, to: connection), count > 0 else { throw .noAnswer(path: path) }
            output.removeFirst(count)
        }
        var input = LineBuffer(limit: replyLimit)
        while true {
            if let line = input.next() {
                guard case .text(let text) = line else { throw .noAnswer(path: path) }
                return text
            }
            guard case .bytes(let bytes) = UnixSocket.receive(from: connection) else { throw .noAnswer(path: path) }
            input.append(bytes)
        }
    }

    /// How one of several programs has replied.
    package enum Outcome: Equatable, Sendable {
        /// The line, and the process that listens at the socket.
        case reply(String, from: SocketPeer)
        /// It runs, and has not replied in time.
        case silence
        /// It has ended, or its socket is not what it should be: another user's, for example.
        case gone
    }

    /// Sends a line to several programs at the same time, and waits for their replies.
    /// - Parameters:
    ///   - entries: the programs. A program counts only if it belongs to the owner of its folder.
    ///   - limit: the limit for all of them together.
    /// - Returns: an outcome for each entry, in order.
    package static func exchange(_ line: String, with entries: [SocketFolder.Entry], limit: Duration) -> [Outcome] {
        let end = ContinuousClock.now + limit
        var calls = entries.map { Call($0, line: line) }
        while calls.contains(where: { $0.outcome == nil }) {
            for index in calls.indices { calls[index].connect() }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero, calls.contains(where: { $0.outcome == nil }) else { break }
            wait(for: &calls, at: left)
        }
        return calls.map { $0.outcome ?? .silence }
    }

    /// Waits until a connection can be used, and uses it.
    private static func wait(for calls: inout [Call], at left: Duration) {
        let open = calls.indices.filter { calls[$0].outcome == nil && calls[$0].descriptor != nil }
        var descriptors = open.map { calls[$0].awaited }
        let isBusy = calls.contains { $0.outcome == nil && $0.descriptor == nil }
        let milliseconds = Int32(
            clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        let count = poll(&descriptors, nfds_t(descriptors.count), isBusy ? min(milliseconds, retryTime) : milliseconds)
        guard count > 0 else { return }
        for (place, index) in open.enumerated() where descriptors[place].revents != 0 { calls[index].proceed() }
    }

    /// The exchange with one program.
    private struct Call {
        private let entry: SocketFolder.Entry
        private var output: ArraySlice<UInt8>
        private var input = LineBuffer(limit: replyLimit)
        private var peer = SocketPeer(user: 0, process: 0)
        private(set) var descriptor: Descriptor?
        /// Nil while the exchange goes on.
        private(set) var outcome: Outcome?

        init(_ entry: SocketFolder.Entry, line: String) {
            self.entry = entry
            output = Array((line + "\n").utf8)[...]
        }

        /// What poll(2) waits for.
        var awaited: pollfd {
            pollfd(fd: descriptor?.number ?? -1, events: Int16(output.isEmpty ? POLLIN : POLLOUT), revents: 0)
        }

        /// Connects, or tries again.
        mutating func connect() {
            guard outcome == nil, descriptor == nil else { return }
            switch UnixSocket.start(to: entry.path) {
            case .connected(let made):
                guard let found = UnixSocket.peer(of: made), found.user == entry.owner else { return end(.gone) }
                (descriptor, peer) = (made, found)
            case .busy: break
            case .gone: end(.gone)
            }
        }

        /// Writes or reads as far as possible.
        mutating func proceed() {
            guard let descriptor else { return }
            if !output.isEmpty {
                guard let count = UnixSocket.send(output, to: descriptor) else { return end(.gone) }
                output.removeFirst(count)
                return
            }
            switch UnixSocket.receive(from: descriptor) {
            case .bytes(let bytes): input.append(bytes)
            case .nothingYet: return
            case .end: return end(.gone)
            }
            switch input.next() {
            case .text(let text)?: end(.reply(text, from: peer))
            case .unfit?: end(.gone)
            case nil: break
            }
        }

        private mutating func end(_ outcome: Outcome) {
            self.outcome = outcome
            descriptor = nil
        }
    }
}
