#if Server
import Foundation
import GRDB

/// The store's SQLite file: one connection for writing, and one for reading, which sees other processes' commits.
struct StoreDatabase: Sendable {
    private let folder: URL
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let queue = DispatchQueue(label: "bellerophon.store")
    private let reserve: DiskReserve
    /// Nil if the store is this machine's alone.
    var shared: SharedCopy?

    static let fileName = "store.sqlite"

    /// Opens the file, creates it if necessary and permitted, and migrates it.
    /// - Parameter identity: the identity of a new store.
    init(_ folder: URL, creates: Bool, identity: StoreIdentity) throws(StoreError) {
        self.folder = folder
        reserve = DiskReserve(folder)
        let file = folder.appendingPathComponent(Self.fileName)
        if creates { try OwnersFile.make(file) }
        do {
            writer = try DatabaseQueue(path: file.path, configuration: Self.configuration(isReader: false))
            try writer.writeWithoutTransaction { try Schema.migrate($0, folder, creates: creates, identity: identity) }
            reader = try DatabaseQueue(path: file.path, configuration: Self.configuration(isReader: true))
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Reads a consistent state; never waits for a writer.
    func read<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try reader.read(work)
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Changes the store in one transaction, which is durable when this returns.
    ///
    /// A change whose caller's task is cancelled is not made, up to the moment of its commit; see ``PendingWrite``.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await PendingWrite.run { pending, continuation in
            queue.async {
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
        let work = { (database: Database) throws -> Value in
            try pending?.checkTurn()
            let value = try change(database)
            try pending?.check()
            return value
        }
        do {
            return try attempt(contents, work)
        } catch  where error.kind == .full {
            guard reserve.release() else { throw error }
            return try attempt(contents, work)
        }
    }

    /// Makes this a copy of a journal that several servers share.
    mutating func share(
        _ journal: any SharedJournal, _ content: ContentFolder, _ bytes: any SharedContent, _ time: StoreTime
    ) throws(StoreError) {
        do {
            try writer.writeWithoutTransaction { try ChangeLog.install(in: $0) }
        } catch {
            throw StoreError(error, in: folder)
        }
        let shared = SharedCopy(journal, content, bytes, time, folder: folder) { [reserve] in reserve.release() }
        do {
            try shared.findMissing(writer)
        } catch {
            throw StoreError(error, in: folder)
        }
        self.shared = shared
    }

    /// Changes what only this machine knows, in one transaction.
    func writeHere(_ work: @escaping @Sendable (Database) throws -> Void) async throws(StoreError) {
        let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(StoreError) in try attemptHere(work) }) }
        }
        try result.get()
    }

    /// Adds the rows that other servers have decided.
    /// - Returns: the number of new rows.
    @discardableResult
    func catchUp() throws(StoreError) -> Int {
        do {
            return try shared?.catchUp(writer) ?? 0
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    private func attempt<Value>(
        _ contents: [String], _ work: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        guard let shared else { return try attemptHere(work) }
        do {
            return try shared.change(writer, keeping: contents, work)
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    private func attemptHere<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try writer.writeWithoutTransaction { database in
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try work(database)
                    return .commit
                }
                guard let value else { throw StoreError(.failed, "nothing was written") }
                return value
            }
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Changes the store in one transaction and rolls it back.
    func rehearse(_ work: (Database) throws -> Void) throws(StoreError) {
        do {
            try writer.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try work(database)
                    return .rollback
                }
            }
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Reserves space for later writes if enough is free.
    func keepReserve() { reserve.keep() }

    /// A number that changes with every commit of any connection except the reading one.
    func dataVersion() throws(StoreError) -> Int64 {
        do {
            return try reader.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(Store.busyLimit.components.seconds))
        configuration.label = isReader ? "bellerophon.store.reader" : "bellerophon.store.writer"
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
#endif
