import Foundation
import Synchronization

/// Forwards connections to a server on the loopback interface, until their path is cut without a sign.
///
/// One thread accepts and one serves each connection. All end with the relay.
public final class Relay: Sendable {
    fileprivate struct State: Sendable {
        var clients: [Int: Socket] = [:]
        var frozen: Set<Int> = []
        var accepted = 0
        var holdsReplies = false
        var isOver = false
    }

    /// The threads hold this, and not the relay.
    fileprivate final class Engine: Sendable {
        let listener: Socket
        let target: UInt16
        let state = Mutex(State())

        init(listener: Socket, target: UInt16) {
            (self.listener, self.target) = (listener, target)
        }
    }

    private let engine: Engine

    /// - Parameter port: the server's port.
    public init(to port: UInt16) throws {
        let listener = try Socket.bound(port: 0)
        try listener.listen()
        engine = Engine(listener: listener, target: port)
        Thread.detachNewThread { [engine] in engine.accept() }
    }

    deinit {
        engine.state.withLock { $0.isOver = true }
    }

    public var port: UInt16 { engine.listener.port }

    /// The connections so far.
    public var accepted: Int { engine.state.withLock { $0.accepted } }

    /// Cuts the path of the present connections: they stay open, and nothing passes any more in either direction.
    public func freeze() {
        engine.state.withLock { $0.frozen = Set($0.clients.keys) }
    }

    /// Whether what servers send waits until this is false again.
    public var holdsReplies: Bool {
        get { engine.state.withLock { $0.holdsReplies } }
        set { engine.state.withLock { $0.holdsReplies = newValue } }
    }

    /// Sends bytes to the client on every open connection, as if they came from the server.
    public func inject(_ text: String) {
        engine.state.withLock { state in state.clients.values.forEach { _ = $0.send(text.utf8) } }
    }
}

extension Relay.Engine {
    fileprivate var isOver: Bool { state.withLock { $0.isOver } }

    fileprivate func accept() {
        defer { listener.close() }
        while !isOver {
            guard Self.isReadable([listener]), let client = listener.accept() else { continue }
            let number = state.withLock { state in
                state.accepted += 1
                state.clients[state.accepted] = client
                return state.accepted
            }
            Thread.detachNewThread { self.serve(number, client) }
        }
    }

    private func serve(_ number: Int, _ client: Socket) {
        let server = try? Socket.connected(port: target)
        while let server, !isOver {
            let (isFrozen, isHeld) = state.withLock { ($0.frozen.contains(number), $0.holdsReplies) }
            let sources = isFrozen || isHeld ? [client] : [client, server]
            let ready = sources.filter { Self.isReadable([$0], within: 0) }
            if ready.isEmpty { _ = Self.isReadable(sources) }
            guard ready.allSatisfy({ pass(from: $0, to: $0 == client ? server : client, isFrozen: isFrozen) }) else { break }
        }
        server?.close()
        state.withLock { _ = $0.clients.removeValue(forKey: number) }
        client.close()
    }

    /// Forwards what is there, or drops it. False at the end of the connection.
    private func pass(from source: Socket, to target: Socket, isFrozen: Bool) -> Bool {
        guard let bytes = source.receive(), !bytes.isEmpty else { return false }
        return isFrozen || target.send(bytes) == bytes.count
    }

    private static func isReadable(_ sockets: [Socket], within milliseconds: Int32 = 20) -> Bool {
        var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        return poll(&waiting, nfds_t(waiting.count), milliseconds) > 0
    }
}
