#if Postgres
import BellerophonBase
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import BellerophonStore

/// A shared store never hides a kill, never shows a lift that may be lost, and says when it may lack rows.
@Suite(
    "A shared store: kills", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedStoreSafetyTests: SuiteOfSharedServers {
    let servers: SharedServers

    init() async throws {
        servers = try await SharedServers()
    }

    /// The journal, whose rows no standby has while the fault is there.
    private func unconfirmed(_ fault: Watched<Bool>) -> AlteredJournal {
        AlteredJournal(
            journal: PostgresJournal(address), beforeConfirming: { if fault.value { throw TestError("the fault") } })
    }

    // MARK: What a server knows

    @Test("The rows of a server are as old as its question to the journal, however long the reply takes")
    func rowsAreAsOldAsQuestion() async throws {
        let asked = Mutex<ContinuousClock.Instant?>(nil)
        let b = try server(
            "b", AlteredJournal(journal: PostgresJournal(address), beforeRows: { _ in asked.withLock { $0 = .now } }))
        let begin = ContinuousClock.now
        try b.catchUp()
        let last = try #require(b.sharedContact?.last)
        #expect(try begin <= last && last <= #require(asked.withLock { $0 }))
    }

    @Test("The bytes of a resource are missing before a later kill is shown")
    func bytesAreMissingBeforeKillIsShown() async throws {
        let (a, b) = (try server("a"), try server("b"))
        try await a.put("help", "the bytes")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        var missing: [Int?] = []
        _ = try b.database.catchUp { missing.append(b.sharedContact?.missing.count) }
        #expect(missing == [1])
    }

    @Test("The bytes of a resource are missing before the copy has its row", arguments: [true, false])
    func bytesAreMissingBeforeRow(publishes: Bool) async throws {
        let (a, b) = (try server("a"), try server("b"))
        try await a.put("help", "the bytes")
        let commits = Commits { [weak b] in b?.sharedContact?.missing.count ?? 0 }
        try await b.database.writeHere { $0.add(transactionObserver: commits, extent: .observerLifetime) }
        if publishes {
            _ = try await b.publish(Publication(action: .restore), by: "bob")
        } else {
            _ = try b.database.catchUp()
        }
        #expect(commits.missing == [1])
    }

    /// Notes how much is missing when a copy has new rows.
    ///
    /// It is unchecked because it is called on the copy's queue, and read after the change.
    private final class Commits: TransactionObserver, @unchecked Sendable {
        private let count: () -> Int
        private var isChanged = false
        private(set) var missing: [Int] = []

        init(_ count: @escaping () -> Int) { self.count = count }

        func observes(eventsOfKind event: DatabaseEventKind) -> Bool { event.tableName == "journal" }
        func databaseDidChange(with event: DatabaseEvent) { isChanged = true }
        func databaseDidRollback(_ database: Database) {}

        func databaseDidCommit(_ database: Database) {
            if isChanged { missing.append(count()) }
        }
    }

    // MARK: Rows that the copy can't take

    /// The disk of a server is full: its database may not grow.
    private func fill(_ store: Store) async throws {
        try await store.database.writeHere { database in
            // Free pages are used up first.
            try database.execute(sql: "PRAGMA max_page_count = 1")
        }
    }

    @Test func aKillIsShownAlsoByAServerWhoseDiskIsFull() async throws {
        let (a, b) = (try server("a"), try server("b"))
        b.database.keepReserve()
        let reserve = b.folder.appendingPathComponent(DiskReserve.fileName)
        #expect(FileManager.default.fileExists(atPath: reserve.path))
        try await fill(b)
        // Rows that fit into what is free of the file are taken.
        let long = String(repeating: "long ", count: 90)
        var last: JournalEntry?
        for number in 1...60 {
            last = try await a.publish(Publication(action: .kill, message: "\(number) \(long)"), by: "ada")
        }
        #expect(await storeError { try b.catchUp() }?.kind == .full)
        #expect(!FileManager.default.fileExists(atPath: reserve.path), "what was reserved is for this")
        #expect(try b.status(.main)?.serial == last?.id)
        #expect(b.sharedContact?.problem?.reason.contains("is full") == true)
        #expect(await storeError { try b.checkWritable() }?.kind == .full)
        let behind = try b.journal(JournalFilter(limit: 1)).first?.id ?? 0
        #expect(behind < 60)

        // What is confirmed and lifts the kill is shown too; there is only no room to keep it.
        let lift = try await a.publish(Publication(action: .restore), by: "ada")
        _ = await storeError { try b.catchUp() }
        #expect(try b.status(.main)?.serial == lift.id)
        try await b.database.writeHere { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        try b.catchUp()
        #expect(try b.journal().first == lift && b.sharedContact?.problem == nil)
        #expect(try b.status(.main) == a.status(.main))
    }

    @Test(
        "A kill is shown even if an earlier row needs a newer server version",
        arguments: [
            [.action: "token-freeze", .token: "ci"],
            [
                .action: "token-create", .token: "ci",
                .body: #"{"token":{"hash":"00","person":"ci","scopes":"read","zone":"eu"}}"#,
            ],
            [.action: "resource", .resource: "help.txt", .version: "1"],
        ] as [[JournalColumn: String]])
    func killIsShownAfterUnknownRow(unknown: [JournalColumn: String]) async throws {
        let b = try server("b")
        let kill: [JournalColumn: String] = [
            .action: "kill", .app: "default", .channel: "main", .document: Publication(action: .kill).baseDocument(),
            .published: "1764050400000",
        ]
        var rows: [SharedRow] = []
        for (number, fields) in [unknown, kill].enumerated() {
            var row = SharedRow(
                fields.merging([.id: "\(number + 1)", .at: "1764050400000", .who: "newer"]) { $1 }, digest: "")
            row.digest = try JournalChain.digest(values: row.values, after: rows.last?.digest ?? JournalChain.start)
            rows.append(row)
        }
        try PostgresJournal(address).commit(rows)
        #expect(await storeError { try b.catchUp() }?.kind == .newerStore)
        #expect(try b.status(.main)?.serial == 2)
        #expect(b.sharedContact?.problem?.reason.contains("newer bellerophon-server") == true)
        #expect(try b.journal().isEmpty)
    }

    // MARK: Rows that no standby has

    @Test("A lifted kill is shown once a standby has it, and a new kill is shown at once")
    func liftNeedsStandby() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        let b = try server("b", unconfirmed(fault))
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try b.catchUp()
        fault.update { $0 = true }
        _ = try await a.publish(Publication(action: .restore), by: "ada")
        #expect(await storeError { try b.catchUp() }?.kind == .unconfirmed)
        #expect(try b.status(.main)?.isBlocking == true && b.journal().count == 1)
        #expect(b.sharedContact?.problem?.reason.contains("standby") == true)
        let other = try Scope(app: "other")
        let kill = try await a.publish(Publication(scope: other, action: .kill), by: "ada")
        _ = await storeError { try b.catchUp() }
        #expect(try b.status(other)?.serial == kill.id, "a kill of another app does not wait for it")
        fault.update { $0 = false }
        try b.catchUp()
        #expect(try b.status(.main)?.isBlocking == false && b.sharedContact?.problem == nil)
        #expect(try b.journal() == a.journal())
    }

    @Test("A shown kill that the database lost is replaced by a newer journal row")
    func lostKillIsReplaced() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        let b = try server("b", unconfirmed(fault))
        _ = try await a.publish(Publication(action: .update, requiredVersion: "2"), by: "ada")
        try b.catchUp()
        // The database was started again after a failure, and shows a kill that no standby has.
        fault.update { $0 = true }
        let lost = try await a.publish(Publication(action: .kill), by: "ada")
        _ = await storeError { try b.catchUp() }
        #expect(try b.status(.main)?.serial == lost.id)
        // The standby, which lacks it, is promoted.
        try PostgresConnection(address, limit: .seconds(10)).execute("DELETE FROM bellerophon.journal WHERE id = \(lost.id)")
        fault.update { $0 = false }
        try b.catchUp()
        #expect(try b.status(.main)?.serial == 1)
        try b.replaceWithdrawn()
        let line = try #require(try b.journal().first)
        #expect(line.action == "update" && line.who == Author.server.name)
        #expect(line.reason?.contains("a kill as #2 was shown before a standby had it") == true)
        #expect(try #require(line.published) > (try #require(lost.published)), "clients that have seen the kill take it")
        try b.replaceWithdrawn()
        #expect(try b.journal().count == 2)
        // Another server that has shown it writes no second line.
        let c = try server("c")
        try c.catchUp()
        #expect(try c.status(.main) == b.status(.main))
    }

    @Test("A shown kill is shown after a restart too, and replaced if the database has lost it meanwhile")
    func lostKillIsReplacedAfterARestart() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        _ = try await a.publish(Publication(action: .update, requiredVersion: "2"), by: "ada")
        do {
            let b = try server(
                "b", unconfirmed(fault))
            try b.catchUp()
            fault.update { $0 = true }
            _ = try await a.publish(Publication(action: .kill), by: "ada")
            _ = await storeError { try b.catchUp() }
            #expect(try b.status(.main)?.serial == 2)
            let kept = "SELECT count(*) FROM property WHERE name = 'shown'"
            try await eventually("the kept row") { try b.database.read { try Int.fetchOne($0, sql: kept) } == 1 ? () : nil }
        }
        // The database is away when the server starts again.
        let away = try server(
            "b", AlteredJournal(journal: PostgresJournal(address), beforeRows: { _ in throw TestError("away") }))
        #expect(try away.status(.main)?.serial == 2 && away.status(.main)?.isBlocking == true)
        // The standby, which lacks the kill, is promoted.
        try PostgresConnection(address, limit: .seconds(10)).execute("DELETE FROM bellerophon.journal WHERE id = 2")
        let b = try server("b")
        #expect(try b.status(.main)?.serial == 1)
        try b.replaceWithdrawn()
        #expect(try b.journal().first?.reason?.contains("a kill as #2 was shown before a standby had it") == true)
        try await eventually("nothing is kept") {
            try b.catchUp()
            return try b.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM property WHERE name = 'shown'") } == 0
                ? () : nil
        }
    }

    @Test("The bytes of a resource that the database lost are not waited for")
    func lostBytesAreForgotten() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        let b = try server("b", unconfirmed(fault))
        fault.update { $0 = true }
        try await a.put("help", "the bytes")
        _ = await storeError { try b.database.catchUp() }
        #expect(b.sharedContact?.missing.count == 1)
        let database = try PostgresConnection(address, limit: .seconds(10))
        for table in ["journal", "content"] { try database.execute("DELETE FROM bellerophon.\(table)") }
        fault.update { $0 = false }
        try b.catchUp()
        #expect(b.sharedContact?.missing.isEmpty == true)
    }

    @Test func aRepeatedRequestIsToldWhatAStandbyHas() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        let key = try RequestKey("once")
        let first = try await a.publish(Publication(action: .kill), by: "ada", request: key)
        let b = try server("b", unconfirmed(fault))
        fault.update { $0 = true }
        #expect(await storeError { try await b.publish(Publication(action: .kill), by: "ada", request: key) } != nil)
        fault.update { $0 = false }
        #expect(try await b.publish(Publication(action: .kill), by: "ada", request: key) == first)
    }

    // MARK: Another journal

    @Test("When the copy and the journal differ, the stricter status is shown")
    func stricterStatusIsShown() async throws {
        let (a, c) = (try server("a"), try server("c"))
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try c.catchUp()
        // A lift that the database loses, as after a standby without it was promoted.
        let lost = try await a.publish(Publication(action: .restore), by: "ada")
        try PostgresConnection(address, limit: .seconds(10)).execute("DELETE FROM bellerophon.journal WHERE id = \(lost.id)")
        #expect(await storeError { try a.catchUp() }?.kind == .damaged)
        #expect(try a.status(.main)?.isBlocking == true, "the journal has the kill")
        #expect(a.sharedContact?.problem?.reason.contains("a person has to decide") == true)
        #expect(await storeError { try await a.publish(Publication(action: .kill), by: "ada") }?.kind == .damaged)

        // What others publish from now on is shown too.
        let other = try Scope(app: "other")
        _ = try await c.publish(Publication(scope: other, action: .kill), by: "bob")
        _ = await storeError { try a.catchUp() }
        #expect(try a.status(other)?.isBlocking == true)
        _ = try await c.publish(Publication(scope: other, action: .restore), by: "bob")
        _ = await storeError { try a.catchUp() }
        #expect(try a.status(other)?.isBlocking == false)
        #expect(try a.journal().first == lost, "the copy stays as it was")
    }

    // MARK: Bytes

    @Test("A kill does not wait for a resource's bytes, and an interrupted download resumes")
    func killPrecedesDownload() async throws {
        let (a, fault) = (try server("a"), Watched(false))
        let positions = Mutex<[Int64]>([])
        let b = try server(
            "b",
            AlteredJournal(
                journal: PostgresJournal(address),
                beforePart: { position in
                    positions.withLock { $0.append(position) }
                    // The link ends every download after its first part.
                    if position > 0 { if fault.value { throw TestError("the fault") } }
                }))
        let bytes = String(repeating: "0123456789abcdef", count: 100_000)
        try await a.put("help", "small")
        try b.catchUp()
        fault.update { $0 = true }
        try await a.put("help", bytes)
        let kill = try await a.publish(Publication(action: .kill), by: "ada")
        positions.withLock { $0 = [] }
        _ = try b.database.catchUp()
        #expect(try b.status(.main)?.serial == kill.id)
        #expect(await storeError { try b.fetchMissing() } != nil)
        #expect(try b.snapshot().resources["help"]?.version == 1, "clients are not told of bytes that are not here")
        fault.update { $0 = false }
        try b.fetchMissing()
        let served = try #require(try b.snapshot().resources["help"])
        #expect(served.version == 2)
        #expect(b.file(for: served).flatMap { FileManager.default.contents(atPath: $0.path) } == Data(bytes.utf8))
        let asked = positions.withLock { $0 }
        #expect(asked.count { $0 == 0 } == 1, "what had arrived is not fetched again: \(asked)")
    }

    @Test("A restarted server fetches missing resource bytes")
    func restartFetchesMissingBytes() async throws {
        let a = try server("a")
        try await a.put("help", "the bytes")
        var b: Store? = try server(
            "b", AlteredJournal(journal: PostgresJournal(address), beforePart: { _ in throw TestError("away") }))
        _ = try b?.database.catchUp()
        #expect(b?.sharedContact?.missing.count == 1)
        b = nil
        let again = try server("b")
        #expect(try again.snapshot().resources.isEmpty)
        try again.catchUp()
        #expect(try again.snapshot().resources["help"] != nil)
    }

    @Test func aLinkThatBringsFewRowsAtATimeBringsAll() async throws {
        let a = try server("a")
        for number in 1...60 { _ = try await a.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        let b = try server(
            "b",
            AlteredJournal(
                journal: PostgresJournal(address), beforeRows: { limit in if limit > 20 { throw TestError("too slow") } }))
        try await eventually("all rows") {
            _ = try? b.catchUp()
            return try b.journal() == a.journal() ? () : nil
        }
    }

    @Test("An upload replaces damaged bytes in the shared folder")
    func uploadRepairsSharedBytes() async throws {
        let folder = home.url.appendingPathComponent("bytes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let a = try Store(
            folder: home.url.appendingPathComponent("a"), shared: PostgresJournal(address), sharedContent: folder)
        let digest = try #require(try await a.put("help", "the bytes").resource.sha256)
        let shared = folder.appendingPathComponent("content/\(digest.prefix(2))/\(digest)")
        try Data("THE BYTES".utf8).write(to: shared)
        try await a.put("other", "the bytes")
        #expect(FileManager.default.contents(atPath: shared.path) == Data("the bytes".utf8))
    }

    @Test func bytesAreSentBeforeTheLockIsTaken() async throws {
        let a = try server("a")
        let holder = try PostgresConnection(address, limit: .seconds(10))
        try holder.execute("BEGIN")
        try holder.execute("SELECT pg_advisory_xact_lock(\(0x424C_5250))")
        let putting = Task { try await a.put("help", "the bytes") }
        let reader = try PostgresConnection(address, limit: .seconds(10))
        try await eventually("the bytes are there while another server publishes") {
            try reader.execute("SELECT count(*) FROM bellerophon.content").first?.first == "1" ? () : nil
        }
        try holder.execute("ROLLBACK")
        #expect(try await putting.value.resource.version == 1)
    }

    @Test func bytesOfAnUploadThatIsRefusedAreRemoved() async throws {
        let a = try server("a")
        try await a.put("help", "the bytes", version: 2)
        let key = try RequestKey("key")
        let error = await storeError { try await a.put("help", "other bytes", version: 1, request: key) }
        #expect(error?.kind == .conflict)
        let same = await storeError { try await a.put("help", "the bytes", version: 1, request: key) }
        #expect(same?.kind == .conflict)
        let reader = try PostgresConnection(address, limit: .seconds(10))
        #expect(try reader.execute("SELECT count(*) FROM bellerophon.content") == [["1"]])
    }

    // MARK: Addresses

    @Test(
        "A database address that does not answer, or that closes its connections, is skipped for the next one",
        arguments: [true, false])
    func deadAddressIsSkipped(closes: Bool) async throws {
        let gone = try HostileServer()
        gone.resetsConnections = closes
        let hosts = try servers.address(after: ["127.0.0.1"] + (closes ? ["localhost"] : []), port: gone.port)
        let store = try servers.server("a", PostgresJournal(hosts, patience: .seconds(6)))
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        #expect(try store.status(.main)?.isBlocking == true)
    }

    @Test func whyEachAddressFailedIsSaid() async throws {
        let gone = try HostileServer()
        gone.resetsConnections = true
        let journal = PostgresJournal(
            "postgresql://test@127.0.0.1:\(gone.port),127.0.0.1:1/none?sslmode=disable&gssencmode=disable", patience: .seconds(6))
        let error = await storeError { try journal.identity() }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("\(gone.port)") == true && error?.message.contains("port 1 ") == true)
    }
}
#endif
