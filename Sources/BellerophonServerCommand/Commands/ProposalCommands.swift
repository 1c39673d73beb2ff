import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server proposals`: lists what waits for a second person.
struct ProposalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proposals",
        abstract: "List what was proposed and waits for a second person.",
        discussion: """
            A proposal is made with --propose of kill, update or restore, or with approval propose. It expires after the setting \
            approval.lifetime, one hour unless set, and once another status was published for the same app and channel. One \
            person can have 20 open proposals.
            """
    )

    @Flag(help: "Also those that are decided or have expired, the newest hundred.")
    var all = false
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        try reply.output.write(
            try await reply.target.open().proposals(openOnly: !all), ["PROPOSAL", "WHAT", "SCOPE", "BY", "AT", "STATE", "WHY"],
            none: all ? "no proposals" : "no open proposals"
        ) { one in
            [
                "#\(one.id)", one.action?.rawValue ?? one.subject, one.scope?.description ?? "-", one.proposedBy,
                TimeText.text(one.proposedAt), Self.state(one), Self.reason(one),
            ]
        }
    }

    private static func reason(_ proposal: Proposal) -> String {
        guard let change = proposal.ruleChange else { return proposal.reason ?? "-" }
        return [change.to.text, proposal.reason].compactMap(\.self).joined(separator: ": ")
    }

    private static func state(_ proposal: Proposal) -> String {
        switch proposal.state {
        case .open: "open until \(TimeText.text(proposal.expiresAt))"
        case .expired: "expired"
        case .approved, .rejected: "\(proposal.state.rawValue) by \(proposal.decidedBy ?? "somebody")"
        }
    }
}

/// `bellerophon-server approve`: carries out a proposal of another person.
struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Publish what another person has proposed, or make their change of the rule.",
        discussion: """
            Shows what will be published, to whom and for how long, and asks. Without a terminal it needs --yes. A timed status \
            ends that long after the approval.
            """
    )

    @Argument(help: ArgumentHelp("The number of the proposal.", valueName: "proposal"))
    var proposal: Int64
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false
    @OptionGroup var request: RequestKeyOptions
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let target = try await reply.target.open()
        let found = try await target.proposal(proposal)
        if !yes {
            try Confirmation.checkTerminal(for: found.action?.words ?? "a change of the rule of two persons")
            var (now, newest): (StatusReport?, JournalEntry?)
            if let scope = found.scope { (newest, now) = (try await target.newestRow(of: scope), try await target.status(scope)) }
            try Confirmation.ask(
                await PublicationReview(found, now: now, after: newest, at: Date()), of: target,
                else: found.scope == nil ? "nothing was changed" : "nothing was published")
        }
        try reply.output.show(try await target.approve(proposal, request: try request.key()), of: target)
        await target.noteDelay()
    }
}

/// `bellerophon-server reject`: ends a proposal without publishing it.
struct RejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "End a proposal without publishing it. The person who proposed it can do so too."
    )

    @Argument(help: ArgumentHelp("The number of the proposal.", valueName: "proposal"))
    var proposal: Int64
    @Option(help: ArgumentHelp("Why, for the journal.", valueName: "text"))
    var reason: String?
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let rejected = try await reply.target.open().reject(proposal, reason: reason)
        let untouched = rejected.scope == nil ? "changed" : "published"
        try reply.output.write(
            rejected, Output.line("#\(rejected.id)  \(rejected.subject) rejected; nothing was \(untouched)"))
    }
}
