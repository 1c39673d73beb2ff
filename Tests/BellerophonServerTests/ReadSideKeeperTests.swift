#if Server
import BellerophonStore
@testable import BellerophonServer
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

/// What clients read while the store does not work as it should.
@Suite struct ReadSideKeeperTests {
    private let folder: TestFolder
    private let store: Store
    private let content: FailingContent

    init() throws {
        folder = try TestFolder()
        store = try Store(folder: folder.url.appendingPathComponent("store"))
        content = FailingContent(store)
    }

    private func keeper() throws -> ReadSideKeeper {
        try ReadSideKeeper(
            content, settings: ReadSettings(), gauges: Gauges(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func message(_ keeper: ReadSideKeeper) async throws -> String? {
        let body = try #require(await keeper.readSide.reply("/status")).body
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        return fields["userMessage"] as? String
    }

    @Test func aPublishThatCouldNotBeReadIsReadAtTheNextLook() async throws {
        let keeper = try keeper()
        content.failReads(true)
        _ = try await store.publish(Publication(action: .kill, message: "one"), by: "ops")
        await keeper.look()
        #expect(try await Self.message(keeper) == nil)
        content.failReads(false)
        await keeper.look()
        #expect(try await Self.message(keeper) == "one")
        // The same where the server itself published.
        content.failReads(true)
        _ = try await store.publish(Publication(action: .kill, message: "two"), by: "ops")
        await keeper.refresh()
        #expect(try await Self.message(keeper) == "one")
        content.failReads(false)
        await keeper.look()
        #expect(try await Self.message(keeper) == "two")
    }
}

/// A store's content whose reading fails when a test wants it.
private final class FailingContent: PublishedContent {
    private let store: Store
    private let readsFail = Atomic(false)

    struct Failure: Error {}

    init(_ store: Store) {
        self.store = store
    }

    func failReads(_ fail: Bool) { readsFail.store(fail, ordering: .relaxed) }

    func dataVersion() throws -> Int64 { try store.dataVersion() }

    func snapshot() throws -> Snapshot {
        guard !readsFail.load(ordering: .relaxed) else { throw Failure() }
        return try store.snapshot()
    }

    func nextEnd() throws -> Date? { try store.nextEnd() }
    func endDue() async throws -> [JournalEntry] { try await store.endDue() }
}
#endif
