#if Server
import Foundation

extension StatusServer {
    /// What became of an attempt to be relieved.
    package enum HandoverOutcome: Equatable, Sendable {
        /// That process has the lock and takes the connections. This server only has to be stopped.
        case relieved(by: pid_t)
        /// This server goes on as before; why, in a sentence's words.
        case failed(String)

        package var isRelieved: Bool {
            if case .relieved = self { return true }
            return false
        }
    }

    /// How long accepted requests may take once the server is told to stop.
    package var shutdownTime: Duration { configuration.limits.shutdownTime }

    /// Starts another process that takes over the listening socket and the lock, and waits until it takes connections.
    /// Connections that come while neither takes any wait in the socket's queue. Cancelling the task ends that process.
    package func handOver(to program: ProgramStart, _ lock: ServerLock) async -> HandoverOutcome {
        if let reason = Self.hindrance(program.environment) { return .failed(reason) }
        await pause()
        let started: Result<Successor, ServerError>
        do throws(ServerError) {
            started = .success(try Successor.start(program, socket, lock))
        } catch {
            started = .failure(error)
        }
        await resume()
        switch started {
        case .failure(let problem): return .failed(problem.description)
        case .success(let successor):
            return await withTaskCancellationHandler {
                await relieve(by: successor, lock)
            } onCancel: {
                successor.end()
            }
        }
    }

    private func relieve(by successor: Successor, _ lock: ServerLock) async -> HandoverOutcome {
        let process = successor.process
        if case .failed(let reason) = await successor.ready() {
            return .failed("process \(process) did not take over: \(reason)")
        }
        await pause()
        switch await successor.begin() {
        case .did:
            lock.giveUp()
            return .relieved(by: process)
        case .failed(let reason):
            // It may have named itself already.
            lock.markProcess()
            await resume()
            return .failed("process \(process) did not take over: \(reason)")
        }
    }

    /// Why whoever started this process would take its end for the end of the service.
    private static func hindrance(_ environment: [String: String]) -> String? {
        let process = getpid()
        if process == 1 { return "this is process 1, and its end would end every other; restart the container" }
        guard environment["SYSTEMD_EXEC_PID"] == "\(process)", (environment["NOTIFY_SOCKET"] ?? "").isEmpty else { return nil }
        return "systemd would not learn which process is the server; the unit needs Type=notify and NotifyAccess=all"
    }
}
#endif
