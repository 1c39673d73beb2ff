import Foundation
import GRDB
import StatusModel
import TestSupport
import Testing

@testable import BellerophonStore

/// A store that was copied back from a backup is noticed, so that it neither lifts a kill nor uses numbers again.
@Suite("A store that was brought back")
struct RestoredStoreTests {
    private let home: TestFolder
    private let folder: URL
    private let backup: URL
    private let manager = FileManager.default

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent("s")
        backup = home.url.appendingPathComponent("backup")
    }

    /// A store that is live, a copy of its folder, and then a kill.
    private func makeStoreAndBackup() async throws {
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .restore), by: "ada")
        }
        // The queue that has written may keep the store open for a moment; its rows are then beside the file that is copied.
        try await eventually("closed store") { manager.fileExists(atPath: folder.path + "/store.sqlite-wal") ? nil : () }
        try manager.copyItem(at: folder, to: backup)
        let store = try Store(folder: folder)
        _ = try await store.publish(Publication(action: .kill, message: "Closed."), by: "ada")
    }

    /// What the guide backs up.
    private static let documented = ["store.sqlite", "identity", "content"]

    private func bringBack(_ names: [String], into target: URL) throws {
        for name in names {
            try? manager.removeItem(at: target.appendingPathComponent(name))
            try manager.copyItem(at: backup.appendingPathComponent(name), to: target.appendingPathComponent(name))
        }
        for end in ["-wal", "-shm"] { try? manager.removeItem(atPath: target.path + "/store.sqlite" + end) }
    }

    private func refusal(_ folder: URL) async -> StoreError? { await storeError { try Store(folder: folder) } }

    /// The store is refused, also by a look at it, until it was restored, and then has higher numbers.
    private func expectRefusalAndRestoration(of folder: URL, because reason: String) async throws {
        for _ in 1...2 {
            let error = await refusal(folder)
            #expect(error?.kind == .broughtBack && error?.message.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.hint?.contains("init --restored --store \(folder.path)") == true)
        }
        #expect(await storeError { try await StoreLocation.folder(folder).inspect() }?.kind == .broughtBack)
        _ = try await Store.restore(folder: folder, by: "ada")
        let serial = try Store(folder: folder).status(.main)?.serial
        #expect(serial ?? 0 > 1_000_000)
        #expect(try await StoreLocation.folder(folder).inspect() == serial)
    }

    @Test func rowsThatAreMissingAreNoticed() async throws {
        try await makeStoreAndBackup()
        try bringBack(Self.documented, into: folder)
        try await expectRefusalAndRestoration(of: folder, because: "row 2 was published in it")
    }

    @Test func anEmptyFolderThatGetsTheBackupIsNoticed() async throws {
        try await makeStoreAndBackup()
        let other = home.url.appendingPathComponent("other")
        try manager.createDirectory(at: other, withIntermediateDirectories: true)
        try bringBack(Self.documented, into: other)
        try await expectRefusalAndRestoration(of: other, because: "its file last-row, which is no part of a backup, is not there")
    }

    @Test(.enabled(if: FileBirth(URL(fileURLWithPath: "/tmp")) != nil, "the system does not tell when a file was made"))
    func aCopyOfTheWholeFolderIsNoticed() async throws {
        try await makeStoreAndBackup()
        try await expectRefusalAndRestoration(of: backup, because: "its database is a copy")
    }

    @Test("What stands is published again with its rules, authors and ends")
    func whatStandsIsBroughtBack() async throws {
        var end: Date?
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .update, requiredVersion: "2"), by: "bob")
            end = try await store.publish(Publication(action: .kill, endsAfter: .seconds(86_400)), by: "ada").endsAt
            let edit = RulesEdit(put: [#"{"id":"n","effect":"notice","message":"Soon."}"#], everyone: true)
            _ = try await store.publish(Publication(scope: .main, rules: edit), by: "carol")
        }
        try await eventually("closed store") { manager.fileExists(atPath: folder.path + "/store.sqlite-wal") ? nil : () }
        try manager.copyItem(at: folder, to: backup)
        _ = try await Store.restore(folder: backup, by: "ada")
        let store = try Store(folder: backup)
        let kept = try #require(try store.newestRow(of: .main)).kept
        #expect(kept.standing.map(\.action) == [.kill, .update] && kept.standing.map(\.who) == ["ada", "bob"])
        #expect(try kept.rules.count == 1 && store.status(.main)?.isBlocking == true && store.nextChange() == end)
    }

    @Test func aFolderThatWasOnlyRenamedIsTheSame() async throws {
        try await makeStoreAndBackup()
        let other = home.url.appendingPathComponent("renamed")
        try manager.moveItem(at: folder, to: other)
        #expect(try Store(folder: other).status(.main)?.isBlocking == true)
    }

    @Test("A database replaced while it is open is neither served nor written")
    func replacedOpenStoreIsRefused() async throws {
        try await makeStoreAndBackup()
        let store = try Store(folder: folder)
        try DatabaseQueue(path: backup.path + "/store.sqlite").backup(to: DatabaseQueue(path: folder.path + "/store.sqlite"))
        #expect(await storeError { try store.snapshot() }?.kind == .broughtBack)
        let error = await storeError { try await store.publish(Publication(action: .restore), by: "ada") }
        #expect(error?.kind == .broughtBack)
        #expect(await refusal(folder)?.kind == .broughtBack)
    }

    /// After a power failure the file may be empty or older.
    @Test(
        "A last-row file damaged by a power failure is ignored and written again", arguments: ["", "{\"row\":", nil] as [String?])
    func damagedRowFileIsIgnored(text: String?) async throws {
        try await makeStoreAndBackup()
        let file = folder.appendingPathComponent("last-row")
        if let text {
            try Data(text.utf8).write(to: file)
        } else {
            // Rows may be missing in the file, and not in the journal.
            let old = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let former = try JSONSerialization.jsonObject(with: Data(contentsOf: backup.appendingPathComponent("last-row")))
            var mixed = try #require(former as? [String: Any])
            mixed["database"] = old["database"]
            try JSONSerialization.data(withJSONObject: mixed).write(to: file)
        }
        #expect(try Store(folder: folder).status(.main)?.isBlocking == true)
        try bringBack(Self.documented, into: folder)
        #expect(await refusal(folder)?.kind == .broughtBack, "it was written again")
    }

    @Test("A store from an earlier version is protected against restored backups after it is opened")
    func formerStoreIsWatched() async throws {
        try await makeStoreAndBackup()
        do {
            let store = try Store(folder: folder)
            try manager.removeItem(at: folder.appendingPathComponent("last-row"))
            try await store.database.writeHere { try LastRow.expectNothing(in: $0) }
        }
        #expect(try Store(folder: folder).status(.main)?.isBlocking == true)
        try bringBack(Self.documented, into: folder)
        #expect(await refusal(folder)?.kind == .broughtBack)
    }

    @Test func aRestorationThatWasInterruptedIsRunAgain() async throws {
        try await makeStoreAndBackup()
        try bringBack(Self.documented, into: folder)
        do {
            // The new identity is written, and the numbers are not.
            let identity = StoreIdentity.make()
            let database = try StoreDatabase(folder, creates: false, identity: identity)
            _ = try database.writeNow { try StoreIdentity.write(identity, to: $0) }
            try StoreIdentity.write(identity, to: folder)
        }
        #expect(await refusal(folder)?.kind == .broughtBack)
        _ = try await Store.restore(folder: folder, by: "ada")
        #expect(try Store(folder: folder).status(.main)?.serial ?? 0 > 1_000_000)
    }

    @Test("A restored store has its rules")
    func restoredStoreHasItsRules() async throws {
        let rule = #"{"id":"old","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"}"#
        let document: Data?
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .kill), by: "ada")
            _ = try await store.publish(Publication(scope: .main, rules: RulesEdit(put: [rule])), by: "ada")
            document = try store.status(.main)?.body
        }
        _ = try await Store.restore(folder: folder, by: "ada")
        let store = try Store(folder: folder)
        let status = try #require(try store.status(.main))
        #expect(status.body == document && status.isBlocking)
        #expect(try store.newestRow(of: .main)?.plan?.rules == [rule])
        #expect(try store.snapshot().unread.isEmpty)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        #expect(try StatusDocument(json: try #require(try store.status(.main)).body).rules.map(\.id) == ["old"])
    }
}
