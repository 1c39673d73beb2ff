import Foundation
import GRDB

/// What is in a store, found without changing it.
package struct StoreFacts: Equatable, Sendable {
    /// The number of the journal's newest row; nil for a database, whose rows the copies have.
    package var newest: Int64?
}

extension StoreLocation {
    /// Looks at a store without opening it as its server does: nothing is created, updated or locked.
    /// - Throws: ``StoreError`` with the reason why a server could not start with it.
    package func look() async throws(StoreError) -> StoreFacts {
        try await onOwnThread { () throws(StoreError) in try lookNow() }
    }

    private func lookNow() throws(StoreError) -> StoreFacts {
        switch self {
        case .folder(let folder): return try Self.look(folder.absoluteURL.standardizedFileURL)
        case .shared(let address, let copy, _):
            #if Postgres
            let identity = StoreIdentity(text: try PostgresJournal(address).identity())
            if let known = try StoreIdentity.read(copy), known != identity {
                throw StoreIdentity.mismatch(copy, because: "it is a copy of another store than the database has")
            }
            return StoreFacts()
            #else
            throw Self.unsupported(address)
            #endif
        }
    }

    private static func look(_ folder: URL) throws(StoreError) -> StoreFacts {
        try StoreOwner.check(folder)
        let file = folder.appendingPathComponent(StoreDatabase.fileName)
        guard (ContentFolder.size(of: file) ?? 0) > 0 else {
            if try StoreIdentity.read(folder) != nil {
                throw StoreIdentity.lostDatabase(folder, because: "\(StoreDatabase.fileName) is empty or not there")
            }
            throw StoreError(.notAStore, "there is no store in \(folder.path)", hint: "`bellerophon-server init` makes one")
        }
        guard access(folder.path, W_OK) == 0, access(file.path, W_OK) == 0 else {
            throw StoreError(
                .notPermitted, "the store \(folder.path) can't be written",
                hint: "check who owns it, and whether its file system is read-only")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(TimeInterval(Store.busyLimit.components.seconds))
        let last = LastRow.find(in: folder)
        do {
            let database = try DatabaseQueue(path: file.path, configuration: configuration)
            let (facts, identity): (StoreFacts, StoreIdentity?) = try database.read { database in
                try Schema.check(database, folder)
                try LastRow.check(database, in: folder, last)
                return (StoreFacts(newest: try JournalTable(database: database).serial()), try StoreIdentity.read(database))
            }
            if let known = try StoreIdentity.read(folder), let identity, known != identity {
                throw StoreIdentity.mismatch(
                    folder,
                    because: "its database is the store \(identity.text.prefix(8)), and the folder is \(known.text.prefix(8))")
            }
            return facts
        } catch {
            throw StoreError(error, in: folder)
        }
    }
}
