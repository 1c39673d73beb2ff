import Dispatch
import Foundation
import Synchronization

/// The threads, sockets and records of a ``HostileServer``.
///
/// It is separate from the server, so that its threads do not retain the server.
final class ServerEngine: Sendable {
    struct Script: Sendable {
        var reply: Behaviour
        var rule: (@Sendable (Request) -> Behaviour)?
        var queue: [Behaviour] = []
        var resetsConnections = false
    }

    private struct State: Sendable {
        /// Bound to the port, and listening while the server runs; nil after ``end()``.
        var listener: Socket?
        /// Writing to this descriptor wakes the accepting thread; nil while stopped.
        var wake: Int32?
        var connections: Set<Socket> = []
        var lastConnection = 0
    }

    let port: UInt16
    let script: Watched<Script>
    let exchanges = Watched<[Exchange]>([])
    private let state: Mutex<State>
    private let threads = DispatchGroup()
    private static let connectionLimit = 128

    init(_ reply: Behaviour) throws {
        let listener = try Socket.bound(port: 0)
        port = listener.port
        script = Watched(Script(reply: reply))
        state = Mutex(State(listener: listener))
    }

    var isRunning: Bool { state.withLock { $0.wake != nil } }

    func start() throws {
        let (listener, wake) = try state.withLock { state in
            guard state.wake == nil, let listener = state.listener else {
                throw TestError("the server runs already")
            }
            try listener.listen()
            let ends = try Descriptors.pipe()
            state.wake = ends.write
            return (listener, ends.read)
        }
        run { $0.acceptConnections(listener, wake: wake) }
    }

    /// Closes all connections, and keeps the port with a bound socket that refuses connections.
    func stop() throws {
        guard closeAll() else { return }
        let holder = try bindAgain()
        state.withLock { $0.listener = holder }
    }

    /// Binds the port again. A child that another thread is starting holds a copy of the closed listener until its
    /// exec.
    private func bindAgain() throws -> Socket {
        for _ in 0..<200 {
            if let socket = try? Socket.bound(port: port) { return socket }
            usleep(5000)
        }
        return try Socket.bound(port: port)
    }

    /// Closes everything, including the port.
    func end() {
        guard !closeAll() else { return }
        state.withLock { state in
            state.listener?.close()
            state.listener = nil
        }
    }

    /// - Returns: whether the server was running.
    private func closeAll() -> Bool {
        let wasRunning = state.withLock { state in
            guard let wake = state.wake else { return false }
            close(wake)
            state.wake = nil
            state.listener = nil  // Its thread closes it.
            state.connections.forEach { $0.shutDown() }
            return true
        }
        guard wasRunning else { return false }
        _ = threads.wait(timeout: .now() + 5)
        return true
    }

    private func acceptConnections(_ listener: Socket, wake: Int32) {
        defer {
            listener.shutDown()
            listener.close()
            close(wake)
        }
        while true {
            var pollers = [
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&pollers, 2, -1) > 0 || errno == EINTR else { return }
            if pollers[1].revents != 0 { return }
            if pollers[0].revents != 0, let connection = listener.accept() { serve(connection) }
        }
    }

    private func serve(_ socket: Socket) {
        let number = state.withLock { state -> Int? in
            guard state.wake != nil, state.connections.count < Self.connectionLimit else { return nil }
            state.connections.insert(socket)
            state.lastConnection += 1
            return state.lastConnection
        }
        guard let number else { return socket.close() }
        guard !script.value.resetsConnections else {
            state.withLock { _ = $0.connections.remove(socket) }
            return socket.reset()
        }
        run { engine in
            let ending = ServerConnection(socket: socket, number: number, engine: engine).serve()
            // Remove it first: after the close another connection may get the same descriptor.
            engine.state.withLock { _ = $0.connections.remove(socket) }
            if ending == .reset { socket.reset() } else { socket.close() }
        }
    }

    private func run(_ work: @escaping @Sendable (ServerEngine) -> Void) {
        threads.enter()
        Thread.detachNewThread {
            work(self)
            self.threads.leave()
        }
    }

    /// Records a request and returns its number and the behaviour for it. A test that has seen the request changes nothing about that.
    func begin(_ make: @Sendable (Int) -> Request) -> (Request, Behaviour) {
        exchanges.update { all in
            let request = make(all.count + 1)
            let behaviour = script.update { script in
                if !script.queue.isEmpty { return script.queue.removeFirst() }
                return script.rule?(request) ?? script.reply
            }
            all.append(Exchange(request: request))
            return (request, behaviour)
        }
    }

    func end(_ request: Request, _ ending: Exchange.Ending, bodyBytesSent: Int) {
        exchanges.update { all in
            all[request.number - 1].bodyBytesSent = bodyBytesSent
            all[request.number - 1].ending = ending
        }
    }
}
