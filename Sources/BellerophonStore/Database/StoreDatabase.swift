#if Server
import Foundation
import GRDB

/// The store's SQLite file: one connection that writes, one that reads and sees other processes' commits.
struct StoreDatabase: Sendable {
    private let folder: URL
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let queue = DispatchQueue(label: "bellerophon.store")
    private let reserve: DiskReserve

    static let fileName = "store.sqlite"

    /// Opens the file, makes it where there is none and that is wanted, and brings it up to date.
    /// - Parameter identity: of a new store.
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

    /// Reads one moment's state; never waits for a process that writes.
    func read<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try reader.read(work)
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Changes the store in one transaction, which is on the disk when this returns.
    ///
    /// A caller whose task was cancelled still learns what became of it.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(StoreError) in try writeNow(work) })
            }
        }
        return try result.get()
    }

    /// The same for a caller that may wait. Where the disk is full, the space that was kept for this is given up.
    func writeNow<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try attempt(work)
        } catch  where error.kind == .full {
            guard reserve.release() else { throw error }
            return try attempt(work)
        }
    }

    private func attempt<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
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

    /// Changes the store in one transaction that is taken back.
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

    /// Keeps space for later writes where there is enough of it now.
    func keepReserve() { reserve.keep() }

    /// A number that changes with every commit of any connection to the file but the reading one.
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
                // A commit that was acknowledged survives a crash of the machine: GRDB's own WAL mode would not.
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
            }
        }
        return configuration
    }
}
#endif
