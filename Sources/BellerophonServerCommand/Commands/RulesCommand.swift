import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation
import StatusModel

/// `bellerophon-server rules`: shows and changes the rules of a status.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show and change the rules of a status: whom they cover, and when.",
        discussion: """
            EXAMPLES
              bellerophon-server rules
              bellerophon-server rules put plan.json --dry-run
              bellerophon-server rules remove min-1.5.2 --reason "nobody is left"
            """,
        subcommands: [RulesListCommand.self, RulesPutCommand.self, RulesRemoveCommand.self],
        defaultSubcommand: RulesListCommand.self
    )
}

/// `bellerophon-server rules list`: shows the rules.
struct RulesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the rules that clients are told.",
        discussion: "With --json it prints the list in the form that `rules put` reads.")

    @OptionGroup var scope: ScopeOptions
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let current = try await CurrentRules(of: try scope.scope(), at: try await reply.target.open())
        if reply.output.json { return try Output.write(JSONText.sanitized(JSONNode.array(current.rules).data)) }
        try Output.write(try current.text())
    }
}

extension CurrentRules {
    /// The rules as a table for a person.
    func text() throws -> String {
        guard !rules.isEmpty else { return "there are no rules" }
        let document = try? StatusDocument(rules: rules.map { $0.compactText() })
        func time(_ date: Date?) -> String { date.map(PlanZone.utcText) ?? "-" }
        let rows = (document?.plan?.entries ?? []).map { entry in
            switch entry {
            case .rule(let rule):
                [
                    rule.id, rule.effect.rawValue, time(rule.announce), time(rule.from), time(rule.until), rule.audience,
                    rule.message ?? "",
                ]
            case .undecided(let undecided): [undecided.label, "-", "-", "-", "-", "nobody: \(undecided.problem)", ""]
            }
        }
        return TextTable.text(["ID", "EFFECT", "ANNOUNCED", "FROM", "UNTIL", "COVERS", "MESSAGE"], rows)
    }
}

/// `bellerophon-server rules put`: publishes rules from a file.
struct RulesPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Publish rules from a file.",
        discussion: """
            The file has one rule, a list of rules, or a document with rules. A rule replaces the one with its id, and a new \
            one is the last. Other rules stay.

            EXAMPLE
              bellerophon-server rules list --app old --json | bellerophon-server rules put - --app new --yes
            """)

    @Argument(help: ArgumentHelp("A file with JSON, or - for standard input.", valueName: "file"), completion: .file())
    var file: String
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions

    func run() async throws {
        let origin = file == "-" ? "standard input" : file
        let data = try InputFile.read(file == "-" ? "/dev/stdin" : file, limit: RuleTexts.fileLimit, for: "rules put")
        let put = try RuleTexts.rules(data, origin: origin)
        try RuleTexts.validate(put, origin: origin)
        try await RulePublishing(publishing, rules).publish(put: put)
    }
}

/// `bellerophon-server rules remove`: removes rules.
struct RulesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove rules.")

    @Argument(help: ArgumentHelp("The ids of the rules.", valueName: "id"))
    var ids: [String]
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions

    func run() async throws { try await RulePublishing(publishing, rules).publish(remove: ids) }
}
