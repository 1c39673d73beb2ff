import ArgumentParser
import BellerophonBase
import Foundation

/// The status and resource server, and its operators' commands.
@main
struct BellerophonServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellerophon-server",
        abstract: "Publishes statuses and resources for programs that use Bellerophon.",
        discussion: """
            An operator's commands change the store on this machine, or a running server with a token. Either way \
            every change is a row of the journal: when, who, what and why.

            EXAMPLES
              bellerophon-server init                                       make a store, once
              bellerophon-server token create --name ada --scope publish    a token, shown once
              bellerophon-server kill --message "Back at noon." --for 2h    stop every client
              bellerophon-server update --required-version 1.5.2            demand a newer version
              bellerophon-server update --below 1.5.2 --from 2026-12-15     demand it of some, and later
              bellerophon-server restore                                    let them run again
              bellerophon-server status                                     what clients are told, and why
              bellerophon-server history                                    who did what
              bellerophon-server resource put help.txt docs/help.txt        publish a file over the air

            From another machine: --server https://status.example.com, with the token in $BELLEROPHON_TOKEN or in \
            the file that --token-file names. `bellerophon-server help COMMAND` tells more of each.
            """,
        version: PackageVersion.text,
        subcommands: [
            InitCommand.self, ServeCommand.self, KillCommand.self, UpdateCommand.self, RestoreCommand.self, StatusCommand.self,
            RulesCommand.self, OfferCommand.self, NoticeCommand.self, PauseCommand.self, MaintenanceCommands.self,
            HistoryCommand.self, ProposalsCommand.self, ApproveCommand.self, RejectCommand.self, ApprovalCommands.self,
            ResourceCommands.self, TokenCommands.self, KeygenCommand.self, ExportCommand.self, StoreCommands.self,
            HooksCommand.self,
            RestartCommand.self, ReloadCommand.self,
        ]
    )

    /// Runs the command, and reports its failure with a message and an exit code. Errors may quote its arguments, so that they are printed through ``Output/writeError(_:)``, which
    /// sanitizes them.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            if let failure = CommandError(ofCommand: error) {
                failure.show()
                Foundation.exit(failure.exitCode)
            }
            let code = exitCode(for: error)
            let text = fullMessage(for: error)
            if code.isSuccess { Swift.print(text) } else if !text.isEmpty { Output.writeError(text) }
            Foundation.exit(code.rawValue)
        }
    }
}
