import ArgumentParser
import BellerophonServer
import BellerophonStore

/// `bellerophon-server resource delete`.
struct ResourceDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove a resource, or one of its older versions.",
        discussion: """
            Clients keep what they have. The newest version alone can't be removed, since clients only move up: go back with \
            `resource rollback` first. Shows what will be removed, and asks. Without a terminal it needs --yes.

            EXAMPLES
              bellerophon-server resource delete film.mp4
              bellerophon-server resource delete help.txt --version 3
            """
    )

    @Argument(help: "The resource's name.")
    var name: String
    @Option(help: ArgumentHelp("Only this version.", valueName: "number"))
    var version: Int64?
    @OptionGroup var removal: RemovalOptions

    func run() async throws {
        try await removal.run(name, ["version": version.map(String.init)])
    }
}

/// `bellerophon-server resource prune`.
struct ResourcePruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove all but the newest versions, and files that no version needs.",
        discussion: """
            Shows what will be removed, and asks. Without a terminal it needs --yes.

            EXAMPLES
              bellerophon-server resource prune --keep 5
              bellerophon-server resource prune help.txt --keep 1 --dry-run
            """
    )

    @Argument(help: "Only this resource.")
    var name: String?
    @Option(help: ArgumentHelp("How many of the newest versions of each stay.", valueName: "count"))
    var keep: Int
    @OptionGroup var removal: RemovalOptions

    func run() async throws {
        try await removal.run(nil, ["name": name, "keep": String(keep)])
    }
}

/// The options of a command that removes versions, and the removal itself.
struct RemovalOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Remove without asking.")
    var yes = false
    @Option(help: ArgumentHelp("Why, for the journal.", valueName: "text"))
    var reason: String?
    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false
    @OptionGroup var reply: ReplyOptions

    /// See ``OperatorTarget/remove(_:_:reason:dryRun:)``.
    func run(_ name: String?, _ query: [String: String?]) async throws {
        let target = try await reply.target.open()
        if !dryRun, !yes {
            try Confirmation.checkTerminal(for: "a removal")
            let preview = try await target.remove(name, query, reason: reason, dryRun: true)
            try Confirmation.ask("Remove this?", facts(preview), of: target)
        }
        let removal = try await target.remove(name, query, reason: reason, dryRun: dryRun)
        try reply.output.write(removal, text(removal))
    }

    private func facts(_ removal: ResourceRemoval) -> FactList {
        var facts = FactList()
        for one in removal.removed { facts.append(one.name, Self.versions(one)) }
        if removal.removed.isEmpty { facts.append("versions", "none; only files that no version needs") }
        facts.append("why", reason ?? "no reason given")
        return facts
    }

    private func text(_ removal: ResourceRemoval) -> String {
        let verb = dryRun ? "would be removed" : "removed"
        let lines = removal.removed.map { Output.line("\($0.name) \(Self.versions($0)) \(verb)") }
        let freed = dryRun ? [] : ["\(removal.freedBytes) bytes of files freed"]
        return ((lines.isEmpty ? ["no version \(verb)"] : lines) + freed).joined(separator: "\n")
    }

    private static func versions(_ removed: ResourceRemoval.Removed) -> String {
        removed.versions.map { "v\($0)" }.joined(separator: ", ")
    }
}
