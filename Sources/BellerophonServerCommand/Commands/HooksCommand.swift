import ArgumentParser
import BellerophonServer
import Foundation

/// `bellerophon-server hooks`: what hooks were not told, and trials.
struct HooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "Show events that could not be delivered to hooks, deliver them again, or test the hooks.",
        discussion: """
            A server tells the command hooks.command and the address hooks.url of each change, of its own problems, and of what has \
            stood for long. What could not be delivered is kept, the newest 1000 events.

            EXAMPLES
              bellerophon-server hooks list
              bellerophon-server hooks retry --config /etc/bellerophon/server.json
              bellerophon-server hooks test --config /etc/bellerophon/server.json
            """,
        subcommands: [List.self, Retry.self, Test.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the events that could not be delivered, the oldest first.")

        @OptionGroup var storing: StoreOptions
        @OptionGroup var output: JSONOptions

        func run() async throws {
            try output.write(
                UndeliveredEvents(try storing.folder()).entries, ["TIME", "HOOK", "EVENT", "WHAT", "PROBLEM"],
                none: "everything was delivered"
            ) { [TimeText.text($0.at), $0.target, $0.event.id, $0.event.event.rawValue, $0.problem] }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Deliver these events once more; those that arrive are no longer shown.",
            discussion: "The hooks are those of --config and of the environment, as for the server.")

        @OptionGroup var storing: StoreOptions

        func run() async throws {
            let undelivered = UndeliveredEvents(try storing.folder())
            let targets = try HooksCommand.targets(storing)
            let entries = undelivered.entries
            var delivered = 0
            for entry in entries {
                guard let target = targets.first(where: { $0.name == entry.target }) else { continue }
                if let problem = await target.deliver(entry.event) {
                    Output.writeError(Output.line("\(entry.event.id): \(problem)"))
                } else {
                    try undelivered.remove([entry])
                    delivered += 1
                }
            }
            try Output.write("\(delivered) delivered, \(entries.count - delivered) left")
            guard delivered == entries.count else {
                throw CommandError("not everything was delivered", exitCode: SystemExit.unavailable)
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Send a test event to each hook, and print whether it arrived.")

        @OptionGroup var storing: StoreOptions

        func run() async throws {
            var failed = false
            for target in try HooksCommand.targets(storing) {
                let problem = await target.deliver(WebhookEvent(.test, [], store: "", at: Date()))
                try Output.write(Output.line("\(target.name): \(problem?.description ?? "delivered")"))
                failed = failed || problem != nil
            }
            guard !failed else { throw CommandError("a hook can't be told", exitCode: SystemExit.unavailable) }
        }
    }

    /// The hooks of the settings.
    private static func targets(_ storing: StoreOptions) throws -> [WebhookTarget] {
        let targets = try WebhookRunner.targets(try storing.settings().hooks)
        guard !targets.isEmpty else {
            throw CommandError(
                "no hook is configured",
                hint: "name the server's settings with --config, or set BELLEROPHON_SERVER_HOOKS_URL",
                exitCode: SystemExit.configuration)
        }
        return targets
    }
}
