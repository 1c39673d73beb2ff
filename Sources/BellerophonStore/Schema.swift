#if Server
import Foundation
import GRDB

/// The tables of a store, version by version.
enum Schema {
    /// "BLRP": says that an SQLite file is a store.
    static let applicationID: Int64 = 0x424C_5250

    /// The version that this program writes.
    static var version: Int { migrations.count }

    /// Brings a file up to date. A file of another program, or of a newer version of this one, stays as it is.
    static func migrate(_ database: Database, _ folder: URL) throws {
        try check(database, folder)
        guard try userVersion(database) < version else { return }
        try database.inTransaction(.immediate) {
            for number in try userVersion(database)..<version { try database.execute(sql: migrations[number]) }
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
    }

    private static func check(_ database: Database, _ folder: URL) throws {
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw StoreError(
                .notAStore, "\(folder.path)/\(StoreDatabase.fileName) belongs to another program",
                hint: "name the folder that the server uses, or an empty one"
            )
        }
        let found = try userVersion(database)
        guard found <= version else {
            throw StoreError(
                .newerStore, "the store \(folder.path) was written by a newer bellerophon-server (format \(found), this one knows \(version))",
                hint: "use that version; nothing was changed"
            )
        }
    }

    private static func userVersion(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Times are milliseconds since 1970. What is effective is read from the journal, never stored beside it.
    private static let migrations = [
        """
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            who TEXT NOT NULL,
            action TEXT NOT NULL,
            app TEXT,
            channel TEXT,
            resource TEXT,
            version INTEGER,
            from_version INTEGER,
            token TEXT,
            reason TEXT,
            document TEXT,
            ends_at INTEGER,
            ends INTEGER REFERENCES journal(id)
        ) STRICT;
        CREATE INDEX journal_scope ON journal(app, channel, id) WHERE app IS NOT NULL;
        CREATE INDEX journal_resource ON journal(resource, id) WHERE resource IS NOT NULL;
        CREATE TABLE resource_version (
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            size INTEGER,
            md5 TEXT,
            sha256 TEXT,
            url TEXT,
            entry INTEGER NOT NULL REFERENCES journal(id),
            PRIMARY KEY (name, version)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE token (
            name TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            last_used_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        """
    ]
}
#endif
