#if Server
import Foundation
import GRDB

/// Notes what a transaction changes beside the journal, and repeats it in another copy of the store.
///
/// Temporary triggers note every change of the tables of resources, tokens, proposals and their rule, so that no change can be forgotten. A token's last
/// use is not noted: each server knows only its own. The columns are those of the tables.
struct ChangeLog {
    let database: Database

    /// A row of another table that was written or removed.
    private struct Change: Codable {
        var table: String
        /// The row's values by column, those that it had if it was removed.
        var row: [String: Value]
        var isRemoved: Bool
    }

    /// A value of SQLite: a text, a number or null.
    private enum Value: Codable {
        case null
        case number(Int64)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let number = try? container.decode(Int64.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }

        var databaseValue: DatabaseValue {
            switch self {
            case .null: .null
            case .number(let number): number.databaseValue
            case .text(let text): text.databaseValue
            }
        }
    }

    /// The tables beside the journal that all servers share.
    static let tables = ["resource_version", "token", "proposal", "approval"]

    /// What each server knows for itself.
    private static let ownColumns: Set = ["token.last_used_at"]

    /// The columns of a shared table, those of its key first.
    static func columns(of table: String, in database: Database) throws -> (keys: [String], all: [String]) {
        let keys = try database.primaryKey(table).columns
        let names = try database.columns(in: table).map(\.name).filter { !ownColumns.contains("\(table).\($0)") }
        return (keys, keys + names.filter { !keys.contains($0) })
    }

    /// Prepares a connection.
    static func install(in database: Database) throws {
        try database.execute(sql: "CREATE TEMP TABLE shared_change (number INTEGER PRIMARY KEY, change TEXT NOT NULL)")
        for table in tables {
            let columns = try columns(of: table, in: database)
            try trigger("insert", "INSERT", table, columns.all, of: "NEW", isRemoved: false, in: database)
            let event = "UPDATE OF \(columns.all.joined(separator: ", "))"
            try trigger("update", event, table, columns.all, of: "NEW", isRemoved: false, in: database)
            try trigger("delete", "DELETE", table, columns.all, of: "OLD", isRemoved: true, in: database)
        }
    }

    private static func trigger(
        _ name: String, _ event: String, _ table: String, _ columns: [String], of side: String, isRemoved: Bool,
        in database: Database
    ) throws {
        let row = columns.map { "'\($0)', \(side).\($0)" }.joined(separator: ", ")
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER shared_\(table)_\(name) AFTER \(event) ON main.\(table) BEGIN
                    INSERT INTO shared_change (change) VALUES (json_object(
                        'table', '\(table)', 'isRemoved', json('\(isRemoved)'), 'row', json_object(\(row))));
                END
                """)
    }

    /// Forgets what was noted.
    func clear() throws { try database.execute(sql: "DELETE FROM temp.shared_change") }

    // MARK: Rows

    /// The rows of the journal after a row. The last one has all changes beside the journal that were noted.
    func rows(after id: Int64) throws -> [SharedRow] {
        var rows = try Row.fetchAll(database, sql: "SELECT * FROM journal WHERE id > ? ORDER BY id", arguments: [id])
            .map { SharedRow($0) }
        let changes = try String.fetchAll(database, sql: "SELECT change FROM temp.shared_change ORDER BY number")
        guard !rows.isEmpty else {
            if !changes.isEmpty { throw StoreError(.failed, "a change of the store has no row in its journal") }
            return []
        }
        rows[rows.count - 1].changes = "[\(changes.joined(separator: ","))]"
        return rows
    }

    /// Adds a row that another server has decided, with its changes.
    /// - Throws: ``StoreError`` of kind `damaged` if the row does not follow the newest one.
    func apply(_ row: SharedRow) throws {
        let values = zip(JournalColumn.allCases, row.values).map { $0.value($1) }
        try database.execute(
            sql: JournalColumn.insertion(JournalColumn.allCases.map(\.name) + ["digest"]),
            arguments: StatementArguments(values + [row.digest.databaseValue]))
        for change in try JSONDecoder().decode([Change].self, from: Data(row.changes.utf8)) { try apply(change) }
    }

    /// Checks that a row follows a digest.
    static func check(_ row: SharedRow, after digest: String) throws(StoreError) {
        guard let found = try? JournalChain.digest(values: row.values, after: digest), found == row.digest else {
            throw StoreError(
                .damaged, "row \(row.id) of the shared journal does not follow the rows of this server's copy",
                hint:
                    "was the database brought back from a backup? Then see the guide: docs/cluster.md; the copy is served as it is"
            )
        }
    }

    /// The names of the files that the changes of a row need.
    static func contents(of row: SharedRow) -> [String] { contents(of: row, isRemoved: false) }

    /// The names of the files of the versions that a row removes. Other versions may have the same ones.
    static func droppedContents(of row: SharedRow) -> [String] { contents(of: row, isRemoved: true) }

    private static func contents(of row: SharedRow, isRemoved: Bool) -> [String] {
        let changes = (try? JSONDecoder().decode([Change].self, from: Data(row.changes.utf8))) ?? []
        return changes.compactMap { change in
            guard change.table == "resource_version", change.isRemoved == isRemoved,
                case .text(let digest)? = change.row["sha256"]
            else { return nil }
            if case .text? = change.row["url"] { return nil }
            return digest
        }
    }

    private func apply(_ change: Change) throws {
        let table = change.table
        let known = Self.tables.contains(table) ? try Self.columns(of: table, in: database) : (keys: [], all: [])
        guard !known.keys.isEmpty, Set(change.row.keys) == Set(known.all) else {
            throw StoreError(
                .newerStore, "the shared journal has changes that this version does not know",
                hint: "use the newest version of bellerophon-server on every machine")
        }
        if change.isRemoved {
            let conditions = known.keys.map { "\($0) = ?" }.joined(separator: " AND ")
            let values = known.keys.map { change.row[$0]?.databaseValue ?? .null }
            try database.execute(
                sql: "DELETE FROM \(table) WHERE \(conditions)", arguments: StatementArguments(values))
        } else {
            let values = known.all.map { change.row[$0]?.databaseValue ?? .null }
            let others = known.all.dropFirst(known.keys.count).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            try database.execute(
                sql: """
                    INSERT INTO \(table) (\(known.all.joined(separator: ", ")))
                    VALUES (\(databaseQuestionMarks(count: values.count)))
                    ON CONFLICT (\(known.keys.joined(separator: ", "))) DO UPDATE SET \(others)
                    """,
                arguments: StatementArguments(values))
        }
    }
}

extension SharedRow {
    init(_ row: Row) {
        values = JournalColumn.allCases.map { $0.text(row) }
        digest = row["digest"] ?? ""
        changes = "[]"
    }
}
#endif
