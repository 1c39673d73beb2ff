import Bellerophon
import BellerophonStore
import Foundation
import TestSupport
import Testing

@Suite("Timed kills", .onEveryEngine)
struct TimedKillTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    @Test func aTimedKillEndsByItselfOnce() async throws {
        let live = try test.document()
        let beta = try Scope(app: "notes", channel: "beta")
        let first = try await test.store.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        _ = try await test.store.publish(
            Publication(scope: beta, action: .update, requiredVersion: "2", endsAfter: .seconds(600)), by: "ada")
        #expect(try test.store.nextChange() == test.clock.now.addingTimeInterval(60))
        #expect(try await test.store.writeDue().isEmpty)
        test.clock.advance(by: 60)
        let ended = try await test.store.writeDue()
        #expect(ended.count == 1)
        #expect(ended.first?.ends == first.id)
        #expect(ended.first?.who == "bellerophon-server")
        #expect(ended.first?.action == "end")
        #expect(ended.first?.reason == "the time of #1 is over")
        #expect(try test.document() == live)
        #expect(try await test.reopened().writeDue().isEmpty)
        #expect(try test.store.status(beta)?.isBlocking == true)
        #expect(try test.store.nextChange() == test.clock.now.addingTimeInterval(540))
    }

    @Test("A change of a status first ends the timed one whose time is over, and no other")
    func changesEndWhatIsDue() async throws {
        let beta = try Scope(channel: "beta")
        let kill = try await test.store.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        _ = try await test.store.publish(Publication(scope: beta, action: .kill, endsAfter: .seconds(60)), by: "ada")
        test.clock.advance(by: 60)
        let update = try await test.store.publish(Publication(action: .update, requiredVersion: "2"), by: "bob", follows: kill.id)
        let rows = try test.store.journal()
        #expect(rows.map(\.action) == ["update", "end", "kill", "kill"])
        #expect(rows[0] == update && rows[1].ends == kill.id && rows[1].who == "bellerophon-server")
        #expect(try #require(rows[1].published) < #require(update.published))
        #expect(try await test.store.writeDue().map(\.scope) == [beta])
    }

    @Test("A proposal follows the end of a timed kill, and one from before that end is outdated")
    func proposalsEndWhatIsDue() async throws {
        let restore = Publication(action: .restore)
        _ = try await test.store.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        let early = try await test.store.propose(restore, by: "ada")
        test.clock.advance(by: 60)
        let late = try await test.store.propose(restore, by: "ada")
        #expect(await storeError { try await test.store.approve(early.id, by: "bob") }?.kind == .conflict)
        #expect(try await test.store.approve(late.id, by: "bob").action == "restore")
        #expect(try test.store.journal().map(\.action) == ["restore", "propose", "end", "propose", "kill"])
    }

    @Test func aTimedKillIsOverInTimeWithoutARowOfThat() async throws {
        // In a shared store, a row decides: see `SharedStoreTests`.
        guard Engine.present == .folder else { return }
        let live = try test.document()
        let kill = try await test.store.publish(Publication(action: .kill, message: "Noon.", endsAfter: .seconds(60)), by: "ada")
        #expect(try test.store.snapshot().nextChange == kill.endsAt)
        test.clock.advance(by: 59.999)
        #expect(try test.document() == kill.document)
        test.clock.advance(by: 0.001)
        let status = try #require(try test.store.status(.main))
        #expect(String(decoding: status.body, as: UTF8.self) == live)
        #expect(!status.isBlocking)
        #expect(status.publishedAt == kill.endsAt)
        #expect(status.entry?.reason == "the time of #1 is over")
        #expect(try test.store.snapshot().nextChange == nil)
        #expect(try test.store.nextChange() == kill.endsAt, "the row is still to be written")
        #expect(try await test.store.writeDue().map(\.ends) == [kill.id])
        #expect(try test.document() == live)
    }

    @Test("A restored channel gets a later date when its app's timed kill ends")
    func appEndRedatesChannel() async throws {
        // In a shared store, a row decides: see `SharedStoreTests`.
        guard Engine.present == .folder else { return }
        let beta = try Scope(app: "notes", channel: "beta")
        let kill = try await test.store.publish(
            Publication(scope: beta.wholeApp, action: .kill, endsAfter: .seconds(60)), by: "ada")
        test.clock.advance(by: 10)
        let restore = try await test.store.publish(Publication(scope: beta, action: .restore), by: "ada")
        let killed = try #require(try test.store.status(beta))
        #expect(killed.isBlocking)
        #expect(killed.publishedAt == restore.at)
        test.clock.advance(by: 50)
        let ended = try #require(try test.store.status(beta))
        #expect(!ended.isBlocking)
        #expect(ended.publishedAt == kill.endsAt)
        _ = try await test.store.writeDue()
        #expect(try test.store.status(beta)?.publishedAt == kill.endsAt)
    }
}
