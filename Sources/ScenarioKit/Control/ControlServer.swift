import Bellerophon
import Foundation
import LocalControl

/// Lets scripts control the simulated server of this program: one line of JSON per request and per reply.
@MainActor
enum ControlServer {
    typealias Handler = @MainActor (ControlRequest) -> ControlReply

    /// Listens in the first folder that allows it.
    /// - Throws: the error of the first folder, if none allows it.
    static func start(
        in folders: [SocketFolder], pid: Int32 = ProcessInfo.processInfo.processIdentifier, limits: LineServer.Limits = .init(),
        clock: any ManagerClock = DispatchClock(), handler: @escaping Handler
    ) throws(SocketError) -> LineServer {
        try LineServer.start(
            in: folders, pid: pid, limits: limits, clock: clock, refusal: { ControlReply.refused($0).line },
            handler: { line, _ in reply(to: line, handler).line })
    }

    private static func reply(to line: String, _ handler: Handler) -> ControlReply {
        do {
            return handler(try ControlRequest(line: line))
        } catch {
            return .refused("\(error)")
        }
    }
}
