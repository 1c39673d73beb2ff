import Foundation
import GRDB

/// The result of copying a store.
package struct StoreCopyReport: Equatable, Sendable {
    package let rows: Int
    /// The number of files with bytes of resources.
    package let files: Int
    /// The newest row's digest, which is the same in both stores; nil without rows.
    package let head: String?
}

extension StoreLocation {
    /// Copies a whole store between a folder and a database: the journal, tokens, resources and the identity. The copy is read
    /// and compared before this returns.
    /// - Parameters:
    ///   - source: it is not changed. Nothing may be published in it meanwhile, because the copy would not have it.
    ///   - target: a database with the tables of an empty store, or a folder that is not there yet.
    package static func copy(from source: StoreLocation, to target: StoreLocation) async throws(StoreError) -> StoreCopyReport {
        try await onOwnThread { () throws(StoreError) in
            switch (source, target) {
            case (.folder, .shared(let address, _, let content)):
                let store = try source.openNow()
                let target = SharedContent(journal: try journal(address), folder: content)
                return try StoreError.converting(in: source.folder) { try store.copy(to: target) }
            case (.shared(let address, _, let content), .folder(let folder)):
                guard !FileManager.default.fileExists(atPath: folder.path) else {
                    throw StoreError.invalid(
                        "\(folder.path) is there already", hint: "name a folder that is not there yet; nothing was copied")
                }
                let store = try StoreLocation.shared(address: address, copy: folder, content: content).openNow()
                try store.catchUp()
                return try store.copyReport()
            case (.folder, .folder):
                throw StoreError.invalid("both stores are folders", hint: "copy the folder while no server uses it")
            case (.shared, .shared):
                throw StoreError.invalid("both stores are databases", hint: "copy the database with pg_dump and pg_restore")
            }
        }
    }
}

extension Store {
    /// Rows that are copied and compared together.
    private static let batch = 200

    /// Copies everything to an empty shared journal, in one transaction.
    func copy(to bytes: SharedContent) throws -> StoreCopyReport {
        let (report, journal) = (try copyReport(), bytes.journal)
        try journal.change(from: 1, limit: 1) { change in
            guard change.rows.isEmpty else {
                throw StoreError(
                    .invalid, "the store in the database has rows already",
                    hint: "name a database with an empty store; nothing was copied")
            }
            try change.adopt(try identity())
            for digest in try database.read({ try ResourceTable(database: $0).contents() }) {
                try bytes.save(
                    content.file(digest), sha256: digest, with: change,
                    hint: "name a folder that the servers share with --content; nothing was copied")
            }
            try database.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT * FROM journal ORDER BY id")
                var batch: [SharedRow] = []
                while let row = try rows.next() {
                    batch.append(SharedRow(row))
                    guard batch.count == Self.batch else { continue }
                    try change.add(batch)
                    batch = []
                }
                try change.add(batch)
            }
            try change.commit()
        }
        try compare(with: journal)
        return report
    }

    /// Reads the copy of this store, and checks each row against the row before it.
    private func compare(with journal: any SharedJournal) throws {
        var head = JournalHead.start
        while true {
            let rows = try journal.rows(from: head.id + 1, limit: Self.batch)
            guard let last = rows.last else { break }
            try JournalChain.verify(rows, after: head)
            head = last.head
        }
        let own = try database.read { try JournalTable(database: $0).head() }
        guard own == head, try journal.identity().text == identity() else {
            throw StoreError(.damaged, "the copy does not end like the store", hint: "remove the copy, and try again")
        }
    }

    /// What a copy of this store has.
    /// - Throws: ``StoreError`` of kind `damaged` if a row or bytes are not as they were published.
    func copyReport() throws(StoreError) -> StoreCopyReport {
        let chain = try verifyChain()
        if let problem = chain.problem {
            throw StoreError(.damaged, "row \(problem.row) of the journal is damaged: \(problem.what)")
        }
        let contents = try database.read { try ResourceTable(database: $0).contents() }
        for digest in contents where ContentFolder.size(of: content.file(digest)) == nil {
            throw StoreError(.damaged, "the bytes \(digest.prefix(12)) of a resource are missing")
        }
        return StoreCopyReport(rows: chain.rows, files: contents.count, head: chain.head)
    }
}
