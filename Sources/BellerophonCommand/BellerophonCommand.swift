import ArgumentParser
import Foundation

/// The program `bellerophon`.
@main
struct BellerophonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellerophon",
        abstract: "A kill switch and forced update for terminal programs.",
        discussion: """
            A remote status document says whether a program may run:

              {"apiInactive": false, "forceUpdate": false, "retryInterval": 60, "userMessage": null}

            While apiInactive is true, a full-screen view covers the program; while forceUpdate is true, an update \
            prompt does. Both go when the status clears.

            EXAMPLES
              bellerophon demo                                   try every status with no server at all
              bellerophon run --status-url http://127.0.0.1:8080/status
              bellerophon check --status-url URL && deploy       one check, for scripts
              bellerophon render --status kill.json --size 80x24 what a person would see

            Without a command, bellerophon is `bellerophon run`. `bellerophon help COMMAND` tells more of each.
            """,
        version: "0.1.0",
        subcommands: [RunCommand.self, DemoCommand.self, CheckCommand.self, RenderCommand.self, ConfigCommand.self],
        defaultSubcommand: RunCommand.self
    )
}
