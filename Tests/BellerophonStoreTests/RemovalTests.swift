import CloudBox
import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

@Suite("Removing resources", .onEveryEngine)
struct RemovalTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    private func versions(_ name: String) throws -> [Int64] { try test.store.versions(of: name).map(\.version) }

    @Test("Pruning keeps the newest versions and deletes files that nothing else uses")
    func pruningFreesUnusedFiles() async throws {
        for text in ["one", "two", "three", "one"] { try await test.put("a", text) }
        try await test.put("b", "two")
        let preview = try await test.store.pruneResources(keeping: 1, by: "ada", isDryRun: true)
        #expect(preview.removed.map(\.versions) == [[3, 2, 1]] && preview.freedBytes == 0)
        #expect(try versions("a") == [4, 3, 2, 1])
        let removal = try await test.store.pruneResources(keeping: 1, by: "ada", reason: "room")
        #expect(removal == ResourceRemoval(removed: [.init(name: "a", versions: [3, 2, 1])], freedBytes: 5))
        #expect(try versions("a") == [4])
        // "one" belongs to the newest version, "two" to b.
        #expect(try test.files("content").count == 2)
        let row = try #require(try test.store.journal().first)
        #expect(row.action == "resource-prune" && row.reason == "room; versions 3-1")
        #expect(try await test.store.pruneResources(keeping: 1, by: "ada").removed.isEmpty)
        #expect(await storeError { try await test.store.pruneResources(keeping: 0, by: "ada") }?.kind == .invalid)
        #expect(await storeError { try await test.store.pruneResources("c", keeping: 1, by: "ada") }?.kind == .notFound)
    }

    @Test("The version number of a deleted resource is not used again")
    func deletedVersionIsNotReused() async throws {
        for text in ["one", "two"] { try await test.put("a", text) }
        let newest = await storeError { try await test.store.deleteResource("a", version: 2, by: "ada") }
        #expect(newest?.kind == .conflict)
        #expect(try await test.store.deleteResource("a", version: 1, by: "ada").freedBytes == 3)
        #expect(try versions("a") == [2])
        _ = try await test.store.deleteResource("a", by: "ada", reason: "withdrawn")
        #expect(try test.store.resources().isEmpty)
        #expect(try test.files("content").isEmpty)
        #expect(try await test.put("a", "one").resource.version == 3)
        #expect(await storeError { try await test.store.deleteResource("b", by: "ada") }?.kind == .notFound)
    }

    /// A put in progress belongs to another process, which holds a lock on its file.
    @Test func leftoversGoAndWhatIsUnderWayStays() async throws {
        try await test.put("b", "there")
        let half = try test.home.write("half", to: "store/incoming/half")
        let stray = try test.home.write("stray", to: "store/content/ab/\(String(repeating: "ab", count: 32))")
        let incoming = try test.store.receive()
        try incoming.write(Data("whole".utf8))
        try test.reopenedHere().removeLeftovers()
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(FileManager.default.fileExists(atPath: stray), "a start does not look at every file")
        let put = try await test.store.putResource("a", .content(incoming), by: "ada")
        #expect(try await test.store.pruneResources(keeping: 5, by: "ada").freedBytes == 5)
        #expect(!FileManager.default.fileExists(atPath: stray))
        let file = try #require(test.store.file(for: put.resource))
        #expect(try Data(contentsOf: file) == Data("whole".utf8))
    }

    @Test func uploadsLeaveRoomForStatuses() async throws {
        let home = try TestFolder()
        let free = Watched<Int64>(100 << 20)
        let store = try Store(folder: home.url.appendingPathComponent("s"), creates: true, freeBytes: { free.value })
        #expect(await storeError { try store.receive(size: 40 << 20) }?.kind == .full)
        let incoming = try store.receive(size: 30 << 20)
        free.update { $0 = 65 << 20 }
        let piece = Data(count: 4 << 20)
        #expect(await storeError { try incoming.write(piece) }?.message.contains("stay free for statuses") == true)
        incoming.discard()
        free.update { $0 = 0 }
        #expect(try await store.publish(Publication(action: .kill), by: "ada").id == 1)
    }

    @Test func aTokenHasAQuota() async throws {
        let record = try await test.store.createToken(TokenRequest(name: "ci", scopes: [.publish], quota: 10), by: "ada").record
        #expect(record.quota == 10)
        func put(_ text: String) async throws -> ResourcePut { try await test.store.put("a", text, by: .token("ci")) }
        _ = try await put("123456")
        let error = await storeError { try await put("12345") }
        #expect(error?.kind == .full)
        #expect(error?.message == "the token ci may have 10 bytes of resources; it has 6, and 5 would be added")
        #expect(await storeError { try test.store.checkPut("a", version: nil, size: 5, by: .token("ci")) }?.kind == .full)
        _ = try await put("1234")
        _ = try await test.store.pruneResources(keeping: 1, by: "ada")
        #expect(try await put("12345").resource.version == 3)
    }
}
