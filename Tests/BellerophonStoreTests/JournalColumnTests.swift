import Foundation
import GRDB
import TestSupport
import Testing

@testable import BellerophonStore

/// The description of a row, from which tables, digests and shared rows follow.
@Suite("Columns of the journal") struct JournalColumnTests {
    @Test("The digest of a row is that of its columns with a value, in their order")
    func digests() throws {
        let early: [JournalColumn: String] = [
            .id: "7", .at: "1763900000000", .who: "ada", .action: "kill", .app: "default", .channel: "main", .reason: "größer",
            .document: "{}", .endsAt: "1763900060000", .published: "1763900000001", .author: #"{"name":"ada"}"#, .request: "r-1",
        ]
        let first = try JournalChain.digest(values: JournalColumn.allCases.map { early[$0] }, after: JournalChain.start)
        #expect(first == "6d7bc3f3baa3e7d912e05076722fd760b0eeb3fbd451c186be95e3a3673425dd")
        let full = JournalColumn.allCases.dropLast().enumerated().map { $1.isNumber ? "\($0)" : "v\($0)" }
        #expect(
            try JournalChain.digest(values: full, after: first)
                == "816d575071a072269ea57efa6a28944fc143d6e345795955c75bc66c037e86c7")
    }

    @Test("The table has every column with its type, and beside them only the digest")
    func table() throws {
        let store = try Store(folder: try TestFolder().url.appendingPathComponent("store"), creates: true)
        let columns = try store.database.read { try $0.columns(in: "journal") }
        #expect(Set(columns.map(\.name)) == Set(JournalColumn.allCases.map(\.name) + ["digest"]))
        for column in JournalColumn.allCases {
            #expect(columns.first { $0.name == column.name }?.type == (column.isNumber ? "INTEGER" : "TEXT"), "\(column)")
        }
    }
}
