import Foundation
import Logging
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// The server's behaviour when a resource's file was truncated or removed.
@Suite struct DamagedFileTests {
    @Test func aFileThatIsNotAsItWasPublishedIsNotSent() async throws {
        let lines = LogLines()
        try await LiveServer.run(log: lines) { live in
            let token = try await live.token()
            #expect(try await live.talk { try $0.put("/v1/resources/help.txt", "three", token: token) }.code == 201)
            let resource = try #require(try live.store.versions(of: "help.txt").first)
            let file = try #require(live.store.file(for: resource))
            let damages: [(found: String, damage: @Sendable () throws -> Void)] = [
                ("2", { try Data("th".utf8).write(to: file) }), ("no file", { try FileManager.default.removeItem(at: file) }),
            ]
            for (found, damage) in damages {
                try damage()
                try await live.talk { client in
                    for fields in ["Range: bytes=0-1", "Accept: */*"] {
                        let refused = try client.answer(to: "/GBCloudBoxResourcesData/help.txt/1", fields)
                        #expect(refused.code == 500)
                        #expect(refused.problem == .damaged)
                        #expect(refused.field("Cache-Control") == "no-store")
                    }
                }
                let line = try #require(lines.entries.last { $0.level == .error })
                #expect(line.fields["resource"] == "help.txt")
                #expect(line.fields["version"] == "1")
                #expect(line.fields["expected"] == "5")
                #expect(line.fields["found"] == found)
            }
            // The log reports it.
            try await live.talk { client throws in
                #expect(try client.put("/v1/resources/help.txt", "three", token: token).code == 200)
                #expect(try client.answer(to: "/GBCloudBoxResourcesData/help.txt/1").body == "three")
            }
        }
    }

    /// Changes a file's bytes and not its size, and returns once its times differ: some file systems count them in milliseconds.
    private static func rot(_ file: URL, _ text: String) async throws {
        let before = FileStamp(file)
        try await eventually("a later time of the file") {
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
            return FileStamp(file) != before ? () : nil
        }
    }

    private static func download(
        _ live: LiveServer, _ path: String = "/GBCloudBoxResourcesData/help.txt"
    ) async throws -> WireAnswer {
        try await live.talk { try $0.answer(to: path) }
    }

    @Test("A damaged resource is not served until it is uploaded again")
    func damagedResourceIsNotServed() async throws {
        let lines = LogLines()
        try await LiveServer.run(log: lines) { live in
            let token = try await live.token()
            #expect(try await live.talk { try $0.put("/v1/resources/help.txt", "three", token: token) }.code == 201)
            let resource = try #require(try live.store.versions(of: "help.txt").first)
            let file = try #require(live.store.file(for: resource))
            #expect(try await Self.download(live).body == "three")
            try await Self.rot(file, "thr3e")
            for _ in 1...2 { #expect(try await Self.download(live).code == 500) }
            #expect(lines.entries.filter { $0.level == .error }.map { $0.fields["found"] } == ["other bytes of the same size"])
            let figures = try await Self.download(live, "/metrics").body
            #expect(figures.contains("\nbellerophon_damaged_files 1\n"))
            #expect(figures.contains("\nbellerophon_content_damage_total 1\n"))
            let ready = try await Self.download(live, "/ready")
            #expect(ready.code == 503 && ready.body.contains("files of resources are damaged"))
            // A client that has the right bytes keeps them.
            let conditional = try await live.talk {
                try $0.answer(to: "/GBCloudBoxResourcesData/help.txt", "If-None-Match: \"\(resource.sha256 ?? "")\"")
            }
            #expect(conditional.code == 304)
            await #expect(throws: StoreError.self) { try await live.store.putResource("help.txt", .older(1), by: "ada") }

            #expect(try await live.talk { try $0.put("/v1/resources/help.txt", "three", token: token) }.code == 200)
            #expect(try await Self.download(live).body == "three")
            #expect(try await Self.download(live, "/ready").code == 200)
            #expect(try await Self.download(live, "/metrics").body.contains("\nbellerophon_damaged_files 0\n"))
        }
    }

    /// Another process has no part in what this one knows.
    @Test("A damaged file is detected when first opened, and an external repair is noticed")
    func externalRepairIsNoticed() async throws {
        let home = try TestFolder()
        let folder = home.url.appendingPathComponent("store")
        let file: URL
        do {
            let store = try Store(folder: folder, creates: true)
            file = try #require(store.file(for: try await store.put("help.txt", "three")))
        }
        try await Self.rot(file, "thr3e")
        try await LiveServer.run(store: try Store(folder: folder)) { live in
            async let first = Self.download(live)
            async let second = Self.download(live)
            #expect(try await [first.code, second.code] == [500, 500])
            #expect(live.store.contentDamage.files == 1)
            let command = try Store(folder: folder)
            try await command.put("help.txt", "three")
            await live.server.contents.lookAtDamage()
            #expect(live.store.contentDamage.files == 0)
            #expect(try await Self.download(live).body == "three")
            // Damage of bytes that no version has any more does not matter.
            try await Self.rot(file, "thr3e")
            #expect(try await Self.download(live).code == 500)
            _ = try await command.deleteResource("help.txt", by: "ada")
            await live.server.contents.lookAtDamage()
            #expect(live.store.contentDamage.files == 0)
        }
    }

    @Test("A download of a version that is removed at that moment finds nothing, which is no damage")
    func removedMeanwhile() async throws {
        let home = try TestFolder()
        let store = try Store(folder: home.url.appendingPathComponent("store"), creates: true)
        let resource = try await store.put("a", "three")
        let file = try #require(store.file(for: resource))
        let (lines, pool) = (LogLines(), FilePool(threads: 1))
        let files = VerifiedFiles(store, pool, logger: Logger(label: "test") { _ in lines })
        _ = try await store.deleteResource("a", version: nil, by: "ada")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let error = await #expect(throws: HTTPError.self) { try await files.open(resource, file) }
        #expect(error?.code == 404)
        #expect(lines.entries.isEmpty && store.contentDamage.files == 0)
        await pool.shutDown()
    }

    @Test func aLargeFileIsReadInSteps() async throws {
        let home = try TestFolder()
        let store = try Store(folder: home.url.appendingPathComponent("store"), creates: true)
        let resource = try await store.put("a", String(repeating: "x", count: (9 << 20) + 5))
        let check = store.contentCheck(try #require(resource.sha256), size: resource.size)
        var steps = 1
        while try check.step() == nil { steps += 1 }
        // The last step reads nothing, and so finds the end.
        #expect(steps == 4)
    }

    #if Postgres
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func aDamagedFileIsFetchedFromTheSharedStore() async throws {
        let home = try TestFolder()
        let address = try await PostgresServer.makeDatabase()
        _ = try PostgresJournal.migrate(address)
        let store = try Store(folder: home.url.appendingPathComponent("copy"), shared: PostgresJournal(address))
        let lines = LogLines()
        try await LiveServer.run(store: store, log: lines) { live in
            let file = try #require(store.file(for: try await store.put("help.txt", "three")))
            await live.server.refresh()
            try await Self.rot(file, "thr3e")
            #expect(try await Self.download(live).body == "three")
            #expect(try Data(contentsOf: file) == Data("three".utf8))
            #expect(store.contentDamage.files == 0 && store.contentDamage.found == 1)
            #expect(lines.entries.contains { $0.message.contains("fetched again from the shared store") })
        }
    }
    #endif
}
