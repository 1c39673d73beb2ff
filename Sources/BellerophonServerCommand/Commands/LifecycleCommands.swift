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
        let (server, answer) = try await RunningServer.ask(storing.folder(), for: .restart, within: .seconds(75))
        switch answer {
        case .replaced(let process): try Output.write("process \(process) took over from process \(server.process)")
        case .outcome(let outcome):
            throw CommandError(
                "the restart failed; process \(server.process) continues unchanged: \(outcome.text)",
                hint: "see the server's log", exitCode: SystemExit.unavailable
            )
        case .gone: throw CommandError.serverIsGone
        case .silent: throw CommandError.serverIsSilent(server.process)
        }
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
        let (server, answer) = try await RunningServer.ask(storing.folder(), for: .reload, within: .seconds(30))
        switch answer {
        case .outcome(let outcome) where outcome.isSuccess:
            try Output.write("process \(server.process) has reloaded its certificates, keys and log level")
            if !outcome.text.isEmpty { Output.writeError(Output.line(outcome.text)) }
        case .outcome(let outcome):
            throw CommandError(
                "nothing was reloaded; the server continues unchanged: \(outcome.text)", exitCode: SystemExit.configuration
            )
        case .replaced(let process): try Output.write("process \(process) took over meanwhile, and has read everything")
        case .gone: throw CommandError.serverIsGone
        case .silent: throw CommandError.serverIsSilent(server.process)
        }
    }
}

extension RunningServer {
    /// Finds the server of a store, sends it a request, and waits for the outcome.
    fileprivate static func ask(
        _ folder: URL, for request: ServerLock.Request, within limit: Duration
    ) async throws -> (RunningServer, Answer) {
        do {
            let server = try find(folder)
            try server.send(request)
            return (server, await server.answer(to: request, within: limit))
        } catch {
            let code = error.kind == .permission ? SystemExit.noPermission : SystemExit.unavailable
            throw CommandError(error.description, exitCode: code)
        }
    }
}

extension CommandError {
    fileprivate static let serverIsGone = CommandError(
        "the server has ended", hint: "its log tells why", exitCode: SystemExit.unavailable
    )

    fileprivate static func serverIsSilent(_ process: pid_t) -> CommandError {
        CommandError(
            "process \(process) did not report the result", hint: "its log may; try again", exitCode: SystemExit.temporary
        )
    }
}
