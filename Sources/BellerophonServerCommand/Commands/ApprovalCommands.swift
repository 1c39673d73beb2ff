import ArgumentParser
import BellerophonBase
import BellerophonStore

/// `bellerophon-server approval`: shows and changes the rule of two persons.
struct ApprovalCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approval",
        abstract: "Show whose statuses take two persons, and propose another rule.",
        discussion: """
            A server adds the apps of its setting approval.apps to the rule at its start and at a reload. To take an app out of the \
            rule, or to let proposals be approved for longer, takes two persons. Change the settings of all servers first: a \
            server that still has the app would add it again.

            EXAMPLES
              bellerophon-server approval
              bellerophon-server approval propose --apps payments,notes --reason "search is internal"
              bellerophon-server approve 4711
            """,
        subcommands: [ApprovalShowCommand.self, ApprovalProposeCommand.self],
        defaultSubcommand: ApprovalShowCommand.self
    )
}

/// `bellerophon-server approval show`.
struct ApprovalShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the rule of two persons.")

    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let rule = try await reply.target.open().approvalRule()
        try reply.output.write(rule, Output.line(rule.text))
    }
}

/// `bellerophon-server approval propose`.
struct ApprovalProposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "propose",
        abstract: "Propose another rule of two persons: another person makes the change with `bellerophon-server approve`."
    )

    @Option(
        help: ArgumentHelp(
            "All apps whose statuses are to take two persons, separated by commas; * for all, none for none.", valueName: "names")
    )
    var apps: String
    @Option(
        help: ArgumentHelp(
            "How long a proposal can be approved, from 1m to 7d, such as 1h. Default: as it is now.", valueName: "time"),
        transform: DurationArgument.wholeSeconds)
    var lifetime: Int64?
    @Option(help: ArgumentHelp("Why, for the journal.", valueName: "text"))
    var reason: String?
    @OptionGroup var request: RequestKeyOptions
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        guard !apps.isEmpty, let names = apps == "none" ? [] : ApprovalRule.apps(in: apps) else {
            throw CommandError.usage(
                "--apps: expected names of apps separated by commas, * or none; found \(JSONText.quoted(apps))")
        }
        let target = try await reply.target.open()
        var rule = try await target.approvalRule()
        rule.apps = names
        if let lifetime { rule.lifetime = lifetime }
        try reply.output.show(
            try await target.propose(RuleChange(to: rule, reason: reason), request: try request.key()), of: target)
    }
}
