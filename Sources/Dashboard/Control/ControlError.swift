import BellerophonBase

/// Why a running program can't be reached, or refuses a request.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sockets' folder is not safe, or can't be created.
    case folder(path: String, reason: String)
    case pathTooLong(path: String, limit: Int)
    /// A call on a socket failed.
    case socket(path: String, reason: String)
    /// No program with a simulated server is running.
    case noneRuns
    /// No program with a simulated server has that process id.
    case noSuchProcess(Int32, running: [Int32])
    case severalRun([Int32])
    /// The peer belongs to another user.
    case foreignPeer(path: String)
    case noAnswer(path: String)
    /// The app has not reached the awaited stage in time.
    case otherStage(String, awaited: String, after: Duration)
    /// The request is invalid, or names something unknown.
    case refused(String)

    /// The error in one line.
    package var description: String {
        switch self {
        case .folder(let path, let reason): "\(path) can't hold sockets: \(reason)"
        case .pathTooLong(let path, let limit):
            "the socket's path has \(path.utf8.count) bytes, more than the system's \(limit): \(path); "
                + "set XDG_RUNTIME_DIR to a shorter folder"
        case .socket(let path, let reason): "\(path): \(reason)"
        case .noneRuns: "no simulated server runs; start `bellerophon demo` first"
        case .noSuchProcess(let pid, let running):
            "no simulated server runs in process \(pid)"
                + (running.isEmpty ? "" : "; there is \(Self.list(running))")
        case .severalRun(let pids): "several simulated servers run: choose one with --pid (\(Self.list(pids)))"
        case .foreignPeer(let path): "\(path): the program at the other end belongs to another user"
        case .noAnswer(let path): "\(path): no reply"
        case .otherStage(let stage, let awaited, let time):
            "the stage is \(stage), not \(awaited), after \(time.briefText)"
        case .refused(let reason): reason
        }
    }

    /// The exit code of a command: 64 if a corrected command line can succeed, else 1.
    package var exitCode: Int32 {
        switch self {
        case .noSuchProcess, .severalRun, .refused: 64
        case .folder, .pathTooLong, .socket, .noneRuns, .foreignPeer, .noAnswer, .otherStage: 1
        }
    }

    private static func list(_ pids: [Int32]) -> String {
        pids.map(String.init).joined(separator: ", ")
    }
}
