import Foundation
import GRDB

/// The store's SQLite file: one connection for writing, one for what is published, which sees other processes' commits, and one for
/// lists such as the journal, whose readers may wait for each other and keep no publish waiting.
struct StoreDatabase: Sendable {
    private let folder: URL
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let lists: DatabaseQueue
    private let turns = ChangeQueue()
    private let reserve: DiskReserve
    private let trouble = WriteTrouble()
    private let known: KnownRow
    /// Nil if the store is this machine's alone.
    var shared: SharedCopy?

    static let fileName = "store.sqlite"

    /// Opens the file, and creates it if necessary and permitted.
    /// - Parameter identity: the identity of a new store.
    init(_ folder: URL, creates: Bool, identity: StoreIdentity) throws(StoreError) {
        self.folder = folder
        reserve = DiskReserve(folder: folder)
        known = KnownRow(folder)
        let file = folder.appendingPathComponent(Self.fileName)
        if creates { try OwnersFile.make(file) }
        do {
            writer = try DatabaseQueue(path: file.path, configuration: Self.configuration(isReader: false))
            try writer.writeWithoutTransaction { try Schema.prepare($0, folder, creates: creates, identity: identity) }
            reader = try DatabaseQueue(path: file.path, configuration: Self.configuration(isReader: true))
            lists = try DatabaseQueue(path: file.path, configuration: Self.configuration(isReader: true))
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Reads a consistent state; never waits for a writer. The work must be short, because publishing waits for it.
    func read<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value { try read(reader, work) }

    /// Reads a list, which may take long; never waits for a writer, and no writer for it.
    func readList<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value { try read(lists, work) }

    private func read<Value>(_ reader: DatabaseQueue, _ work: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.converting(in: folder) { try reader.read(work) }
    }

    /// Like ``read(_:)``, for what is served.
    /// - Throws: also if the database was replaced by an older one while it was open.
    func readServed<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        try read { database in
            try known.verify(database)
            return try work(database)
        }
    }

    /// Refuses a database that was brought back from a backup, from now on too; for a store of this machine alone.
    func watchLastRow() throws(StoreError) {
        try StoreError.converting(in: folder) { try known.begin(writer) }
    }

    /// Ends what ``watchLastRow()`` has begun in an earlier process, for a copy of a shared journal.
    func forgetLastRow() { known.forget(writer) }

    /// Changes the store in one transaction, which is durable when this returns.
    ///
    /// A change whose caller's task is cancelled is not made, up to the moment of its commit; see ``PendingWrite``.
    /// - Parameter isUrgent: whether it goes before changes that wait and are not urgent.
    func write<Value: Sendable>(
        isUrgent: Bool = false, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await PendingWrite.run { pending, continuation in
            turns.add(isUrgent: isUrgent) {
                continuation.resume(returning: Result { () throws(StoreError) in try writeNow(work, for: pending) })
            }
        }
    }

    /// Like ``write(_:)``, but blocks the caller. If the disk is full, the reserved space is released and the write is retried.
    /// - Parameter contents: the SHA-256 of the files that the change publishes.
    func writeNow<Value>(
        keeping contents: [String] = [], _ change: (Database) throws -> Value, for pending: PendingWrite? = .present
    ) throws(StoreError) -> Value {
        // Without the lock first: what is not wanted takes no turn of others.
        try pending?.checkTurn()
        func work(_ database: Database) throws -> Value {
            try pending?.checkTurn()
            let value = try change(database)
            try pending?.throwIfWithdrawn()
            return value
        }
        return try recordingTrouble {
            guard let shared else { return try attemptHere(work) }
            return try shared.change(writer, keeping: contents, work)
        }
    }

    /// Runs a write to this machine's disk. If the disk refuses it, ``writeTrouble`` says so.
    /// - Parameter releasesReserve: whether the reserved space is released if the disk is full, and the write is retried.
    private func recordingTrouble<Value>(
        releasesReserve: Bool = true, _ work: () throws -> Value
    ) throws(StoreError) -> Value {
        do {
            do {
                return try work()
            } catch  where releasesReserve && WriteTrouble.isFull(error, folder) && reserve.release() {
                return try work()
            }
        } catch {
            trouble.record(error, in: folder)
            throw StoreError(error, in: folder)
        }
    }

    /// Why the last write to this machine's disk, or the last change of a shared journal, failed; nil if they succeeded.
    var writeTrouble: StoreError? { trouble.present ?? shared?.known.changeProblem }

    /// Makes this a copy of a journal that several servers share.
    mutating func share(_ bytes: SharedContent, _ content: ContentFolder, _ time: StoreTime) throws(StoreError) {
        let shared = SharedCopy(content: content, bytes: bytes, time: time, folder: folder)
        try StoreError.converting(in: folder) {
            try shared.findMissing(writer)
            try shared.recallShown(writer)
        }
        self.shared = shared
    }

    /// Changes what only this machine knows, in one transaction.
    func writeHere(_ work: @escaping @Sendable (Database) throws -> Void) async throws(StoreError) {
        try await PendingWrite.run { _, continuation in
            turns.add { continuation.resume(returning: Result { () throws(StoreError) in try writeHereNow(work) }) }
        }
    }

    /// Adds the rows that other servers have decided.
    /// - Parameter seen: called when some that restrict programs can be shown, before the copy has them.
    /// - Returns: the number of new rows.
    @discardableResult
    func catchUp(seen: () -> Void = {}) throws(StoreError) -> Int {
        try recordingTrouble { try shared?.catchUp(writer, seen: seen) ?? 0 }
    }

    private func writeHereNow<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        // The reserved space is for statuses.
        try recordingTrouble(releasesReserve: false) { try attemptHere(work) }
    }

    private func attemptHere<Value>(_ work: (Database) throws -> Value) throws -> Value {
        let (value, newest) = try writer.write { database in
            try known.verify(database)
            let value = try work(database)
            return (value, try JournalTable(database: database).head())
        }
        trouble.end()
        known.record(newest)
        return value
    }

    /// Tries to write.
    /// - Throws: ``StoreError`` with the reason why no status could be written now, of kind `full` also for a full disk.
    func checkWritable() throws(StoreError) {
        try reserve.requireRoom()
        if trouble.present != nil {
            // Only a commit shows that the disk takes what it refused.
            try writeHereNow { try $0.setProperty("checked", UUID().uuidString) }
        } else {
            try StoreError.converting(in: folder) {
                try writer.inTransaction(.immediate) { database in
                    try database.execute(sql: "UPDATE property SET value = value WHERE name = 'identity'")
                    return .rollback
                }
            }
        }
        try shared?.tryChange()
    }

    /// Reserves space for later writes if enough is free.
    func keepReserve() { reserve.create() }

    /// A number that changes with every commit of any connection except the reading one.
    func dataVersion() throws(StoreError) -> Int64 {
        try StoreError.converting(in: folder) {
            try reader.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        }
    }

    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(Store.busyLimit.components.seconds))
        configuration.prepareDatabase { database in
            if isReader {
                try database.execute(sql: "PRAGMA query_only = 1")
            } else {
                // A commit must survive a crash of the machine, which GRDB's own WAL mode does not guarantee.
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
            }
        }
        return configuration
    }
}
