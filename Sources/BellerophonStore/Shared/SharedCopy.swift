#if Server
import BellerophonBase
import Digests
import Foundation
import GRDB
import Synchronization

/// A server's copy of a shared journal: brings it up to date, and runs changes for all servers.
struct SharedCopy: Sendable {
    let journal: any SharedJournal
    let content: ContentFolder
    private let bytes: any SharedContent
    private let time: StoreTime
    /// One change and one update of the copy at a time.
    private let turn = DispatchQueue(label: "bellerophon.store.shared")
    private let contact = Contact()

    /// Rows that are fetched and applied together.
    private static let batch = 500

    /// When the shared journal was last reached, and what failed since.
    private final class Contact: Sendable {
        let state = Mutex<SharedContact>(SharedContact())
    }

    /// - Parameters:
    ///   - content: the resources of the copy.
    ///   - bytes: where all servers find them.
    ///   - time: learns the time of the database.
    init(_ journal: any SharedJournal, _ content: ContentFolder, _ bytes: any SharedContent, _ time: StoreTime) {
        self.journal = journal
        self.content = content
        self.bytes = bytes
        self.time = time
    }

    var present: SharedContact { contact.state.withLock { $0 } }

    // MARK: Changes

    /// Runs a change and commits its rows to the shared journal before they are committed to the copy.
    func change<Value>(_ writer: DatabaseQueue, _ work: (Database) throws -> Value) throws -> Value {
        try turn.sync {
            try noting {
                var result: Value?
                try journal.change { change in
                    _ = try catchUp(writer) { id in try change.rows(after: id, limit: Self.batch) }
                    try checkHead(change.head(), writer)
                    try time.read { () throws(StoreError) in try change.now() }
                    result = try commit(writer, change, work)
                }
                guard let result else { throw StoreError(.failed, "nothing was written") }
                return result
            }
        }
    }

    private func commit<Value>(
        _ writer: DatabaseQueue, _ change: any SharedChange, _ work: (Database) throws -> Value
    ) throws -> Value {
        var value: Value?
        var isCommitted = false
        do {
            try writer.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    let log = ChangeLog(database: database)
                    try log.clear()
                    let head = try JournalTable(database: database).serial()
                    value = try work(database)
                    let rows = try log.rows(after: head)
                    for digest in Set(rows.flatMap(ChangeLog.contents)).sorted() { try keep(digest, change) }
                    guard !rows.isEmpty else { return .commit }
                    try change.add(rows)
                    try change.commit()
                    isCommitted = true
                    return .commit
                }
            }
        } catch  where isCommitted {
            // The shared journal counts. Whoever tried again would publish twice; the copy fetches the rows later.
        }
        guard let value else { throw StoreError(.failed, "nothing was written") }
        return value
    }

    private func keep(_ digest: String, _ change: any SharedChange) throws {
        let file = content.file(digest)
        if let size = ContentFolder.size(of: file), let limit = bytes.limit, size > limit {
            throw StoreError(
                .full, "a resource of \(size) bytes is too large for the shared store, which takes \(limit)",
                hint:
                    "the setting `content` names a folder that the servers share; or publish an external address; nothing was published"
            )
        }
        try bytes.keep(file, sha256: digest, with: change)
    }

    // MARK: The copy

    /// Adds the rows that other servers have decided.
    /// - Returns: the number of new rows.
    @discardableResult
    func catchUp(_ writer: DatabaseQueue) throws -> Int {
        try turn.sync {
            try noting {
                let count = try catchUp(writer) { id in try journal.rows(after: id, limit: Self.batch) }
                for digest in present.missing { try bring(digest) }
                return count
            }
        }
    }

    private func catchUp(_ writer: DatabaseQueue, _ fetch: (Int64) throws -> [SharedRow]) throws -> Int {
        var count = 0
        while true {
            let head = try Self.head(writer)
            let rows = try fetch(head?.id ?? 0)
            if rows.isEmpty { return count }
            var digest = head?.digest ?? JournalChain.start
            for row in rows {
                try ChangeLog.check(row, after: digest)
                digest = row.digest
                for content in ChangeLog.contents(of: row) { try bring(content) }
            }
            try writer.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    // Another process of this machine may have added them meanwhile.
                    let newest = try JournalTable(database: database).serial()
                    let log = ChangeLog(database: database)
                    for row in rows where row.id > newest { try log.apply(row) }
                    // They are not changes of this server.
                    try log.clear()
                    return .commit
                }
            }
            count += rows.count
        }
    }

    /// Fetches the bytes of a resource unless they are here. Rows are not held up by bytes that are missing: a kill may be
    /// among them.
    private func bring(_ digest: String) throws {
        guard ContentFolder.size(of: content.file(digest)) == nil else { return }
        let incoming = try IncomingContent(in: content.incoming, space: UploadSpace(content.content) { nil })
        defer { incoming.discard() }
        guard try bytes.fetch(digest, to: incoming) else {
            contact.state.withLock { _ = $0.missing.insert(digest) }
            return
        }
        let summary = try incoming.finish()
        guard summary.sha256.hex == digest else {
            throw StoreError(.damaged, "the bytes of a resource in the shared store do not have their digest")
        }
        try content.place(summary, from: incoming.file)
        contact.state.withLock { _ = $0.missing.remove(digest) }
    }

    /// Refuses a change if the copy has rows that the shared journal does not have.
    private func checkHead(_ shared: SharedHead?, _ writer: DatabaseQueue) throws {
        let own = try Self.head(writer)
        guard own != shared else { return }
        throw StoreError(
            .damaged,
            "the shared journal ends at row \(shared?.id ?? 0), and this server's copy has other rows up to \(own?.id ?? 0)",
            hint: "was the database brought back from a backup, or is it another one? See the guide: docs/scaling.md")
    }

    private static func head(_ writer: DatabaseQueue) throws -> SharedHead? {
        try writer.read { database in
            try Row.fetchOne(database, sql: "SELECT id, digest FROM journal ORDER BY id DESC LIMIT 1")
                .map { SharedHead(id: $0["id"], digest: $0["digest"] ?? "") }
        }
    }

    /// Takes the lead of the servers that share the journal, or keeps it.
    func lead() throws {
        do {
            let lead = try journal.lead()
            contact.state.withLock { $0.lead = lead }
            try readTime()
        } catch {
            // The lock is lost with its connection.
            contact.state.withLock { $0.lead.leads = false }
            throw error
        }
    }

    /// Reads the clock of the database.
    func readTime() throws(StoreError) {
        try time.read { () throws(StoreError) in try journal.now() }
    }

    // MARK: Contact

    private func noting<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            let value = try work()
            contact.state.withLock { $0.reached() }
            return value
        } catch let error as StoreError where [.unavailable, .unknown, .damaged].contains(error.kind) {
            contact.state.withLock { $0.problem = error.description }
            throw error
        } catch {
            // The journal was reached; the change itself was refused.
            contact.state.withLock { $0.reached() }
            throw error
        }
    }
}

/// Whether a shared journal can be reached.
package struct SharedContact: Equatable, Sendable {
    /// The last contact; nil before the first.
    package var last: ContinuousClock.Instant?
    /// Why the journal can't be used now; nil if it can.
    package var problem: String?
    /// Whether this server leads, as it last heard.
    package var lead = SharedLead()
    /// The SHA-256 of resources whose bytes were not found.
    package var missing: Set<String> = []

    fileprivate mutating func reached() { (last, problem) = (.now, nil) }
}
#endif
