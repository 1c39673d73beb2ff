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

    /// All that can be approved, or the newest ones of any state; newest first.
    /// - Parameters:
    ///   - apps: only statuses of these apps; nil for all.
    ///   - limit: the number of proposals of any state. That of open ones is bounded: see ``Store/openProposalLimit``.
    func rows(openOnly: Bool = true, of apps: Set<String>? = nil, limit: Int = -1, at now: Date) throws -> [Stored] {
        let condition = openOnly ? "decision IS NULL AND expires_at > \(now.milliseconds)" : "TRUE"
        let app = "json_extract(body, '$.proposal.change.status._0.scope.app')"
        let sql = """
            SELECT * FROM proposal WHERE \(condition) AND (?1 IS NULL OR \(app) IN (SELECT value FROM json_each(?1)))
            ORDER BY id DESC LIMIT \(openOnly ? -1 : limit)
            """
        let names = try apps.map { names throws(StoreError) in try StoreJSON.string(names) }
        return try Row.fetchAll(database, sql: sql, arguments: [names]).map { try stored($0, at: now) }
    }

    private func stored(_ row: Row, at now: Date) throws -> Stored {
        let entry = JournalEntry(row)
        guard let author = entry.author, case .proposal(let change, let end, let follows)? = try RowBody(row) else {
            throw StoreError(.damaged, "proposal #\(entry.id) can't be read")
        }
        var state = end <= now.milliseconds ? Proposal.State.expired : .open
        let publication = change.publication
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

    /// What it is about is not as its author saw it.
    func outdated(_ what: String, _ done: String) -> StoreError {
        StoreError(
            .conflict, "\(what) after #\(proposal.id) was proposed",
            hint: "propose it again if it is still wanted; nothing was \(done)")
    }
}
