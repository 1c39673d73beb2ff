#if Postgres
import Foundation

/// A shared journal in PostgreSQL.
///
/// A change holds an advisory lock of its transaction, so that changes happen one after the other. The rows and the bytes of
/// resources are committed together. `NOTIFY` tells the other servers.
package final class PostgresJournal: SharedJournal {
    private let writing: ConnectionSlot
    private let reading: ConnectionSlot
    private let listening: ConnectionSlot

    /// The longest time for each command; see ``PostgresConnection``.
    package static let patience = Duration.seconds(10)

    /// - Parameter address: a connection URI or string of libpq. Environment variables (`PGHOST` and others), the password file
    ///   and the service file complete it.
    package init(_ address: String, patience: Duration = patience) {
        writing = ConnectionSlot(address, patience)
        reading = ConnectionSlot(address, patience)
        listening = ConnectionSlot(address, patience, isListening: true)
    }

    /// Creates the tables, or migrates them to the format of this version. Repeated calls change nothing.
    /// - Returns: the former format; 0 if there were no tables.
    package static func migrate(_ address: String) throws(StoreError) -> Int {
        try PostgresSchema.migrate(try PostgresConnection(address, limit: patience))
    }

    package func identity() throws(StoreError) -> String {
        try reading.use { connection throws(StoreError) in
            let rows = try connection.execute("SELECT value FROM bellerophon.property WHERE name = 'identity'")
            return rows.first?.first.flatMap { $0 } ?? ""
        }
    }

    package func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
        try reading.use { connection throws(StoreError) in try Self.rows(connection, after: id, limit) }
    }

    package func content(_ sha256: String) throws(StoreError) -> Data? {
        try reading.use { connection throws(StoreError) in
            try connection.bytes("SELECT bytes FROM bellerophon.content WHERE sha256 = $1", [.text(sha256)])
        }
    }

    package func now() throws(StoreError) -> Date {
        try reading.use { connection throws(StoreError) in try Self.now(connection) }
    }

    fileprivate static func now(_ connection: PostgresConnection) throws(StoreError) -> Date {
        // `now()` would be the time at which the transaction began, before it waited for the lock.
        let rows = try connection.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        guard let time = rows.first?.first.flatMap({ $0 }).flatMap({ Int64($0) }) else {
            throw StoreError(.failed, "PostgreSQL did not tell its time")
        }
        return Date(milliseconds: time)
    }

    package func mark(_ name: String) throws(StoreError) -> Int64? {
        try reading.use { connection throws(StoreError) in
            try connection.execute("SELECT value FROM bellerophon.property WHERE name = $1", [.text("mark.\(name)")])
                .first?.first.flatMap { $0 }.flatMap { Int64($0) }
        }
    }

    package func setMark(_ name: String, _ value: Int64) throws(StoreError) {
        try reading.use { connection throws(StoreError) in
            _ = try connection.execute(
                """
                INSERT INTO bellerophon.property (name, value) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """, [.text("mark.\(name)"), .text("\(value)")])
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

    package func change(_ work: (any SharedChange) throws -> Void) throws {
        try writing.changing { connection in
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            let change = Change(connection: connection)
            do {
                // A server that takes longer has lost its connection, or its machine hangs.
                try connection.execute("SET LOCAL lock_timeout = \(Self.lockPatience.milliseconds)")
                try connection.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
                try work(change)
            } catch {
                if !change.isOver { _ = try? connection.execute("ROLLBACK") }
                throw error
            }
            if !change.isOver { try connection.execute("ROLLBACK") }
        }
    }

    /// "BLRP": the number of the advisory lock.
    private static let lock: Int64 = 0x424C_5250
    private static let lockPatience = Store.busyLimit
    /// "BLRL": the number of the advisory lock of the server that leads.
    private static let leadLock: Int64 = 0x424C_524C

    /// The columns of a row, in the order of ``JournalChain/columns``, then the digest and the changes.
    fileprivate static let columns =
        JournalChain.columns.map { "\"\($0)\"" }.joined(separator: ", ") + ", digest, changes"

    fileprivate static func rows(
        _ connection: PostgresConnection, after id: Int64, _ limit: Int
    ) throws(StoreError) -> [SharedRow] {
        try connection.execute(
            "SELECT \(columns) FROM bellerophon.journal WHERE id > $1 ORDER BY id LIMIT $2", [.number(id), .number(Int64(limit))]
        ).map { values in
            SharedRow(
                values: Array(values.dropLast(2)), digest: values[values.count - 2] ?? "",
                changes: values.last.flatMap { $0 } ?? "[]")
        }
    }

    /// A transaction that holds the lock.
    private final class Change: SharedChange {
        let connection: PostgresConnection
        /// Whether it was committed, or its outcome is unknown.
        private(set) var isOver = false

        init(connection: PostgresConnection) { self.connection = connection }

        func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
            try PostgresJournal.rows(connection, after: id, limit)
        }

        func now() throws(StoreError) -> Date { try PostgresJournal.now(connection) }

        func head() throws(StoreError) -> SharedHead? {
            let rows = try connection.execute("SELECT id, digest FROM bellerophon.journal ORDER BY id DESC LIMIT 1")
            guard let row = rows.first, let id = row[0].flatMap({ Int64($0) }) else { return nil }
            return SharedHead(id: id, digest: row[1] ?? "")
        }

        func keep(_ content: Data, sha256: String) throws(StoreError) {
            try connection.execute(
                "INSERT INTO bellerophon.content (sha256, bytes) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING",
                [.text(sha256), .bytes(content)])
        }

        /// Rows in one command. PostgreSQL takes at most 65,535 parameters.
        private static let rowsAtOnce = 200

        func add(_ rows: [SharedRow]) throws(StoreError) {
            let width = JournalChain.columns.count + 2
            var rest = rows[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.rowsAtOnce)
                rest = rest.dropFirst(batch.count)
                let marks = (0..<batch.count).map { row in
                    "(\((1...width).map { "$\(row * width + $0)" }.joined(separator: ", ")))"
                }
                let values = batch.flatMap { row in
                    row.values.map { PostgresConnection.Parameter.text($0) } + [.text(row.digest), .text(row.changes)]
                }
                try connection.execute(
                    "INSERT INTO bellerophon.journal (\(PostgresJournal.columns)) VALUES \(marks.joined(separator: ", "))", values
                )
            }
        }

        func adopt(_ identity: String) throws(StoreError) {
            try connection.execute("UPDATE bellerophon.property SET value = $1 WHERE name = 'identity'", [.text(identity)])
        }

        func commit() throws(StoreError) {
            try connection.execute("NOTIFY bellerophon")
            isOver = true
            do {
                try connection.execute("COMMIT")
            } catch {
                guard !connection.isOpen || error.kind == .unavailable else { throw error }
                throw StoreError(
                    .unknown, "whether this was published is unknown: \(error.message)",
                    hint: "try again with the same request key, which can't publish it twice, or look at the journal")
            }
        }
    }
}

/// A connection that is opened when it is needed, and again after it was lost. One caller at a time uses it.
///
/// It is unchecked because a `Mutex` can't lend an object that is not sendable to a closure that waits for the network.
private final class ConnectionSlot: @unchecked Sendable {
    private let address: String
    private let patience: Duration
    private let isListening: Bool
    private let lock = NSLock()
    /// Protected by the lock.
    private var connection: PostgresConnection?

    /// - Parameter isListening: whether the session is used every few seconds, so that PostgreSQL may end an idle one.
    init(_ address: String, _ patience: Duration, isListening: Bool = false) {
        self.address = address
        self.patience = patience
        self.isListening = isListening
    }

    /// Reads; a connection that was lost since the last use is opened again, once.
    func use<Result>(_ work: (PostgresConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        let wasOpen = connection != nil
        do {
            return try work(try open())
        } catch {
            dropIfLost(error)
            guard wasOpen, connection == nil, error.kind == .unavailable else { throw error }
        }
        do {
            return try work(try open())
        } catch {
            dropIfLost(error)
            throw error
        }
    }

    /// Changes something. A lost connection is found out before the change begins.
    func changing(_ work: (PostgresConnection) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        if let present = connection {
            do throws(StoreError) {
                try present.execute("SELECT 1")
            } catch {
                connection = nil
            }
        }
        do {
            try work(try open())
        } catch {
            if connection?.isOpen == false || (error as? StoreError)?.kind == .unknown { connection = nil }
            if let error = error as? StoreError { dropIfLost(error) }
            throw error
        }
    }

    private func open() throws(StoreError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(address, limit: patience)
        try PostgresSchema.check(new)
        // What is acknowledged survives a crash of the machine, and is on the standby where one is configured.
        try new.execute(
            """
            SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
                THEN set_config('synchronous_commit', 'on', false) END
            """)
        for (name, value) in limits {
            // PostgreSQL has the newest of these settings since version 14.
            try new.execute(
                "SELECT set_config($1, $2, false) WHERE current_setting($1, true) IS NOT NULL", [.text(name), .text(value)])
        }
        connection = new
        return new
    }

    /// Settings with which PostgreSQL ends the session of a machine that is gone and of a process that hangs, so that neither
    /// keeps a lock. In seconds and milliseconds, as PostgreSQL has them.
    private var limits: [(name: String, value: String)] {
        [
            ("tcp_keepalives_idle", "2"), ("tcp_keepalives_interval", "1"), ("tcp_keepalives_count", "3"),
            ("tcp_user_timeout", "5000"), ("idle_in_transaction_session_timeout", "10000"),
        ] + (isListening ? [("idle_session_timeout", "10000")] : [])
    }

    private func dropIfLost(_ error: StoreError) {
        // After a timeout the reply would be taken for that of the next command.
        if error.kind == .unavailable || error.kind == .unknown { connection = nil }
    }
}
#endif
