#if Postgres
import BellerophonBase
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import BellerophonStore

/// A store in PostgreSQL that several servers share.
@Suite(
    "A shared store", .enabled(if: PostgresServer.shared != nil, "PostgreSQL is not installed"),
    .timeLimit(.minutes(10)))
struct SharedStoreTests {
    private let home: TestFolder
    private let address: String
    private let clock = StillClock()

    init() throws {
        home = try TestFolder()
        address = try #require(PostgresServer.shared).makeDatabase()
        #expect(try PostgresJournal.migrate(address) == 0)
    }

    /// A server of its own machine.
    private func server(_ name: String, _ journal: (any SharedJournal)? = nil) throws -> Store {
        try Store(
            folder: home.url.appendingPathComponent(name), shared: journal ?? PostgresJournal(address),
            clock: { [clock] in clock.now })
    }

    // MARK: Every server serves the same

    @Test func everyServerHasTheSameDocumentWithTheSameEntityTag() async throws {
        let (a, b) = (try server("a"), try server("b"))
        _ = try await a.publish(Publication(action: .kill, message: "Stop."), by: "ada")
        try b.catchUp()
        let (first, second) = (try #require(try a.status(.main)), try #require(try b.status(.main)))
        #expect(first == second)
        #expect(try a.journal() == b.journal())
        _ = try await b.publish(Publication(action: .restore), by: "bob")
        try a.catchUp()
        #expect(try a.status(.main)?.serial == 2)
        #expect(try a.verifyChain().problem == nil && a.verifyChain().head == b.verifyChain().head)
    }

    @Test func aPublishFollowsWhatAnotherServerHasPublished() async throws {
        let (a, b) = (try server("a"), try server("b"))
        for number in 1...5 {
            let entry = try await [a, b][number % 2].publish(Publication(action: .kill, reason: "\(number)"), by: "ada")
            #expect(entry.id == Int64(number), "nobody looked for news in between")
        }
    }

    @Test func aTimedKillEndsOnce() async throws {
        let servers = [try server("a"), try server("b"), try server("c")]
        _ = try await servers[0].publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        for server in servers { try server.catchUp() }
        clock.advance(by: 61)
        let ended = try await withThrowingTaskGroup(of: Int.self) { group in
            for server in servers { group.addTask { try await server.endDue().count } }
            return try await group.reduce(0, +)
        }
        #expect(ended == 1)
        for server in servers { try server.catchUp() }
        #expect(try servers.allSatisfy { try $0.status(.main)?.isBlocking == false })
    }

    @Test func aRequestKeyCountsOnEveryServer() async throws {
        let (a, b) = (try server("a"), try server("b"))
        let key = try RequestKey("once")
        let first = try await a.publish(Publication(action: .kill), by: "ada", request: key)
        let second = try await b.publish(Publication(action: .kill), by: "ada", request: key)
        #expect(first == second)
    }

    @Test func resourcesAndTokensAreOnEveryServer() async throws {
        let (a, b) = (try server("a"), try server("b"))
        let file = URL(fileURLWithPath: try home.write("the bytes", to: "resource"))
        _ = try await a.putResource("help", file: file, by: "ada")
        let token = try await a.createToken(name: "ci", scopes: [.publish], by: "ada").token
        try b.catchUp()
        let resource = try #require(try b.resource("help"))
        let copy = try #require(b.file(for: resource))
        #expect(try String(contentsOf: copy, encoding: .utf8) == "the bytes")
        #expect(try await b.authenticate(token)?.name == "ci")
        _ = try await b.revokeToken(name: "ci", by: "bob")
        _ = try await b.deleteResource("help", by: "bob")
        try a.catchUp()
        #expect(try await a.authenticate(token) == nil)
        #expect(try a.resource("help") == nil)
    }

    @Test func aFollowerHearsOfNewRows() async throws {
        let (a, b) = (try server("a"), try server("b"))
        let follower = try #require(b.follow())
        follower.start()
        defer { follower.stop() }
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try await eventually("kill on the other server") { try b.status(.main)?.isBlocking == true ? () : nil }
    }

    // MARK: The lead

    @Test func oneServerLeadsAndAnotherFollowsItsEnd() async throws {
        var first: PostgresJournal? = PostgresJournal(address)
        let second = PostgresJournal(address)
        #expect(try first?.lead().leads == true && second.lead().leads == false)
        #expect(try first?.lead().leads == true, "it keeps the lead")
        #expect(try second.lead() == SharedLead(leads: false, standbys: nil))
        first = nil
        try await eventually("second server leads") { try second.lead().leads ? () : nil }
    }

    @Test func aFollowerTakesTheLeadThatNobodyHas() async throws {
        let (a, b) = (try server("a"), try server("b"))
        #expect(!a.leads && !b.leads, "nobody has asked for it yet")
        let (first, second) = (try #require(a.follow()), try #require(b.follow()))
        let changes = Changes()
        first.onChange = { changes.add($0) }
        first.start()
        defer { first.stop() }
        try await eventually("the change is told") { changes.all == [.leads] ? () : nil }
        second.start()
        defer { second.stop() }
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try await eventually("kill on the other server") { try b.status(.main)?.isBlocking == true ? () : nil }
        #expect(a.leads && !b.leads)
    }

    /// What a follower has reported.
    private final class Changes: Sendable {
        private let reported = Mutex<[SharedFollower.Change]>([])
        var all: [SharedFollower.Change] { reported.withLock { $0 } }
        func add(_ change: SharedFollower.Change) { reported.withLock { $0.append(change) } }
    }

    @Test func aTimedKillIsOverWhenTheJournalSaysSo() async throws {
        let (a, b) = (try server("a"), try server("b"))
        _ = try await a.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        try b.catchUp()
        clock.advance(by: 61)
        #expect(try a.status(.main)?.isBlocking == true && b.status(.main)?.isBlocking == true)
        #expect(try await b.endDue().count == 1)
        #expect(try b.status(.main)?.isBlocking == false)
        try a.catchUp()
        #expect(try a.status(.main) == b.status(.main))
    }

    // MARK: Bytes

    @Test func aSharedFolderHasTheBytesInPlaceOfTheDatabase() async throws {
        let folder = home.url.appendingPathComponent("bytes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func server(_ name: String) throws -> Store {
            try Store(
                folder: home.url.appendingPathComponent(name), shared: PostgresJournal(address), sharedContent: folder,
                clock: { [clock] in clock.now })
        }
        let (a, b) = (try server("a"), try server("b"))
        let file = URL(fileURLWithPath: try home.write("the bytes", to: "resource"))
        _ = try await a.putResource("help", file: file, by: "ada")
        // Somebody has forgotten to mount the folder on the other machine.
        let away = home.url.appendingPathComponent("away")
        try FileManager.default.moveItem(at: folder, to: away)
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try b.catchUp()
        #expect(try b.status(.main)?.isBlocking == true, "a kill does not wait for bytes")
        let resource = try #require(try b.resource("help"))
        #expect(b.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == nil)
        #expect(b.sharedContact?.missing.count == 1)
        let other = URL(fileURLWithPath: try home.write("more bytes", to: "other"))
        #expect(await storeError { try await a.putResource("more", file: other, by: "ada") }?.kind == .unavailable)
        try FileManager.default.moveItem(at: away, to: folder)
        try b.catchUp()
        #expect(b.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == Data("the bytes".utf8))
        #expect(b.sharedContact?.missing.isEmpty == true)
    }

    // MARK: Copies of a store

    @Test func aStoreMovesFromAFolderToADatabaseAndBack() async throws {
        let folder = home.url.appendingPathComponent("folder")
        let store = try Store(folder: folder, creates: true, clock: { [clock] in clock.now })
        for number in 1...3 { _ = try await store.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        let file = URL(fileURLWithPath: try home.write("the bytes", to: "resource"))
        _ = try await store.putResource("help", file: file, by: "ada")
        let token = try await store.createToken(name: "ci", scopes: [.publish], by: "ada").token
        let database = StoreLocation.shared(address: address, copy: home.url.appendingPathComponent("copy"), content: nil)
        let there = try StoreLocation.copy(from: .folder(folder), to: database)
        #expect(there.rows == 5 && there.files == 1)

        let shared = try database.open()
        try shared.catchUp()
        #expect(try shared.identity() == store.identity() && shared.journal() == store.journal())
        #expect(try await shared.authenticate(token)?.name == "ci")
        let resource = try #require(try shared.resource("help"))
        #expect(shared.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == Data("the bytes".utf8))
        _ = try await shared.publish(Publication(action: .restore), by: "bob")

        let back = home.url.appendingPathComponent("back")
        let report = try StoreLocation.copy(from: database, to: .folder(back))
        #expect(report.rows == 6)
        let returned = try Store(folder: back)
        #expect(try returned.status(.main)?.isBlocking == false && returned.verifyChain().head == report.head)
        let again = await storeError { try StoreLocation.copy(from: .folder(folder), to: database) }
        #expect(again?.message.contains("6 rows") == true)
        #expect(await storeError { try StoreLocation.copy(from: database, to: .folder(back)) }?.kind == .invalid)
    }

    // MARK: Without the database

    @Test func withoutTheDatabaseACopyIsServedAndNothingIsPublished() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        let away = PostgresJournal("postgresql:///none?host=\(home.url.path)", patience: .seconds(1))
        let b = try Store(folder: a.folder, shared: away, clock: { [clock] in clock.now })
        #expect(try b.status(.main)?.isBlocking == true)
        clock.advance(by: 61)
        #expect(try b.status(.main)?.isBlocking == true, "somebody may have prolonged it")
        let error = await storeError { try await b.publish(Publication(action: .restore), by: "bob") }
        #expect(error?.kind == .unavailable)
        #expect(b.sharedProblem?.contains("can't be reached") == true)
        #expect(await storeError { try b.checkWritable() }?.kind == .unavailable)
    }

    @Test func aFirstStartWithoutTheDatabaseIsRefused() async throws {
        let away = PostgresJournal("postgresql:///none?host=\(home.url.path)", patience: .seconds(1))
        let error = await storeError { try Store(folder: home.url.appendingPathComponent("new"), shared: away) }
        #expect(error?.kind == .unavailable)
        #expect(!FileManager.default.fileExists(atPath: home.path("new")), "an empty store would lift every kill")
    }

    @Test func aChangeThatIsCommittedCountsAlsoIfTheCopyCannotTakeIt() async throws {
        let a = try server("a")
        let now = clock.now
        let entry = try await a.database.write { database in
            // The transaction of the copy fails only at its end, as on a disk that is full then.
            try database.execute(
                sql: "CREATE TABLE spoiler (row INTEGER REFERENCES journal(id) DEFERRABLE INITIALLY DEFERRED)")
            try database.execute(sql: "INSERT INTO spoiler VALUES (999)")
            return try JournalTable(database: database).append(
                JournalTable.Draft(at: now, author: "ada", action: "kill", scope: .main, document: "{}"))
        }
        #expect(entry.id == 1)
        #expect(try a.journal().isEmpty, "the copy does not have it yet")
        try a.catchUp()
        #expect(try a.journal() == [entry])
    }

    // MARK: What is not this store

    @Test func aDatabaseWithoutTablesIsNamed() async throws {
        let empty = try #require(PostgresServer.shared).makeDatabase()
        let error = await storeError { try Store(folder: home.url.appendingPathComponent("a"), shared: PostgresJournal(empty)) }
        #expect(error?.kind == .notAStore)
        #expect(error?.hint?.contains("store migrate") == true)
        #expect(try PostgresJournal.migrate(empty) == 0 && PostgresJournal.migrate(empty) == 1)
    }

    @Test func aCopyOfAnotherStoreIsRefused() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        let other = try #require(PostgresServer.shared).makeDatabase()
        _ = try PostgresJournal.migrate(other)
        let error = await storeError { try Store(folder: a.folder, shared: PostgresJournal(other)) }
        #expect(error?.kind == .damaged && error?.message.contains("copy of the store") == true)
    }

    // MARK: The checks find what they are for

    /// A journal that loses or changes what passes through it.
    private final class Faulty: SharedJournal {
        let journal: PostgresJournal
        let change: @Sendable ([SharedRow]) -> [SharedRow]

        init(_ address: String, _ change: @escaping @Sendable ([SharedRow]) -> [SharedRow]) {
            journal = PostgresJournal(address)
            self.change = change
        }

        func identity() throws(StoreError) -> String { try journal.identity() }
        func change(_ work: (any SharedChange) throws -> Void) throws { try journal.change(work) }
        func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
            change(try journal.rows(after: id, limit: limit))
        }
        func waitForRows(_ time: Duration) throws(StoreError) {}
        func lead() throws(StoreError) -> SharedLead { SharedLead() }
        func content(_ sha256: String) throws(StoreError) -> Data? { try journal.content(sha256) }
        func mark(_ name: String) throws(StoreError) -> Int64? { try journal.mark(name) }
        func setMark(_ name: String, _ value: Int64) throws(StoreError) { try journal.setMark(name, value) }
    }

    @Test(arguments: ["lost", "changed"])
    func aRowThatIsLostOrChangedIsFoundAndTheCopyStaysAsItWas(fault: String) async throws {
        let a = try server("a")
        for number in 1...3 { _ = try await a.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        let b = try server(
            "b",
            Faulty(address) { rows in
                var rows = rows.filter { fault != "lost" || $0.id != 2 }
                if fault == "changed", rows.count == 3 { rows[1].values[2] = "eve" }
                return rows
            })
        #expect(await storeError { try b.catchUp() }?.kind == .damaged)
        #expect(try b.journal().isEmpty)
    }

    /// A journal in which another server writes in the middle of a change, as if the changes held no lock.
    private final class Unlocked: SharedJournal {
        let journal: PostgresJournal
        let other: @Sendable () throws -> Void

        init(_ address: String, _ other: @escaping @Sendable () throws -> Void) {
            journal = PostgresJournal(address)
            self.other = other
        }

        func identity() throws(StoreError) -> String { try journal.identity() }
        func change(_ work: (any SharedChange) throws -> Void) throws {
            try journal.change { change in try work(Change(change: change, other: other)) }
        }
        func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] { try journal.rows(after: id, limit: limit) }
        func waitForRows(_ time: Duration) throws(StoreError) {}
        func lead() throws(StoreError) -> SharedLead { SharedLead() }
        func content(_ sha256: String) throws(StoreError) -> Data? { try journal.content(sha256) }
        func mark(_ name: String) throws(StoreError) -> Int64? { try journal.mark(name) }
        func setMark(_ name: String, _ value: Int64) throws(StoreError) { try journal.setMark(name, value) }

        struct Change: SharedChange {
            let change: any SharedChange
            let other: @Sendable () throws -> Void

            func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] { try change.rows(after: id, limit: limit) }
            func head() throws(StoreError) -> SharedHead? { try change.head() }
            func keep(_ content: Data, sha256: String) throws(StoreError) { try change.keep(content, sha256: sha256) }
            func add(_ rows: [SharedRow]) throws(StoreError) {
                do { try other() } catch { throw StoreError(.failed, "\(error)") }
                try change.add(rows)
            }
            func adopt(_ identity: String) throws(StoreError) { try change.adopt(identity) }
            func commit() throws(StoreError) { try change.commit() }
        }
    }

    @Test func withoutTheLockTheSecondOfTwoChangesFailsAndNothingIsLost() async throws {
        let (a, b) = (try server("a"), try server("b"))
        _ = try await b.publish(Publication(action: .kill, message: "Mine."), by: "bob")
        // The row of the other server, as it is sent to the database without asking for the lock.
        let row = try #require(try PostgresJournal(address).rows(after: 0, limit: 1).first)
        let connection = try PostgresConnection(address, limit: .seconds(10))
        try connection.execute("DELETE FROM bellerophon.journal")
        let columns = JournalChain.columns.map { "\"\($0)\"" } + ["digest", "changes"]
        let marks = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
        let command = "INSERT INTO bellerophon.journal (\(columns.joined(separator: ", "))) VALUES (\(marks))"
        let insert = Inserting(connection) { connection in
            try connection.execute(
                command, row.values.map { PostgresConnection.Parameter.text($0) } + [.text(row.digest), .text(row.changes)])
        }
        let racing = try server("racing", Unlocked(address) { try insert.run() })
        let error = await storeError { try await racing.publish(Publication(action: .restore), by: "ada") }
        #expect(error != nil)
        try a.catchUp()
        #expect(try a.journal().map(\.who) == ["bob"] && racing.journal().isEmpty)
    }

    /// It is unchecked because one test uses it on one thread at a time.
    private final class Inserting: @unchecked Sendable {
        let connection: PostgresConnection
        let work: (PostgresConnection) throws -> Void

        init(_ connection: PostgresConnection, _ work: @escaping (PostgresConnection) throws -> Void) {
            self.connection = connection
            self.work = work
        }

        func run() throws { try work(connection) }
    }

    @Test func aDatabaseThatHasLostRowsIsNoLongerWritten() async throws {
        let a = try server("a")
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        // As after a backup was brought back: the tables are there, and the rows are not.
        let copy = try #require(PostgresServer.shared).makeDatabase()
        _ = try PostgresJournal.migrate(copy)
        let older = Older(PostgresJournal(copy), identity: try a.identity())
        let b = try Store(folder: a.folder, shared: older)
        let error = await storeError { try await b.publish(Publication(action: .restore), by: "bob") }
        #expect(error?.kind == .damaged && error?.message.contains("ends at row 0") == true)
        #expect(try b.status(.main)?.isBlocking == true)
    }

    /// A journal with the identity of another one.
    private final class Older: SharedJournal {
        let journal: PostgresJournal
        let name: String

        init(_ journal: PostgresJournal, identity: String) {
            self.journal = journal
            name = identity
        }

        func identity() throws(StoreError) -> String { name }
        func change(_ work: (any SharedChange) throws -> Void) throws { try journal.change(work) }
        func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow] { try journal.rows(after: id, limit: limit) }
        func waitForRows(_ time: Duration) throws(StoreError) {}
        func lead() throws(StoreError) -> SharedLead { SharedLead() }
        func content(_ sha256: String) throws(StoreError) -> Data? { try journal.content(sha256) }
        func mark(_ name: String) throws(StoreError) -> Int64? { try journal.mark(name) }
        func setMark(_ name: String, _ value: Int64) throws(StoreError) { try journal.setMark(name, value) }
    }
}
#endif
