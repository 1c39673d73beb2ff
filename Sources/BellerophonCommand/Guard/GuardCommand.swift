import ArgumentParser

/// `bellerophon guard`: covers any terminal program.
struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Run any terminal program, and cover it when the status says so.",
        discussion: """
            The program runs unchanged in a terminal of its own, and everything passes through. When the status says so, the \
            kill view or the update view covers its screen; when the status clears, the screen is back exactly. The program \
            continues meanwhile, but gets no keys.

            EXAMPLES
              bellerophon guard --status-url URL -- vim notes.txt
              bellerophon guard --status-url URL --on-kill terminate=30s -- ./migrate.sh
              bellerophon guard --play "planned maintenance" -- htop
              bellerophon guard stop vim --reason "wrong folder"
              bellerophon guard install psql      for everybody on this machine
            """,
        subcommands: [
            GuardRunCommand.self, GuardInstallCommand.self, GuardUninstallCommand.self, GuardStatusCommand.self,
            GuardPsCommand.self, GuardStopCommand.self, GuardContinueCommand.self,
        ],
        defaultSubcommand: GuardRunCommand.self
    )
}
