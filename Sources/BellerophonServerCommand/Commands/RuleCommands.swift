import ArgumentParser
import BellerophonBase
import Foundation
import StatusModel

/// `bellerophon-server offer`: offers a newer version.
struct OfferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Offer a newer version to the clients below it.",
        discussion: """
            Adds a rule that stops nobody. Without --only it covers the versions below that of --to.

            EXAMPLES
              bellerophon-server offer --to 1.7.0 --share 2.5% --draw autumn
              bellerophon-server offer --to 1.7.0 --url https://example.com/get --only os=linux
            """
    )

    @Option(help: ArgumentHelp("The version that is offered.", valueName: "version"))
    var to: String
    @Option(help: ArgumentHelp("Where people get it: an http or https address.", valueName: "url"))
    var url: String?
    @OptionGroup var rule: RuleOptions

    func run() async throws { try await rule.put([draft()], isTimed: false) }

    func draft(now: Date = Date()) throws -> RuleDraft {
        var draft = try rule.draft(.offer, now: now)
        if rule.conditions.id == nil { draft.id = RuleDraft.idPart("offer-\(to)") }
        try RequiredVersionText.requireVersion(to, option: "--to")
        (draft.to, draft.link) = (to, try RequiredVersionText.link(url))
        if draft.only.versions.isEmpty { draft.only.versions = [.versions(below: to)] }
        return draft
    }
}

/// `bellerophon-server notice`: tells people something.
struct NoticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice",
        abstract: "Tell the people at the clients something, and stop nobody.",
        discussion: """
            EXAMPLES
              bellerophon-server notice --message "Search is read-only." --level warn --only region=eu
              bellerophon-server notice --message "1.7 is out on Monday." --everyone --until 2026-12-14
            """
    )

    @Option(help: ArgumentHelp("How urgent it is: info or warn. Default: info.", valueName: "level"))
    var level: Rule.Level?
    @OptionGroup var rule: RuleOptions

    func run() async throws { try await rule.put([draft()], isTimed: true) }

    func draft(now: Date = Date()) throws -> RuleDraft {
        guard let message = rule.stopping.message, !message.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
            throw CommandError.usage("notice: needs --message, the text that people read")
        }
        var draft = try rule.draft(.notice, now: now)
        draft.level = level
        return draft
    }
}

extension Rule.Level: ExpressibleByArgument {}

/// `bellerophon-server pause`: stops some clients.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop the clients that meet some conditions.",
        discussion: """
            Adds a rule. `kill` stops all clients without one.

            EXAMPLES
              bellerophon-server pause --only "version<1.5" --message "We look at a problem of 1.4." --for 2h
              bellerophon-server pause --only os=darwin --except ci=true --from "sat 23:00" --until "sun 01:00"
            """
    )

    @OptionGroup var rule: RuleOptions

    func run() async throws { try await rule.put([draft()], isTimed: true) }

    func draft(now: Date = Date()) throws -> RuleDraft { try rule.draft(.pause, now: now) }
}

/// `bellerophon-server maintenance`: plans times in which the service is down.
struct MaintenanceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintenance",
        abstract: "Announce times in which the service is down.",
        subcommands: [MaintenanceAnnounceCommand.self]
    )
}

/// `bellerophon-server maintenance announce`: announces one window or some weekly ones.
struct MaintenanceAnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Announce a window of maintenance, or a window of each week.",
        discussion: """
            Adds a rule for each window, which pauses the clients from its beginning to its end. Windows of each week begin at \
            the same local time of --zone. A local time that daylight saving leaves out becomes the first moment after the gap, \
            and one that occurs twice is the first one.

            EXAMPLES
              bellerophon-server maintenance announce --from "sat 23:00" --for 90m --announce 24h --everyone
              bellerophon-server maintenance announce --from "sat 23:00" --for 90m --every sat --zone Europe/Berlin --count 4
            """
    )

    @Option(help: ArgumentHelp("Repeat the window on this day of each week, such as sat.", valueName: "day"))
    var every: String?
    @Option(help: ArgumentHelp("How many windows --every makes, 1 to 32.", valueName: "count"))
    var count: Int?
    @OptionGroup var rule: RuleOptions

    func run() async throws {
        let zone = try rule.phase.reader().zone
        let drafts = try drafts()
        for draft in drafts {
            guard let from = draft.from, let until = draft.until else { continue }
            Output.writeError(Output.line(zone.text(from: from, until: until)))
        }
        try await rule.put(drafts, isTimed: true)
    }

    func drafts(now: Date = Date()) throws -> [RuleDraft] {
        let reader = try rule.phase.reader(now: now)
        let model = try rule.draft(.pause, now: now)
        guard let from = model.from, let until = model.until else {
            throw CommandError.usage(
                "maintenance announce: needs --from, the beginning, and --for or --until, the end",
                hint: "such as --from \"sat 23:00\" --for 90m; `bellerophon-server kill` has no end")
        }
        let length = until.timeIntervalSince(from)
        return try beginnings(from, length, reader.zone).enumerated().map { index, from in
            var draft = model
            (draft.from, draft.until) = (from, from.addingTimeInterval(length))
            draft.announce = try rule.phase.announcement(of: from, reader)
            if let id = rule.conditions.id {
                if index > 0 { draft.id = "\(id)-\(index + 1)" }
            } else {
                draft.id = "mw-\(RuleDraft.idPart(from))"
            }
            return draft
        }
    }

    private func beginnings(_ first: Date, _ length: TimeInterval, _ zone: PlanZone) throws -> [Date] {
        guard let every else {
            guard count == nil else { throw CommandError.usage("--count: means nothing without --every") }
            return [first]
        }
        if let announce = rule.phase.announce, Duration(written: announce) == nil {
            throw CommandError.usage("--announce: with --every it must be a length before each window, such as 24h")
        }
        return try zone.weekly(every: every, from: first, length: length, count: count)
    }
}

/// Checks texts that a rule shows.
enum RequiredVersionText {
    static func requireVersion(_ text: String, option: String) throws(CommandError) {
        guard AppVersion(text) != nil else {
            throw .usage("\(option): expected a version such as 1.5.2, found \(JSONText.quoted(text))")
        }
    }

    static func link(_ text: String?) throws(CommandError) -> String? {
        guard let text else { return nil }
        guard let link = StatusDocument.webAddress(text) else {
            throw .usage(
                "--url: expected an http or https address such as https://example.com/get, found \(JSONText.quoted(text))")
        }
        return link
    }
}
