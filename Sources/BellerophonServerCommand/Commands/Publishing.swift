import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// Publishes or proposes a status and prints the result.
struct Publishing {
    let options: PublishingOptions
    let target: OperatorTarget
    /// Whether one person publishes a kill that takes two.
    var breaksGlass = false
    /// The apps that are counted before a change of rules; nil for no numbers.
    var fleet: Fleet?

    func publish(_ publication: Publication) async throws {
        try publication.validate()
        if options.change.dryRun {
            let (document, review) = try await review(publication, after: newestRow(before: publication))
            let plan = review.plan
            if let missing = review.missingLanguages { Output.writeError(Output.line("the message is missing in \(missing)")) }
            if options.output.json, let plan { return try Output.write(json: plan) }
            if let plan { Output.writeError(plan.text) }
            try Output.write(JSONText.escapingControls(document))
            return try plan?.requireNoErrors() ?? ()
        }
        // A request that is sent again is confirmed, whatever its rules mean now; the store refuses a new one.
        if publication.action == .rules, options.yes || options.propose, options.change.request.requestKey == nil,
            let plan = try await review(publication, after: nil).review.plan
        {
            try plan.requireNoErrors()
            if !options.output.json {
                for line in plan.findings.map(\.line) + plan.difference { Output.writeError(Output.line(line)) }
            }
        }
        let key = try options.change.request.key()
        // A proposal changes nothing for clients, and the person who approves it is asked.
        if options.propose {
            let proposal = try await target.propose(publication, request: key, createsApp: options.createsApp)
            return try options.output.show(proposal, of: target)
        }
        let entry = try await send(publication, key)
        try options.output.show(entry, of: target)
        if !options.output.json { try await remark(publication) }
        if breaksGlass, entry.breakGlass != true { Output.writeError("it takes no second person") }
        await target.noteDelay()
    }

    /// The row that a person has to see before a publish; nil for a kill without an end, which is published over anything.
    private func newestRow(before publication: Publication) async throws -> JournalEntry? {
        guard publication.action != .kill || publication.endsAfter != nil else { return nil }
        return try await target.newestRow(of: publication.scope)
    }

    /// The document that clients would get, and what a person is to know of it.
    private func review(
        _ publication: Publication, after newest: JournalEntry?
    ) async throws -> (document: Data, review: PublicationReview) {
        let document = try await target.preview(publication, createsApp: options.createsApp, breaksGlass: breaksGlass)
        let now = try await target.status(publication.scope)
        let review = await PublicationReview(publication, document: document, now: now, after: newest, at: Date(), fleet: fleet)
        return (document, review)
    }

    /// Asks, and publishes. If another status was published since the person looked, or one has to be named that this one
    /// replaces, it is shown, and the person is asked again.
    private func send(_ given: Publication, _ key: RequestKey) async throws -> JournalEntry {
        // A restore is shown only if another status came in between.
        var (publication, asks) = (given, !options.yes && given.action != .restore)
        while true {
            // Read before it is shown: the person has seen at least that.
            let newest = try await newestRow(before: publication)
            if asks {
                try Confirmation.checkTerminal(for: publication.action.words)
                let review = try await review(publication, after: newest).review
                try review.plan?.requireNoErrors()
                try Confirmation.ask(review, of: target)
                publication.replaces = review.replaces
            } else if publication.action == .restore, !options.output.json {
                for entry in newest?.kept.standing ?? [] { Output.writeError(Output.line("ends \(entry.summary)")) }
            }
            let seen = publication.action == .kill && publication.endsAfter == nil ? nil : newest?.personsRow ?? 0
            do {
                return try await target.publish(
                    publication, request: key, createsApp: options.createsApp, breaksGlass: breaksGlass, follows: seen)
            } catch let refusal as CommandError {
                guard refusal.problem == .overtaken || refusal.problem == .standing, !options.yes, Confirmation.hasTerminal else {
                    throw refusal
                }
                Output.writeError("bellerophon-server: \(Output.line(refusal.message))")
                (publication, asks) = (given, true)
                // What the person has named does not stand any more.
                if refusal.problem == .standing { publication.replaces = nil }
            }
        }
    }

    /// Notes what still restricts the clients of a restored scope: the app of a channel, and rules.
    private func remark(_ publication: Publication) async throws {
        guard publication.action == .restore, let status = try? await target.status(publication.scope) else { return }
        // A restore of an app leaves what its channels have of their own.
        let reports = publication.scope.isMain ? (try? await target.statuses(of: publication.scope.app)) ?? [] : []
        for channel in reports
        where channel.channel != Scope.mainChannel && channel.inheritedFrom == nil && channel.isStopped {
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
}

extension JSONOptions {
    /// Prints what was proposed.
    func show(_ proposal: Proposal, of target: OperatorTarget) throws {
        let end = TimeText.text(proposal.expiresAt)
        try write(
            proposal, Output.line("#\(proposal.id)  \(proposal.subject) proposed, until \(end) (\(target.description))"))
        guard !json else { return }
        let done = proposal.scope == nil ? "changed" : "published"
        Output.writeError("nothing is \(done) yet; another person does it with: bellerophon-server approve \(proposal.id)")
    }

    /// Prints what was published.
    func show(_ entry: JournalEntry, of target: OperatorTarget) throws {
        try write(entry, Output.line("\(Self.text(entry)) (\(target.description))"))
        guard entry.datedAhead > 60 else { return }
        let lead = DurationText.text(.seconds(entry.datedAhead.rounded()))
        Output.writeError(
            "the order of statuses is \(lead) ahead of the clock: a clock was wrong when an earlier one was published")
    }

    private static func text(_ entry: JournalEntry) -> String {
        let proposer = entry.proposedBy.map { ", proposed by \($0)" } ?? ""
        guard let scope = entry.scope else { return "#\(entry.id)  \(entry.action)\(proposer): \(entry.reason ?? "")" }
        let what =
            switch StatusAction(rawValue: entry.action) {
            case .kill: "killed"
            case .update: "update required"
            case .restore: "restored"
            case .rules: "rules changed: \(entry.plan?.change?.text ?? "")"
            case nil: entry.action
            }
        let end = entry.ownEnd.map { ", until \(TimeText.text($0))" } ?? ""
        let glass = entry.breakGlass == true ? ", alone (break glass); lifting it takes two persons" : ""
        return "#\(entry.id)  \(scope) \(what)\(end)\(proposer)\(glass)"
    }
}
