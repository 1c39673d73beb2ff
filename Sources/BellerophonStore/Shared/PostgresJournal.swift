#if Postgres
import Foundation

/// A shared journal in PostgreSQL.
///
/// A change holds an advisory lock of its transaction, so that changes happen one after the other. The rows and the bytes of
/// resources are committed together. `NOTIFY` tells the other servers.
package final class PostgresJournal: SharedJournal {
    private let writing: PostgresSession
    private let reading: PostgresSession
    private let listening: PostgresSession
    /// For the bytes of resources, so that nothing waits for them.
    private let moving: PostgresSession
    private let confirming: PostgresSession
    /// For tries, so that neither a change nor rows wait for one that is not answered.
    private let trying: PostgresSession

    /// The longest time for each command; see ``PostgresConnection``.
    package static let patience = Duration.seconds(10)

    /// - Parameter address: a connection URI or string of libpq. Environment variables (`PGHOST` and others), the password file
    ///   and the service file complete it.
    package init(_ address: String, patience: Duration = patience) {
        writing = PostgresSession(address, patience)
        reading = PostgresSession(address, patience)
        moving = PostgresSession(address, patience)
        confirming = PostgresSession(address, patience)
        trying = PostgresSession(address, patience)
        listening = PostgresSession(address, patience, isListening: true)
    }

    /// Makes the tables. Repeated calls change nothing.
    /// - Returns: whether there were none.
    package static func migrate(_ address: String) throws(StoreError) -> Bool {
        try PostgresSchema.migrate(try PostgresConnection(address, limit: patience))
    }

    package func rows(from id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
        try reading.use { connection throws(StoreError) in
            try connection.execute(
                "SELECT \(Self.columns) FROM bellerophon.journal WHERE id >= $1 ORDER BY id LIMIT $2",
                [.text("\(id)"), .text("\(limit)")]
            ).map { Self.row($0[...]) }
        }
    }

    package func now() throws(StoreError) -> Date {
        try reading.use { connection throws(StoreError) in try Self.date(try connection.value("SELECT \(Self.time)")) }
    }

    /// In milliseconds. `now()` would be the time at which the transaction began, before it waited for the lock.
    private static let time = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    private static func date(_ text: String?) throws(StoreError) -> Date {
        guard let time = text.flatMap({ Int64($0) }) else {
            throw StoreError(.failed, "PostgreSQL did not return its time")
        }
        return Date(milliseconds: time)
    }

    package func confirm() throws(StoreError) {
        do throws(StoreError) {
            try confirming.commit(Self.confirmation)
        } catch {
            throw error.kind == .unconfirmed ? error : PostgresSession.unconfirmed(error.message)
        }
    }

    package func tryChange() throws(StoreError) {
        try trying.commit("SELECT \(Self.message)") { connection throws(StoreError) in try connection.execute(Self.trial) }
    }

    /// Writes something that has no effect. PostgreSQL lets a commit wait for a standby only if it writes, and the standby then has
    /// everything that was committed before.
    private static let message = "pg_logical_emit_message(true, 'bellerophon', '')"

    /// The message, if a standby must have what is committed.
    private static let confirmation = "SELECT CASE WHEN current_setting('synchronous_standby_names') <> '' THEN \(message) END"

    /// Takes the lock and writes a row as large as that of a kill, which is rolled back. It is one command, so that the lock is held for
    /// no round trip, and its end waits for no standby: with the lock it would keep changes waiting.
    private static let trial = """
        DO $$ BEGIN
            PERFORM set_config('lock_timeout', '\(PostgresSession.confirmationLimit.milliseconds)', true);
            PERFORM set_config('synchronous_commit', 'off', true);
            PERFORM pg_advisory_xact_lock(\(lock));
            BEGIN
                INSERT INTO bellerophon.journal (id, at, who, action, document, digest) VALUES (-1, 0, '', 'try', repeat('x', 1800), '');
                RAISE EXCEPTION USING ERRCODE = 'BLRP0';
            EXCEPTION WHEN SQLSTATE 'BLRP0' THEN NULL;
            END;
        END $$
        """

    package func content(_ sha256: String, from offset: Int64, count: Int) throws(StoreError) -> Data? {
        try moving.use { connection throws(StoreError) in
            // The positions of SQL begin with 1.
            try connection.bytes(
                "SELECT substring(bytes FROM ($2::bigint + 1)::int FOR $3::int) FROM bellerophon.content WHERE sha256 = $1",
                [.text(sha256), .text("\(offset)"), .text("\(count)")])
        }
    }

    package func save(_ content: Data, sha256: String) throws(StoreError) -> Bool {
        try moving.use { connection throws(StoreError) in
            // At the least speed of a link that is of use.
            let limit = connection.limit + .seconds(content.count / Self.leastSpeed)
            return try Self.save(connection, content, sha256, limit)
        }
    }

    /// In bytes a second.
    private static let leastSpeed = 256 << 10

    /// - Returns: whether they were not there yet.
    fileprivate static func save(
        _ connection: PostgresConnection, _ content: Data, _ sha256: String, _ limit: Duration
    ) throws(StoreError) -> Bool {
        try !connection.execute(
            "INSERT INTO bellerophon.content (sha256, bytes) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING RETURNING 1",
            [.text(sha256), .bytes(content)], within: limit
        ).isEmpty
    }

    package func property(_ name: String) throws(StoreError) -> String? {
        try reading.use { connection throws(StoreError) in
            try connection.value("SELECT value FROM bellerophon.property WHERE name = $1", [.text(name)])
        }
    }

    package func setProperty(_ name: String, _ value: String) throws(StoreError) {
        try reading.use { connection throws(StoreError) in
            _ = try connection.execute(
                """
                INSERT INTO bellerophon.property (name, value) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """, [.text(name), .text(value)])
        }
    }

    package func waitForRows(_ time: Duration) throws(StoreError) {
        try listening.use { connection throws(StoreError) in
            // Listening twice has no effect.
            try connection.execute("LISTEN bellerophon")
            try connection.wait(time)
        }
    }

    package func lead() throws(StoreError) -> SharedLead {
        try listening.use { connection throws(StoreError) in
            let names = "current_setting('synchronous_standby_names')"
            // The lock lasts as long as the session, and counts how often it was taken.
            let lock = connection.leads ? "true" : "pg_try_advisory_lock(\(Self.leadLock))"
            guard let row = try connection.execute("SELECT \(lock), \(names)").first else { return SharedLead() }
            connection.leads = row[0] == "t"
            return SharedLead(leads: connection.leads, standbys: row[1].flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    package func change(from id: Int64, limit: Int, _ work: (any SharedChange) throws -> Void) throws {
        // While this server has the lock, the others wait: what the change has to know comes with it. Each command sees what was
        // committed before it began. A server that has the lock for longer has lost its connection, or its machine hangs.
        let begin = """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL lock_timeout = \(Self.lockPatience.milliseconds);
            SELECT pg_advisory_xact_lock(\(Self.lock));
            SELECT \(Self.time), (extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000)::bigint, known.* FROM (SELECT) AS one LEFT JOIN
                (SELECT \(Self.columns) FROM bellerophon.journal WHERE id >= \(id) ORDER BY id LIMIT \(limit)) AS known ON true
                ORDER BY known.id
            """
        try writing.changing(begin) { connection, known in
            // Without rows there is one, which has the times alone.
            let rows = known.filter { $0[2] != nil }.map { Self.row($0[2...]) }
            let change = Change(
                connection: connection, rows: rows, now: try Self.date(known.first?[0]),
                waited: known.first?[1].flatMap { Int64($0) } ?? 0)
            defer { if !change.isOver { _ = try? connection.execute("ROLLBACK") } }
            try work(change)
        }
    }

    /// "BLRP": the number of the advisory lock.
    private static let lock: Int64 = 0x424C_5250
    private static let lockPatience = Store.busyLimit
    /// "BLRL": the number of the advisory lock of the server that leads.
    private static let leadLock: Int64 = 0x424C_524C

    /// The columns of a row, in the order of ``JournalColumn``, then the digest.
    private static let columns =
        JournalColumn.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ") + ", digest"

    private static func row(_ values: ArraySlice<String?>) -> SharedRow {
        SharedRow(values: Array(values.dropLast()), digest: values.last.flatMap(\.self) ?? "")
    }

    /// A transaction that holds the lock.
    private final class Change: SharedChange {
        let connection: PostgresConnection
        let rows: [SharedRow]
        let now: Date
        let waited: Int64
        /// Whether it was committed, or its outcome is unknown.
        private(set) var isOver = false

        init(connection: PostgresConnection, rows: [SharedRow], now: Date, waited: Int64) {
            (self.connection, self.rows, self.now, self.waited) = (connection, rows, now, waited)
        }

        func readTime() throws(StoreError) -> Date {
            try PostgresJournal.date(try connection.value("SELECT \(PostgresJournal.time)"))
        }

        func hasContent(_ sha256: String) throws(StoreError) -> Bool {
            try !connection.execute("SELECT 1 FROM bellerophon.content WHERE sha256 = $1", [.text(sha256)]).isEmpty
        }

        func save(_ content: Data, sha256: String) throws(StoreError) {
            _ = try PostgresJournal.save(connection, content, sha256, connection.limit)
        }

        func removeContent(_ sha256: String) throws(StoreError) {
            try connection.execute("DELETE FROM bellerophon.content WHERE sha256 = $1", [.text(sha256)])
        }

        func confirm() throws(StoreError) { try connection.execute(PostgresJournal.confirmation) }

        func add(_ rows: [SharedRow]) throws(StoreError) {
            let names = JournalColumn.allCases.map(\.name) + ["digest"]
            let objects = rows.map { Dictionary(uniqueKeysWithValues: zip(names, $0.values + [$0.digest])) }
            // The other servers are notified once it is committed.
            try connection.execute(
                """
                WITH added AS (
                    INSERT INTO bellerophon.journal
                    SELECT * FROM json_populate_recordset(NULL::bellerophon.journal, $1::json) RETURNING 1
                )
                SELECT pg_notify('bellerophon', '') FROM added LIMIT 1
                """, [.text(try StoreJSON.string(objects))])
        }

        func adopt(_ identity: String) throws(StoreError) {
            try connection.execute("UPDATE bellerophon.property SET value = $1 WHERE name = 'identity'", [.text(identity)])
        }

        func commit() throws(StoreError) {
            isOver = true
            let reason: String
            do {
                try connection.execute("COMMIT")
                guard connection.warned else { return }
                reason = "the wait for a standby was cancelled"
            } catch {
                guard !connection.isOpen || error.kind == .unavailable else { throw error }
                reason = error.message
            }
            throw StoreError(
                .unknown, "whether this was published is unknown: \(reason)",
                hint: "try again with the same request key, which can't publish it twice, or look at the journal")
        }
    }
}
#endif
