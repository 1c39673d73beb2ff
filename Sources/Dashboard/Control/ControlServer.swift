import Bellerophon
import Dispatch
import Foundation

/// Listens on a Unix domain socket, and handles its owner's requests on the main actor.
@MainActor
final class ControlServer {
    typealias Handler = @MainActor (ControlRequest) -> ControlReply

    /// The limits of a server.
    struct Limits {
        var connections = 8
        /// The maximum bytes of a request line.
        var line = 16_384
        /// The longest wait for a complete request, and for the client to read the reply.
        var idle = Duration.seconds(10)
    }

    let path: String
    private let handler: Handler
    private let limits: Limits
    private let clock: any ManagerClock
    private let listener: Descriptor
    private let source: any DispatchSourceRead
    private var connections: [ObjectIdentifier: ControlConnection] = [:]

    /// Listens in the first folder that allows it.
    /// - Throws: the error of the first folder, if none allows it.
    static func start(
        in folders: [ControlFolder], pid: Int32 = ProcessInfo.processInfo.processIdentifier, limits: Limits = Limits(),
        clock: any ManagerClock = DispatchClock(), handler: @escaping Handler
    ) throws(ControlError) -> ControlServer {
        var problem: ControlError?
        for folder in folders {
            do {
                try folder.prepare()
                let path = folder.freePath(pid: pid)
                return ControlServer(path, try UnixSocket.listening(at: path), limits, clock, handler)
            } catch {
                problem = problem ?? error
            }
        }
        throw problem ?? .noneRuns
    }

    private init(
        _ path: String, _ listener: Descriptor, _ limits: Limits, _ clock: any ManagerClock, _ handler: @escaping Handler
    ) {
        (self.path, self.listener, self.limits, self.clock, self.handler) = (path, listener, limits, clock, handler)
        source = DispatchSource.makeReadSource(fileDescriptor: listener.number, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.accept() } }
        source.setCancelHandler { withExtendedLifetime(listener) {} }
        source.resume()
    }

    /// Removes the socket and closes every connection.
    func close() {
        source.cancel()
        unlink(path)
        connections.values.forEach { $0.close() }
        connections = [:]
    }

    private func accept() {
        while let descriptor = UnixSocket.accepted(from: listener) {
            guard PlatformSocket.peerUser(of: descriptor.number) == geteuid() else { continue }
            guard connections.count < limits.connections else {
                let reply = ControlReply.refused("too many connections").line + "\n"
                _ = UnixSocket.send(Array(reply.utf8)[...], to: descriptor)
                continue
            }
            let connection = ControlConnection(descriptor, limits: limits, clock: clock, handler: handler)
            connections[ObjectIdentifier(connection)] = connection
            connection.onClose = { [weak self, weak connection] in
                if let connection { self?.connections[ObjectIdentifier(connection)] = nil }
            }
            connection.start()
        }
    }
}
