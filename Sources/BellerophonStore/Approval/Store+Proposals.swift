#if Server
import BellerophonBase
import Foundation

extension Store {
    /// Proposes a status, which another person can approve until the proposal expires.
    /// - Parameters:
    ///   - request: the caller's key for this request; a repeated request is performed only once.
    ///   - createsApp: see ``publish(_:by:request:createsApp:breaksGlass:)``.
    package func propose(
        _ publication: Publication, by author: Author, request: RequestKey? = nil, createsApp: Bool = true
    ) async throws(StoreError) -> Proposal {
        try publication.validate()
        let now = now
        // The stored reason is the one that the journal has.
        var publication = publication
        publication.reason = StoreText.note(publication.reason)
        let (proposed, scope) = (publication, publication.scope)
        let draft = JournalTable.Draft(
            at: now, author: author, action: "propose", reason: proposed.reason, document: proposed.document,
            request: request?.text, subject: "\(scope) \(proposed.action.rawValue)")
        return try await database.write { database in
            let (journal, proposals) = (JournalTable(database: database), ProposalTable(database: database))
            if let request, let row = try journal.row(of: request.text) {
                guard row.action == draft.action, row.subject == draft.subject, row.document == draft.document else {
                    throw RequestKey.reused(request.text, row: row.id)
                }
                return try proposals.existing(row.id, at: now).proposal
            }
            if !createsApp { try journal.checkApp(scope.app) }
            let rule = try ApprovalRule.stored(in: database)
            let entry = try journal.append(draft)
            try proposals.insert(
                proposed, entry: entry, author: author, expiresAt: now.addingTimeInterval(Double(rule.lifetime)),
                follows: try journal.newest(of: scope))
            return try proposals.existing(entry.id, at: now).proposal
        }
    }

    /// Publishes a proposal of another person.
    /// - Returns: the journal's row, which is durable.
    /// - Throws: ``StoreError``, of kind `conflict` if the proposal can no longer be approved, and of kind `needsApproval` if its
    ///   author approves it.
    package func approve(_ id: Int64, by author: Author, request: RequestKey? = nil) async throws(StoreError) -> JournalEntry {
        let now = now
        return try await database.write { [self] database in
            let (journal, proposals) = (JournalTable(database: database), ProposalTable(database: database))
            let stored = try proposals.existing(id, at: now)
            var draft = draft(stored.publication, author: author, request: request, at: now)
            draft.proposal = id
            draft.proposedBy = stored.proposal.proposedBy
            if let request, let row = try journal.row(of: request.text) { return try row.confirmed(as: draft) }
            try stored.proposal.checkOpen()
            guard !stored.author.isSamePerson(as: author) else {
                throw StoreError(
                    .needsApproval, "\(stored.proposal.proposedBy) has proposed #\(id) and can't approve it too",
                    hint: "another person approves it, with a login or a token of their own")
            }
            guard try journal.newest(of: stored.publication.scope) == stored.follows else {
                throw StoreError(
                    .conflict, "another status of \(stored.publication.scope) was published after #\(id) was proposed",
                    hint: "propose it again if it is still wanted; nothing was published")
            }
            let entry = try journal.append(draft)
            try proposals.decide(id, .approved, by: author, at: now, entry: entry.id)
            return entry
        }
    }

    /// Rejects a proposal. Its author may do so too.
    package func reject(_ id: Int64, by author: Author, reason: String? = nil) async throws(StoreError) -> Proposal {
        try StoreText.check(reason, "reason", limit: StoreText.reasonLimit)
        let now = now
        return try await database.write { database in
            let proposals = ProposalTable(database: database)
            let proposal = try proposals.existing(id, at: now).proposal
            // A repeated request changes nothing.
            if proposal.state == .rejected { return proposal }
            try proposal.checkOpen()
            _ = try JournalTable(database: database).append(
                JournalTable.Draft(
                    at: now, author: author, action: "reject", reason: StoreText.note(reason), proposal: id,
                    proposedBy: proposal.proposedBy, subject: "\(proposal.scope) \(proposal.action.rawValue)"))
            try proposals.decide(id, .rejected, by: author, at: now, entry: nil)
            return try proposals.existing(id, at: now).proposal
        }
    }

    /// - Throws: ``StoreError`` of kind `notFound`.
    package func proposal(_ id: Int64) throws(StoreError) -> Proposal {
        let now = now
        return try database.read { try ProposalTable(database: $0).existing(id, at: now).proposal }
    }

    /// The proposals that can be approved, or the newest ones of any state; newest first.
    package func proposals(openOnly: Bool = true, limit: Int = 100) throws(StoreError) -> [Proposal] {
        let now = now
        return try database.readList {
            try ProposalTable(database: $0).all(openOnly: openOnly, limit: limit, at: now).map(\.proposal)
        }
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
                ? "nothing more was published" : "propose it again if it is still wanted; nothing was published")
    }
}

extension Author {
    /// Whether two authors are known to be the same person: by the token's name, or by the login and the user's account.
    ///
    /// One person with two tokens, or with a token and a login, is not noticed. The journal names both.
    func isSamePerson(as other: Author) -> Bool {
        guard kind == other.kind else { return false }
        if kind == .token { return name == other.name }
        return (loginUser ?? user ?? name) == (other.loginUser ?? other.user ?? other.name)
    }
}
#endif
