import BellerophonStore
import Foundation

extension StatusServer {
    /// The time for accepted requests to finish after the server begins to shut down.
    package var shutdownTime: Duration { configuration.limits.shutdownTime }

    /// Starts another process that takes over the listening socket and the lock, and waits until it accepts
    /// connections. Connections that arrive while neither process accepts any wait in the socket's queue, for two seconds at most.
    /// Cancelling the task kills the new process.
    /// - Returns: the process, which has the lock and accepts connections. This server only has to be stopped.
    /// - Throws: ``ServerError`` with the reason, as a part of a sentence. This server continues as before.
    package func handOver(to program: ProgramStart, _ lock: ServerLock) async throws -> pid_t {
        try Self.checkSupervisor(program.environment)
        await pause()
        let started = Result { () throws(ServerError) in try Successor.start(program, socket, lock) }
        await resume()
        let successor = try started.get()
        return try await withTaskCancellationHandler {
            try await relieve(by: successor, lock)
        } onCancel: {
            successor.end()
        }
    }

    private func relieve(by successor: Successor, _ lock: ServerLock) async throws -> pid_t {
        try await successor.ready()
        await pause()
        // What the other process shows is not older than any reply of this one, which only finishes transfers from here on.
        guard await retire() else {
            successor.end()
            await goOn()
            throw ServerError("a change still waits for the store; try again when /ready says that the store can be written")
        }
        do {
            try await successor.begin(after: publisher.readModel.snapshot.serial)
        } catch {
            // The successor may have written its identifier already.
            lock.markProcess()
            await goOn()
            throw error
        }
        lock.giveUp()
        return successor.process
    }

    /// - Throws: ``ServerError`` if the supervisor would treat this process's end as the end of the service.
    private static func checkSupervisor(_ environment: [String: String]) throws(ServerError) {
        let process = getpid()
        if process == 1 {
            throw ServerError("this is process 1, and its end would end every other; restart the container")
        }
        guard environment["SYSTEMD_EXEC_PID"] == "\(process)", (environment["NOTIFY_SOCKET"] ?? "").isEmpty else { return }
        throw ServerError(
            "systemd would not learn which process is the server; the unit needs Type=notify and NotifyAccess=all")
    }
}
