import BellerophonBase
import Foundation

/// A running server on a store of this machine, as seen by another process.
package struct RunningServer: Sendable {
    package var process: pid_t { mark.process }
    private let folder: URL
    private let mark: ServerLock.Mark

    /// - Parameter folder: the store's folder.
    /// - Throws: ``ServerError`` if no server runs on the store, or its process is not visible from here.
    package static func find(_ folder: URL) throws(ServerError) -> RunningServer {
        guard let mark = ServerLock.mark(folder) else {
            throw ServerError(
                "no server runs on the store \(folder.path)", hint: "`bellerophon-server serve` starts one", kind: .system)
        }
        guard holdsLock(mark.process, folder) else {
            throw ServerError(
                "the server of the store \(folder.path) is not a process of this system",
                hint: "run the command where the server runs, such as in its container", kind: .system
            )
        }
        return RunningServer(folder: folder, mark: mark)
    }

    /// Sends a request to the server, as a signal.
    /// - Throws: ``ServerError`` if the system does not permit the signal.
    package func send(_ request: ServerLock.Request) throws(ServerError) {
        guard kill(process, request == .reload ? SIGHUP : SIGUSR2) != 0 else { return }
        throw ServerError(errno: errno, "can't send a signal to process \(process)", hint: "run the command as the server's user")
    }

    /// The result of a request to the server.
    package enum Answer: Equatable, Sendable {
        /// The server has reported the outcome.
        case outcome(ServerLock.Outcome)
        /// Another process is the store's server now.
        case replaced(by: pid_t)
        /// No server runs on the store any more.
        case gone
        /// The wait timed out.
        case silent
    }

    /// Waits for the outcome of a request, or until another process is the store's server.
    /// - Parameter limit: the maximum wait.
    package func answer(to request: ServerLock.Request, within limit: Duration) async -> Answer {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            guard ServerLock.isHeld(folder) else { return .gone }
            if let now = ServerLock.mark(folder) {
                if now.process != process { return .replaced(by: now.process) }
                if now.outcomes > mark.outcomes, let outcome = now.outcome, outcome.request == request {
                    return .outcome(outcome)
                }
            }
            try? await Task.sleep(for: .milliseconds(20))
            if Task.isCancelled { break }
        }
        return .silent
    }

    /// Whether the process has the lock's file open. If containers share a folder, the number in the file can belong to
    /// another system's process, which must not get a signal.
    private static func holdsLock(_ process: pid_t, _ folder: URL) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        #if os(Linux)
        let descriptors = "/proc/\(process)/fd"
        // If the system hides the descriptors, nothing can be compared: another user's, or those of a service with
        // PrivateUsers=, which even its own user can list and not look at.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors),
            let lock = FileFacts(path: ServerLock.path(folder))
        else { return true }
        let open = names.compactMap { FileFacts(path: "\(descriptors)/\($0)") }
        return open.isEmpty || open.contains { $0.isSameFile(as: lock) }
        #else
        return true
        #endif
    }
}
