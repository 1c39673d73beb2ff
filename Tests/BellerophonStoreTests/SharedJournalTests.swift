import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// What servers can rely on of a journal that they share, wherever it is.
@Suite("The contract of a shared journal")
struct SharedJournalTests {
    enum Kind: CaseIterable {
        case model
        #if Postgres
        case postgres
        #endif

        static var available: [Kind] { allCases.filter { $0 == .model || PostgresServer.isInstalled } }
    }

    /// The connections of two servers.
    private func pair(_ kind: Kind) async throws -> (any SharedJournal, any SharedJournal) {
        switch kind {
        case .model:
            let journal = ModelJournal()
            return (journal, journal.another())
        #if Postgres
        case .postgres:
            let address = try await StoreDatabases.make()
            return (PostgresJournal(address), PostgresJournal(address))
        #endif
        }
    }

    private func row(_ id: Int64) -> SharedRow {
        SharedRow([.id: "\(id)", .at: "\(id)", .who: "ada", .action: "kill"], digest: "digest \(id)")
    }

    @Test("Committed rows are there for every server, in order", arguments: Kind.available)
    func committedRowsAreSeen(kind: Kind) async throws {
        let (a, b) = try await pair(kind)
        #expect(try a.rows(from: 1, limit: 10).isEmpty)
        try a.change(from: 1, limit: 1) { change in
            #expect(change.rows.isEmpty)
            try change.add([row(1), row(2), row(3)])
            try change.commit()
        }
        #expect(try b.rows(from: 2, limit: 10) == [row(2), row(3)] && b.rows(from: 1, limit: 2) == [row(1), row(2)])
        #expect(try b.has(row(2).head) && !b.has(row(4).head) && !b.has(JournalHead(id: 2, digest: "other")) && b.has(.start))
        try b.confirm()
        try b.change(from: 2, limit: 10) { #expect($0.rows == [row(2), row(3)]) }
        #expect(try a.identity() == b.identity() && !a.identity().text.isEmpty)
    }

    @Test("A change that is not committed, or whose row there is already, has no effect", arguments: Kind.available)
    func uncommittedChangeIsGone(kind: Kind) async throws {
        let (a, b) = try await pair(kind)
        try a.change(from: 1, limit: 1) { change in
            try change.add([row(1)])
            try change.save(Data("bytes".utf8), sha256: "digest")
        }
        #expect(try b.rows(from: 1, limit: 10).isEmpty && b.content("digest", from: 0, count: 10) == nil)
        for expected in [true, false] {
            #expect((await storeError { try b.commit([row(1)]) } == nil) == expected)
        }
        // The connection is of use again.
        try b.change(from: 1, limit: 10) { #expect($0.rows == [row(1)]) }
        try b.tryChange()
    }

    @Test("Changes of all servers happen one after the other, and each sees the rows before it", arguments: Kind.available)
    func changesAreSerial(kind: Kind) async throws {
        let (a, b) = try await pair(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask {
                    try await onOwnThread {
                        try (number % 2 == 0 ? a : b).change(from: 1, limit: 100) { change in
                            let last = change.rows.last?.id ?? 0
                            #expect(last == Int64(change.rows.count))
                            try change.add([row(last + 1)])
                            try change.commit()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try a.rows(from: 1, limit: 100).map(\.id) == Array(1...10))
    }

    @Test("A server that waits for rows is notified of them", arguments: Kind.available)
    func waitEndsWithRows(kind: Kind) async throws {
        let (a, b) = try await pair(kind)
        // Listens from now on.
        try b.waitForRows(.milliseconds(1))
        async let woken: Void = onOwnThread {
            // A notification that came before this wait is kept, or there are rows.
            while try b.rows(from: 1, limit: 1).isEmpty { try b.waitForRows(.seconds(3600)) }
        }
        try a.commit([row(1)])
        try await woken
    }

    @Test("The bytes of a resource are kept once, read in parts, and removed", arguments: Kind.available)
    func contentIsKept(kind: Kind) async throws {
        let (a, b) = try await pair(kind)
        #expect(try a.save(Data("the bytes".utf8), sha256: "digest") && !b.save(Data("the bytes".utf8), sha256: "digest"))
        #expect(try b.content("digest", from: 4, count: 3) == Data("byt".utf8))
        #expect(try b.content("digest", from: 9, count: 3) == Data())
        try a.change(from: 1, limit: 1) { change in
            #expect(try change.hasContent("digest"))
            try change.removeContent("digest")
            try change.commit()
        }
        #expect(try b.content("digest", from: 0, count: 3) == nil)
    }

    @Test("One server leads until its connection ends, and properties are for all", arguments: Kind.available)
    func oneServerLeads(kind: Kind) async throws {
        var (first, second): ((any SharedJournal)?, any SharedJournal) = try await pair(kind)
        #expect(try first?.lead().leads == true && second.lead().leads == false)
        #expect(try first?.lead().leads == true, "it keeps the lead")
        try first?.setProperty("told", "3")
        #expect(try second.property("told") == "3" && second.property("other") == nil)
        first = nil
        try await eventually("second server leads") { try second.lead().leads ? () : nil }
    }
}
