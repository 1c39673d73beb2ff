#if Server
import Foundation
import GRDB

extension Store {
    /// Why the shared journal can't be used now; nil if it can, or if the store is this machine's alone.
    package var sharedProblem: String? {
        guard let contact = database.shared?.present else { return nil }
        return contact.problem ?? (contact.last == nil ? "it was not reached yet" : nil)
    }

    /// Whether several servers share the store.
    package var isShared: Bool { database.shared != nil }

    /// Whether this server ends timed kills and updates: of those that share a store, the one that leads does.
    package var leads: Bool { database.shared?.present.lead.leads ?? true }

    /// The contact with the shared journal; nil if the store is this machine's alone.
    package var sharedContact: SharedContact? { database.shared?.present }

    /// A number that is kept under a name, for all servers of a shared store; nil if there is none.
    package func mark(_ name: String) throws(StoreError) -> Int64? {
        if let journal = database.shared?.journal { return try journal.mark(name) }
        return try database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM property WHERE name = ?", arguments: ["mark.\(name)"])
                .flatMap { Int64($0) }
        }
    }

    /// Keeps a number under a name.
    package func setMark(_ name: String, _ value: Int64) async throws(StoreError) {
        if let journal = database.shared?.journal {
            return try await onOwnThread { () throws(StoreError) in try journal.setMark(name, value) }
        }
        try await database.writeHere { database in
            try database.execute(
                sql: "INSERT INTO property (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                arguments: ["mark.\(name)", "\(value)"])
        }
    }

    /// Adds the rows that other servers have decided.
    /// - Returns: the number of new rows.
    @discardableResult
    package func catchUp() throws(StoreError) -> Int { try database.catchUp() }

    fileprivate func lead() throws(StoreError) {
        do {
            try database.shared?.lead()
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Follows the shared journal until the follower is stopped; nil if the store is this machine's alone.
    package func follow() -> SharedFollower? {
        guard let journal = database.shared?.journal else { return nil }
        return SharedFollower(self, journal)
    }

    /// The identity of a shared store.
    /// - Returns: nil if there is none, or if it can't be reached and the folder has a copy.
    static func identity(of shared: (any SharedJournal)?, copiedTo folder: URL) throws(StoreError) -> StoreIdentity? {
        guard let shared else { return nil }
        do {
            return StoreIdentity(text: try shared.identity())
        } catch {
            guard error.kind == .unavailable, try StoreIdentity.read(folder) != nil else { throw error }
            return nil
        }
    }
}

/// Keeps a server's copy of a shared journal up to date, on a thread of its own.
///
/// It is told of new rows, and looks for them besides, because a notification is lost with its connection. After a lost connection
/// it tries again, for ever. It also takes the lead when no other server has it.
///
/// It is unchecked because it waits with a condition, which guards what it changes; `onChange` and `onRows` are set before the start.
package final class SharedFollower: @unchecked Sendable {
    private let store: Store
    private let journal: any SharedJournal
    private let lock = NSCondition()
    /// Protected by the lock.
    private var isStopped = false
    /// Called on the follower's thread.
    package var onChange: (@Sendable (Change) -> Void)?
    /// Called on the follower's thread after rows of other servers were added.
    package var onRows: (@Sendable () -> Void)?

    package enum Change: Equatable, Sendable {
        /// The journal can't be used, for this reason.
        case lost(String)
        case reached
        case leads
        /// Another server may lead now.
        case follows
    }

    /// The time between two looks without a notification. Another server leads this long after the leader's end.
    private static let interval = Duration.seconds(2)
    /// The wait after a failure, in seconds.
    private static let pause = 1.0

    fileprivate init(_ store: Store, _ journal: any SharedJournal) {
        self.store = store
        self.journal = journal
    }

    package func start() {
        Thread.detachNewThread { [self] in
            var (problem, led): (String?, Bool) = (nil, false)
            while !stopped() {
                do throws(StoreError) {
                    try store.lead()
                    try look()
                    try journal.waitForRows(Self.interval)
                    try look()
                } catch {
                    try? look()
                    wait()
                }
                let (now, leads) = (store.sharedProblem, store.leads)
                if (now == nil) != (problem == nil) { onChange?(now.map(Change.lost) ?? .reached) }
                if leads != led { onChange?(leads ? .leads : .follows) }
                (problem, led) = (now, leads)
            }
        }
    }

    private func look() throws(StoreError) {
        if try store.catchUp() > 0 { onRows?() }
    }

    /// Ends the thread after its present wait.
    package func stop() {
        lock.lock()
        isStopped = true
        lock.broadcast()
        lock.unlock()
    }

    private func stopped() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return isStopped
    }

    private func wait() {
        lock.lock()
        if !isStopped { _ = lock.wait(until: Date(timeIntervalSinceNow: Self.pause)) }
        lock.unlock()
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

    /// Opens the store.
    /// - Throws: ``StoreError`` also if this program was built without support for PostgreSQL.
    package func open(creates: Bool = false) throws(StoreError) -> Store {
        switch self {
        case .folder(let folder): return try Store(folder: folder, creates: creates)
        case .shared(let address, let copy, let content):
            #if Postgres
            return try Store(folder: copy, shared: PostgresJournal(address), sharedContent: content)
            #else
            throw Self.unsupported(address)
            #endif
        }
    }

    /// Makes the tables of a store in a database, or brings them to the format of this version.
    /// - Returns: the former format; 0 if there were no tables.
    package static func migrate(_ address: String) throws(StoreError) -> Int {
        #if Postgres
        return try PostgresJournal.migrate(address)
        #else
        throw unsupported(address)
        #endif
    }

    /// The format of the tables in a database; 0 without support for PostgreSQL.
    package static var sharedFormat: Int {
        #if Postgres
        PostgresSchema.version
        #else
        0
        #endif
    }

    static func unsupported(_ address: String) -> StoreError {
        StoreError(
            .invalid, "this program was built without support for PostgreSQL",
            hint: "build it with --traits Postgres, or name a folder")
    }
}
#endif
