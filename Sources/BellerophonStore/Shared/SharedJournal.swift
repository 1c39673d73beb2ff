#if Server
import Foundation

/// The journal of a store that several servers share.
///
/// Its rows are decided one after the other for all servers. Each server keeps a copy of them in its own ``StoreDatabase``,
/// from which it serves. A change runs in a transaction of the copy that has all rows so far, and its rows are committed to the
/// shared journal first.
package protocol SharedJournal: Sendable {
    /// The identity of the store.
    func identity() throws(StoreError) -> String

    /// Runs a change that no other server interleaves.
    /// - Throws: ``StoreError`` of kind `unavailable` if nothing was changed, and of kind `unknown` if the connection was lost
    ///   while the rows were committed.
    func change(_ work: (any SharedChange) throws -> Void) throws

    /// Rows after a row, in order.
    /// - Parameter limit: the maximum number of rows.
    func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow]

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

    /// A number that the servers keep under a name; nil if there is none.
    func mark(_ name: String) throws(StoreError) -> Int64?

    /// Keeps a number. Unlike a row, it is no part of the history.
    func setMark(_ name: String, _ value: Int64) throws(StoreError)

    /// The bytes of a resource; nil if they are not there.
    func content(_ sha256: String) throws(StoreError) -> Data?
}

/// A transaction of a shared journal, in which this server alone can add rows.
package protocol SharedChange {
    /// Rows after a row, in order.
    func rows(after id: Int64, limit: Int) throws(StoreError) -> [SharedRow]

    /// The time by the clock of the database, not that of the transaction's begin.
    func now() throws(StoreError) -> Date

    /// The newest row's ID and digest; nil if there is none.
    func head() throws(StoreError) -> SharedHead?

    /// Keeps the bytes of a resource with the rows.
    func keep(_ content: Data, sha256: String) throws(StoreError)

    /// Adds rows, which count once the change is committed.
    func add(_ rows: [SharedRow]) throws(StoreError)

    /// Gives an empty journal the identity of another store, whose rows it gets.
    func adopt(_ identity: String) throws(StoreError)

    /// Commits. The added rows are durable when this returns.
    func commit() throws(StoreError)
}

/// What a server learns when it asks for the lead.
package struct SharedLead: Equatable, Sendable {
    /// Whether this server leads.
    package var leads = false
    /// The standbys that must have a row before a change is acknowledged, in the database's words; nil if none must.
    package var standbys: String?

    package init(leads: Bool = false, standbys: String? = nil) {
        self.leads = leads
        self.standbys = standbys
    }
}

/// The newest row of a journal.
package struct SharedHead: Equatable, Sendable {
    package let id: Int64
    package let digest: String
}

/// A row of the journal with what it changed beside the journal.
package struct SharedRow: Equatable, Sendable {
    /// The values of ``JournalChain/columns``, as text.
    package var values: [String?]
    package var digest: String
    /// The changes of other tables, as the text of a JSON array: see ``ChangeLog``.
    package var changes: String

    package var id: Int64 { values[0].flatMap { Int64($0) } ?? 0 }
}
#endif
