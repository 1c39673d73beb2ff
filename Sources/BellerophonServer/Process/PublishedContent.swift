#if Server
import BellerophonStore
import Foundation

/// What is published, as the read model's publisher sees it: a store, or in tests one that fails at times.
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
    /// Makes a write that changes nothing.
    func checkWritable() throws
    /// Bytes that may still be written to the disk; nil where the system does not tell.
    func freeBytes() -> Int64?
}

extension PublishedContent {
    func checkWritable() throws {}
    func freeBytes() -> Int64? { nil }
}

extension Store: PublishedContent {}
#endif
