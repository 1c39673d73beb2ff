import Foundation
import GRDB

extension StoreDatabase {
    /// Opens a folder's database after checking that the two match. No other process may open the folder in the
    /// meantime.
    /// - Parameter shared: the identity that the store must have; nil for any, and for a random one of a new store.
    init(
        opening folder: URL, _ content: ContentFolder, creates: Bool, shared: StoreIdentity? = nil
    ) throws(StoreError) {
        let file = folder.appendingPathComponent(Self.fileName)
        let known = try StoreIdentity.read(folder)
        let isEmpty = (ContentFolder.size(of: file) ?? 0) == 0
        if isEmpty {
            if known != nil { throw StoreIdentity.lostDatabase(folder, because: "\(Self.fileName) is empty or not there") }
            if !content.isEmpty {
                throw StoreIdentity.lostDatabase(folder, because: "there are resources, and no database of them")
            }
            guard creates else { throw StoreIdentity.emptyDatabase(folder) }
        }
        try OwnersFile.narrow(file)
        do {
            try self.init(folder, creates: creates, identity: known ?? shared ?? .make())
        } catch  where error.kind == .full {
            // Opening needs some space too.
            guard DiskReserve(folder: folder).release() else { throw error }
            try self.init(folder, creates: creates, identity: known ?? shared ?? .make())
        }
        try checkIdentity(known, content, folder)
        guard let shared, let known = try StoreIdentity.read(folder), known != shared else { return }
        throw StoreIdentity.mismatch(
            folder, because: "it is a copy of the store \(known.text.prefix(8)), and the database is \(shared.text.prefix(8))")
    }

    /// - Parameter known: the folder's identity; nil if it has none.
    private func checkIdentity(_ known: StoreIdentity?, _ content: ContentFolder, _ folder: URL) throws(StoreError) {
        let (own, rows) = try read { database in
            (try StoreIdentity.read(database), try JournalTable(database: database).serial())
        }
        guard let own else { throw StoreIdentity.mismatch(folder, because: "its database has no identity") }
        if rows == 0, !content.isEmpty {
            throw StoreIdentity.lostDatabase(folder, because: "there are resources, and the journal has no row")
        }
        switch known {
        case own: return
        case nil:
            // The store is new, was created before identities existed, or its creation was interrupted.
            try StoreIdentity.write(own, to: folder)
        case let other?:
            throw StoreIdentity.mismatch(
                folder, because: "its database is the store \(own.text.prefix(8)), and the folder is \(other.text.prefix(8))"
            )
        }
    }
}
