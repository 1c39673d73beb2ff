#if Postgres

/// The tables in PostgreSQL.
enum PostgresSchema {
    /// The format version that this program writes.
    static let version = 1

    static func requireFormat(_ connection: PostgresConnection) throws(StoreError) {
        guard try format(connection) == version else {
            throw StoreError(
                .notAStore, "the database has no store", hint: "`bellerophon-server store migrate` makes its tables")
        }
    }

    /// - Returns: 0 without tables.
    private static func format(_ connection: PostgresConnection) throws(StoreError) -> Int {
        guard try connection.value("SELECT to_regclass('bellerophon.property')") != nil,
            let found = try connection.value("SELECT value FROM bellerophon.property WHERE name = 'format'").flatMap({ Int($0) })
        else { return 0 }
        guard found <= version else {
            throw StoreError(
                .newerStore,
                "the store in the database was written by a newer bellerophon-server (format \(found), this one knows \(version))",
                hint: "use that version; nothing was changed")
        }
        return found
    }

    /// - Returns: whether there were no tables.
    static func migrate(_ connection: PostgresConnection) throws(StoreError) -> Bool {
        try connection.execute("BEGIN")
        // Another server may migrate at the same time.
        try connection.execute("SELECT pg_advisory_xact_lock(\(0x424C_5250))")
        let isNew = try format(connection) == 0
        if isNew {
            try connection.execute(tables)
            try connection.execute(
                "INSERT INTO bellerophon.property (name, value) VALUES ('identity', $1), ('format', $2)",
                [.text(StoreIdentity.make().text), .text("\(version)")])
        }
        try connection.execute("COMMIT")
        return isNew
    }

    private static let tables = """
        CREATE SCHEMA IF NOT EXISTS bellerophon;
        CREATE TABLE bellerophon.property (name text PRIMARY KEY, value text NOT NULL);
        CREATE TABLE bellerophon.journal (
            \(JournalColumn.declarations(number: "bigint", [.id: "PRIMARY KEY", .request: "UNIQUE"])),
            digest text NOT NULL
        )
        -- What tries leave is removed before it takes much room, however long the journal is.
        WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
        CREATE TABLE bellerophon.content (sha256 text PRIMARY KEY, bytes bytea NOT NULL)
        """
}
#endif
