#if Server
import Foundation
import GRDB

/// The store's SQLite file: one connection that writes, one that reads and sees other processes' commits.
struct StoreDatabase: Sendable {
    private let folder: URL
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let queue = DispatchQueue(label: "bellerophon.store")

    static let fileName = "store.sqlite"

    /// Opens the file, makes it where there is none, and brings it up to date.
    init(_ folder: URL) throws(StoreError) {
        self.folder = folder
        let path = folder.appendingPathComponent(Self.fileName).path
        do {
            writer = try DatabaseQueue(path: path, configuration: Self.configuration(isReader: false))
            try writer.writeWithoutTransaction { try Schema.migrate($0, folder) }
            reader = try DatabaseQueue(path: path, configuration: Self.configuration(isReader: true))
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

    /// The same for a caller that may wait.
    func writeNow<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
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
