import Foundation
import GRDB

extension Database {
    /// What is kept under a name beside the journal; nil for nothing.
    func property(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM property WHERE name = ?", arguments: [name])
    }

    func setProperty(_ name: String, _ value: String?) throws {
        guard let value else { return try execute(sql: "DELETE FROM property WHERE name = ?", arguments: [name]) }
        try execute(sql: "INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)", arguments: [name, value])
    }
}

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
        try requireFormat(database, folder)
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
    static func requireFormat(_ database: Database, _ folder: URL) throws {
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

    /// Times are milliseconds since 1970. What is in effect follows from the journal: the views read it there, and the table of versions
    /// is an index of it.
    private static let tables = """
        CREATE TABLE journal (
            \(JournalColumn.declarations(
                number: "INTEGER",
                [.id: "PRIMARY KEY AUTOINCREMENT", .ends: "REFERENCES journal(id)", .proposal: "REFERENCES journal(id)"])),
            digest TEXT
        ) STRICT;
        CREATE INDEX journal_scope ON journal(app, channel, id) WHERE app IS NOT NULL;
        CREATE INDEX journal_subject ON journal(substr(subject, 1, instr(subject, '/') - 1), id) WHERE subject IS NOT NULL;
        CREATE INDEX journal_resource ON journal(resource, id) WHERE resource IS NOT NULL;
        CREATE INDEX journal_published ON journal(published) WHERE published IS NOT NULL;
        CREATE UNIQUE INDEX journal_request ON journal(request) WHERE request IS NOT NULL;
        CREATE INDEX journal_token ON journal(id) WHERE token IS NOT NULL;
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
        -- When each token was used on this machine, to the minute.
        CREATE TABLE token_use (
            name TEXT PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE property (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX journal_token_name ON journal(token, action) WHERE token IS NOT NULL;
        CREATE INDEX journal_token_hash ON journal(json_extract(body, '$.token.hash')) WHERE action = 'token-create';
        CREATE VIEW token AS
            SELECT token AS name, json_extract(body, '$.token.hash') AS hash, json_extract(body, '$.token.scopes') AS scopes,
                json_extract(body, '$.token.person') AS person, json_extract(body, '$.token.quota') AS quota,
                json_extract(body, '$.token.expiresAt') AS expires_at, at AS created_at, who AS created_by,
                (SELECT at FROM journal AS later WHERE later.token IS NOT NULL AND later.token = journal.token
                    AND later.action = 'token-revoke') AS revoked_at,
                (SELECT at FROM token_use WHERE token_use.name = journal.token) AS last_used_at
            FROM journal WHERE action = 'token-create' AND token IS NOT NULL;
        CREATE INDEX journal_decision ON journal(proposal) WHERE proposal IS NOT NULL;
        CREATE INDEX journal_proposal ON journal(id) WHERE action = 'propose';
        CREATE VIEW proposal AS
            SELECT *, json_extract(body, '$.proposal.expiresAt') AS expires_at,
                (SELECT later.id FROM journal AS later WHERE later.proposal IS NOT NULL AND later.proposal = journal.id) AS decision
            FROM journal WHERE action = 'propose';
        CREATE INDEX journal_rule ON journal(id) WHERE action = 'approval-rule';
        """
}
