#if Server
import Foundation
import GRDB

/// The journal's rows, in and out.
struct JournalTable {
    let database: Database

    /// A row that is not written yet.
    struct Draft {
        var at: Date
        var who: String
        var action: String
        var scope: Scope?
        var resource: String?
        var version: Int64?
        var fromVersion: Int64?
        var token: String?
        var reason: String?
        var document: String?
        var endsAt: Date?
        var ends: Int64?
    }

    /// Writes a row. Call it in the transaction that decided on it.
    ///
    /// A status is never dated before, or with, an earlier one, though the clock may have been set back: clients take
    /// what was published last for what holds.
    func append(_ draft: Draft) throws -> JournalEntry {
        let at = draft.scope == nil ? draft.at.milliseconds : max(draft.at.milliseconds, try lastStatusTime() + 1)
        try database.execute(
            sql: """
                INSERT INTO journal
                    (at, who, action, app, channel, resource, version, from_version, token, reason, document, ends_at, ends)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                at, draft.who, draft.action, draft.scope?.app, draft.scope?.channel, draft.resource,
                draft.version, draft.fromVersion, draft.token, draft.reason, draft.document, draft.endsAt?.milliseconds,
                draft.ends,
            ]
        )
        let id = database.lastInsertedRowID
        guard let entry = try rows("WHERE id = ?", [id]).first else {
            throw StoreError(.failed, "the journal lost row \(id)")
        }
        return entry
    }

    /// In milliseconds; 0 where no status was published yet.
    private func lastStatusTime() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(at) FROM journal WHERE app IS NOT NULL") ?? 0
    }

    /// The newest row of each scope.
    func newestByScope() throws -> [Scope: JournalEntry] {
        let rows = try rows(
            "WHERE id IN (SELECT max(id) FROM journal WHERE app IS NOT NULL GROUP BY app, channel)"
        )
        var newest: [Scope: JournalEntry] = [:]
        for row in rows {
            if let scope = row.scope { newest[scope] = row }
        }
        return newest
    }

    func serial() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM journal") ?? 0
    }

    /// Newest first.
    func rows(matching filter: JournalFilter) throws -> [JournalEntry] {
        var conditions: [String] = []
        var arguments: [(any DatabaseValueConvertible)?] = []
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments.append(value)
        }
        add("app = ?", filter.app)
        add("channel = ?", filter.channel)
        add("resource = ?", filter.resource)
        add("id < ?", filter.before)
        let clause = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try rows("\(clause) ORDER BY id DESC LIMIT \(filter.limit)", StatementArguments(arguments))
    }

    private func rows(_ clause: String, _ arguments: StatementArguments = []) throws -> [JournalEntry] {
        try Row.fetchAll(database, sql: "SELECT * FROM journal \(clause)", arguments: arguments).map(JournalEntry.init)
    }
}

extension JournalEntry {
    init(_ row: Row) {
        self.init(
            id: row["id"], at: Date(milliseconds: row["at"]), who: row["who"], action: row["action"], app: row["app"],
            channel: row["channel"], resource: row["resource"], version: row["version"],
            fromVersion: row["from_version"], token: row["token"], reason: row["reason"], document: row["document"],
            endsAt: (row["ends_at"] as Int64?).map { Date(milliseconds: $0) }, ends: row["ends"]
        )
    }
}

extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Since 1970, rounded.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
#endif
