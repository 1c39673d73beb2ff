import BellerophonStore
import Foundation

/// What the read model's publisher uses of a store. Tests substitute a store that fails.
protocol PublishedContent: Sendable {
    /// A number that changes with every commit of any process.
    func dataVersion() throws -> Int64
    /// A consistent copy of everything that is published.
    func snapshot() throws -> Snapshot
    /// When the next timed kill or update ends.
    func nextChange() throws -> Date?
    /// The time by which timed kills and updates end. It stands still while the clocks do not agree.
    var endTime: Date { get }
    /// What is wrong with the clocks; nil if they agree.
    var clockProblem: ClockProblem? { get }
    /// Keeps how the machine's clocks go together, for the next start.
    func keepClock() async
    /// Takes over what another process has kept of the clocks.
    func lookAtKeptClock() throws
    /// Ends the timed kills and updates whose time is over, and restores the statuses before them.
    func writeDue() async throws -> [JournalEntry]
    /// Whether several servers share the store. The end of a timed kill then shows when the journal has its row.
    var isShared: Bool { get }
    /// Whether this server is the one that ends timed kills.
    var leads: Bool { get }
    /// The time: that of the database in a shared store, so that its servers sign at the same times; otherwise of the machine.
    var now: Date { get }
    /// The contact with the journal of a shared store; nil if the store is this machine's alone.
    var sharedContact: SharedContact? { get }
    /// The identity of the file that is now at the store's path.
    var presentFile: FileIdentity? { get }
    /// Tries whether a status could be published, without publishing one.
    func checkWritable() throws
    /// Why the last write failed; nil after a write or a check that succeeded.
    var writeTrouble: StoreError? { get }
    /// The files of resources that are not as they were published.
    var contentDamage: ContentDamage { get }
    /// Free bytes on the store's disk; nil if the system does not provide it.
    func freeBytes() -> Int64?
}

extension Store: PublishedContent {}
