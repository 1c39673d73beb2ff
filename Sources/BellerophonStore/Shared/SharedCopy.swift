import BellerophonBase
import Foundation
import GRDB
import Synchronization

/// A server's copy of a shared journal: brings it up to date, and runs changes for all servers.
struct SharedCopy: Sendable {
    /// The resources of the copy.
    let content: ContentFolder
    /// Where all servers find them.
    let bytes: SharedContent
    var journal: any SharedJournal { bytes.journal }
    /// Learns the time of the database.
    let time: StoreTime
    /// The folder of the copy.
    let folder: URL
    /// One change or one addition of rows at a time.
    private let turn = DispatchQueue(label: "bellerophon.store.shared")
    /// One look at the journal at a time.
    private let looking = DispatchQueue(label: "bellerophon.store.shared.looking")
    /// Keeps what is shown for the next start.
    let keeping = DispatchQueue(label: "bellerophon.store.shared.keeping")
    let state = State()

    /// The maximum number of rows that are fetched and added together.
    private static let batch = 500
    /// A change that lacks as many rows fetches them before it takes the lock.
    private static let batchOfChange = 200

    /// What this server knows of the shared journal.
    struct Known: Sendable {
        var contact = SharedContact() {
            didSet { if contact.missing != oldValue.missing { contact.generation += 1 } }
        }
        /// The statuses that the copy does not have; nil if it has all.
        var pending: PendingStatuses? {
            didSet { if pending != oldValue { contact.generation += 1 } }
        }
        /// Rows that were shown before a standby had them, and that the journal does not have any more.
        var withdrawn: [JournalEntry] = []
        /// The rows that the copy keeps as shown.
        var kept: [JournalEntry] = []
        /// Why the last change, or the last try of one, was not committed for all servers; nil if it was. That rows can be read, as
        /// the follower does, says nothing of it.
        var changeProblem: StoreError?
        /// The number of rows that are fetched at a time.
        var limit = SharedCopy.batch
    }

    final class State: Sendable {
        let known = Mutex(Known())
        /// The downloads of bytes that are not complete, by SHA-256. An interrupted one goes on where it ended.
        let downloads = Mutex<[String: IncomingContent]>([:])
    }

    var known: Known { state.known.withLock { $0 } }

    func record(_ change: (inout Known) -> Void) { state.known.withLock { change(&$0) } }

    // MARK: Changes

    /// Tries whether a change could be made and confirmed now, without making one.
    func tryChange() throws(StoreError) {
        do throws(StoreError) {
            try journal.tryChange()
            record { $0.changeProblem = nil }
        } catch {
            record { $0.changeProblem = error }
            throw error
        }
    }

    /// Runs a change and commits its rows to the shared journal before they are committed to the copy.
    /// - Parameter contents: the SHA-256 of the bytes that the change publishes.
    func change<Value>(
        _ writer: DatabaseQueue, keeping contents: [String] = [], _ work: (Database) throws -> Value
    ) throws -> Value {
        // While bytes are sent, the other servers publish.
        let kept = try contents.filter { try bytes.save(content.file($0), sha256: $0) }
        do {
            while true {
                if let value = try turn.sync(execute: { try attempt(writer, work) }) {
                    record { $0.changeProblem = nil }
                    return value
                }
                try catchUp(writer)
            }
        } catch {
            forget(kept, writer)
            let problem = StoreError(error, in: folder)
            switch problem.kind {
            case .unavailable, .unknown:
                record { ($0.contact.problem, $0.changeProblem) = (SharedProblem(problem), problem) }
            case .unconfirmed, .busy: record { $0.changeProblem = problem }
            // The journal was reached; the change itself was refused.
            default: break
            }
            throw error
        }
    }

    /// Adds the rows of other servers and those of the change to the copy, if the shared journal takes the latter. The copy thus
    /// has no row that a standby does not have.
    /// - Returns: nil if the copy lacks too many rows.
    private func attempt<Value>(_ writer: DatabaseQueue, _ work: (Database) throws -> Value) throws -> Value? {
        var (value, isCommitted): (Value?, Bool) = (nil, false)
        // Another process of this machine may add rows to the copy while this one waits for its turn; see ``add(_:_:)``.
        let (head, asked) = (try Self.head(writer), time.clock.steady())
        do {
            try journal.change(from: max(head.id, 1), limit: Self.batchOfChange + 1) { change in
                // It may have waited for a new connection too.
                if !time.record(change.now, askedAt: asked + change.waited) {
                    try time.read { () throws(StoreError) in try change.readTime() }
                }
                guard change.rows.count <= Self.batchOfChange else { return }
                guard let others = head.followers(in: change.rows) else {
                    throw StoreError(
                        .damaged, "the shared journal does not have row \(head.id) of this server's copy, or has another one",
                        hint: "was the database brought back from a backup, or is it another one? See the guide: docs/cluster.md")
                }
                try JournalChain.verify(others, after: head)
                try writer.write { database in
                    let journal = JournalTable(database: database)
                    try add(others, journal)
                    let last = try journal.serial()
                    value = try work(database)
                    let rows = try journal.shared(after: last)
                    for digest in Set(rows.flatMap(\.contents)).sorted() {
                        try bytes.save(content.file(digest), sha256: digest, with: change)
                    }
                    for digest in try unneeded(rows, in: database) { try change.removeContent(digest) }
                    // What a repeated request is told must be as durable as what the first one would have been told.
                    try rows.isEmpty ? change.confirm() : change.add(rows)
                    try change.commit()
                    isCommitted = true
                    recordMissing(others)
                }
                removeFiles(droppedBy: others, writer)
            }
        } catch  where isCommitted {
            // The shared journal counts. Whoever tried again would publish twice; the copy fetches the rows later.
        }
        return value
    }

    // MARK: The copy

    /// Adds the rows that other servers have decided.
    /// - Parameter seen: called when some that restrict programs can be shown, before the copy has them.
    /// - Returns: the number of new rows.
    @discardableResult
    func catchUp(_ writer: DatabaseQueue, seen: () -> Void = {}) throws -> Int {
        try looking.sync {
            defer { keepShown(writer) }
            do {
                let (count, asked) = try addNewRows(writer, seen)
                record { $0.contact.reached(asked: asked) }
                return count
            } catch {
                let problem = StoreError(error, in: folder)
                record { $0.contact.problem = SharedProblem(problem, isDiverged: $0.pending?.isDiverged == true) }
                throw error
            }
        }
    }

    /// - Returns: the number of new rows, and when the journal was asked and had no more.
    private func addNewRows(
        _ writer: DatabaseQueue, _ seen: () -> Void
    ) throws -> (count: Int, asked: ContinuousClock.Instant) {
        var count = 0
        while true {
            let head = try Self.head(writer)
            let asked = ContinuousClock.now
            guard let rows = head.followers(in: try rows(from: max(head.id, 1))) else { try diverge(writer, head) }
            try dropWithdrawn(writer)
            guard !rows.isEmpty else {
                record { $0.pending = nil }
                return (count, asked)
            }
            try JournalChain.verify(rows, after: head)
            try show(rows, after: head) {
                keepShown(writer)
                seen()
            }
            do {
                try turn.sync { try writer.write { try add(rows, JournalTable(database: $0)) } }
            } catch {
                // What the copy can't take is shown nevertheless.
                try readOn()
                throw error
            }
            removeFiles(droppedBy: rows, writer)
            count += rows.count
            record { if ($0.pending?.head.id ?? 0) <= rows.last?.id ?? 0 { $0.pending = nil } }
        }
    }

    /// Rows from a row on. Over a slow link fewer are fetched at a time, at least two.
    func rows(from id: Int64) throws(StoreError) -> [SharedRow] {
        let limit = known.limit
        // Unless they come.
        record { $0.limit = max(limit / 4, 2) }
        let rows = try journal.rows(from: id, limit: limit)
        record { $0.limit = min(2 * limit, Self.batch) }
        return rows
    }

    /// Adds rows that are not changes of this server.
    private func add(_ rows: [SharedRow], _ journal: JournalTable) throws {
        // Another process of this machine may have added some meanwhile.
        let newest = try journal.serial()
        for row in rows where row.id > newest { try journal.add(row) }
    }

    static func head(_ writer: DatabaseQueue) throws -> JournalHead {
        try writer.read { try JournalTable(database: $0).head() }
    }

    /// Reads the clock of the database.
    func readTime() throws(StoreError) {
        try time.read { () throws(StoreError) in try journal.now() }
    }

    // MARK: Contact

    /// Takes the lead of the servers that share the journal, or keeps it.
    func lead() throws(StoreError) {
        do throws(StoreError) {
            let lead = try journal.lead()
            record { $0.contact.lead = lead }
            try readTime()
        } catch {
            // The lock is lost with its connection.
            record { $0.contact.lead.leads = false }
            throw error
        }
    }
}
