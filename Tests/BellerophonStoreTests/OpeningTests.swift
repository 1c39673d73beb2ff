import BellerophonStore
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Opening a store")
struct OpeningTests {
    private let home: TestFolder
    private let folder: URL

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent("s")
    }

    @Test func aNewFolderIsForItsOwnerOnly() async throws {
        let test = try await StoreUnderTest()
        let attributes = try FileManager.default.attributesOfItem(atPath: test.store.folder.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test func aMistypedFolderBecomesNoStore() async throws {
        let folder = home.url.appendingPathComponent("nowhere")
        let error = await storeError { try Store(folder: folder, creates: false) }
        #expect(error?.kind == .notAStore)
        #expect(error?.message == "there is no store in \(folder.path)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try home.write("mine", to: "home/letter.txt")
        #expect(
            await storeError { try Store(folder: home.url.appendingPathComponent("home"), creates: true) }?.kind == .notAStore)
        #expect(
            await storeError { try Store(folder: home.url.appendingPathComponent("home/letter.txt"), creates: true) }?.kind
                == .notAStore)
        #expect(home.text("home/letter.txt") == "mine")
    }

    @Test("A store file that is not a database is refused and left unchanged")
    func otherFileIsLeftUnchanged() async throws {
        let text = String(repeating: "these are my notes, not a database\n", count: 100)
        try home.write(text, to: "s/store.sqlite")
        let error = await storeError { try Store(folder: folder, creates: true) }
        #expect(error?.kind == .notAStore)
        #expect(try Data(contentsOf: folder.appendingPathComponent("store.sqlite")) == Data(text.utf8))
    }

    @Test(arguments: [(60, StoreError.Kind.newerStore), (68, .notAStore)])
    func aStoreOfAnotherMakeIsRefused(offset: Int, kind: StoreError.Kind) async throws {
        do { _ = try Store(folder: folder, creates: true) }
        // The header's user version and application id are big-endian (SQLite file format, 1.3).
        let file = folder.appendingPathComponent("store.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 99])
        try bytes.write(to: file)
        let error = await storeError { try Store(folder: folder, creates: true) }
        #expect(error?.kind == kind)
        #expect(try Data(contentsOf: file) == bytes)
    }

    /// The server's user could not read files that another user's command creates in a store.
    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: [true, false])
    func theStoreOfAnotherUserIsRefused(isStore: Bool) async throws {
        if isStore {
            _ = try Store(folder: folder, creates: true)
        } else {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        func paths() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
        for path in try [""] + paths() { #expect(chown(folder.appendingPathComponent(path).path, 65_432, 65_432) == 0) }
        let before = try paths()
        let error = await storeError { try Store(folder: folder, creates: true) }
        #expect(error?.kind == .notPermitted)
        #expect(error?.message == "the store \(folder.path) belongs to the user 65432")
        #expect(error?.hint == "run this as that user: sudo -u '#65432' …")
        #expect(try paths() == before)
    }

    @Test func severalMayOpenANewFolderAtOnce() async throws {
        let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 {
                group.addTask { try await Store(folder: folder, creates: true).publish(Publication(action: .kill), by: "ada").id }
            }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(ids == Set(1...8))
    }

    @Test func aStoreThatStaysLockedIsSaidToBe() async throws {
        let test = try await StoreUnderTest()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let file = test.store.folder.appendingPathComponent("store.sqlite").path
        let holder = try DatabaseQueue(path: file, configuration: configuration)
        try await holder.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        let error = await storeError { try await test.store.publish(Publication(action: .kill), by: "ada") }
        #expect(error?.kind == .busy)
        #expect(error?.message.hasSuffix("is locked by another process") == true)
        // Reads continue meanwhile.
        #expect(try test.store.status(.main)?.serial == 0)
        try await holder.writeWithoutTransaction { try $0.rollback() }
        #expect(try await test.store.publish(Publication(action: .kill), by: "ada").id == 1)
    }
}
