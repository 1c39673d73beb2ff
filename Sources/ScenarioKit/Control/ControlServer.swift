import Bellerophon
import Foundation
import LocalControl

/// Lets scripts control the simulated server of this program: one line of JSON per request and per reply.
@MainActor
final class ControlServer {
    typealias Handler = @MainActor (ControlRequest) -> ControlReply
    typealias Limits = LineServer.Limits

    private let server: LineServer

    /// Listens in the first folder that allows it.
    /// - Throws: the error of the first folder, if none allows it.
    static func start(
        in folders: [SocketFolder], pid: Int32 = ProcessInfo.processInfo.processIdentifier, limits: Limits = Limits(),
        clock: any ManagerClock = DispatchClock(), handler: @escaping Handler
    ) throws(SocketError) -> ControlServer {
        let server = try LineServer.start(
            in: folders, pid: pid, limits: limits, clock: clock, refusal: { ControlReply.refused($0).line },
            handler: { line, _ in reply(to: line, handler).line })
        return ControlServer(server)
    }

    private init(_ server: LineServer) {
        self.server = server
    }

    var path: String { server.path }

    /// Removes the socket and closes every connection.
    func close() { server.close() }

    private static func reply(to line: String, _ handler: Handler) -> ControlReply {
        do {
            return handler(try ControlRequest(line: line))
        } catch {
            return .refused("\(error)")
        }
    }
}
