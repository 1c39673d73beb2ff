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
              bellerophon-server rules edit --app notes
            """,
        subcommands: [RulesListCommand.self, RulesPutCommand.self, RulesRemoveCommand.self, RulesEditCommand.self],
        defaultSubcommand: RulesListCommand.self
    )
}

/// `bellerophon-server rules list`: shows the rules.
struct RulesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the rules that clients are told.",
        discussion: """
            With --json it prints the list in the form that `rules put` reads.

            EXAMPLES
              bellerophon-server rules list --app notes
              bellerophon-server rules list --json > plan.json
            """)

    @OptionGroup var scope: ScopeOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        let current = try await CurrentRules(of: try scope.scope(), at: try await target.open())
        if output.json { return try Output.write(JSONText.sanitized(JSONNode.array(current.rules).data)) }
        try Output.write(try current.text())
    }
}

extension CurrentRules {
    /// The rules as a table for a person.
    func text() throws -> String {
        guard !rules.isEmpty else { return "there are no rules" }
        let document = try? StatusDocument(json: Data(RuleTexts.document(rules).utf8))
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

            EXAMPLES
              bellerophon-server rules put plan.json --dry-run
              bellerophon-server rules list --app old --json | bellerophon-server rules put - --app new --yes
            """)

    @Argument(help: ArgumentHelp("A file with JSON, or - for standard input.", valueName: "file"), completion: .file())
    var file: String
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false

    func run() async throws {
        let origin = file == "-" ? "standard input" : file
        let put = try RuleTexts.rules(try read(origin), origin: origin)
        guard !put.isEmpty else {
            throw CommandError(
                "\(origin): has no rules", hint: "`bellerophon-server rules remove ID` removes rules",
                exitCode: SystemExit.dataError)
        }
        try RuleTexts.validate(put, origin: origin)
        try await RulePublishing(publishing, rules).publish(put: put, asks: !yes)
    }

    private func read(_ origin: String) throws -> Data {
        do {
            return try InputFile.read(file == "-" ? "/dev/stdin" : file, limit: RuleTexts.fileLimit)
        } catch {
            throw CommandError("can't read \(origin): \(error)", exitCode: SystemExit.noInput)
        }
    }
}

/// `bellerophon-server rules remove`: removes rules.
struct RulesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove rules.",
        discussion: """
            EXAMPLE
              bellerophon-server rules remove min-1.5.2 offer-1.7.0 --reason "nobody is left"
            """)

    @Argument(help: ArgumentHelp("The ids of the rules.", valueName: "id"))
    var ids: [String]
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false

    func run() async throws {
        if let id = ids.first(where: { name in ids.filter { $0 == name }.count > 1 }) {
            throw CommandError.usage("the id \(JSONText.quoted(id)) stands twice")
        }
        let change = try await RulePublishing(publishing, rules)
        // A request that is sent again removes what may be removed already, and the store knows its key.
        if publishing.change.request.requestKey == nil { try requireKnown(try await change.currentRules()) }
        try await change.publish(remove: ids, asks: !yes)
    }

    private func requireKnown(_ current: CurrentRules) throws {
        let known = current.rules.compactMap(RuleTexts.id)
        guard let id = ids.first(where: { !known.contains($0) }) else { return }
        throw CommandError(
            "there is no rule \(JSONText.quoted(id))\(known.isEmpty ? "" : EditDistance.suggestion(for: id, among: known))",
            hint: "`bellerophon-server rules list` shows the rules", exitCode: SystemExit.noInput)
    }
}

/// `bellerophon-server rules edit`: changes the rules in an editor.
struct RulesEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the rules in an editor.",
        discussion: """
            Opens the rules as JSON in $VISUAL, else $EDITOR, else vi. Publishes what was changed, and nothing if nothing was. \
            A text that can't be used is opened again. If it is not published, the file stays and its path is printed.

            EXAMPLE
              EDITOR=nano bellerophon-server rules edit --app notes
            """)

    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false

    func run() async throws {
        let change = try await RulePublishing(publishing, rules)
        let current = try await change.currentRules()
        let draft = try RulesFile(current)
        do {
            guard let edit = try draft.edited(current) else {
                Output.writeError("nothing was changed, so nothing is published")
                return draft.remove()
            }
            if edit.movesRules {
                Output.writeError("each rule keeps its place, and new rules come last: their order is not changed")
            }
            try await change.publish(put: edit.put, remove: edit.remove, asks: !yes)
            publishing.change.dryRun ? Output.writeError("your text is kept in \(Output.line(draft.path))") : draft.remove()
        } catch {
            Output.writeError("your text is kept in \(Output.line(draft.path))")
            throw error
        }
    }
}
