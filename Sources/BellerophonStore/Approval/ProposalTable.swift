import BellerophonBase
import Foundation
import GRDB

/// What the rows of proposals and of decisions on them say, by the view of ``Schema``.
struct ProposalTable {
    let database: Database

    /// A proposal as stored.
    struct Stored {
        let proposal: Proposal
        let change: ProposedChange
        let author: Author
        /// The newest row of a status's scope when it was proposed; nil if there was none.
        let follows: Int64?
    }

    /// - Throws: ``StoreError`` of kind `notFound`.
    func existing(_ id: Int64, at now: Date) throws -> Stored {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM proposal WHERE id = ?", arguments: [id])
        guard let row else {
            throw StoreError(
                .notFound, "there is no proposal #\(id)", hint: "`bellerophon-server proposals` shows those that are open")
        }
        return try stored(row, at: now)
    }

    /// All that can be approved, newest first. Their number is bounded: see ``Store/openProposalLimit``.
    /// - Parameter apps: only statuses of these apps; nil for all.
    func open(of apps: Set<String>? = nil, at now: Date) throws -> [Stored] {
        try rows("decision IS NULL AND expires_at > \(now.milliseconds)", of: apps, at: now)
    }

    /// The newest ones of any state, newest first.
    func newest(of apps: Set<String>?, limit: Int, at now: Date) throws -> [Stored] {
        try rows("TRUE", of: apps, limit: limit, at: now)
    }

    private func rows(_ condition: String, of apps: Set<String>?, limit: Int = -1, at now: Date) throws -> [Stored] {
        let names = (apps ?? []).sorted()
        let isReadable =
            apps == nil
            ? "TRUE"
            : "json_extract(body, '$.proposal.change.status._0.scope.app') IN (\(databaseQuestionMarks(count: names.count)))"
        return try Row.fetchAll(
            database, sql: "SELECT * FROM proposal WHERE \(condition) AND \(isReadable) ORDER BY id DESC LIMIT \(limit)",
            arguments: StatementArguments(names)
        ).map { try stored($0, at: now) }
    }

    private func stored(_ row: Row, at now: Date) throws -> Stored {
        let entry = JournalEntry(row)
        guard let author = entry.author, case .proposal(let change, let end, let follows)? = try RowBody(row) else {
            throw StoreError(.damaged, "proposal #\(entry.id) can't be read")
        }
        var (state, publication) = (end <= now.milliseconds ? Proposal.State.expired : .open, Publication?.none)
        if case .status(let status) = change { publication = status }
        let decision = try (row["decision"] as Int64?).flatMap {
            try JournalTable(database: database).rows("WHERE id = ?", [$0]).first
        }
        if let decision {
            guard [RuleChange.action, "reject"].contains(decision.action) || decision.statusAction != nil else {
                throw StoreError(
                    .newerStore, "the decision on proposal #\(entry.id), \(JSONText.quoted(decision.action)), is not known")
            }
            state = decision.action == "reject" ? .rejected : .approved
        }
        let proposal = Proposal(
            id: entry.id, app: publication?.scope.app, channel: publication?.scope.channel, action: publication?.action,
            document: entry.document, endsAfter: publication?.endsAfter.map { Double($0.milliseconds) / 1000 },
            replaces: publication?.replaces, rules: publication?.rules, ruleChange: change.ruleChange, reason: change.reason,
            proposedAt: entry.at, proposedBy: entry.who, expiresAt: Date(milliseconds: end), state: state,
            decidedAt: decision?.at, decidedBy: decision?.who, entry: state == .approved ? decision?.id : nil)
        return Stored(proposal: proposal, change: change, author: author, follows: follows)
    }
}

extension ProposalTable.Stored {
    /// The row of an earlier request to approve this proposal.
    func confirmed(by row: JournalEntry, _ request: RequestKey) throws -> JournalEntry {
        switch change {
        case .status(let publication):
            return try row.confirmed(as: publication, proposal: proposal.id, request: request)
        case .rule(let change):
            guard row.action == RuleChange.action, row.reason == change.note, row.proposal == proposal.id else {
                throw RequestKey.reused(request.text, row: row.id)
            }
            return row
        }
    }

    /// - Throws: ``StoreError`` of kind `conflict` if what it is about is not as its author saw it.
    func checkUnchanged(in database: Database) throws {
        switch change {
        case .status(let publication):
            let newest = try JournalTable(database: database).newestRow(of: publication.scope)
            guard newest?.personsRow != follows else { return }
            throw outdated("another status of \(publication.scope) was published", "published")
        case .rule(let change):
            guard try ApprovalRule.stored(in: database) != change.from else { return }
            throw outdated("the rule of two persons was changed", "changed")
        }
    }

    private func outdated(_ what: String, _ done: String) -> StoreError {
        StoreError(
            .conflict, "\(what) after #\(proposal.id) was proposed",
            hint: "propose it again if it is still wanted; nothing was \(done)")
    }
}

extension ProposedChange {
    fileprivate var ruleChange: RuleChange? {
        guard case .rule(let change) = self else { return nil }
        return change
    }
}
