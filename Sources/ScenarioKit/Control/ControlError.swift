import Bellerophon
import BellerophonBase
import LocalControl

/// Why a running program can't be reached, or refuses a request.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program's socket can't be reached.
    case socket(SocketError)
    /// No program with a simulated server is running.
    case noneRuns
    /// No program with a simulated server has that process id.
    case noSuchProcess(Int32, running: [Int32])
    case severalRun([Int32])
    /// The reply is none of a simulated server.
    case noAnswer(path: String)
    /// The app has not reached the awaited stage in time.
    case otherStage(String, awaited: String, after: Duration)
    /// The request is invalid, or names something unknown.
    case refused(String)

    /// The error in one line.
    package var description: String {
        switch self {
        case .socket(let error): error.description
        case .noneRuns: "no simulated server runs; start `bellerophon demo` first"
        case .noSuchProcess(let pid, let running):
            "no simulated server runs in process \(pid)"
                + (running.isEmpty ? "" : "; there is \(Self.list(running))")
        case .severalRun(let pids): "several simulated servers run: choose one with --pid (\(Self.list(pids)))"
        case .noAnswer(let path): "\(path): no reply"
        case .otherStage(let stage, let awaited, let time):
            "the stage is \(Stage.word(for: stage)), not \(Stage.word(for: awaited)), after \(time.briefText)"
        case .refused(let reason): reason
        }
    }

    /// The exit code of a command: 64 if a corrected command line can succeed, else 1.
    package var exitCode: Int32 {
        switch self {
        case .noSuchProcess, .severalRun, .refused: 64
        case .socket, .noneRuns, .noAnswer, .otherStage: 1
        }
    }

    private static func list(_ pids: [Int32]) -> String {
        pids.map(String.init).joined(separator: ", ")
    }
}
