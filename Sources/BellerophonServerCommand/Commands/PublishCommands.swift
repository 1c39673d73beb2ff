import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation
import StatusModel

/// The options of a command that stops programs.
struct StoppingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What people read on their screens; at most 4096 bytes and 40 lines.", valueName: "text"))
    var message: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "End it by itself after this time, such as 90s, 2h, 1h30m or 3d. Without it, it stands until it is restored.",
            valueName: "time"))
    var length: String?

    func endsAfter(_ publishing: PublishingOptions) throws -> Duration? {
        guard let length else { return nil }
        // With --yes nobody sees what a number means.
        guard !publishing.yes || length.last?.isNumber != true else {
            throw CommandError.usage(
                "--for: \(JSONText.quoted(length)) has no unit", hint: "give one, such as \(length)h, \(length)m or \(length)s")
        }
        guard let duration = Duration(written: length) else {
            throw CommandError.usage("--for: expected \(Duration.writtenForms); found \(JSONText.quoted(length))")
        }
        return duration
    }
}

/// The options of every command that publishes a status or rules.
struct PublishingOptions: ParsableArguments {
    @OptionGroup var scope: ScopeOptions
    @Flag(
        name: .customLong("new"),
        help: "Publish for an app or a channel that nothing was ever published for. Without it, a mistyped name is refused.")
    var createsApp = false
    @Flag(help: "Publish nothing, and propose it: another person publishes it with `bellerophon-server approve`.")
    var propose = false
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false
    @OptionGroup var change: ChangeOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: JSONOptions
}

/// Where a command sends its request, and in which form it prints the reply.
struct ReplyOptions: ParsableArguments {
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: JSONOptions
}

/// The option for the clients' check interval.
struct IntervalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Seconds between two checks of a client, 1 to 86400. Default: 15 for a kill, else 60.", valueName: "seconds"),
        transform: DurationArgument.seconds)
    var retryInterval: Double?
}

/// The options of a kill and of an update that is no rule.
struct StatusOptions: ParsableArguments {
    @OptionGroup var stopping: StoppingOptions
    @Option(
        help: ArgumentHelp(
            "Replace the kill or the update of this row of the journal, which would stop more programs or longer.",
            discussion: "Nothing else is replaced by it. In a terminal the question names the row; --yes never replaces one.",
            valueName: "row"))
    var replace: Int64?
    @OptionGroup var messages: MessageOptions
    @OptionGroup var interval: IntervalOptions

    func publication(
        _ action: StatusAction, _ publishing: PublishingOptions, requiredVersion: String? = nil, updateURL: String? = nil
    ) throws -> Publication {
        var publication = Publication(
            scope: try publishing.scope.scope(), action: action, message: stopping.message, retryInterval: interval.retryInterval,
            requiredVersion: requiredVersion, updateURL: updateURL, endsAfter: try stopping.endsAfter(publishing),
            reason: publishing.change.reason)
        publication.messages = try messages.messages()
        publication.replaces = replace
        return publication
    }
}

/// `bellerophon-server kill`: stops programs.
struct KillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Stop every client of an app or a channel.",
        discussion: """
            Shows what will be published, to whom and for how long, and asks. Without a terminal it needs --yes.

            For the apps in the setting approval.apps a kill takes two persons: --propose, and `approve` by another one. In an \
            emergency --break-glass with a --reason publishes it alone; the journal and the hooks tell so.

            A kill leaves an update and the rules as they are. A kill that ends earlier than the one that stands has to \
            --replace it.

            EXAMPLES
              bellerophon-server kill --message "Back at noon." --reason "disk swap" --for 2h
              bellerophon-server kill --message "Back at noon." --message-file de=noon.de.txt
              bellerophon-server kill --app notes --channel beta --dry-run
            """
    )

    @OptionGroup var status: StatusOptions
    @Option(
        help: ArgumentHelp(
            "Tell people that the service is back at this time. Default: the end of --for.",
            discussion: "Such as 2026-12-15T22:00+01:00, \"sat 23:00\" (UTC) or +90m. It ends nothing.", valueName: "time"))
    var backAt: String?
    @OptionGroup var publishing: PublishingOptions
    @Flag(help: "Publish a kill that takes two persons alone. It takes a --reason, and lifting it takes two.")
    var breakGlass = false

    func run() async throws {
        guard !breakGlass || !publishing.propose else {
            throw CommandError.usage("--propose and --break-glass contradict each other")
        }
        var publication = try status.publication(.kill, publishing)
        publication.backAt = try backAt.map { try PlanTimeText().time($0, option: "--back-at") }
        try await Publishing(options: publishing, target: try await publishing.target.open(), breaksGlass: breakGlass)
            .publish(publication)
    }
}

/// `bellerophon-server update`: requires a newer version.
struct UpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Demand a newer version of an app or a channel.",
        discussion: """
            Shows what will be published, to whom and for how long, and asks. Without a terminal it needs --yes.

            With --required-version or --url alone it changes the status itself: what is demanded, or where to get it, or both. \
            With --below or --to it adds a rule, which can have conditions and a beginning.

            Over a kill, or over an update that ends later or requires more, it has to --replace that one.

            EXAMPLES
              bellerophon-server update --required-version 1.5.2 --url https://example.com/get
              bellerophon-server update --below 1.5.2 --from 2026-12-15 --announce 14d --share 10% --except ci=true
              bellerophon-server update --to 1.6.4 --only "version>=1.6,<1.6.4" --only os=linux
            """
    )

    @Option(
        help: ArgumentHelp("The version that a client must have at least; shown to people.", valueName: "version"))
    var requiredVersion: String?
    @Option(help: ArgumentHelp("Where people get it: an http or https address.", valueName: "url"))
    var url: String?
    @Option(help: ArgumentHelp("Add a rule for the versions below this one.", valueName: "version"))
    var below: String?
    @Option(
        help: ArgumentHelp("Add a rule that demands this version. Default: that of --below.", valueName: "version"))
    var to: String?
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var phase: PhaseOptions
    @OptionGroup var status: StatusOptions
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions

    func run() async throws {
        if below != nil || to != nil {
            return try await RulePublishing(publishing, rules).put([try draft()], given: conditions.id != nil, isTimed: false)
        }
        guard !conditions.isGiven, !phase.isGiven, !rules.everyone, rules.fleet == nil else {
            throw CommandError.usage(
                "update: conditions and times belong to a rule, which --below or --to makes",
                hint: "such as --below 1.5.2 --from 2026-12-15; --required-version demands the update of everybody at once")
        }
        let publication = try status.publication(.update, publishing, requiredVersion: requiredVersion, updateURL: url)
        try await Publishing(options: publishing, target: try await publishing.target.open()).publish(publication)
    }

    /// The rule that `--below` or `--to` makes.
    func draft(now: Date = Date()) throws -> RuleDraft {
        let others = [
            ("--required-version", requiredVersion != nil), ("--replace", status.replace != nil),
            ("--retry-interval", status.interval.retryInterval != nil),
        ]
        if let option = others.first(where: \.1)?.0 {
            throw CommandError.usage(
                "\(option) belongs to the status itself, and --below and --to to a rule", hint: "--id replaces a rule")
        }
        for (version, option) in [(below, "--below"), (to, "--to")] {
            if let version { try RequiredVersionText.requireVersion(version, option: option) }
        }
        let id = RuleDraft.idPart(below.map { "min-\($0)" } ?? "update-\(to ?? "")")
        var draft = RuleDraft(id: id, effect: .update)
        try conditions.apply(to: &draft)
        try phase.apply(to: &draft, length: try status.stopping.endsAfter(publishing), try phase.reader(now: now))
        if let below {
            guard draft.only.versions.isEmpty else {
                throw CommandError.usage(
                    "--below and --only both select versions: give one of them",
                    hint: "such as --to 1.6.4 --only \"version>=1.6,<1.6.4\"")
            }
            draft.only.versions = [.versions(below: below)]
        }
        (draft.to, draft.link) = (to ?? below, try RequiredVersionText.link(url))
        try status.messages.apply(status.stopping.message, to: &draft)
        return draft
    }
}

/// `bellerophon-server restore`: lets programs run again.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Let the clients of an app or a channel run again.",
        discussion: """
            Ends the kill and the update, also one that stands under the kill, and lists them first. Rules go on.

            A channel of its own runs again once its app does too.
            """
    )

    @OptionGroup var interval: IntervalOptions
    @OptionGroup var publishing: PublishingOptions

    func run() async throws {
        let publication = Publication(
            scope: try publishing.scope.scope(), action: .restore, retryInterval: interval.retryInterval,
            reason: publishing.change.reason)
        try await Publishing(options: publishing, target: try await publishing.target.open()).publish(publication)
    }
}
