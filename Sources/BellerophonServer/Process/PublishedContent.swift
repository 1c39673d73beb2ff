#if Server
import BellerophonStore
import Foundation

/// What is published, as the read side's keeper sees it: a store, or in tests one that fails at times.
protocol PublishedContent: Sendable {
    /// A number that changes after every commit of any process.
    func dataVersion() throws -> Int64
    /// Everything that is published, at one moment.
    func snapshot() throws -> Snapshot
    /// When the next timed kill or update ends.
    func nextEnd() throws -> Date?
    /// Restores what a timed kill or update stopped and whose time is over.
    func endDue() async throws -> [JournalEntry]
    /// The file that has the store's name now.
    var presentFile: FileIdentity? { get }
}

extension Store: PublishedContent {}
#endif
