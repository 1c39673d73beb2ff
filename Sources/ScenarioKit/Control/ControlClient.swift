import Bellerophon
import Foundation
import LocalControl
import ProgramKit

/// Sends requests to a running program from another process.
package struct ControlClient: Sendable {
    /// The path of the program's socket.
    package let path: String

    /// The limit for connecting, and for each read and write.
    var patience = Duration.seconds(5)

    /// A client for the socket at a path.
    package init(path: String) {
        self.path = path
    }

    /// A client for the only running program, or for the one with a process id. Removes the sockets of ended programs.
    /// - Throws: if no running program matches, or more than one does.
    package init(in folders: [SocketFolder], pid: Int32? = nil) throws(ControlError) {
        folders.forEach { $0.removeAbandoned() }
        let entries = folders.flatMap { $0.entries() }
        let fitting = entries.filter { pid == nil || $0.pid == pid }
        if let pid, fitting.isEmpty { throw .noSuchProcess(pid, running: entries.map(\.pid)) }
        guard let first = fitting.first else { throw .noneRuns }
        guard fitting.count == 1 else { throw .severalRun(fitting.map(\.pid)) }
        path = first.path
    }

    /// How long a reply to a command may wait for the check that the command has caused.
    package static let checkTime = Duration.seconds(2)

    /// Sends a request, and waits until the check that it has caused has ended, so that the stage is the one after the request.
    /// - Parameters:
    ///   - stage: the stage to wait for as well; nil for any.
    ///   - limit: how long to wait for that stage.
    ///   - checkTime: how long to wait for a check that hangs.
    /// - Throws: ``ControlError/refused(_:)`` if the program refuses it, ``ControlError/otherStage(_:awaited:after:)`` if the app
    ///   does not reach the stage in time.
    package func ask(
        _ request: ControlRequest, awaiting stage: Stage?, within limit: Duration, checkTime: Duration = checkTime
    ) throws(ControlError) -> ControlState {
        let start = ContinuousClock.now
        var state = try ask(request)
        while true {
            let waited = start.duration(to: .now)
            let isReached = stage.map { $0.rawValue == state.stage } ?? true
            let isSettled = !state.checking || request == .status || waited >= checkTime
            if isReached, isSettled { return state }
            if let stage, !isReached, waited >= limit {
                throw .otherStage(state.stage, awaited: stage.rawValue, after: limit)
            }
            usleep(20_000)
            state = try ask(.status)
        }
    }

    /// Sends a request and waits for the reply.
    /// - Throws: ``ControlError/refused(_:)`` if the program refuses it.
    package func ask(_ request: ControlRequest) throws(ControlError) -> ControlState {
        let line: String
        do {
            line = try LineExchange.exchange(request.line, with: path, limit: patience)
        } catch {
            throw .socket(error)
        }
        guard let reply = try? JSONDecoder().decode(ControlReply.self, from: Data(line.utf8)) else {
            throw .noAnswer(path: path)
        }
        if let error = reply.error { throw .refused(error) }
        guard let state = reply.state else { throw .noAnswer(path: path) }
        return state
    }
}

/// Where simulated servers have their sockets.
package enum ControlFolders {
    /// The folders to search and to listen in, in order of preference: `$XDG_RUNTIME_DIR/bellerophon`, which the system
    /// empties at log-out (XDG Base Directory Specification), and `run` in the state folder.
    package static func usual(_ environment: [String: String]) -> [SocketFolder] {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\($0)/bellerophon" : nil }
        let state = ConfigurationFile.stateFolder(environment).appendingPathComponent("run").path
        return ([runtime].compactMap(\.self) + [state]).map { SocketFolder(path: $0) }
    }
}
