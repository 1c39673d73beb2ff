import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// Requests that are carried out after somebody else has published, or after their client has gone.
@Suite("Late requests", .onEveryEngine)
struct LateRequestTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }

    init() async throws {
        test = try await StoreUnderTest()
    }

    @Test func aRestoreThatWasOvertakenByAKillIsRefused() async throws {
        let seen = try await store.publish(Publication(action: .kill, message: "one"), by: "ada").id
        let other = try await store.publish(Publication(action: .kill, message: "two", reason: "leak"), by: "bob")
        let error = await storeError { try await store.publish(Publication(action: .restore), by: "ada", follows: seen) }
        #expect(error?.kind == .overtaken)
        #expect(error?.message.contains("#\(other.id) kill by bob at ") == true)
        #expect(error?.message.hasSuffix(": leak") == true)
        #expect(try store.status(.main)?.isBlocking == true)
        // Who has seen it can lift it. Another channel's row does not count.
        _ = try await store.publish(Publication(scope: Scope(channel: "beta"), action: .kill), by: "bob")
        _ = try await store.publish(Publication(action: .restore), by: "ada", follows: store.newestRow(of: .main)?.personsRow)
    }

    @Test("A repeated request with the same key returns the first result")
    func repeatedRequestIsAccepted() async throws {
        let key = try RequestKey("once")
        let first = try await store.publish(Publication(action: .restore), by: "ada", request: key, follows: 0)
        let again = try await store.publish(Publication(action: .restore), by: "ada", request: key, follows: 0)
        #expect(again == first)
    }

    @Test(arguments: [
        // A kill without an end stops everybody, whatever was published.
        (Publication(action: .kill), Publication(action: .kill, endsAfter: .seconds(60)), true),
        (Publication(action: .kill), Publication(action: .update, requiredVersion: "2"), true),
        (Publication(action: .restore), Publication(action: .restore), true),
        (Publication(action: .update, requiredVersion: "2"), Publication(action: .restore), true),
        (Publication(action: .kill, endsAfter: .seconds(60)), Publication(action: .restore), true),
        (Publication(action: .kill, endsAfter: .seconds(60)), Publication(action: .kill, endsAfter: .seconds(30)), true),
        (Publication(action: .kill, endsAfter: .seconds(60)), Publication(action: .update, requiredVersion: "2"), true),
        (Publication(action: .update, requiredVersion: "3"), Publication(action: .update, requiredVersion: "2"), true),
        // These would let programs run that the newer row stops, now or at their end.
        (Publication(action: .kill, endsAfter: .seconds(60)), Publication(action: .kill, endsAfter: .seconds(90)), false),
        (Publication(action: .kill, endsAfter: .seconds(60)), Publication(action: .kill), false),
        (Publication(action: .update, requiredVersion: "2"), Publication(action: .kill), false),
        (Publication(action: .update, requiredVersion: "2"), Publication(action: .update, requiredVersion: "3"), false),
    ])
    func whatStopsNoLessIsPublishedAllTheSame(late: Publication, other: Publication, isPublished: Bool) async throws {
        _ = try await store.publish(other, by: "bob")
        let error = await storeError { try await store.publish(late, by: "ada", follows: 0) }
        #expect(error?.kind == (isPublished ? nil : .overtaken))
        #expect(try store.journal().count == (isPublished ? 2 : 1))
    }

    @Test func aRowThatWasNeverThereIsNoneThatWasSeen() async throws {
        let error = await storeError { try await store.publish(Publication(action: .restore), by: "ada", follows: 7) }
        #expect(error?.kind == .overtaken)
        #expect(error?.message == "default/main has no row 7; nothing was published for it yet")
    }

    /// The change has its turn, and its author goes away before it is committed.
    @Test func aChangeThatNobodyWaitsForIsNotMade() async throws {
        let (store, began, gone) = (test.store, Watched(false), DispatchSemaphore(value: 0))
        let now = test.clock.now
        let task = Task {
            try await store.database.write { database in
                began.update { $0 = true }
                gone.wait()
                return try JournalTable(database: database).append(
                    JournalEntry(
                        at: now, who: "ada", action: "restore", app: "default", channel: "main", document: "{}", author: "ada"))
            }
        }
        try await began.wait(for: "turn") { $0 ? () : nil }
        // Another one waits for its turn behind it.
        let second = Task { try await store.publish(Publication(action: .restore), by: "ada") }
        second.cancel()
        task.cancel()
        gone.signal()
        #expect(await storeError { try await task.value }?.kind == .withdrawn)
        #expect(await storeError { try await second.value }?.kind == .withdrawn)
        #expect(try store.journal().isEmpty)
        let put = Task { try await test.put("help.txt", "bytes") }
        put.cancel()
        #expect(await storeError { try await put.value }?.kind == .withdrawn)
        #expect(try store.resources().isEmpty)
        // Who comes afterwards is served.
        _ = try await store.publish(Publication(action: .kill), by: "bob")
    }
}
