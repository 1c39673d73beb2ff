import Foundation
import GRDB
import Synchronization

extension SharedCopy {
    // MARK: To the other servers

    /// Removes bytes that were sent for a change that was refused, as far as no row names them.
    func forget(_ digests: [String], _ writer: DatabaseQueue) {
        guard !digests.isEmpty else { return }
        guard let last = try? Self.head(writer).id else { return }
        try? journal.change(from: max(last, 1), limit: 2) { change in
            // Only a copy that has all rows knows which bytes are needed.
            guard change.rows.last?.id ?? 0 == last else { return }
            let unused = try writer.read { database in try digests.filter { try !ResourceTable(database: database).needs($0) } }
            for digest in unused { try change.removeContent(digest) }
            if !unused.isEmpty { try change.commit() }
        }
    }

    /// The bytes that rows drop and no version needs.
    func unneeded(_ rows: [SharedRow], in database: Database) throws -> [String] {
        try Set(rows.flatMap(\.droppedContents)).sorted().filter { try !ResourceTable(database: database).needs($0) }
    }

    // MARK: From the other servers

    /// Removes the files of versions that another server has removed. It waits for uploads on a thread of its own, because they may wait
    /// for what calls this. A file that stays is removed by the next prune on this machine.
    func removeFiles(droppedBy rows: [SharedRow], _ writer: DatabaseQueue) {
        let dropped = rows.flatMap(\.droppedContents)
        guard !dropped.isEmpty else { return }
        DispatchQueue.global(qos: .utility).async { [content] in
            _ = try? content.removeGarbage(dropped) { digest throws(StoreError) in
                (try? writer.read { try ResourceTable(database: $0).needs(digest) }) ?? true
            }
        }
    }

    /// Records which bytes of resources have to be fetched, before the copy has the rows. Rows do not wait for them: a kill may be among
    /// them.
    func recordMissing(_ rows: [SharedRow]) { recordMissing(rows.flatMap(\.contents)) }

    func recordMissing(_ digests: [String]) {
        let missing = Set(digests).filter { ContentFolder.size(of: content.file($0)) == nil }
        record { $0.contact.missing.formUnion(missing) }
    }

    /// Forgets missing bytes that no row of the copy needs, because the rows that named them were withdrawn.
    func forgetMissing(_ writer: DatabaseQueue) throws {
        // No change adds rows to the copy meanwhile.
        try writer.read { database in
            let unneeded = try known.contact.missing.filter { try !ResourceTable(database: database).needs($0) }
            record { $0.contact.missing.subtract(unneeded) }
        }
    }

    /// Records which bytes are missing of all resources in the copy.
    func findMissing(_ writer: DatabaseQueue) throws {
        recordMissing(try writer.read { try ResourceTable(database: $0).contents() })
    }

    /// Fetches bytes that are missing, as far as the other servers have them.
    func fetchMissing() throws(StoreError) {
        for digest in known.contact.missing.sorted() {
            // One download at a time, so that a slow link completes one after the other.
            try state.downloads.withLock { (begun) throws(StoreError) in try fetch(digest, &begun) }
        }
    }

    private func fetch(_ digest: String, _ begun: inout [String: IncomingContent]) throws(StoreError) {
        guard known.contact.missing.contains(digest) else { return }
        if ContentFolder.size(of: content.file(digest)) == nil {
            // Bytes that arrived are kept if the rest does not.
            let incoming = if let known = begun[digest] { known } else { try content.receive() }
            begun[digest] = incoming
            guard try bytes.fetch(digest, to: incoming) else { return }
            begun[digest] = nil
            defer { incoming.discard() }
            try content.place(incoming, as: digest)
        }
        record { $0.contact.missing.subtract([digest]) }
    }
}
