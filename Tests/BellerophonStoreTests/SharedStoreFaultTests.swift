#if Postgres
import BellerophonBase
import Foundation
import GRDB
import TestSupport
import Testing

@testable import BellerophonStore

/// A shared store while its database is away, and with a database that is not its own or not as it was.
@Suite(
    "A shared store: faults", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedStoreFaultTests: SuiteOfSharedServers {
    let servers: SharedServers

    init() async throws {
        servers = try await SharedServers()
    }

    // MARK: Without the database

    @Test("Without the database the local copy is served and nothing can be published")
    func copyServesWithoutDatabase() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        let away = PostgresJournal("postgresql:///none?host=\(home.url.path)", patience: .seconds(1))
        let b = try Store(folder: a.folder, shared: away, clock: .still { [clock] in clock.now })
        #expect(try b.status(.main)?.isBlocking == true)
        clock.advance(by: 61)
        #expect(try b.status(.main)?.isBlocking == true, "somebody may have prolonged it")
        let error = await storeError { try await b.publish(Publication(action: .restore), by: "bob") }
        #expect(error?.kind == .unavailable)
        #expect(b.sharedContact?.problem?.text.contains("can't be reached") == true)
        #expect(await storeError { try b.checkWritable() }?.kind == .unavailable)
    }

    @Test func aFirstStartWithoutTheDatabaseIsRefused() async throws {
        let away = PostgresJournal("postgresql:///none?host=\(home.url.path)", patience: .seconds(1))
        let error = await storeError { try Store(folder: home.url.appendingPathComponent("new"), shared: away) }
        #expect(error?.kind == .unavailable)
        #expect(!FileManager.default.fileExists(atPath: home.path("new")), "an empty store would lift every kill")
    }

    @Test("A committed change reaches the local copy later if the copy could not take it")
    func committedChangeReachesCopy() async throws {
        let a = try server("a")
        let now = clock.now
        let entry = try await a.database.write { database in
            // The transaction of the copy fails only at its end, as on a disk that is full then.
            try database.execute(
                sql: "CREATE TABLE spoiler (row INTEGER REFERENCES journal(id) DEFERRABLE INITIALLY DEFERRED)")
            try database.execute(sql: "INSERT INTO spoiler VALUES (999)")
            return try JournalTable(database: database).append(
                JournalEntry(
                    at: now, who: "ada", action: "kill", app: "default", channel: "main", document: "{}", author: "ada"))
        }
        #expect(entry.id == 1)
        #expect(try a.journal().isEmpty, "the copy does not have it yet")
        try a.catchUp()
        #expect(try a.journal() == [entry])
    }

    // MARK: Changes that could not be made

    /// What a try of a change says, and what is said until the next one.
    private func trouble(_ store: Store) async throws -> StoreError.Kind? {
        let kind = await storeError { try store.checkWritable() }?.kind
        try store.catchUp()
        #expect(store.writeTrouble?.kind == kind, "reading rows says nothing of writing them")
        return kind
    }

    @Test("While another session holds the lock, no change could be made")
    func heldLockIsNoticed() async throws {
        let a = try server("a")
        #expect(try await trouble(a) == nil)
        let holder = try PostgresConnection(address, limit: .seconds(10))
        try holder.execute("BEGIN")
        try holder.execute("SELECT pg_advisory_xact_lock(\(0x424C_5250))")
        #expect(try await trouble(a) == .busy)
        try holder.execute("ROLLBACK")
        #expect(try await trouble(a) == nil)
    }

    @Test("While the database has no room, no change could be made, and a commit ends that")
    func fullDatabaseIsNoticed() async throws {
        let a = try server("a")
        #expect(try await trouble(a) == nil)
        let admin = try PostgresConnection(address, limit: .seconds(10))
        try admin.execute(
            """
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
            """)
        try admin.execute("CREATE TRIGGER full_disk BEFORE INSERT ON bellerophon.journal EXECUTE FUNCTION full_disk()")
        #expect(await storeError { try await a.publish(Publication(action: .kill), by: "ada") }?.kind == .unavailable)
        try a.catchUp()
        #expect(a.writeTrouble?.kind == .unavailable, "a change that has failed counts without a try")
        #expect(try await trouble(a) == .unavailable)
        try admin.execute("DROP TRIGGER full_disk ON bellerophon.journal")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        #expect(a.writeTrouble == nil)
        #expect(try await trouble(a) == nil)
        #expect(try admin.execute("SELECT count(*) FROM bellerophon.journal") == [["1"]], "a try leaves no row")
    }

    @Test("A standby that is away is noticed with one session, which keeps no change waiting")
    func absentStandbyIsNoticed() async throws {
        let database = try await PostgresServer.start()
        let address = database.address(of: "postgres")
        _ = try PostgresJournal.migrate(address)
        let store = try servers.server("b", PostgresJournal(address))
        #expect(try await trouble(store) == nil)
        let admin = try PostgresConnection(address, limit: .seconds(10))
        try admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try admin.execute("SELECT pg_reload_conf()")
        try await eventually("the setting") { try await trouble(store) == .unconfirmed ? () : nil }
        for _ in 1...2 { #expect(try await trouble(store) == .unconfirmed) }
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        #expect(try admin.execute(sessions) == [["1"]])
        // A kill is committed on the primary, and shown, while nobody confirms it.
        #expect(try admin.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == [["0"]])
        try admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try admin.execute("SELECT pg_reload_conf()")
        try await eventually("confirmation") { try await trouble(store) == nil ? () : nil }
        #expect(try admin.execute(sessions) == [["0"]])
    }

    // MARK: What is not this store

    @Test func aDatabaseWithoutTablesIsNamed() async throws {
        let empty = try await PostgresServer.makeDatabase()
        let error = await storeError { try Store(folder: home.url.appendingPathComponent("a"), shared: PostgresJournal(empty)) }
        #expect(error?.kind == .notAStore)
        #expect(error?.hint?.contains("store migrate") == true)
        #expect(try PostgresJournal.migrate(empty))
        #expect(try !PostgresJournal.migrate(empty), "the tables are there")
    }

    @Test func aCopyOfAnotherStoreIsRefused() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        let other = try await PostgresServer.makeDatabase()
        _ = try PostgresJournal.migrate(other)
        let error = await storeError { try Store(folder: a.folder, shared: PostgresJournal(other)) }
        #expect(error?.kind == .damaged && error?.message.contains("copy of the store") == true)
    }

    // MARK: The checks find what they are for

    @Test("A lost or changed journal row is detected, and the copy stays unchanged", arguments: ["lost", "changed"])
    func corruptRowIsDetected(fault: String) async throws {
        let a = try server("a")
        for number in 1...3 { _ = try await a.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        let b = try server(
            "b",
            AlteredJournal(
                journal: PostgresJournal(address),
                rows: { rows in
                    var rows = rows.filter { fault != "lost" || $0.id != 2 }
                    if fault == "changed", rows.count == 3 { rows[1].values[2] = "eve" }
                    return rows
                }))
        #expect(await storeError { try b.catchUp() }?.kind == .damaged)
        #expect(try b.journal().isEmpty)
    }

    @Test("Without the lock the second of two concurrent changes fails, and nothing is lost")
    func unlockedChangeFails() async throws {
        let (a, b) = (try server("a"), try server("b"))
        _ = try await b.publish(Publication(action: .kill, message: "Mine."), by: "bob")
        // The row of the other server, as it is sent to the database without asking for the lock.
        let row = try #require(try PostgresJournal(address).rows(from: 1, limit: 1).first)
        // One thread at a time uses it.
        nonisolated(unsafe) let connection = try PostgresConnection(address, limit: .seconds(10))
        try connection.execute("DELETE FROM bellerophon.journal")
        let columns = JournalColumn.allCases.map { "\"\($0.name)\"" } + ["digest"]
        let marks = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
        let command = "INSERT INTO bellerophon.journal (\(columns.joined(separator: ", "))) VALUES (\(marks))"
        let racing = try server(
            "racing",
            AlteredJournal(
                journal: PostgresJournal(address),
                beforeAdding: {
                    _ = try connection.execute(command, row.values.map { .text($0) } + [.text(row.digest)])
                }))
        let error = await storeError { try await racing.publish(Publication(action: .restore), by: "ada") }
        #expect(error != nil)
        try a.catchUp()
        #expect(try a.journal().map(\.who) == ["bob"] && racing.journal().isEmpty)
    }

    @Test func aDatabaseThatHasLostRowsIsNoLongerWritten() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        // As after a backup was brought back: the tables are there, and the rows are not.
        let copy = try await StoreDatabases.make()
        let b = try Store(folder: a.folder, shared: AlteredJournal(journal: PostgresJournal(copy), otherIdentity: a.identity()))
        let error = await storeError { try await b.publish(Publication(action: .restore), by: "bob") }
        #expect(error?.kind == .damaged && error?.message.contains("does not have row 1") == true)
        #expect(try b.status(.main)?.isBlocking == true)
    }
}
#endif
