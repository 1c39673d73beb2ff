#if Postgres
import BellerophonBase
import Foundation
import GRDB
import TestSupport
import Testing

@testable import BellerophonStore

/// A store in PostgreSQL that several servers share.
@Suite(
    "A shared store", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedStoreTests: SuiteOfSharedServers {
    let servers: SharedServers

    init() async throws {
        servers = try await SharedServers()
    }

    // MARK: Every server serves the same

    @Test("All servers serve the same document with the same entity tag")
    func serversShareEntityTag() async throws {
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

    @Test func aTimedKillEndsOnce() async throws {
        let servers = [try server("a"), try server("b"), try server("c")]
        _ = try await servers[0].publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        for server in servers { try server.catchUp() }
        clock.advance(by: 61)
        let ended = try await withThrowingTaskGroup(of: Int.self) { group in
            for server in servers { group.addTask { try await server.writeDue().count } }
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
        try await a.put("help", "the bytes")
        let token = try await a.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada").token
        try b.catchUp()
        let resource = try #require(try b.versions(of: "help").first)
        let copy = try #require(b.file(for: resource))
        #expect(try String(contentsOf: copy, encoding: .utf8) == "the bytes")
        #expect(try b.authenticate(token)?.name == "ci")
        _ = try await b.revokeToken(name: "ci", by: "bob")
        _ = try await b.deleteResource("help", by: "bob")
        try a.catchUp()
        #expect(try a.authenticate(token) == nil)
        #expect(try a.versions(of: "help").first == nil)
    }

    // MARK: The lead

    @Test func aFollowerTakesTheLeadThatNobodyHas() async throws {
        let (a, b) = (try server("a"), try server("b"))
        #expect(!a.leads && !b.leads, "nobody has asked for it yet")
        let (first, second) = (try #require(a.follow()), try #require(b.follow()))
        let changes = Watched<[SharedFollower.Change]>([])
        first.start(onChange: { change in changes.update { $0.append(change) } })
        defer { first.stop() }
        try await changes.wait(for: "change") { $0 == [.leads] ? () : nil }
        second.start()
        defer { second.stop() }
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try await eventually("kill on the other server") { try b.status(.main)?.isBlocking == true ? () : nil }
        #expect(a.leads && !b.leads)
    }

    @Test func aTimedKillIsOverWhenTheJournalSaysSo() async throws {
        let (a, b) = (try server("a"), try server("b"))
        _ = try await a.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        try b.catchUp()
        clock.advance(by: 61)
        #expect(try a.status(.main)?.isBlocking == true && b.status(.main)?.isBlocking == true)
        #expect(try await b.writeDue().count == 1)
        #expect(try b.status(.main)?.isBlocking == false)
        try a.catchUp()
        #expect(try a.status(.main) == b.status(.main))
    }

    // MARK: Bytes

    @Test("A shared folder holds the resource bytes, and a kill does not wait for the folder")
    func sharedFolderHoldsBytes() async throws {
        let folder = home.url.appendingPathComponent("bytes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func server(_ name: String) throws -> Store {
            try Store(
                folder: home.url.appendingPathComponent(name), shared: PostgresJournal(address), sharedContent: folder,
                clock: .still { [clock] in clock.now })
        }
        let (a, b) = (try server("a"), try server("b"))
        try await a.put("help", "the bytes")
        // Somebody has forgotten to mount the folder on the other machine.
        let away = home.url.appendingPathComponent("away")
        try FileManager.default.moveItem(at: folder, to: away)
        _ = try await a.publish(Publication(action: .kill), by: "ada")
        try b.catchUp()
        #expect(try b.status(.main)?.isBlocking == true, "a kill does not wait for bytes")
        let resource = try #require(try b.versions(of: "help").first)
        #expect(b.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == nil)
        #expect(b.sharedContact?.missing.count == 1)
        #expect(await storeError { try await a.put("more", "more bytes") }?.kind == .unavailable)
        try FileManager.default.moveItem(at: away, to: folder)
        try b.catchUp()
        #expect(b.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == Data("the bytes".utf8))
        #expect(b.sharedContact?.missing.isEmpty == true)
    }

    @Test("A prune frees the bytes in the database with its row, and then in the copies of the other servers")
    func pruneFreesEverywhere() async throws {
        let (a, b) = (try server("a"), try server("b"))
        for text in ["one", "two", "three", "one"] { try await a.put("help", text) }
        try b.catchUp()
        func files(_ store: Store) -> Int {
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: store.folder.appendingPathComponent("content").path)
            return paths?.filter { $0.contains("/") }.count ?? 0
        }
        #expect(files(b) == 3)
        let connection = try PostgresConnection(address, limit: .seconds(10))
        let count = "SELECT count(*) FROM bellerophon.content"
        #expect(try connection.execute(count) == [["3"]])
        #expect(try await a.pruneResources(keeping: 1, by: "ada").freedBytes == 8)
        #expect(try connection.execute(count) == [["1"]], "the first version has the bytes of the last one")
        try b.catchUp()
        try await eventually("the copy's files") { files(b) == 1 ? () : nil }
        let resource = try #require(try b.versions(of: "help").first)
        #expect(b.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == Data("one".utf8))
    }

    // MARK: Copies of a store

    @Test func aStoreMovesFromAFolderToADatabaseAndBack() async throws {
        let folder = home.url.appendingPathComponent("folder")
        let store = try Store(folder: folder, creates: true, clock: .still { [clock] in clock.now })
        for number in 1...3 { _ = try await store.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        try await store.put("help", "the bytes")
        let token = try await store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada").token
        let database = StoreLocation.shared(address: address, copy: home.url.appendingPathComponent("copy"), content: nil)
        let there = try await StoreLocation.copy(from: .folder(folder), to: database)
        #expect(there.rows == 5 && there.files == 1)

        let shared = try await database.open()
        try shared.catchUp()
        #expect(try shared.identity() == store.identity() && shared.journal() == store.journal())
        #expect(try shared.authenticate(token)?.name == "ci")
        let resource = try #require(try shared.versions(of: "help").first)
        #expect(shared.file(for: resource).flatMap { FileManager.default.contents(atPath: $0.path) } == Data("the bytes".utf8))
        _ = try await shared.publish(Publication(action: .restore), by: "bob")

        let back = home.url.appendingPathComponent("back")
        let report = try await StoreLocation.copy(from: database, to: .folder(back))
        #expect(report.rows == 6)
        let returned = try Store(folder: back)
        #expect(try returned.status(.main)?.isBlocking == false && returned.verifyChain().head == report.head)
        let again = await storeError { try await StoreLocation.copy(from: .folder(folder), to: database) }
        #expect(again?.message.contains("has rows already") == true)
        #expect(await storeError { try await StoreLocation.copy(from: database, to: .folder(back)) }?.kind == .invalid)
    }

}
#endif
