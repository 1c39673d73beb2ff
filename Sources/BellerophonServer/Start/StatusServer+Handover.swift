import BellerophonStore
import Foundation

extension StatusServer {
    /// The result of a handover attempt.
    package enum HandoverOutcome: Equatable, Sendable {
        /// The process has the lock and accepts connections. This server only has to be stopped.
        case relieved(by: pid_t)
        /// This server continues as before. The text is the reason, as a part of a sentence.
        case failed(String)

        package var isRelieved: Bool {
            if case .relieved = self { return true }
            return false
        }
    }

    /// The time for accepted requests to finish after the server begins to shut down.
    package var shutdownTime: Duration { configuration.limits.shutdownTime }

    /// Starts another process that takes over the listening socket and the lock, and waits until it accepts
    /// connections. Connections that arrive while neither process accepts any wait in the socket's queue, for two seconds at most.
    /// Cancelling the task kills the new process.
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
        // What the other process shows is not older than any reply of this one, which only finishes transfers from here on.
        guard await retire() else {
            successor.end()
            await goOn()
            return .failed("a change still waits for the store; try again when /ready says that the store can be written")
        }
        switch await successor.begin(after: publisher.readModel.snapshot.serial) {
        case .did:
            lock.giveUp()
            return .relieved(by: process)
        case .failed(let reason):
            // The successor may have written its identifier already.
            lock.markProcess()
            await goOn()
            return .failed("process \(process) did not take over: \(reason)")
        }
    }

    /// Why a handover is impossible: the supervisor would treat this process's end as the end of the service.
    private static func hindrance(_ environment: [String: String]) -> String? {
        let process = getpid()
        if process == 1 { return "this is process 1, and its end would end every other; restart the container" }
        guard environment["SYSTEMD_EXEC_PID"] == "\(process)", (environment["NOTIFY_SOCKET"] ?? "").isEmpty else { return nil }
        return "systemd would not learn which process is the server; the unit needs Type=notify and NotifyAccess=all"
    }
}
