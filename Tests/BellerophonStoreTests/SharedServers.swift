#if Postgres
import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// Servers on machines of their own that share a new store in PostgreSQL.
struct SharedServers {
    let home: TestFolder
    let address: String
    let clock = StillClock()

    init() async throws {
        home = try TestFolder()
        address = try await StoreDatabases.make()
    }

    /// The address with other servers of PostgreSQL before the one that has the store.
    func address(after hosts: [String], port: UInt16) throws -> String {
        let folder = try #require(URLComponents(string: address)?.queryItems?.first { $0.name == "host" }?.value)
        let names = (hosts + [folder]).joined(separator: ",")
        let ports = (hosts.map { _ in "\(port)" } + ["5432"]).joined(separator: ",")
        return address.replacingOccurrences(
            of: "host=\(folder)", with: "host=\(names)&port=\(ports)&sslmode=disable&gssencmode=disable")
    }

    /// The store as one server has it, with its copy in a folder of that name.
    /// - Parameter clock: the clocks of its machine; by default they are right.
    func server(_ name: String, _ journal: (any SharedJournal)? = nil, clock: StoreClock? = nil) throws -> Store {
        try Store(
            folder: home.url.appendingPathComponent(name), shared: journal ?? PostgresJournal(address),
            clock: clock ?? .still { [clock = self.clock] in clock.now })
    }
}

/// Tests with servers that share a store.
protocol SuiteOfSharedServers {
    var servers: SharedServers { get }
}

extension SuiteOfSharedServers {
    var home: TestFolder { servers.home }
    var address: String { servers.address }
    var clock: StillClock { servers.clock }

    func server(_ name: String, _ journal: (any SharedJournal)? = nil) throws -> Store { try servers.server(name, journal) }
}

extension Store {
    /// Fetches the bytes of resources that are missing.
    func fetchMissing() throws { try database.shared?.fetchMissing() }
}

/// A shared journal with a seeded fault.
struct AlteredJournal: SharedJournal {
    let journal: PostgresJournal
    /// Given in place of the journal's identity.
    var otherIdentity: String?
    /// What becomes of the rows that are read outside a change.
    var rows: @Sendable ([SharedRow]) -> [SharedRow] = { $0 }
    /// Called in each change, before its rows are added.
    var beforeAdding: @Sendable () throws -> Void = {}
    /// Called before rows are confirmed.
    var beforeConfirming: @Sendable () throws -> Void = {}
    /// Called with the maximum number of rows before they are read outside a change.
    var beforeRows: @Sendable (Int) throws -> Void = { _ in }
    /// Called with the position of each part of a resource before it is fetched.
    var beforePart: @Sendable (Int64) throws -> Void = { _ in }

    func property(_ name: String) throws(StoreError) -> String? {
        if name == "identity", let otherIdentity { return otherIdentity }
        return try journal.property(name)
    }

    func change(from id: Int64, limit: Int, _ work: (any SharedChange) throws -> Void) throws {
        try journal.change(from: id, limit: limit) {
            try work(Change(change: $0, beforeAdding: beforeAdding, beforeConfirming: beforeConfirming))
        }
    }

    func rows(from id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
        do { try beforeRows(limit) } catch { throw StoreError(.unavailable, "\(error)") }
        return self.rows(try journal.rows(from: id, limit: limit))
    }

    func confirm() throws(StoreError) {
        do { try beforeConfirming() } catch { throw StoreError(.unconfirmed, "\(error)") }
        try journal.confirm()
    }

    func tryChange() throws(StoreError) { try journal.tryChange() }
    func waitForRows(_ time: Duration) throws(StoreError) {}
    func now() throws(StoreError) -> Date { try journal.now() }
    func lead() throws(StoreError) -> SharedLead { SharedLead() }

    func content(_ sha256: String, from offset: Int64, count: Int) throws(StoreError) -> Data? {
        do { try beforePart(offset) } catch { throw StoreError(.unavailable, "\(error)") }
        return try journal.content(sha256, from: offset, count: count)
    }

    func save(_ content: Data, sha256: String) throws(StoreError) -> Bool { try journal.save(content, sha256: sha256) }
    func setProperty(_ name: String, _ value: String) throws(StoreError) { try journal.setProperty(name, value) }

    private struct Change: SharedChange {
        let change: any SharedChange
        let beforeAdding: @Sendable () throws -> Void
        let beforeConfirming: @Sendable () throws -> Void

        var rows: [SharedRow] { change.rows }
        var now: Date { change.now }
        var waited: Int64 { change.waited }
        func readTime() throws(StoreError) -> Date { try change.readTime() }
        func hasContent(_ sha256: String) throws(StoreError) -> Bool { try change.hasContent(sha256) }
        func save(_ content: Data, sha256: String) throws(StoreError) { try change.save(content, sha256: sha256) }
        func removeContent(_ sha256: String) throws(StoreError) { try change.removeContent(sha256) }

        func confirm() throws(StoreError) {
            do { try beforeConfirming() } catch { throw StoreError(.unconfirmed, "\(error)") }
            try change.confirm()
        }

        func add(_ rows: [SharedRow]) throws(StoreError) {
            do { try beforeAdding() } catch { throw StoreError(.failed, "\(error)") }
            try change.add(rows)
        }

        func adopt(_ identity: String) throws(StoreError) { try change.adopt(identity) }
        func commit() throws(StoreError) { try change.commit() }
    }
}
#endif
