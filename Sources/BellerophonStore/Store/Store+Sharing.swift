import Foundation
import GRDB

extension Store {
    /// Whether several servers share the store.
    package var isShared: Bool { database.shared != nil }

    /// Whether this server ends timed kills and updates: of those that share a store, the one that leads does.
    package var leads: Bool { database.shared?.known.contact.lead.leads ?? true }

    /// The contact with the shared journal; nil if the store is this machine's alone.
    package var sharedContact: SharedContact? { database.shared?.known.contact }

    /// A number that is kept under a name, for all servers of a shared store; nil if there is none.
    package func mark(_ name: String) async throws(StoreError) -> Int64? {
        let (name, journal) = ("mark.\(name)", database.shared?.journal)
        let text = try await onOwnThread { [database] () throws(StoreError) in
            if let journal { try journal.property(name) } else { try database.read { try $0.property(name) } }
        }
        return text.flatMap { Int64($0) }
    }

    /// Keeps a number under a name.
    package func setMark(_ name: String, _ value: Int64) async throws(StoreError) {
        if let journal = database.shared?.journal {
            return try await onOwnThread { () throws(StoreError) in try journal.setProperty("mark.\(name)", "\(value)") }
        }
        try await database.writeHere { try $0.setProperty("mark.\(name)", "\(value)") }
    }

    /// Adds the rows that other servers have decided, and fetches the bytes of resources.
    /// - Returns: the number of new rows.
    @discardableResult
    package func catchUp() throws(StoreError) -> Int {
        let count = try database.catchUp()
        try database.shared?.fetchMissing()
        return count
    }

    /// Publishes the statuses again that hold in place of those that were shown before a standby had them, and that the journal
    /// does not have any more. Clients that have seen one of them wait for a later date.
    func replaceWithdrawn() throws(StoreError) {
        guard let shared = database.shared else { return }
        for entry in shared.known.withdrawn {
            guard let scope = entry.scope, let digest = entry.digest else { continue }
            let at = max(now, (entry.published ?? entry.at).addingTimeInterval(0.001))
            try database.writeNow { database in
                let journal = JournalTable(database: database)
                let request = "withdrawn-\(digest.prefix(32))"
                // Another server may have shown the row too.
                guard try journal.row(of: request) == nil else { return }
                let present = try journal.newestRow(of: scope)
                try present?.checkRead()
                let reason = """
                    a \(entry.action) as #\(entry.id) was shown before a standby had it, and was lost with its database; nobody \
                    was told that it was published
                    """
                _ = try journal.append(
                    JournalEntry(again: present, of: scope, by: .server, at: at, reason: reason, request: request))
            }
            // Another row was published in its place.
            shared.record { $0.withdrawn.removeAll { $0 == entry } }
        }
    }

    /// Follows the shared journal until the follower is stopped; nil if the store is this machine's alone.
    package func follow() -> SharedFollower? { database.shared.map { SharedFollower(self, $0) } }

    /// The identity of a shared store.
    /// - Returns: nil if there is none, or if it can't be reached and the folder has a copy.
    static func identity(of shared: (any SharedJournal)?, copiedTo folder: URL) throws(StoreError) -> StoreIdentity? {
        do throws(StoreError) {
            return try shared?.identity()
        } catch {
            guard error.kind == .unavailable, try StoreIdentity.read(folder) != nil else { throw error }
            return nil
        }
    }
}

extension JournalEntry {
    /// Publishes what a scope has again.
    /// - Parameter present: the newest row of the scope, which can be read; nil if there is none.
    init(again present: JournalEntry?, of scope: Scope, by author: Author, at now: Date, reason: String, request: String? = nil) {
        self.init(
            at: now, who: author.name, action: (present?.base.action ?? .restore).rawValue, app: scope.app,
            channel: scope.channel, reason: reason, author: author, request: request)
        set(present?.kept ?? RowPlan(base: .restored(scope)))
    }
}

/// Where a store is.
package enum StoreLocation: Equatable, Sendable {
    /// A folder of this machine.
    case folder(URL)
    /// A database that several servers share, the folder of this server's copy, and the folder in which they share the bytes
    /// of resources; nil if these are in the database.
    case shared(address: String, copy: URL, content: URL?)

    /// - Parameters:
    ///   - text: a folder, or an address that begins with `postgresql://` or `postgres://`.
    ///   - copy: the folder of the copy.
    ///   - content: the folder in which servers share the bytes of resources.
    package init(_ text: String, copy: @autoclosure () -> URL, content: URL? = nil) {
        self =
            Self.isAddress(text)
            ? .shared(address: text, copy: copy(), content: content) : .folder(URL(fileURLWithPath: text, isDirectory: true))
    }

    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// An address without a password, for a person.
    package static func withoutPassword(_ address: String) -> String {
        guard var parts = URLComponents(string: address) else { return "postgresql://…" }
        if parts.password != nil { parts.password = "…" }
        parts.queryItems = parts.queryItems?.filter { !$0.name.hasSuffix("password") }
        return parts.string?.removingPercentEncoding ?? "postgresql://…"
    }

    /// The folder of the store or its copy.
    package var folder: URL {
        switch self {
        case .folder(let folder): folder
        case .shared(_, let copy, _): copy
        }
    }

    /// Opens the store, outside of the threads of Swift concurrency: a database may answer after seconds.
    /// - Parameter asItIs: opens the store to look at its rows, also if its folder was brought back from a backup, or moved. Of a
    ///   database all rows are read, and no bytes of resources.
    /// - Throws: ``StoreError`` also if this program was built without support for PostgreSQL.
    package func open(creates: Bool = false, asItIs: Bool = false) async throws(StoreError) -> Store {
        try await onOwnThread { () throws(StoreError) in try openNow(creates: creates, asItIs: asItIs) }
    }

    /// Like ``open(creates:asItIs:)``, but blocks the caller.
    func openNow(creates: Bool = false, asItIs: Bool = false) throws(StoreError) -> Store {
        switch self {
        case .folder(let folder): return try Store(folder: folder, creates: creates, asItIs: asItIs)
        case .shared(let address, let copy, let content):
            let store = try Store(folder: copy, shared: Self.journal(address), sharedContent: content)
            if asItIs { try store.database.catchUp() }
            return store
        }
    }

    /// Makes the tables of a store in a database.
    /// - Returns: whether there were none.
    package static func migrate(_ address: String) async throws(StoreError) -> Bool {
        #if Postgres
        return try await onOwnThread { () throws(StoreError) in try PostgresJournal.migrate(address) }
        #else
        throw unsupported
        #endif
    }

    /// - Throws: ``StoreError`` if this program was built without support for PostgreSQL.
    static func journal(_ address: String) throws(StoreError) -> any SharedJournal {
        #if Postgres
        PostgresJournal(address)
        #else
        throw unsupported
        #endif
    }

    private static var unsupported: StoreError {
        StoreError(
            .invalid, "this program was built without support for PostgreSQL",
            hint: "build it with --traits Postgres, or name a folder")
    }
}
