import Foundation
import GRDB
import Synchronization

/// What the rows of the journal mean for whoever reads: the newest row of each scope, the tokens that count, and the newest version of
/// each resource.
///
/// It is made once, from as few rows as an index allows, and then follows the journal row by row, so that what a publish costs does not
/// grow with what else was published.
struct Catalog: Sendable {
    /// The newest row.
    private var head: JournalHead
    private(set) var newest: [Scope: JournalEntry]
    /// The tokens that are not revoked, by their hashes; nil until they are needed.
    private var tokens: [String: TokenRecord]?
    /// Nil if a row about a resource has come since they were read.
    private var resources: (newest: [ResourceVersion], missing: Set<String>)?
    /// The statuses that were made last, and the rows that they were made from.
    private var statuses: [Scope: PublishedStatus] = [:]
    private var rows: [Scope: Key] = [:]

    /// A row, or what time has made of it.
    private struct Key: Equatable {
        let id: Int64
        let published: Date?
        let digest: String?
    }

    init(_ database: Database) throws {
        let journal = JournalTable(database: database)
        (head, newest) = (try journal.head(), try journal.newestByScope())
    }

    /// The ID of the newest row.
    var serial: Int64 { head.id }

    /// Reads the rows that have come.
    /// - Returns: false if the journal is not the one that this was made from.
    mutating func catchUp(_ database: Database) throws -> Bool {
        guard try JournalTable(database: database).has(head) else { return false }
        let statement = try database.cachedStatement(sql: "SELECT * FROM journal WHERE id > ? ORDER BY id")
        for entry in try Row.fetchAll(statement, arguments: [serial]).map({ JournalEntry($0) }) {
            head = JournalHead(id: entry.id, digest: entry.digest ?? "")
            if let scope = entry.scope { newest[scope] = entry }
            if entry.resource != nil { resources = nil }
            let table = TokenTable(database: database)
            if tokens != nil, let name = entry.token, let (hash, record) = try table.rows("WHERE name = ?", [name]).first {
                tokens?[hash] = record.revokedAt == nil ? record : nil
            }
        }
        return true
    }

    /// The tokens that are not revoked, by their hashes.
    mutating func tokens(_ database: Database) throws -> [String: TokenRecord] {
        if let tokens { return tokens }
        let rows = try TokenTable(database: database).rows("WHERE revoked_at IS NULL")
        let active = Dictionary(rows.map { ($0.hash, $0.record) }, uniquingKeysWith: { first, _ in first })
        tokens = active
        return active
    }

    /// The newest version of each resource, by name.
    /// - Parameter missing: the SHA-256 of bytes that are not here. Versions with them are left out.
    mutating func resources(without missing: Set<String>, _ database: Database) throws -> [ResourceVersion] {
        if let resources, resources.missing == missing { return resources.newest }
        let newest = try ResourceTable(database: database).newest(without: missing)
        resources = (newest, missing)
        return newest
    }

    /// The effective status of every scope with a publish, and of every app.
    /// - Parameter effective: the newest row of each scope as it is shown.
    mutating func statuses(_ effective: [Scope: JournalEntry]) -> [Scope: PublishedStatus] {
        let keys = effective.mapValues { Key(id: $0.id, published: $0.published, digest: $0.digest) }
        let scopes = Set(keys.keys).union(rows.keys)
        // A channel shows its app's status too.
        let apps = Set(scopes.filter { keys[$0] != rows[$0] }.map(\.wholeApp)).union(rows.isEmpty ? [.main] : [])
        rows = keys
        for scope in scopes.union(apps) where apps.contains(scope.wholeApp) {
            let (own, app) = (effective[scope], effective[scope.wholeApp])
            let isKnown = own != nil || scope == .main || scope.isMain && effective.keys.contains { $0.app == scope.app }
            statuses[scope] = isKnown ? PublishedStatus(scope, own: own, app: app) : nil
        }
        return statuses
    }
}

extension Store {
    /// Reads with the catalog of the journal as it is now.
    func withCatalog<Value>(_ database: Database, _ read: (inout Catalog) throws -> Value) throws -> Value {
        try catalog.withLock { known in
            // Taken out, so that a change copies nothing.
            var present = try known.take() ?? Catalog(database)
            if try !present.catchUp(database) { present = try Catalog(database) }
            defer { known = present }
            return try read(&present)
        }
    }
}
