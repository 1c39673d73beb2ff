import Foundation
import GRDB

/// The journal of a store that several servers share.
///
/// Its rows are decided one after the other for all servers. Each server keeps a copy of them in its own ``StoreDatabase``,
/// from which it serves. A change runs in a transaction of the copy that has all rows so far, and its rows are committed to the
/// shared journal first.
package protocol SharedJournal: Sendable {
    /// Runs a change that no other server interleaves.
    /// - Parameters:
    ///   - id: the first of the rows that the change has to know.
    ///   - limit: the maximum number of these.
    /// - Throws: ``StoreError`` of kind `unavailable` if nothing was changed, and of kind `unknown` if the connection was lost
    ///   while the rows were committed.
    func change(from id: Int64, limit: Int, _ work: (any SharedChange) throws -> Void) throws

    /// Rows from a row on, in order. They may be lost if the database fails, until ``confirm()`` has returned.
    /// - Parameter limit: the maximum number of rows.
    func rows(from id: Int64, limit: Int) throws(StoreError) -> [SharedRow]

    /// Waits until everything that could be read before this call is where a change must be before it is acknowledged.
    ///
    /// A database that failed and was started again shows rows that no standby has, and that nobody was told of as published.
    /// They are lost if the standby is promoted then.
    /// - Throws: ``StoreError`` of kind `unconfirmed` if that is not certain.
    func confirm() throws(StoreError)

    /// Tries whether a change could be made and confirmed now, without making one: takes the lock, writes a row that is rolled back, and
    /// commits something that has no effect. A try that is not answered goes on to be waited for by the next call.
    /// - Throws: ``StoreError`` of kind `unconfirmed` if the commit is not confirmed in time, `busy` if the lock is not free in time, and
    ///   `unavailable` if the database can't be reached or has no room.
    func tryChange() throws(StoreError)

    /// Waits until there may be new rows.
    /// - Returns: when the time is over, or earlier.
    func waitForRows(_ time: Duration) throws(StoreError)

    /// Takes the lead of the servers that share the store, or keeps it. One of them has it at a time, until its connection
    /// ends.
    ///
    /// A server that was replaced may not know it yet. What only one server may do is therefore decided in a ``change(_:)``
    /// too.
    func lead() throws(StoreError) -> SharedLead

    /// The time by the clock of the database.
    func now() throws(StoreError) -> Date

    /// What the servers keep under a name, such as the identity of the store; nil for nothing.
    func property(_ name: String) throws(StoreError) -> String?

    /// Keeps a text under a name. Unlike a row, it is no part of the history.
    func setProperty(_ name: String, _ value: String) throws(StoreError)

    /// A part of the bytes of a resource; nil if they are not there, and empty after their end.
    /// - Parameters:
    ///   - offset: where the part begins.
    ///   - count: the maximum number of bytes.
    func content(_ sha256: String, from offset: Int64, count: Int) throws(StoreError) -> Data?

    /// Keeps the bytes of a resource, before the row that names them.
    /// - Returns: whether they were not there yet.
    func save(_ content: Data, sha256: String) throws(StoreError) -> Bool
}

extension SharedJournal {
    /// The identity of the store.
    func identity() throws(StoreError) -> StoreIdentity { StoreIdentity(text: try property("identity") ?? "") }

    func has(_ head: JournalHead) throws(StoreError) -> Bool {
        if head.id == 0 { return true }
        return try rows(from: head.id, limit: 1).first?.head == head
    }
}

/// A transaction of a shared journal, in which this server alone can add rows.
package protocol SharedChange {
    /// The rows that the change has to know, in order, as they were when its turn came.
    var rows: [SharedRow] { get }

    /// The time by the clock of the database when the change's turn came.
    var now: Date { get }

    /// How long the change had waited for its turn then, in milliseconds.
    var waited: Int64 { get }

    /// The time by the clock of the database.
    func readTime() throws(StoreError) -> Date

    /// Whether the bytes of a resource are there.
    func hasContent(_ sha256: String) throws(StoreError) -> Bool

    /// Keeps the bytes of a resource with the rows.
    func save(_ content: Data, sha256: String) throws(StoreError)

    /// Removes the bytes of a resource that no row names.
    func removeContent(_ sha256: String) throws(StoreError)

    /// Makes ``commit()`` return only once all rows that this change has read are where a change must be before it is
    /// acknowledged, also if it adds none.
    func confirm() throws(StoreError)

    /// Adds rows, which count once the change is committed.
    func add(_ rows: [SharedRow]) throws(StoreError)

    /// Gives an empty journal the identity of another store, whose rows it gets.
    func adopt(_ identity: String) throws(StoreError)

    /// Commits. The added rows, and those before them, are durable when this returns.
    /// - Throws: ``StoreError`` of kind `unknown` also if no standby has confirmed the rows.
    func commit() throws(StoreError)
}

/// What a server learns when it asks for the lead.
package struct SharedLead: Equatable, Sendable {
    /// Whether this server leads.
    package var leads = false
    /// The standbys that must have a row before a change is acknowledged, in the database's words; nil if none must.
    package var standbys: String?
}

/// The newest row of a journal.
package struct JournalHead: Codable, Equatable, Sendable {
    package let id: Int64
    /// It is one of all rows before too.
    package let digest: String

    /// That of a journal without rows.
    static let start = JournalHead(id: 0, digest: JournalChain.start)

    /// The rows of a shared journal after this one; nil if the first of them is not this one.
    func followers(in rows: [SharedRow]) -> [SharedRow]? {
        if id == 0 { return rows }
        return rows.first?.head == self ? Array(rows.dropFirst()) : nil
    }
}

/// A row of the journal.
package struct SharedRow: Equatable, Sendable {
    /// The values of ``JournalColumn``, as text.
    package var values: [String?]
    package var digest: String

    package var id: Int64 { values[0].flatMap { Int64($0) } ?? 0 }

    var head: JournalHead { JournalHead(id: id, digest: digest) }

    var row: Row {
        let values = zip(JournalColumn.allCases, values).map { ($0.name, $0.value($1)) } + [("digest", digest.databaseValue)]
        return Row(Dictionary(uniqueKeysWithValues: values))
    }

    /// The SHA-256 of the bytes that the row needs.
    var contents: [String] { (try? RowBody(row))?.contents ?? [] }

    /// The SHA-256 of the bytes of versions that the row removes.
    var droppedContents: [String] { (try? RowBody(row))?.droppedContents ?? [] }
}

extension SharedRow {
    init(_ row: Row) {
        self.init(values: JournalColumn.allCases.map { $0.text(row) }, digest: row["digest"] ?? "")
    }
}
