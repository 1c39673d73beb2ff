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
        if (ContentFolder.size(of: file) ?? 0) == 0 {
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
        let (own, rows) = try read { (try StoreIdentity.read($0), try JournalTable(database: $0).serial()) }
        guard let own else { throw StoreIdentity.mismatch(folder, because: "its database has no identity") }
        if rows == 0, !content.isEmpty {
            throw StoreIdentity.lostDatabase(folder, because: "there are resources, and the journal has no row")
        }
        if let known, known != own {
            throw StoreIdentity.mismatch(
                folder, because: "its database is the store \(own.text.prefix(8)), and the folder is \(known.text.prefix(8))"
            )
        }
        // The store is new, was created before identities existed, or its creation was interrupted.
        if known == nil { try StoreIdentity.write(own, to: folder) }
        guard let shared, own != shared else { return }
        throw StoreIdentity.mismatch(
            folder, because: "it is a copy of the store \(own.text.prefix(8)), and the database is \(shared.text.prefix(8))")
    }
}
