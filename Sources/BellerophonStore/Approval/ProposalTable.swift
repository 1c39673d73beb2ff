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
        let publication: Publication
        let author: Author
        /// The newest row of the scope when it was proposed; nil if there was none.
        let follows: Int64?
    }

    func insert(_ publication: Publication, entry: JournalEntry, author: Author, expiresAt: Date, follows: Int64?) throws {
        try database.execute(
            sql: """
                INSERT INTO proposal
                    (id, app, channel, publication, proposed_at, proposed_by, author, expires_at, follows)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.id, publication.scope.app, publication.scope.channel, String(decoding: publication.json, as: UTF8.self),
                entry.at.milliseconds, entry.who, try author.stored, expiresAt.milliseconds, follows,
            ])
    }

    func decide(_ id: Int64, _ decision: Proposal.State, by author: Author, at now: Date, entry: Int64?) throws {
        try database.execute(
            sql: "UPDATE proposal SET decision = ?, decided_at = ?, decided_by = ?, entry = ? WHERE id = ?",
            arguments: [decision.rawValue, now.milliseconds, author.name, entry, id])
    }

    /// - Throws: ``StoreError`` of kind `notFound`.
    func existing(_ id: Int64, at now: Date) throws -> Stored {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM proposal WHERE id = ?", arguments: [id])
        guard let row else {
            throw StoreError(
                .notFound, "there is no proposal #\(id)", hint: "`bellerophon-server proposals` shows those that are open")
        }
        return try Self.stored(row, at: now)
    }

    /// Newest first.
    func all(openOnly: Bool, limit: Int, at now: Date) throws -> [Stored] {
        let condition = openOnly ? "WHERE decision IS NULL AND expires_at > \(now.milliseconds)" : ""
        return try Row.fetchAll(database, sql: "SELECT * FROM proposal \(condition) ORDER BY id DESC LIMIT \(limit)")
            .map { try Self.stored($0, at: now) }
    }

    private static func stored(_ row: Row, at now: Date) throws -> Stored {
        let scope = Scope(checkedApp: row["app"], channel: row["channel"])
        let publication = try Publication(json: Data((row["publication"] as String).utf8), scope: scope)
        let expiresAt = Date(milliseconds: row["expires_at"])
        let decision = (row["decision"] as String?).flatMap(Proposal.State.init(rawValue:))
        let proposal = Proposal(
            id: row["id"], app: scope.app, channel: scope.channel, action: publication.action,
            document: publication.document, endsAfter: publication.endsAfter.map { Double($0.milliseconds) / 1000 },
            reason: publication.reason, proposedAt: Date(milliseconds: row["proposed_at"]), proposedBy: row["proposed_by"],
            expiresAt: expiresAt, state: decision ?? (expiresAt <= now ? .expired : .open),
            decidedAt: (row["decided_at"] as Int64?).map { Date(milliseconds: $0) }, decidedBy: row["decided_by"],
            entry: row["entry"])
        guard let author = Author(stored: row["author"]) else {
            throw StoreError(.damaged, "the author of proposal #\(proposal.id) can't be read")
        }
        return Stored(proposal: proposal, publication: publication, author: author, follows: row["follows"])
    }
}
#endif
