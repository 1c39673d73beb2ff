import Foundation
import GRDB
import TestSupport
import Testing

@testable import BellerophonStore

/// Long reads of the journal.
@Suite struct JournalSearchTests {
    private let test: StoreUnderTest

    init() async throws {
        test = try await StoreUnderTest()
    }

    @Test("A publication does not wait for a reader of the journal")
    func readerDoesNotBlockPublish() async throws {
        let store = test.store
        let (isReading, mayEnd) = (Watched(false), DispatchSemaphore(value: 0))
        let reading = Task {
            try await onOwnThread {
                try store.database.readList { database in
                    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM journal")
                    _ = try rows.next()
                    isReading.update { $0 = true }
                    mayEnd.wait()
                }
            }
        }
        defer { mayEnd.signal() }
        _ = try await isReading.wait(for: "reader") { $0 ? true : nil }
        let shown = Watched<Int64>(0)
        let publishing = Task {
            _ = try await store.publish(Publication(action: .kill, message: "one"), by: "ada")
            let snapshot = try store.snapshot()
            shown.update { $0 = snapshot.serial }
        }
        #expect(try await shown.wait(for: "publish") { $0 > 0 ? $0 : nil } == 1)
        mayEnd.signal()
        try await publishing.value
        try await reading.value
    }

    /// Rows with gaps, as they are after a restored backup, and with more of them than one step looks at.
    private func fill() async throws -> [Int64] {
        let groups: [ClosedRange<Int64>] = [1...3, 20_000...20_002, 4_000_000_000...4_000_000_001]
        try await test.store.database.writeHere { database in
            for id in groups.joined() {
                try database.execute(
                    sql: """
                        INSERT INTO journal (id, at, who, action, app, channel, published, digest)
                        VALUES (?, ?, 'ada', 'restore', 'shop', ?, ?, '')
                        """,
                    arguments: [id, id, id.isMultiple(of: 2) ? "even" : "odd", id])
            }
        }
        return Array(groups.joined())
    }

    @Test func stepsFindEveryRowOnceInOrder() async throws {
        let all = try await fill()
        func ids(_ filter: JournalFilter) throws -> [Int64] { try test.store.journal(filter).map(\.id) }
        let since = Date(timeIntervalSince1970: 0)
        let bounds: [(Int64?, Int64?)] = [
            (nil, nil), (2, nil), (nil, 20_001), (2, 20_001), (-5, .max), (.max, nil), (nil, -1),
        ]
        for (lower, upper) in bounds {
            let range = all.filter { $0 > lower ?? .min && $0 < upper ?? .max }
            for limit in [1, 4, 1000] {
                for channel in [nil, "even"] {
                    let wanted = range.filter { channel == nil || $0.isMultiple(of: 2) }
                    let filter = JournalFilter(channel: channel, before: upper, after: lower, since: since, limit: limit)
                    let expected = (lower == nil ? wanted.reversed() : wanted).prefix(limit)
                    #expect(try ids(filter) == Array(expected), "\(filter)")
                    var ofApp = filter
                    ofApp.app = "shop"
                    #expect(try ids(ofApp) == Array(expected), "\(ofApp)")
                    (ofApp.since, ofApp.limit) = (nil, limit)
                    #expect(try ids(ofApp) == Array(expected), "\(ofApp)")
                }
            }
        }
        #expect(try ids(JournalFilter(app: "other", since: since)).isEmpty)
    }

    @Test func aStepLooksAtABoundedNumberOfRows() async throws {
        _ = try await fill()
        var search = JournalSearch(JournalFilter(since: Date(timeIntervalSince1970: 0), limit: 1000))
        var found: [Int] = []
        while !search.isComplete {
            try test.store.step(&search)
            found.append(search.rows.count)
        }
        #expect(found.filter { $0 > 0 } == [2, 5, 8] || found == [2, 5, 8, 8], "one group of rows after the other")
        // What is published meanwhile belongs to the next search.
        var early = JournalSearch(JournalFilter(after: 0, since: Date(timeIntervalSince1970: 0), limit: 1000))
        try test.store.step(&early)
        _ = try await test.store.publish(Publication(action: .restore), by: "ada")
        while !early.isComplete { try test.store.step(&early) }
        #expect(early.rows.count == 8)
    }
}
