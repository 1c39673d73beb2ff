import BellerophonStore
import Foundation
import GRDB
import TestSupport
import Testing

/// The store refuses operations that would accidentally lift every kill.
@Suite("A store's safety")
struct SafetyTests {
    private let home: TestFolder
    private let folder: URL
    private var database: URL { folder.appendingPathComponent("store.sqlite") }

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent("s")
    }

    private func refusal() async -> StoreError? { await storeError { try Store(folder: folder) } }

    private func makeStore(killed: Bool = true) async throws {
        let store = try Store(folder: folder, creates: true)
        if killed { _ = try await store.publish(Publication(action: .kill, message: "Closed."), by: "ada") }
    }

    /// Removes the database and SQLite's auxiliary files while the database is closed.
    private func removeDatabase() throws {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + end) }
    }

    @Test func anEmptyFolderIsNoStoreUnlessThatIsMeant() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(await refusal()?.kind == .notAStore)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try await makeStore(killed: false)
        #expect(try Store(folder: folder).status(.main)?.serial == 0)
        // Opening it again changes nothing.
        let identity = try Store(folder: folder).identity()
        #expect(try Store(folder: folder, creates: true).identity() == identity)
        #expect(identity.count == 32)
    }

    @Test func aDatabaseThatWasEmptiedIsRefused() async throws {
        try await makeStore()
        try removeDatabase()
        try Data().write(to: database)
        #expect(await refusal()?.kind == .damaged)
        #expect(await storeError { try Store(folder: folder, creates: true) }?.kind == .damaged)
        try FileManager.default.removeItem(at: database)
        #expect(await refusal()?.kind == .notAStore)
        #expect(await storeError { try Store(folder: folder, creates: true) }?.kind == .damaged)
        #expect(!FileManager.default.fileExists(atPath: database.path))
        // A folder of an older version has no identity.
        try FileManager.default.removeItem(at: folder.appendingPathComponent("identity"))
        try Data().write(to: database)
        #expect(await refusal()?.kind == .damaged)
    }

    @Test func resourcesWithoutAJournalAreRefused() async throws {
        try await makeStore(killed: false)
        try home.write("bytes", to: "s/content/ab/\(String(repeating: "ab", count: 32))")
        #expect(await refusal()?.message.hasSuffix("there are resources, and the journal has no row") == true)
        try removeDatabase()
        try FileManager.default.removeItem(at: folder.appendingPathComponent("identity"))
        #expect(await storeError { try Store(folder: folder, creates: true) }?.kind == .damaged)
    }

    @Test func aDatabaseOfAnotherStoreIsRefused() async throws {
        try await makeStore()
        let other = home.url.appendingPathComponent("other")
        do { _ = try Store(folder: other, creates: true) }
        try removeDatabase()
        try FileManager.default.copyItem(at: other.appendingPathComponent("store.sqlite"), to: database)
        let error = await refusal()
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains("is inconsistent") == true)
        #expect(error?.hint?.contains("init --restored") == true)
    }

    @Test("Store files are readable by their owner only, even in an existing folder")
    func storeFilesArePrivate() async throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try await makeStore()
        func mode(_ name: String) throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode("store.sqlite") == 0o600)
        #expect(try mode("identity") == 0o600)
        #expect(try mode("reserve") == 0o600)
        #expect(try mode("last-row") == 0o600)
        chmod(database.path, 0o644)
        _ = try Store(folder: folder)
        #expect(try mode("store.sqlite") == 0o600)
    }

    @Test("A store restored from a backup continues with higher serials and versions")
    func restoredBackupIsFollowed() async throws {
        let backup = home.url.appendingPathComponent("backup")
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .kill, message: "Closed."), by: "ada")
            try await store.put("a", "one")
        }
        try FileManager.default.copyItem(at: folder, to: backup)
        let seen: PublishedStatus
        do {
            let store = try Store(folder: folder)
            for _ in 0..<5 { _ = try await store.publish(Publication(action: .restore), by: "ada") }
            seen = try #require(try store.status(.main))
        }
        let restoration = try await Store.restore(folder: backup, by: "ada")
        #expect(restoration.statuses == 1 && restoration.resources == 1)
        let store = try Store(folder: backup)
        let status = try #require(try store.status(.main))
        #expect(status.isBlocking && status.serial > seen.serial)
        #expect(try #require(status.publishedAt) > #require(seen.publishedAt))
        #expect(try store.versions(of: "a").first?.version == 1_000_001)
        #expect(try store.identity() != Store(folder: folder).identity())
        #expect(try store.verifyChain().problem == nil)
        #expect(await storeError { try await Store.restore(folder: home.url.appendingPathComponent("x"), by: "ada") } != nil)
    }

    // MARK: The chain

    @Test func aChangedRowIsFound() async throws {
        let head: String
        do {
            let store = try Store(folder: folder, creates: true)
            for action in [StatusAction.kill, .restore, .kill] {
                _ = try await store.publish(Publication(action: action), by: "ada")
            }
            head = try #require(try store.journal().first?.digest)
            _ = try await store.publish(Publication(action: .restore), by: "ada")
            let report = try store.verifyChain(expected: head.uppercased())
            #expect(report.problem == nil && report.expectedRow == 3 && report.rows == 4)
            #expect(report.head == (try store.journal().first?.digest))
            #expect(try store.verifyChain(expected: String(repeating: "0", count: 64)).expectedRow == nil)
        }
        try execute("UPDATE journal SET who = 'eve' WHERE id = 2")
        #expect(try Store(folder: folder).verifyChain(expected: head).problem?.row == 2)
        #expect(try Store(folder: folder).verifyChain(expected: head).expectedRow == nil)
        try execute("UPDATE journal SET who = 'ada' WHERE id = 2")
        #expect(try Store(folder: folder).verifyChain(expected: head).problem == nil)
        try execute("DELETE FROM journal WHERE id = 2")
        #expect(try Store(folder: folder).verifyChain(expected: head).problem?.row == 3)
    }

    private func execute(_ statement: String) throws {
        try DatabaseQueue(path: database.path).write { try $0.execute(sql: statement) }
    }
}
