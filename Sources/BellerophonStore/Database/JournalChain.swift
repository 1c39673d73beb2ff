import Digests
import Foundation
import GRDB

/// The hash chain over the journal's rows.
///
/// Each row has the SHA-256 of its own fields and of the previous digest. With a digest that was kept elsewhere, anyone
/// can check whether a row up to it was changed, added or removed.
struct JournalChain {
    /// The previous digest of the first row.
    static let start = ""

    /// The digest of a row.
    /// - Parameters:
    ///   - values: the values of ``JournalColumn`` as text. Those without a value are left out.
    ///   - previous: the digest of the previous row.
    static func digest(values: [String?], after previous: String) throws -> String {
        // The lengths make the boundaries between fields unambiguous.
        let text = zip(JournalColumn.allCases, values).map { column, value in
            value.map { "\(column.name) \($0.utf8.count) \($0)\n" } ?? ""
        }.joined()
        guard let digest = Digest(.sha256, of: Data("\(previous)\n\(text)".utf8)) else {
            throw StoreError(.failed, "this system offers no SHA-256")
        }
        return digest.hex
    }

    static func digest(of row: Row, after previous: String) throws -> String {
        try digest(values: JournalColumn.allCases.map { $0.text(row) }, after: previous)
    }

    /// Checks that each row of a shared journal follows the row before it.
    /// - Parameter head: the row before the first one.
    static func verify(_ rows: [SharedRow], after head: JournalHead) throws(StoreError) {
        var last = head.digest
        for row in rows {
            guard let found = try? Self.digest(values: row.values, after: last), found == row.digest else {
                throw StoreError(
                    .damaged, "row \(row.id) of the shared journal does not follow the rows of this server's copy",
                    hint:
                        "was the database brought back from a backup? Then see the guide: docs/cluster.md; the copy is served as it is"
                )
            }
            last = row.digest
        }
    }
}

/// The result of verifying the whole chain.
package struct ChainReport: Codable, Equatable, Sendable {
    /// An invalid row, and what is wrong with it.
    package struct Problem: Codable, Equatable, Sendable {
        package let row: Int64
        package let what: String
    }

    /// The number of rows in the journal.
    package private(set) var rows = 0
    /// The newest row.
    package private(set) var newest: Int64?
    /// The newest row's digest, for keeping elsewhere.
    package private(set) var head: String?
    /// The first row that does not match; nil if all do.
    package private(set) var problem: Problem?
    /// The row with the expected digest; nil without an expected digest, or if no row has it.
    package private(set) var expectedRow: Int64?

    fileprivate mutating func add(_ row: Row, expected: String?) throws {
        let id: Int64 = row["id"]
        rows += 1
        newest = id
        guard let digest = row["digest"] as String? else {
            if problem == nil { problem = .init(row: id, what: "it has no digest") }
            return
        }
        if problem == nil, try JournalChain.digest(of: row, after: head ?? JournalChain.start) != digest {
            problem = .init(row: id, what: "it, or a row before it, was changed, added or removed")
        }
        if digest == expected, problem == nil { expectedRow = id }
        head = digest
    }
}

extension Store {
    /// Reads the whole journal and recomputes its chain.
    /// - Parameter expected: a digest from an earlier verification, in hexadecimal.
    package func verifyChain(expected: String? = nil) throws(StoreError) -> ChainReport {
        try database.read { database in
            var report = ChainReport()
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM journal ORDER BY id")
            while let row = try rows.next() { try report.add(row, expected: expected?.lowercased()) }
            return report
        }
    }
}
