#if Server
import Foundation
import GRDB

/// Notes what a transaction changes beside the journal, and repeats it in another copy of the store.
///
/// Temporary triggers note every change of the tables of resources, tokens, proposals and their rule, so that no change can be forgotten. A token's last
/// use is not noted: each server knows only its own.
struct ChangeLog {
    let database: Database

    /// A row of another table that was written or removed.
    private struct Change: Codable {
        var table: String
        /// The row's values by column, or its key if it was removed.
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

    /// The tables beside the journal that all servers share, with their columns, and the number of columns of the key.
    static let tables: [(name: String, columns: [String], keys: Int)] = [
        ("resource_version", ["name", "version", "size", "md5", "sha256", "url", "entry", "owner"], 2),
        ("token", ["name", "hash", "scopes", "created_at", "created_by", "revoked_at", "quota", "expires_at", "person"], 1),
        (
            "proposal",
            [
                "id", "app", "channel", "publication", "proposed_at", "proposed_by", "author", "expires_at", "follows",
                "decision",
                "decided_at", "decided_by", "entry", "rule_change",
            ], 1
        ),
        ("approval", ["id", "apps", "lifetime"], 1),
    ]

    /// Prepares a connection.
    static func install(in database: Database) throws {
        try database.execute(sql: "CREATE TEMP TABLE shared_change (number INTEGER PRIMARY KEY, change TEXT NOT NULL)")
        for table in tables {
            try trigger("insert", "INSERT", table.name, table.columns, of: "NEW", isRemoved: false, in: database)
            let kept = table.columns.filter { $0 != "last_used_at" }.joined(separator: ", ")
            try trigger("update", "UPDATE OF \(kept)", table.name, table.columns, of: "NEW", isRemoved: false, in: database)
            let keys = Array(table.columns.prefix(table.keys))
            try trigger("delete", "DELETE", table.name, keys, of: "OLD", isRemoved: true, in: database)
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
        let columns = JournalChain.columns
        let marks = databaseQuestionMarks(count: columns.count + 1)
        try database.execute(
            sql: "INSERT INTO journal (\(columns.joined(separator: ", ")), digest) VALUES (\(marks))",
            arguments: StatementArguments(
                zip(columns, row.values).map { Self.value($0, $1) }
                    + [row.digest.isEmpty ? .null : row.digest.databaseValue]))
        for change in try JSONDecoder().decode([Change].self, from: Data(row.changes.utf8)) { try apply(change) }
    }

    /// Checks that a row follows a digest.
    static func check(_ row: SharedRow, after digest: String) throws(StoreError) {
        // Rows of older formats come first and have no digest.
        if row.digest.isEmpty, digest.isEmpty { return }
        let fields = zip(JournalChain.columns, row.values).compactMap { name, value in value.map { (name: name, value: $0) } }
        guard let found = try? JournalChain.digest(fields, after: digest), found == row.digest else {
            throw StoreError(
                .damaged, "row \(row.id) of the shared journal does not follow the rows of this server's copy",
                hint:
                    "was the database brought back from a backup? Then see the guide: docs/cluster.md; the copy is served as it is"
            )
        }
    }

    /// The names of the files that the changes of a row need.
    static func contents(of row: SharedRow) -> [String] {
        let changes = (try? JSONDecoder().decode([Change].self, from: Data(row.changes.utf8))) ?? []
        return changes.compactMap { change in
            guard change.table == "resource_version", !change.isRemoved, case .text(let digest)? = change.row["sha256"] else {
                return nil
            }
            if case .text? = change.row["url"] { return nil }
            return digest
        }
    }

    static func value(_ column: String, _ text: String?) -> DatabaseValue {
        guard let text else { return .null }
        return numbers.contains(column) ? (Int64(text) ?? 0).databaseValue : text.databaseValue
    }

    private static let numbers: Set = [
        "id", "at", "version", "from_version", "ends_at", "ends", "published", "proposal", "break_glass",
    ]

    private func apply(_ change: Change) throws {
        guard let table = Self.tables.first(where: { $0.name == change.table }),
            change.row.keys.allSatisfy(table.columns.contains)
        else {
            throw StoreError(
                .newerStore, "the shared journal has changes that this version does not know",
                hint: "use the newest version of bellerophon-server on every machine")
        }
        let keys = table.columns.prefix(table.keys)
        if change.isRemoved {
            let conditions = keys.map { "\($0) = ?" }.joined(separator: " AND ")
            let values = keys.map { change.row[$0]?.databaseValue ?? .null }
            try database.execute(
                sql: "DELETE FROM \(table.name) WHERE \(conditions)", arguments: StatementArguments(values))
        } else {
            // A server of an older version says nothing of columns that it does not know, and they stay as they are.
            let columns = table.columns.filter { change.row[$0] != nil }
            let values = columns.map { change.row[$0]?.databaseValue ?? .null }
            let others = columns.dropFirst(table.keys).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            try database.execute(
                sql: """
                    INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
                    VALUES (\(databaseQuestionMarks(count: values.count)))
                    ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(others)
                    """,
                arguments: StatementArguments(values))
        }
    }
}

extension SharedRow {
    init(_ row: Row) {
        values = JournalChain.columns.map { name in
            switch (row[name] as DatabaseValue).storage {
            case .null, .blob, .double: nil
            case .int64(let number): String(number)
            case .string(let text): text
            }
        }
        digest = row["digest"] ?? ""
        changes = "[]"
    }
}
#endif
