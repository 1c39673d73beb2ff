#if Server
import Foundation
import GRDB

/// The store's SQLite file: one connection for writing, one for what is published, which sees other processes' commits, and one for
/// lists such as the journal, whose readers may wait for each other and keep no publish waiting.
struct StoreDatabase: Sendable {
    private let folder: URL
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let lists: DatabaseQueue
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
        do {
            return try reader.read(work)
        } catch {
            throw StoreError(error, in: folder)
        }
    }

    /// Changes the store in one transaction, which is durable when this returns.
    ///
    /// The result is returned even if the caller's task was cancelled.
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

    /// Like ``write(_:)``, but blocks the caller. If the disk is full, the reserved space is released and the write is retried.
    func writeNow<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try attempt(work)
        } catch  where error.kind == .full {
            guard reserve.release() else { throw error }
            return try attempt(work)
        }
    }

    /// Makes this a copy of a journal that several servers share.
    mutating func share(
        _ journal: any SharedJournal, _ content: ContentFolder, _ bytes: any SharedContent
    ) throws(StoreError) {
        do {
            try writer.writeWithoutTransaction { try ChangeLog.install(in: $0) }
        } catch {
            throw StoreError(error, in: folder)
        }
        shared = SharedCopy(journal, content, bytes)
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

    private func attempt<Value>(_ work: (Database) throws -> Value) throws(StoreError) -> Value {
        guard let shared else { return try attemptHere(work) }
        do {
            return try shared.change(writer, work)
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
