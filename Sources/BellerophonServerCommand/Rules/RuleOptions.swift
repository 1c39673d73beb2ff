import ArgumentParser
import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// The options of every command that changes rules.
struct RuleChangeOptions: ParsableArguments {
    @Flag(help: "Allow a rule that covers every app that asks.")
    var everyone = false

    @Flag(
        help: "Allow an exception for a fact that programs say of themselves. It exempts those that do not say it.")
    var allowAbsence = false

    @Option(
        help: ArgumentHelp("Say how many programs of the fleet in this file are covered.", valueName: "file"), completion: .file()
    )
    var fleet: String?
}

extension Fleet {
    /// Reads the table of a fleet.
    /// - Throws: ``CommandError`` with the line that can't be used.
    init(file path: String) throws(CommandError) {
        let data = try InputFile.read(path, limit: Self.sizeLimit, for: "--fleet")
        do throws(StoreError) {
            try self.init(csv: data, name: (path as NSString).lastPathComponent)
        } catch {
            throw CommandError("--fleet: \(error.message)", exitCode: SystemExit.dataError)
        }
    }
}

/// The options that name a rule and select the clients that it covers.
struct ConditionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The id of the rule. A rule with this id is replaced. Default: made of what the rule does.", valueName: "id"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "Cover only clients with this fact. Can be repeated: of one fact any may hold, of different facts all must.",
            discussion: "Such as \"version<1.5.2\", \"version>=1.6,<1.6.4\", version=1.6.1, \"osVersion<14\" or os=linux,darwin.",
            valueName: "condition"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "Exempt clients with this fact. Can be repeated, and each exempts by itself.",
            discussion: "Conditions joined by & must all hold: \"ci=true&os=linux\".", valueName: "condition"))
    var except: [String] = []

    @Option(
        help: ArgumentHelp("Cover only this share of the installations, such as 10% or 2.5%.", valueName: "percent"))
    var share: String?

    @Option(
        help: ArgumentHelp(
            "Draw the share with this text. Rules with the same text draw the same installations. Default: the id.",
            valueName: "text"))
    var draw: String?

    /// Whether a person has given any of them.
    var isGiven: Bool { id != nil || !only.isEmpty || !except.isEmpty || share != nil || draw != nil }

    /// Puts the conditions into a rule, and the given id.
    func apply(to draft: inout RuleDraft) throws {
        draft.only = try ConditionSet(only: only, share: share, draw: draw)
        draft.except = try except.map { try ConditionSet(except: $0) }
        if let id { draft.id = id }
    }
}

/// The options of the time of a rule.
struct PhaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let it hold from this time on. Default: now.",
            discussion: "Such as 2026-12-15, 2026-12-15T22:00, 2026-12-15T22:00+01:00, \"sat 23:00\" or +90m.", valueName: "time")
    )
    var from: String?

    @Option(help: ArgumentHelp("End it at this time. Default: it has no end.", valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp("Announce it from this time on, or for this length before it begins, such as 24h.", valueName: "time"))
    var announce: String?

    @Option(
        help: ArgumentHelp("The time zone of times without an offset, such as Europe/Berlin. Default: UTC.", valueName: "name"))
    var zone: String?

    /// Whether a person has given any of them.
    var isGiven: Bool { from != nil || until != nil || announce != nil || zone != nil }

    func reader(now: Date = Date()) throws -> PlanTimeText {
        PlanTimeText(now: now, zone: try zone.map { try PlanZone($0) } ?? .utc)
    }

    /// Puts the times into a rule.
    /// - Parameter length: the time from the beginning to the end, if `--for` was given.
    func apply(to draft: inout RuleDraft, length: Duration?, _ reader: PlanTimeText) throws {
        if let remark = reader.zone.remark { Output.writeError(remark) }
        draft.from = try from.map { try reader.time($0, option: "--from") }
        draft.until = try until.map { try reader.time($0, option: "--until") }
        if let length {
            guard until == nil else { throw CommandError.usage("--for and --until contradict each other: give one of them") }
            draft.until = (draft.from ?? reader.now).addingTimeInterval(Double(length.components.seconds))
        }
        draft.announce = try announcement(of: draft.from, reader)
    }

    /// When a rule that begins at a time is announced; nil without an announcement.
    func announcement(of from: Date?, _ reader: PlanTimeText) throws -> Date? {
        guard let announce else { return nil }
        guard let from else {
            throw CommandError.usage("--announce: needs --from, because what holds at once can't be announced")
        }
        if let length = Duration(written: announce) {
            return from.addingTimeInterval(-Double(length.components.seconds))
        }
        return try reader.time(announce, option: "--announce")
    }
}

/// The options of a command that publishes rules alone.
struct RuleOptions: ParsableArguments {
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var phase: PhaseOptions
    @OptionGroup var stopping: StoppingOptions
    @OptionGroup var messages: MessageOptions
    @OptionGroup var rules: RuleChangeOptions
    @OptionGroup var publishing: PublishingOptions

    /// A rule with what the options say. Its default id names its effect and its beginning.
    func draft(_ effect: Rule.Effect, now: Date) throws -> RuleDraft {
        let reader = try phase.reader(now: now)
        var draft = RuleDraft(id: "", effect: effect)
        try phase.apply(to: &draft, length: try stopping.endsAfter(publishing), reader)
        draft.id = "\(effect.rawValue)-\(RuleDraft.idPart(draft.from ?? reader.now))"
        try conditions.apply(to: &draft)
        try messages.apply(stopping.message, to: &draft)
        return draft
    }

    /// - Parameter isTimed: see ``RulePublishing/put(_:given:isTimed:)``.
    func put(_ drafts: [RuleDraft], isTimed: Bool) async throws {
        try await RulePublishing(publishing, rules).put(drafts, given: conditions.id != nil, isTimed: isTimed)
    }
}

/// Publishes a change of rules.
struct RulePublishing {
    let options: PublishingOptions
    let rules: RuleChangeOptions
    let scope: Scope
    let target: OperatorTarget

    init(_ options: PublishingOptions, _ rules: RuleChangeOptions) async throws {
        (self.options, self.rules) = (options, rules)
        scope = try options.scope.scope()
        target = try await options.target.open()
    }

    /// Publishes drafts, whose default ids become free ones.
    /// - Parameters:
    ///   - given: whether a person has given the id.
    ///   - isTimed: whether the default id names a time, so that a number can make it unique.
    func put(_ drafts: [RuleDraft], given: Bool, isTimed: Bool) async throws {
        // What is wrong with it is said before anything is asked.
        for draft in drafts { try RulesEdit(put: [draft.node.compactText()]).validate() }
        let named = try await CurrentRules(of: scope, at: target).named(drafts, given: given, isTimed: isTimed)
        try await publish(put: named.map(\.node))
    }

    func publish(put: [JSONNode] = [], remove: [String] = []) async throws {
        let edit = RulesEdit(
            put: put.map { $0.compactText() }, remove: remove, everyone: rules.everyone,
            allowsAbsence: rules.allowAbsence)
        try await Publishing(options: options, target: target, fleet: try rules.fleet.map { try Fleet(file: $0) })
            .publish(Publication(scope: scope, rules: edit, reason: options.change.reason))
    }
}
