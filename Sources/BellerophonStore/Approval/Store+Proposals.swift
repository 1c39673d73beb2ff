import Foundation
import GRDB

extension Store {
    /// How many proposals of one person can be open at the same time, so that those of others are seen.
    package static let openProposalLimit = 20

    /// Proposes a status, which another person can approve until the proposal expires.
    /// - Parameters:
    ///   - request: the caller's key for this request; a repeated request is performed only once.
    ///   - createsApp: see ``publish(_:by:request:createsApp:breaksGlass:)``.
    /// - Throws: ``StoreError``, of kind `conflict` if too many proposals of the same person are open.
    package func propose(
        _ publication: Publication, by author: Author, request: RequestKey? = nil, createsApp: Bool = true
    ) async throws(StoreError) -> Proposal {
        try publication.validate()
        var publication = publication
        // The stored reason is the one that the journal has.
        publication.reason = StoreText.singleLine(publication.reason)
        // As it is read again, for the comparison with a repeated request.
        var read = try Publication(json: publication.json, scope: publication.scope)
        read.replaces = publication.replaces
        return try await propose(.status(read), by: author, request: request, createsApp: createsApp)
    }

    /// Proposes a change, which was validated.
    func propose(
        _ change: ProposedChange, by author: Author, request: RequestKey?, createsApp: Bool = true
    ) async throws(StoreError) -> Proposal {
        let now = now
        return try await database.write { [self] database in
            let (journal, proposals) = (JournalTable(database: database), ProposalTable(database: database))
            let token = try checkedToken(of: author, for: change.neededScope, in: database)
            if let request, let row = try journal.row(of: request.text) {
                guard row.action == "propose", case let stored = try proposals.existing(row.id, at: now),
                    change.repeats(stored.change)
                else { throw RequestKey.reused(request.text, row: row.id) }
                return stored.proposal
            }
            try proposals.checkNumber(of: author, at: now)
            let rule = try ApprovalRule.stored(in: database)
            var (change, document, follows) = (change, String?.none, Int64?.none)
            switch change {
            case .status(let publication):
                if !createsApp { try journal.checkKnown(publication.scope) }
                try writeDue(of: publication.scope, in: journal)
                let decision = try decision(publication, by: author, token, in: journal)
                (document, follows) = (try decision.propose(), decision.newest?.personsRow)
            case .rule(var wanted):
                guard rule != wanted.to else {
                    throw StoreError(.conflict, "this is the rule already: \(rule.text)", hint: "nothing was proposed")
                }
                wanted.from = rule
                change = .rule(wanted)
            }
            let body = RowBody.proposal(change: change, expiresAt: now.milliseconds + rule.lifetime * 1000, follows: follows)
            let entry = try journal.append(
                JournalEntry(
                    at: now, who: author.name, action: "propose", reason: change.note, document: document, author: author,
                    request: request?.text, subject: change.subject), body)
            return try proposals.existing(entry.id, at: now).proposal
        }
    }

    /// Carries out a proposal of another person: publishes its status, or changes the rule.
    /// - Returns: the journal's row, which is durable.
    /// - Throws: ``StoreError``, of kind `conflict` if the proposal can no longer be approved, and of kind `needsApproval` if its
    ///   author may be the same person: see ``TokenTable/areSame(_:_:)``.
    package func approve(_ id: Int64, by author: Author, request: RequestKey? = nil) async throws(StoreError) -> JournalEntry {
        // It may be a kill.
        return try await database.write(isUrgent: true) { [self] database in
            let now = now
            let (journal, proposals) = (JournalTable(database: database), ProposalTable(database: database))
            let stored = try proposals.existing(id, at: now)
            _ = try checkedToken(of: author, for: stored.proposal.neededScope, in: database)
            if let request, let row = try journal.row(of: request.text) { return try stored.confirmed(by: row, request) }
            try stored.proposal.checkOpen()
            guard try !TokenTable(database: database).areSame(stored.author, author) else {
                throw Self.samePerson(stored, author)
            }
            try Self.checkProposer(of: stored, in: database)
            switch stored.change {
            case .status(let publication):
                try writeDue(of: publication.scope, in: journal)
                let decision = try decision(publication, by: author, request: request, in: journal)
                guard decision.newest?.personsRow == stored.follows else {
                    throw stored.outdated("another status of \(publication.scope) was published", "published")
                }
                return try journal.append(try decision.approve(stored.proposal))
            case .rule(let change):
                guard try ApprovalRule.stored(in: database) == change.from else {
                    throw stored.outdated("the rule of two persons was changed", "changed")
                }
                return try journal.append(
                    JournalEntry(
                        at: now, who: author.name, action: RuleChange.action, reason: change.note, author: author,
                        request: request?.text, proposal: id, proposedBy: stored.proposal.proposedBy), .rule(change.to))
            }
        }
    }

    /// A token is revoked because somebody else may have it, who may have made the proposal.
    private static func checkProposer(of stored: ProposalTable.Stored, in database: Database) throws {
        guard stored.author.kind == .token, try TokenTable(database: database).record(stored.author.name)?.revokedAt != nil else {
            return
        }
        throw StoreError(
            .conflict, "proposal #\(stored.proposal.id) was made with the token \(stored.author.name), which was revoked since",
            hint: "propose it again if it is still wanted; nothing was changed")
    }

    private static func samePerson(_ stored: ProposalTable.Stored, _ author: Author) -> StoreError {
        let (proposer, id) = (stored.proposal.proposedBy, stored.proposal.id)
        guard proposer != author.name else {
            return StoreError(
                .needsApproval, "\(proposer) has proposed #\(id) and can't approve it too",
                hint: "another person approves it, with a login or a token of their own")
        }
        return StoreError(
            .needsApproval, "\(proposer) has proposed #\(id), and \(author.name) may be the same person",
            hint: "both have the same person, or one token has made one of them or both; "
                + "another person approves it, with a login or with a token that was made on the server's machine")
    }

    /// Rejects a proposal. Its author may do so too.
    package func reject(_ id: Int64, by author: Author, reason: String? = nil) async throws(StoreError) -> Proposal {
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        let now = now
        return try await database.write(isUrgent: true) { [self] database in
            let proposals = ProposalTable(database: database)
            let proposal = try proposals.existing(id, at: now).proposal
            _ = try checkedToken(of: author, for: proposal.neededScope, in: database)
            // A repeated request changes nothing.
            if proposal.state == .rejected { return proposal }
            try proposal.checkOpen()
            _ = try JournalTable(database: database).append(
                JournalEntry(
                    at: now, who: author.name, action: "reject", reason: StoreText.singleLine(reason), author: author,
                    proposal: id, proposedBy: proposal.proposedBy, subject: proposal.subject))
            return try proposals.existing(id, at: now).proposal
        }
    }

    /// - Throws: ``StoreError`` of kind `notFound`.
    package func proposal(_ id: Int64) throws(StoreError) -> Proposal {
        let now = now
        return try database.read { try ProposalTable(database: $0).existing(id, at: now).proposal }
    }

    /// All proposals that can be approved, or the newest ones of any state; newest first.
    /// - Parameters:
    ///   - apps: only statuses of these apps; nil for all proposals.
    ///   - limit: the number of proposals of any state.
    package func proposals(
        openOnly: Bool = true, of apps: Set<String>? = nil, limit: Int = 100
    ) throws(StoreError) -> [Proposal] {
        let now = now
        return try database.readList {
            try ProposalTable(database: $0).rows(openOnly: openOnly, of: apps, limit: limit, at: now).map(\.proposal)
        }
    }
}

extension ProposalTable {
    /// - Throws: ``StoreError`` of kind `conflict` if too many open proposals may be of one person.
    fileprivate func checkNumber(of author: Author, at now: Date) throws {
        let tokens = TokenTable(database: database)
        let own = try tokens.persons(of: author, answerable: true)
        let count = try rows(at: now).count { try tokens.persons(of: $0.author, answerable: true) == own }
        guard count >= Store.openProposalLimit else { return }
        throw StoreError(
            .conflict, "\(count) proposals of \(author.name) are open already, the most of one person; nothing was proposed",
            hint: "withdraw some with `bellerophon-server reject`, or wait until they are decided or expire")
    }
}

extension Proposal {
    /// - Throws: ``StoreError`` of kind `conflict` if it can no longer be approved.
    fileprivate func checkOpen() throws(StoreError) {
        let what: String
        switch state {
        case .open: return
        case .expired: what = "has expired at \(StoreJSON.text(of: expiresAt))"
        case .approved: what = "was approved by \(decidedBy ?? "somebody"), as row \(entry ?? 0)"
        case .rejected: what = "was rejected by \(decidedBy ?? "somebody")"
        }
        throw StoreError(
            .conflict, "proposal #\(id) \(what)",
            hint: state == .approved
                ? "nothing more was changed" : "propose it again if it is still wanted; nothing was changed")
    }
}
