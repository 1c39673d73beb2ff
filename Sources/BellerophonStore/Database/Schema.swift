#if Server
import BellerophonBase
import Foundation
import GRDB

/// The tables of a store.
enum Schema {
    /// "BLRP": marks an SQLite file as a store.
    static let applicationID: Int64 = 0x424C_5250

    /// The format version that this program writes.
    static let version = 1

    /// Makes the tables in an empty file. A file of another program or of a newer format is not changed, and neither is an
    /// empty file unless `creates` is true.
    /// - Parameters:
    ///   - creates: whether an empty file becomes a store.
    ///   - identity: the identity of a new store.
    static func prepare(_ database: Database, _ folder: URL, creates: Bool, identity: StoreIdentity) throws {
        try check(database, folder)
        guard try userVersion(database) == 0 else { return }
        guard creates else { throw StoreIdentity.emptyDatabase(folder) }
        try database.inTransaction(.immediate) {
            // Another process may have made them meanwhile.
            guard try userVersion(database) == 0 else { return .rollback }
            try database.execute(sql: tables)
            try StoreIdentity.write(identity, to: database)
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Refuses a file of another program or of a newer format.
    static func check(_ database: Database, _ folder: URL) throws {
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
                .newerStore,
                "the store \(folder.path) was written by a newer bellerophon-server (format \(found), this one knows \(version))",
                hint: "use that version; nothing was changed"
            )
        }
    }

    private static func userVersion(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Times are milliseconds since 1970. Effective statuses are derived from the journal and never stored separately.
    private static let tables = """
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
            ends INTEGER REFERENCES journal(id),
            published INTEGER,
            author TEXT,
            request TEXT,
            proposal INTEGER REFERENCES journal(id),
            proposed_by TEXT,
            subject TEXT,
            break_glass INTEGER,
            plan TEXT,
            digest TEXT
        ) STRICT;
        CREATE INDEX journal_scope ON journal(app, channel, id) WHERE app IS NOT NULL;
        CREATE INDEX journal_resource ON journal(resource, id) WHERE resource IS NOT NULL;
        CREATE INDEX journal_published ON journal(published) WHERE published IS NOT NULL;
        CREATE UNIQUE INDEX journal_request ON journal(request) WHERE request IS NOT NULL;
        CREATE INDEX journal_token ON journal(id) WHERE token IS NOT NULL;
        CREATE INDEX journal_subject ON journal(subject, id) WHERE subject IS NOT NULL;
        CREATE TABLE resource_version (
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            size INTEGER,
            md5 TEXT,
            sha256 TEXT,
            url TEXT,
            entry INTEGER NOT NULL REFERENCES journal(id),
            owner TEXT,
            PRIMARY KEY (name, version)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX resource_version_owner ON resource_version(owner) WHERE owner IS NOT NULL;
        CREATE INDEX resource_version_sha256 ON resource_version(sha256) WHERE sha256 IS NOT NULL;
        CREATE TABLE token (
            name TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            last_used_at INTEGER,
            revoked_at INTEGER,
            quota INTEGER,
            expires_at INTEGER,
            person TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE property (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE proposal (
            id INTEGER PRIMARY KEY REFERENCES journal(id),
            app TEXT NOT NULL,
            channel TEXT NOT NULL,
            publication TEXT NOT NULL,
            proposed_at INTEGER NOT NULL,
            proposed_by TEXT NOT NULL,
            author TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            follows INTEGER,
            decision TEXT,
            decided_at INTEGER,
            decided_by TEXT,
            entry INTEGER REFERENCES journal(id),
            rule_change TEXT,
            replaces INTEGER
        ) STRICT;
        CREATE INDEX proposal_open ON proposal(expires_at) WHERE decision IS NULL;
        CREATE TABLE approval (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            apps TEXT NOT NULL,
            lifetime INTEGER NOT NULL
        ) STRICT;
        """
}
#endif
