import ArgumentParser
import BellerophonServer
import Foundation

/// `bellerophon-server restart`: replaces the running server with a new process.
struct RestartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Replace the running server of a store with a new process, and refuse no connection.",
        discussion: """
            The running server starts its own program anew, with the same arguments and environment, so that a newer \
            version and changed settings count. Only once that process has read everything and could begin does the old \
            one stop taking connections; those that come in between wait. Streams end then, and their clients come back \
            over some seconds. Where the new process can't begin, the old one goes on.
            """
    )

    @OptionGroup var storing: StoreOptions

    func run() async throws {
        let (process, outcome) = try await RunningServer.ask(storing.folder(), for: .restart, within: .seconds(75))
        guard let outcome else { return }
        throw CommandError(
            "the restart failed; process \(process) continues unchanged: \(outcome.text)",
            hint: "see the server's log", exitCode: SystemExit.unavailable)
    }
}

/// `bellerophon-server reload`: makes the running server reload its certificates, keys and log level.
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make the running server of a store reload certificates, keys and the log level.",
        discussion: """
            New connections get the new TLS certificate, and everything is signed anew with the new key. Where one of the \
            files can't be used, nothing changes. Other settings that differ are named: they count after a restart.
            """
    )

    @OptionGroup var storing: StoreOptions

    func run() async throws {
        let (process, outcome) = try await RunningServer.ask(storing.folder(), for: .reload, within: .seconds(30))
        guard let outcome else { return }
        guard outcome.isSuccess else {
            throw CommandError(
                "nothing was reloaded; the server continues unchanged: \(outcome.text)", exitCode: SystemExit.configuration)
        }
        try Output.write("process \(process) has reloaded its certificates, keys and log level")
        if !outcome.text.isEmpty { Output.writeError(Output.line(outcome.text)) }
    }
}

extension RunningServer {
    /// Finds the server of a store, sends it a request, and waits for the outcome.
    /// - Returns: the server's process, and the outcome; nil if another process has taken over, which is printed.
    fileprivate static func ask(
        _ folder: URL, for request: ServerLock.Request, within limit: Duration
    ) async throws -> (process: pid_t, outcome: ServerLock.Outcome?) {
        let server: RunningServer
        do {
            server = try find(folder)
            try server.send(request)
        } catch {
            let code = error.kind == .permission ? SystemExit.noPermission : SystemExit.unavailable
            throw CommandError(error.description, exitCode: code)
        }
        switch await server.answer(to: request, within: limit) {
        case .outcome(let outcome): return (server.process, outcome)
        case .replaced(let process):
            try Output.write("process \(process) took over from process \(server.process)")
            return (server.process, nil)
        case .gone:
            throw CommandError("the server has ended", hint: "its log tells why", exitCode: SystemExit.unavailable)
        case .silent:
            throw CommandError(
                "process \(server.process) did not report the result", hint: "its log may; try again",
                exitCode: SystemExit.temporary)
        }
    }
}
