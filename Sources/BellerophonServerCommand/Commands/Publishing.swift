import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// Publishes or proposes a status and prints the result.
struct Publishing {
    enum Way {
        case directly
        /// A second person publishes it.
        case proposal
        /// One person publishes a kill that takes two.
        case breakGlass
    }

    let target: OperatorTarget
    let createsApp: Bool
    let way: Way
    let json: Bool
    /// The apps that are counted before a change of rules; nil for no numbers.
    var fleet: Fleet?

    /// - Parameters:
    ///   - asks: whether a person confirms it.
    ///   - asksAgain: whether a person at a terminal is asked if another status was published meanwhile; nil is the same as
    ///     `asks`.
    func publish(_ publication: Publication, _ change: ChangeOptions, asks: Bool, asksAgain: Bool? = nil) async throws {
        try publication.validate()
        if change.dryRun {
            let document = try await target.preview(publication, createsApp: createsApp, breaksGlass: way == .breakGlass)
            let review = try await review(publication, document, after: newestRow(before: publication)).withPicture()
            let plan = review.plan
            if let missing = review.missingLanguages { Output.writeError(Output.line("the message is missing in \(missing)")) }
            if json, let plan { return try Output.write(json: plan) }
            if let plan { Output.writeError(plan.text) }
            try Output.write(JSONText.escapingControls(document))
            return try plan?.requireNoErrors() ?? ()
        }
        // A request that is sent again is confirmed, whatever its rules mean now; the store refuses a new one.
        if publication.action == .rules, !asks || way == .proposal, change.request.requestKey == nil {
            try await checkPlan(publication)
        }
        let key = try change.request.key()
        // A proposal changes nothing for clients, and the person who approves it is asked.
        if way == .proposal { return try await propose(publication, key) }
        let entry = try await send(publication, key, asks: asks, asksAgain: asksAgain ?? asks)
        try printResult(entry)
        if !json { try await remark(publication) }
        if way == .breakGlass, entry.breakGlass != true { Output.writeError("it takes no second person") }
        await target.noteDelay()
    }

    /// The row that a person has to see before a publish; nil for a kill without an end, which is published over anything.
    private func newestRow(before publication: Publication) async throws -> JournalEntry? {
        guard publication.action != .kill || publication.endsAfter != nil else { return nil }
        return try await target.newestRow(of: publication.scope)
    }

    private func review(
        _ publication: Publication, _ document: Data, after newest: JournalEntry?
    ) async throws -> PublicationReview {
        let now = try await target.status(publication.scope)
        return PublicationReview(publication, document: document, now: now, after: newest, at: Date(), fleet: fleet)
    }

    /// Shows what is to be known of a change of rules that nobody is asked about, and refuses one with errors.
    private func checkPlan(_ publication: Publication) async throws {
        let document = try await target.preview(publication, createsApp: createsApp, breaksGlass: false)
        guard let plan = try await review(publication, document, after: nil).plan else { return }
        try plan.requireNoErrors()
        if !json { for line in plan.findings.map(\.line) + plan.difference { Output.writeError(Output.line(line)) } }
    }

    /// Asks, and publishes. If another status was published since the person looked, or one has to be named that this one
    /// replaces, it is shown, and the person is asked again.
    private func send(_ given: Publication, _ key: RequestKey, asks: Bool, asksAgain: Bool) async throws -> JournalEntry {
        var (publication, asks) = (given, asks)
        while true {
            // Read before it is shown: the person has seen at least that.
            let newest = try await newestRow(before: publication)
            if asks {
                publication.replaces = try await Confirmation.ask(
                    publication, after: newest, of: target, createsApp: createsApp, breaksGlass: way == .breakGlass, fleet: fleet)
            } else if publication.action == .restore, !json {
                for entry in newest?.kept.standing ?? [] { Output.writeError(Output.line("ends \(entry.summary)")) }
            }
            let seen = publication.action == .kill && publication.endsAfter == nil ? nil : newest?.personsRow ?? 0
            do {
                return try await target.publish(
                    publication, request: key, createsApp: createsApp, breaksGlass: way == .breakGlass, follows: seen)
            } catch let refusal as CommandError {
                guard refusal.problem == .overtaken || refusal.problem == .standing, asksAgain, Confirmation.hasTerminal else {
                    throw refusal
                }
                Output.writeError("bellerophon-server: \(Output.line(refusal.message))")
                (publication, asks) = (given, true)
                // What the person has named does not stand any more.
                if refusal.problem == .standing { publication.replaces = nil }
            }
        }
    }

    /// Publishes what another person has proposed.
    func approve(_ proposal: Proposal, key: RequestKey, asks: Bool) async throws {
        if asks { try await Confirmation.ask(proposal, of: target) }
        try printResult(try await target.approve(proposal.id, request: key))
        await target.noteDelay()
    }

    private func propose(_ publication: Publication, _ key: RequestKey) async throws {
        try printResult(try await target.propose(publication, request: key, createsApp: createsApp))
    }

    /// Proposes another rule of two persons.
    func propose(_ rule: RuleChange, _ key: RequestKey) async throws {
        try printResult(try await target.propose(rule, request: key))
    }

    private func printResult(_ proposal: Proposal) throws {
        if json { return try Output.write(json: proposal) }
        try Output.write(
            Output.line(
                "#\(proposal.id)  \(proposal.subject) proposed, until \(TimeText.text(proposal.expiresAt)) (\(target.description))"
            ))
        let done = proposal.scope == nil ? "changed" : "published"
        Output.writeError("nothing is \(done) yet; another person does it with: bellerophon-server approve \(proposal.id)")
    }

    private func printResult(_ entry: JournalEntry) throws {
        if json {
            try Output.write(json: entry)
        } else {
            try Output.write(Output.line("\(Self.text(entry)) (\(target.description))"))
        }
        guard entry.datedAhead > 60 else { return }
        let lead = DurationText.text(.seconds(entry.datedAhead.rounded()))
        Output.writeError(
            "the order of statuses is \(lead) ahead of the clock: a clock was wrong when an earlier one was published")
    }

    /// Notes what still restricts the clients of a restored scope: the app of a channel, and rules.
    private func remark(_ publication: Publication) async throws {
        guard publication.action == .restore, let status = try? await target.status(publication.scope) else { return }
        for channel in await stoppedChannels(of: publication.scope) {
            let author = channel.authors.map { ", by \($0)" } ?? ""
            Output.writeError(
                Output.line(
                    "\(channel.app)/\(channel.channel) stays stopped by its own status: \(channel.state.badge)\(author); to lift it: "
                        + "bellerophon-server restore --app \(channel.app) --channel \(channel.channel)"))
        }
        let rules = status.rules.filter(\.restricts)
        if rules.isEmpty, !publication.scope.isMain, status.state != .active {
            Output.writeError("\(publication.scope) stays stopped: its app is \(status.state.badge)")
        }
        for rule in rules {
            Output.writeError(Output.line("the rule \(rule.id) still stops some: \(rule.effect) for \(rule.audience)"))
        }
        guard let first = rules.first else { return }
        let (app, channel) = (publication.scope.app, publication.scope.channel)
        let place = (app == Scope.defaultApp ? "" : " --app \(app)") + (publication.scope.isMain ? "" : " --channel \(channel)")
        Output.writeError("to end a rule: bellerophon-server rules remove \(first.id)\(place)")
    }

    /// The channels of an app that a restore of the app leaves stopped.
    private func stoppedChannels(of app: Scope) async -> [StatusReport] {
        guard app.isMain, let statuses = try? await target.statuses(of: app.app) else { return [] }
        return statuses.filter { $0.channel != Scope.mainChannel && $0.inheritedFrom == nil && $0.isStopped }
    }

    private static func text(_ entry: JournalEntry) -> String {
        let proposer = entry.proposedBy.map { ", proposed by \($0)" } ?? ""
        guard let scope = entry.scope else { return "#\(entry.id)  \(entry.action)\(proposer): \(entry.reason ?? "")" }
        let what = StatusAction(rawValue: entry.action).map { action in
            switch action {
            case .kill: "killed"
            case .update: "update required"
            case .restore: "restored"
            case .rules: "rules changed: \(entry.plan?.change?.text ?? "")"
            }
        }
        let end = entry.ownEnd.map { ", until \(TimeText.text($0))" } ?? ""
        let glass = entry.breakGlass == true ? ", alone (break glass); lifting it takes two persons" : ""
        return "#\(entry.id)  \(scope) \(what ?? entry.action)\(end)\(proposer)\(glass)"
    }
}
