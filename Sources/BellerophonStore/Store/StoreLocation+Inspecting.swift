import Foundation
import GRDB

extension StoreLocation {
    /// Looks at a store without opening it as its server does: nothing is created, updated or locked.
    /// - Returns: the number of the journal's newest row; nil for a database, whose rows the copies have.
    /// - Throws: ``StoreError`` with the reason why a server could not start with it.
    package func inspect() async throws(StoreError) -> Int64? {
        try await onOwnThread { () throws(StoreError) in
            switch self {
            case .folder(let folder): return try Self.inspect(folder.absoluteURL.standardizedFileURL)
            case .shared(let address, let copy, _):
                let identity = try Self.journal(address).identity()
                if let known = try StoreIdentity.read(copy), known != identity {
                    throw StoreIdentity.mismatch(copy, because: "it is a copy of another store than the database has")
                }
                return nil
            }
        }
    }

    private static func inspect(_ folder: URL) throws(StoreError) -> Int64 {
        try OwnersFile.checkOwner(of: folder)
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
        return try StoreError.converting(in: folder) {
            let database = try DatabaseQueue(path: file.path, configuration: configuration)
            let (newest, identity) = try database.read { database in
                try Schema.requireFormat(database, folder)
                try LastRow.verify(database, in: folder, last)
                return (try JournalTable(database: database).serial(), try StoreIdentity.read(database))
            }
            if let known = try StoreIdentity.read(folder), let identity, known != identity {
                throw StoreIdentity.mismatch(
                    folder,
                    because: "its database is the store \(identity.text.prefix(8)), and the folder is \(known.text.prefix(8))")
            }
            return newest
        }
    }
}
