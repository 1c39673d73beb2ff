import Bellerophon
import BellerophonBase
import Dispatch
import Foundation

/// Listens on a Unix socket for requests of one line each, and replies with one line. Connections are limited in number and
/// input, so that no client can block the program.
@MainActor
package final class LineServer {
    /// Returns the reply to a request. Both are lines without their terminator.
    package typealias Handler = @MainActor (_ line: String, _ peer: SocketPeer) -> String

    /// The limits of a server.
    package struct Limits: Sendable {
        package var connections = 8
        /// The maximum bytes of a request line.
        package var line = 16_384
        /// The longest wait for a complete request, and for the client to read the reply.
        package var idle = Duration.seconds(10)

        package init(connections: Int = 8, line: Int = 16_384, idle: Duration = .seconds(10)) {
            (self.connections, self.line, self.idle) = (connections, line, idle)
        }
    }

    /// What the connections of a server have in common.
    struct Rules {
        let limits: Limits
        let clock: any ManagerClock
        let handler: Handler
        /// Returns the reply that refuses a request for this reason.
        let refusal: @MainActor (_ reason: String) -> String
    }

    package let path: String
    private let rules: Rules
    /// Whether processes of the superuser may connect, too.
    private let admitsRoot: Bool
    private let listener: Descriptor
    private let source: any DispatchSourceRead
    private var connections: [ObjectIdentifier: LineConnection] = [:]

    /// Listens in the first folder that allows it.
    /// - Parameters:
    ///   - admitsRoot: whether processes of the superuser may connect, beside those of this user.
    ///   - refusal: returns the reply that refuses a request for a reason.
    /// - Throws: the error of the first folder, if none allows it.
    package static func start(
        in folders: [SocketFolder], pid: Int32 = ProcessInfo.processInfo.processIdentifier, limits: Limits = Limits(),
        clock: any ManagerClock = DispatchClock(), admitsRoot: Bool = false,
        refusal: @escaping @MainActor (_ reason: String) -> String, handler: @escaping Handler
    ) throws(SocketError) -> LineServer {
        var problem: SocketError?
        let rules = Rules(limits: limits, clock: clock, handler: handler, refusal: refusal)
        for folder in folders {
            do {
                try folder.prepare()
                let path = folder.freePath(pid: pid)
                return LineServer(path, try UnixSocket.listening(at: path), rules, admitsRoot: admitsRoot)
            } catch {
                problem = problem ?? error
            }
        }
        throw problem ?? .folder(path: "", reason: "there is no folder")
    }

    private init(_ path: String, _ listener: Descriptor, _ rules: Rules, admitsRoot: Bool) {
        (self.path, self.listener, self.rules, self.admitsRoot) = (path, listener, rules, admitsRoot)
        source = listener.readSource(on: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.accept() } }
        source.resume()
    }

    /// Whether the socket can still be found at its path. The system empties folders of sockets at log-out.
    package var isListed: Bool { UnixSocket.isSocket(path) }

    /// Removes the socket and closes every connection.
    package func close() {
        source.cancel()
        unlink(path)
        connections.values.forEach { $0.close() }
        connections = [:]
    }

    private func accept() {
        while let descriptor = UnixSocket.accepted(from: listener) {
            guard let peer = UnixSocket.peer(of: descriptor), peer.user == geteuid() || admitsRoot && peer.user == 0 else {
                continue
            }
            guard connections.count < rules.limits.connections else {
                let reply = rules.refusal("too many connections") + "\n"
                _ = UnixSocket.send(Array(reply.utf8)[...], to: descriptor)
                continue
            }
            let connection = LineConnection(descriptor, peer, rules)
            connections[ObjectIdentifier(connection)] = connection
            connection.onClose = { [weak self, weak connection] in
                if let connection { self?.connections[ObjectIdentifier(connection)] = nil }
            }
            connection.start()
        }
    }
}
