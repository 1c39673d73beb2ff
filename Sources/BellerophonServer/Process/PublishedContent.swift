#if Server
import BellerophonStore
import Foundation

/// What the read model's publisher uses of a store. Tests substitute a store that fails.
protocol PublishedContent: Sendable {
    /// A number that changes with every commit of any process.
    func dataVersion() throws -> Int64
    /// A consistent copy of everything that is published.
    func snapshot() throws -> Snapshot
    /// When the next timed kill or update ends.
    func nextEnd() throws -> Date?
    /// Ends the timed kills and updates whose time is over, and restores the statuses before them.
    func endDue() async throws -> [JournalEntry]
    /// The identity of the file that is now at the store's path.
    var presentFile: FileIdentity? { get }
    /// Performs a write without effect.
    func checkWritable() throws
    /// Free bytes on the store's disk; nil if the system does not provide it.
    func freeBytes() -> Int64?
}

extension PublishedContent {
    func checkWritable() throws {}
    func freeBytes() -> Int64? { nil }
}

extension Store: PublishedContent {}
#endif
