#if Server
import Foundation

/// A server that runs on a store of this machine, as another process sees it.
package struct RunningServer: Sendable {
    package let process: pid_t
    private let folder: URL
    private let mark: ServerLock.Mark

    /// - Parameter folder: the store's.
    /// - Throws: ``ServerError`` where no server runs on the store, or it runs where its process can't be seen.
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
        return RunningServer(process: mark.process, folder: folder, mark: mark)
    }

    /// Asks the server for something, with a signal.
    /// - Throws: ``ServerError`` where the system does not allow it.
    package func send(_ request: ServerLock.Request) throws(ServerError) {
        guard kill(process, request == .reload ? SIGHUP : SIGUSR2) != 0 else { return }
        let number = errno
        throw ServerError(
            "process \(process) can't be told: \(String(cString: strerror(number)))",
            hint: "run the command as the server's user",
            kind: .init(errno: number)
        )
    }

    /// What became of what the server was asked for.
    package enum Answer: Equatable, Sendable {
        case outcome(ServerLock.Outcome)
        /// Another process is the store's server now.
        case replaced(by: pid_t)
        case gone
        /// Nothing came in time.
        case silent
    }

    /// Waits until the server tells how it went, or another process is the store's server.
    /// - Parameter limit: how long to wait.
    package func answer(to request: ServerLock.Request, within limit: Duration) async -> Answer {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            guard ServerLock.isHeld(folder) else { return .gone }
            if let now = ServerLock.mark(folder) {
                if now.process != process { return .replaced(by: now.process) }
                if now.outcomes > mark.outcomes, now.outcome.request == request { return .outcome(now.outcome) }
            }
            try? await Task.sleep(for: .milliseconds(20))
            if Task.isCancelled { break }
        }
        return .silent
    }

    /// A number in a file is a process of another system where containers share a folder: no stranger gets a signal.
    private static func holdsLock(_ process: pid_t, _ folder: URL) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        #if os(Linux)
        let descriptors = "/proc/\(process)/fd"
        // Where the system does not show them, as of another user or in a sandbox, there is nothing to compare.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors),
            let lock = FileNumber(path: ServerLock.path(folder))
        else { return true }
        return names.contains { FileNumber(path: "\(descriptors)/\($0)") == lock }
        #else
        return true
        #endif
    }
}
#endif
