import BellerophonBase
import Foundation
import GRDB

/// The result of restoring a store from a backup.
package struct StoreRestoration: Sendable {
    /// The ID of the first row that was written.
    package let firstRow: Int64?
    /// The number of scopes whose status was published again.
    package let statuses: Int
    /// The number of resources whose newest version was published again.
    package let resources: Int
}

extension Store {
    /// By how much row IDs and resource versions advance, as an upper bound of those used since the backup.
    static let restorationGap: Int64 = 1_000_000
    private static let restorationReason = "the store was brought back from a backup"

    /// Makes a folder that was restored from a backup usable for its clients.
    ///
    /// Clients remember the highest serial, date and version that they accepted. Rows after the backup are lost, so
    /// that their numbers would be used again, and clients would ignore new content as old. The numbers advance by a
    /// million, and the current statuses and resources are published again under the new ones.
    ///
    /// The folder gets a new identity, whether or not its database and its file `identity` matched.
    package static func restore(
        folder: URL, by author: Author, clock: StoreClock = .system
    ) async throws(StoreError) -> StoreRestoration {
        let folder = folder.absoluteURL.standardizedFileURL
        let identity = StoreIdentity.make()
        try adopt(folder, identity)
        let store = try Store(folder: folder, clock: clock, asItIs: true)
        let now = store.now
        let restoration = try await store.database.write { database in
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'journal'", arguments: [restorationGap])
            let journal = JournalTable(database: database)
            let statuses = try journal.newestByScope().sorted { $0.value.id < $1.value.id }
            let rows = try statuses.map { scope, status in
                try status.checkRead()
                return try journal.append(
                    JournalEntry(
                        again: status, of: scope, by: author, at: now, reason: "\(restorationReason): #\(status.id)"))
            }
            let table = ResourceTable(database: database)
            let resources = try table.newest()
            for one in resources {
                let version = min(one.version + restorationGap, ResourceVersion.versionLimit)
                let draft = ResourceTable.Draft(
                    name: one.name, version: version, size: one.size, md5: one.md5, sha256: one.sha256, url: one.externalURL,
                    fromVersion: one.version)
                _ = try table.put(draft, from: ResourceTable.Origin(author: author, reason: restorationReason, at: now))
            }
            return StoreRestoration(firstRow: rows.first?.id, statuses: rows.count, resources: resources.count)
        }
        // Only now: a restoration that is interrupted earlier has to be run again.
        unlink(LastRow.file(in: folder).path)
        try await store.database.writeHere { try LastRow.expectNothing(in: $0) }
        try store.database.watchLastRow()
        return restoration
    }

    /// Writes the same identity to the folder and its database.
    private static func adopt(_ folder: URL, _ identity: StoreIdentity) throws(StoreError) {
        let lock = try StoreError.lock(folder.appendingPathComponent("open.lock"), .exclusive)
        try withExtendedLifetime(lock) { () throws(StoreError) in
            let file = folder.appendingPathComponent(StoreDatabase.fileName)
            guard (ContentFolder.size(of: file) ?? 0) > 0 else {
                throw StoreError(
                    .notAStore, "there is no journal in \(folder.path)", hint: "bring \(StoreDatabase.fileName) back first")
            }
            let database = try StoreDatabase(folder, creates: false, identity: identity)
            _ = try database.writeNow { try StoreIdentity.write(identity, to: $0) }
            try StoreIdentity.write(identity, to: folder)
        }
    }
}
