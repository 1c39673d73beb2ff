import BellerophonTrust
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// The documents that clients read while the store fails.
@Suite struct ReadModelPublisherTests {
    private let folder: TestFolder
    private let clock: StillClock
    private let store: Store
    private let content: FailingContent

    init() throws {
        folder = try TestFolder()
        clock = StillClock(.wholeSecond)
        store = try Store(
            folder: folder.url.appendingPathComponent("store"), creates: true, clock: .still { [clock] in clock.now })
        content = FailingContent(store) { [clock] in clock.now }
    }

    private func publisher() throws -> ReadModelPublisher {
        try ReadModelPublisher(
            content, settings: ReadSettings(), limiters: Limiters(),
            logger: .silent)
    }

    private static func message(_ publisher: ReadModelPublisher) async throws -> String? {
        let body = try #require(await publisher.readModel.reply("/status")).body
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        return fields["userMessage"] as? String
    }

    @Test("A publication that could not be read is read at the next poll")
    func failedReadIsRetried() async throws {
        let publisher = try publisher()
        content.failReads(true)
        _ = try await store.publish(Publication(action: .kill, message: "one"), by: "ops")
        await publisher.poll()
        #expect(try await Self.message(publisher) == nil)
        #expect(await publisher.readiness().reasons == ["the store can't be read"])
        #expect(!publisher.seen.withLock { $0.isReadable })
        content.failReads(false)
        await publisher.poll()
        #expect(try await Self.message(publisher) == "one")
        #expect(await publisher.readiness().isReady)
        #expect(publisher.seen.withLock { $0.isReadable })
        // The same for a change that the server itself published.
        content.failReads(true)
        _ = try await store.publish(Publication(action: .kill, message: "two"), by: "ops")
        await publisher.refresh()
        #expect(try await Self.message(publisher) == "one")
        content.failReads(false)
        await publisher.poll()
        #expect(try await Self.message(publisher) == "two")
    }

    @Test("A timed kill ends on time even if the journal cannot be written, and the write is retried")
    func timedKillEndsWithoutJournal() async throws {
        let kill = try await store.publish(Publication(action: .kill, message: "one", endsAfter: .seconds(60)), by: "ops")
        let publisher = try publisher()
        content.failWrites(true)
        clock.advance(by: 59)
        await publisher.poll()
        #expect(try await Self.message(publisher) == "one")
        clock.advance(by: 1)
        for _ in 1...5 { await publisher.poll() }
        #expect(try await Self.message(publisher) == nil)
        #expect(try store.journal().map(\.id) == [kill.id])
        #expect(content.state.value.failures == 1, "it is not tried at every look")
        clock.advance(by: 1)
        await publisher.poll()
        #expect(content.state.value.failures == 2)
        content.failWrites(false)
        clock.advance(by: 2)
        await publisher.poll()
        #expect(try store.journal().first?.ends == kill.id)
        #expect(try await Self.message(publisher) == nil)
        #expect(await publisher.readModel.snapshot.serial == kill.id + 1)
    }

    @Test("Only the leading server of a shared store ends a timed kill")
    func onlyLeaderEndsTimedKill() async throws {
        let kill = try await store.publish(Publication(action: .kill, message: "one", endsAfter: .seconds(60)), by: "ops")
        let publisher = try publisher()
        content.share(leads: false)
        clock.advance(by: 61)
        await publisher.poll()
        #expect(try await Self.message(publisher) == "one", "somebody may have prolonged it")
        #expect(try store.journal().map(\.id) == [kill.id])
        content.share(leads: true)
        await publisher.poll()
        #expect(try await Self.message(publisher) == nil)
        #expect(try store.journal().first?.ends == kill.id)
    }

    @Test("A server of a shared store has every row only once clients are served from it")
    func readinessFollowsWhatIsServed() async throws {
        content.change { $0.reached(asked: Self.old) }
        let publisher = try publisher()
        #expect(await !publisher.readiness().isReady)
        #expect(Self.last(publisher) == Self.old)
        // The copy has every row, and clients are served what was read before.
        content.failReads(true)
        _ = try await store.publish(Publication(action: .kill, message: "one"), by: "ops")
        content.change { $0.reached(asked: Self.recent) }
        await publisher.poll()
        #expect(await publisher.readiness().reasons.count == 2, "the store can't be read, and clients are served old rows")
        #expect(Self.last(publisher) == Self.old)
        content.failReads(false)
        await publisher.poll()
        #expect(try await Self.message(publisher) == "one")
        #expect(await publisher.readiness().isReady)
        #expect(Self.last(publisher) == Self.recent)
        // That there is nothing new counts too.
        content.change { $0.reached(asked: Self.recent + .seconds(1)) }
        await publisher.poll()
        #expect(Self.last(publisher) == Self.recent + .seconds(1))
    }

    /// When the server had every row of what it serves.
    private static func last(_ publisher: ReadModelPublisher) -> ContinuousClock.Instant? {
        publisher.contact(publisher.seen.withLock { $0 })?.last
    }

    /// Later than any moment of a test, however long it takes.
    private static let recent = ContinuousClock.now + .seconds(86400)
    private static let old = ContinuousClock.now - .seconds(3600)

    @Test("Signing again does not make what clients are served look older")
    func signingKeepsAge() async throws {
        content.change { $0.reached(asked: Self.old) }
        let publisher = try publisher()
        content.change { $0.reached(asked: Self.recent) }
        await publisher.poll()
        await publisher.sign(with: DocumentSigner(try .generate(), lifetime: .seconds(3600)))
        #expect(Self.last(publisher) == Self.recent)
    }

    @Test("A server misses bytes from when it knows a row until clients are served without them missing")
    func bytesAreMissingUntilServed() async throws {
        content.change { $0.reached(asked: Self.recent) }
        let publisher = try publisher()
        let missing = ["the bytes of resources are missing in the shared content: 1"]
        content.change { ($0.missing, $0.generation) = (["00"], 1) }
        #expect(await publisher.readiness().reasons == missing, "before any client is served the row")
        await publisher.poll()
        content.change { ($0.missing, $0.generation) = ([], 2) }
        #expect(await publisher.readiness().reasons == missing, "no client is served the bytes yet")
        await publisher.poll()
        #expect(await publisher.readiness().isReady)
    }

    @Test("A problem with the shared journal is over once clients are served what came after it")
    func problemEndsOnceServed() async throws {
        content.change { $0 = SharedContact() }
        let publisher = try publisher()
        content.change { $0.reached(asked: Self.recent) }
        #expect(await publisher.readiness().reasons == ["the shared store is out of reach"])
        await publisher.poll()
        #expect(await publisher.readiness().isReady)
    }
}

/// A store's content that fails on request.
final class FailingContent: PublishedContent {
    struct State: Sendable {
        var (readsFail, versionsFail, writesFail, checksFail, checksWait) = (false, false, false, false, false)
        var (isShared, leads) = (false, true)
        /// The contact with a shared journal.
        var contact: SharedContact?
        var freeBytes: Int64? = 1 << 40
        var writeTrouble: StoreError?
        /// The numbers of failed writes, and of checks whether the store can be written.
        var (failures, checks) = (0, 0)
    }

    struct Failure: Error {}

    private let store: Store
    private let clock: @Sendable () -> Date
    let state = Watched(State())
    /// Lets a check go on that waits.
    let gate = DispatchSemaphore(value: 0)

    init(_ store: Store, clock: @escaping @Sendable () -> Date = { Date() }) { (self.store, self.clock) = (store, clock) }

    func failReads(_ fail: Bool) { state.update { $0.readsFail = fail } }
    func failVersions() { state.update { $0.versionsFail = true } }
    func failWrites(_ fail: Bool) { state.update { $0.writesFail = fail } }
    func share(leads: Bool) { state.update { ($0.isShared, $0.leads) = (true, leads) } }

    func change(_ change: (inout SharedContact) -> Void) {
        state.update { state in
            var contact = state.contact ?? SharedContact()
            change(&contact)
            state.contact = contact
        }
    }

    var isShared: Bool { state.value.isShared }
    var leads: Bool { state.value.leads }
    var sharedContact: SharedContact? { state.value.contact }
    var writeTrouble: StoreError? { state.value.writeTrouble }
    func freeBytes() -> Int64? { state.value.freeBytes }
    var now: Date { clock() }
    var endTime: Date { store.endTime }
    var clockProblem: ClockProblem? { nil }
    func keepClock() async {}
    func lookAtKeptClock() throws {}
    var contentDamage: ContentDamage { ContentDamage() }
    var presentFile: FileIdentity? { store.presentFile }
    func nextChange() throws -> Date? { try store.nextChange() }

    func dataVersion() throws -> Int64 {
        guard !state.value.versionsFail else { throw Failure() }
        return try store.dataVersion() &+ (sharedContact?.generation ?? 0) << 32
    }

    func snapshot() throws -> Snapshot {
        guard !state.value.readsFail else { throw Failure() }
        var snapshot = try store.snapshot()
        snapshot.contact = sharedContact
        return snapshot
    }

    func checkWritable() throws {
        state.update { $0.checks += 1 }
        if state.value.checksWait { gate.wait() }
        if state.value.checksFail { throw Failure() }
    }

    func writeDue() async throws -> [JournalEntry] {
        guard !state.value.writesFail else {
            state.update { $0.failures += 1 }
            throw Failure()
        }
        return try await store.writeDue()
    }
}
