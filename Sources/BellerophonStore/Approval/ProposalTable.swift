#if Server
import BellerophonBase
import Foundation
import GRDB

/// Access to the table of proposals.
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

    func insert(_ change: ProposedChange, entry: JournalEntry, author: Author, expiresAt: Date) throws {
        // A change of the rule has no scope, and no status that a version without this column could publish.
        var (app, channel, publication, rule): (String, String, Data, Data?) = ("", "", Data(), nil)
        var (follows, replaces): (Int64?, Int64?)
        switch change {
        case .status(let status):
            (app, channel, publication, replaces) = (status.scope.app, status.scope.channel, status.json, status.replaces)
            follows = try JournalTable(database: database).newestRow(of: status.scope)?.personsRow
        case .rule(let change): rule = try StoreJSON.data(change)
        }
        try database.execute(
            sql: """
                INSERT INTO proposal
                    (id, app, channel, publication, proposed_at, proposed_by, author, expires_at, follows, replaces, rule_change)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.id, app, channel, String(decoding: publication, as: UTF8.self), entry.at.milliseconds, entry.who,
                try author.stored, expiresAt.milliseconds, follows, replaces,
                rule.map { String(decoding: $0, as: UTF8.self) },
            ])
    }

    func decide(_ id: Int64, _ decision: Proposal.State, by author: Author, at now: Date, entry: Int64?) throws {
        try database.execute(
            sql: "UPDATE proposal SET decision = ?, decided_at = ?, decided_by = ?, entry = ? WHERE id = ?",
            arguments: [decision.rawValue, now.milliseconds, author.name, entry, id])
    }

    /// - Throws: ``StoreError`` of kind `notFound`.
    func existing(_ id: Int64, at now: Date) throws -> Stored {
        let row = try Row.fetchOne(database, sql: "\(Self.selection) WHERE id = ?", arguments: [id])
        guard let row else {
            throw StoreError(
                .notFound, "there is no proposal #\(id)", hint: "`bellerophon-server proposals` shows those that are open")
        }
        return try Self.stored(row, at: now)
    }

    /// The document is that of the proposal's row in the journal.
    private static let selection =
        "SELECT proposal.*, (SELECT document FROM journal WHERE journal.id = proposal.id) AS document FROM proposal"

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
        let isReadable = apps == nil ? "TRUE" : "app IN (\(databaseQuestionMarks(count: names.count)))"
        return try Row.fetchAll(
            database, sql: "\(Self.selection) WHERE \(condition) AND \(isReadable) ORDER BY id DESC LIMIT \(limit)",
            arguments: StatementArguments(names)
        ).map { try Self.stored($0, at: now) }
    }

    private static func stored(_ row: Row, at now: Date) throws -> Stored {
        let change: ProposedChange
        var publication: Publication?
        if let rule = row["rule_change"] as String? {
            change = .rule(try StoreJSON.value(RuleChange.self, from: Data(rule.utf8)))
        } else {
            let scope = Scope(checkedApp: row["app"], channel: row["channel"])
            var status = try Publication(json: Data((row["publication"] as String).utf8), scope: scope)
            status.replaces = row["replaces"]
            (change, publication) = (.status(status), status)
        }
        let expiresAt = Date(milliseconds: row["expires_at"])
        let decision = (row["decision"] as String?).flatMap(Proposal.State.init(rawValue:))
        if decision == nil, let text = row["decision"] as String? {
            throw StoreError(
                .newerStore, "the decision on proposal #\(row["id"] as Int64), \(JSONText.quoted(text)), is not known")
        }
        let proposal = Proposal(
            id: row["id"], app: publication?.scope.app, channel: publication?.scope.channel, action: publication?.action,
            document: publication == nil ? nil : row["document"],
            endsAfter: publication?.endsAfter.map { Double($0.milliseconds) / 1000 },
            replaces: publication?.replaces, rules: publication?.rules, ruleChange: change.ruleChange, reason: change.reason,
            proposedAt: Date(milliseconds: row["proposed_at"]),
            proposedBy: row["proposed_by"],
            expiresAt: expiresAt, state: decision ?? (expiresAt <= now ? .expired : .open),
            decidedAt: (row["decided_at"] as Int64?).map { Date(milliseconds: $0) }, decidedBy: row["decided_by"],
            entry: row["entry"])
        guard let author = Author(stored: row["author"]) else {
            throw StoreError(.damaged, "the author of proposal #\(proposal.id) can't be read")
        }
        return Stored(proposal: proposal, change: change, author: author, follows: row["follows"])
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
#endif
