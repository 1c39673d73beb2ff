import Bellerophon
import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

/// A kill and an update that stand: what replaces them, what leaves them, and what is left at an end.
@Suite("What stands", .onEveryEngine)
struct ReplacementTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }

    init() async throws {
        test = try await StoreUnderTest()
    }

    private func kill(
        for seconds: Int64? = nil, replaces: Int64? = nil, by author: Author = "ada", request: RequestKey? = nil
    ) async throws -> JournalEntry {
        var publication = Publication(action: .kill, endsAfter: seconds.map { .seconds($0) }, reason: "leak")
        publication.replaces = replaces
        return try await store.publish(publication, by: author, request: request)
    }

    private func update(
        _ version: String?, for seconds: Int64? = nil, replaces: Int64? = nil
    ) async throws -> JournalEntry {
        var publication = Publication(
            action: .update, requiredVersion: version, updateURL: "https://example.com/get",
            endsAfter: seconds.map { .seconds($0) }, reason: "old protocol")
        publication.replaces = replaces
        return try await store.publish(publication, by: "bob")
    }

    private func end(after seconds: Double) async throws -> [JournalEntry] {
        test.clock.advance(by: seconds)
        return try await store.writeDue()
    }

    @Test("A kill that ends earlier than the one that stands is refused, and says which one stands")
    func aTimedKillLiftsNoOther() async throws {
        let first = try await kill()
        let error = await storeError { try await kill(for: 90, by: "bob") }
        #expect(error?.kind == .standing)
        #expect(error?.message.hasPrefix("default/main is stopped by #\(first.id) kill by ada at ") == true)
        #expect(error?.message.hasSuffix(": leak; this kill would end earlier") == true)
        #expect(error?.hint?.contains("--replace \(first.id)") == true)
        #expect(try await end(after: 3600).isEmpty && test.stage() == .killed)
        #expect(try store.journal().count == 1)
        // Who names it means it.
        let named = try await kill(for: 90, replaces: first.id, by: "bob")
        #expect(named.plan?.replaces == first.id)
        #expect(try await end(after: 90).map(\.ends) == [named.id])
        #expect(try test.stage() == .active)
    }

    @Test("A kill that lasts at least as long needs no name, also beside rules that pause everybody")
    func extendingNeedsNoName() async throws {
        let pause = RulesEdit(put: [#"{"id":"p","effect":"pause"}"#], everyone: true)
        _ = try await store.publish(Publication(scope: .main, rules: pause), by: "ada")
        _ = try await kill(for: 60)
        _ = try await kill(for: 60)
        _ = try await kill(for: 90)
        _ = try await kill()
        #expect(try await end(after: 3600).isEmpty && test.stage() == .killed, "the ends of replaced kills end nothing")
        #expect(await storeError { try await kill(for: 86_400) }?.kind == .standing)
    }

    @Test("An update outlives the kill over it, with its author and reason, through rules and phases")
    func anUpdateOutlivesAKill() async throws {
        let update = try await update("2")
        let kill = try await kill(for: 90)
        #expect(try test.stage() == .killed)
        let rule =
            #"{"id":"w","effect":"notice","message":"Soon.","from":"\#(PlanTime.text(test.clock.now.addingTimeInterval(30)))"}"#
        _ = try await store.publish(Publication(scope: .main, rules: RulesEdit(put: [rule], everyone: true)), by: "carol")
        #expect(try await end(after: 60).map(\.action) == ["phase"])
        let ended = try #require(try await end(after: 30).first)
        #expect(ended.action == "end" && ended.ends == kill.id && ended.who == "bellerophon-server")
        #expect(ended.base.row == update.id && ended.base.who == "bob" && ended.base.reason == "old protocol")
        #expect(
            ended.reason?.hasPrefix("the time of #\(kill.id) is over; still there is #\(update.id) update by bob at ") == true)
        #expect(try test.stage() == .updateRequired && store.status(.main)?.nextChange == nil)
        #expect(try test.reopened().verifyChain().problem == nil)
    }

    @Test("A restore ends both")
    func aRestoreEndsBoth() async throws {
        _ = try await update("2")
        _ = try await kill()
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        #expect(try test.stage() == .active && store.newestRow(of: .main)?.kept.standing.isEmpty == true)
    }

    @Test("The end of a hidden update leaves the kill")
    func aHiddenEnd() async throws {
        let update = try await update("2", for: 30)
        let kill = try await kill(for: 90)
        #expect(try store.nextChange() == update.endsAt)
        let ended = try #require(try await end(after: 30).first)
        #expect(ended.ends == update.id && ended.base.row == kill.id && ended.endsAt == kill.endsAt && ended.ownEnd == nil)
        #expect(try test.stage() == .killed)
        #expect(try await end(after: 60).map(\.ends) == [kill.id])
        #expect(try test.stage() == .active && store.nextChange() == nil)
    }

    @Test("An update that ends together with the kill over it is never shown")
    func bothEndTogether() async throws {
        let update = try await update("2", for: 60)
        let kill = try await kill(for: 60)
        let rows = try await end(after: 60)
        #expect(rows.map(\.ends) == [update.id, kill.id])
        #expect(rows.map(\.base.action) == [.kill, .restore])
    }

    @Test("An update over a kill is refused unless it names the kill, and then replaces what is under it too")
    func anUpdateOverAKill() async throws {
        _ = try await update("2")
        let kill = try await kill()
        #expect(await storeError { try await update("3") }?.message.hasSuffix("; this update would lift it") == true)
        let named = try await update("1", replaces: kill.id)
        #expect(try test.stage() == .updateRequired)
        #expect(named.kept.standing.map(\.row) == [named.id])
    }

    @Test(
        arguments: [
            ("2", nil, "2", nil, nil), ("2", nil, "2.0.1", nil, nil), ("2", 60, "2", 60, nil), ("2", 60, "3", nil, nil),
            ("2-rc.1", nil, "2", nil, nil), (nil, nil, nil, nil, nil),
            ("2", nil, "2", 60, "end earlier"), ("2", 90, "3", 60, "end earlier"), ("2", nil, "1.9", nil, "require less"),
            ("2", nil, "2-rc.1", nil, "require less"),
            ("2", nil, nil, nil, "require another version, and the two can't be compared"),
        ] as [(String?, Int64?, String?, Int64?, String?)])
    func updates(former: String?, until: Int64?, newer: String?, end: Int64?, loss: String?) async throws {
        let first = try await update(former, for: until)
        let error = await storeError { try await update(newer, for: end) }
        #expect(error?.kind == (loss == nil ? nil : .standing))
        if let loss {
            #expect(error?.message.hasSuffix("; this update would \(loss)") == true, "\(error?.message ?? "")")
            _ = try await update(newer, for: end, replaces: first.id)
        }
    }

    @Test("Only what stands can be named, and a kill replaces no update")
    func whatCanBeNamed() async throws {
        #expect(await storeError { try await kill(for: 60, replaces: 1) }?.kind == .standing)
        let first = try await update("2")
        #expect(await storeError { try await kill(for: 60, replaces: first.id) }?.kind == .invalid)
        let second = try await kill()
        #expect(await storeError { try await update("3", replaces: first.id) }?.kind == .standing, "it is not what is shown")
        var restore = Publication(action: .restore)
        restore.replaces = second.id
        #expect(await storeError { try await store.publish(restore, by: "ada") }?.kind == .invalid)
        let third = try await kill()
        let error = await storeError { try await kill(for: 60, replaces: second.id) }
        #expect(error?.message.contains("there is #\(third.id) kill by ada") == true)
    }

    @Test("What a proposal replaces is compared at its approval")
    func proposals() async throws {
        let first = try await kill(for: 600)
        let key = try RequestKey("once")
        let unnamed = Publication(action: .kill, endsAfter: .seconds(60))
        var (shorter, other) = (unnamed, unnamed)
        (shorter.replaces, other.replaces) = (first.id, 7)
        let refused = await storeError { try await store.propose(unnamed, by: "ada") }
        #expect(refused?.kind == .standing)
        let proposal = try await store.propose(shorter, by: "ada", request: key)
        #expect(proposal.replaces == first.id && proposal.document?.contains("backAt") == false)
        #expect(try await store.propose(shorter, by: "ada", request: key) == proposal)
        let reused = await storeError { [other] in try await store.propose(other, by: "ada", request: key) }
        #expect(reused?.kind == .conflict)
        test.clock.advance(by: 100)
        let row = try await store.approve(proposal.id, by: "bob")
        #expect(row.plan?.replaces == first.id && row.endsAt == test.clock.now.addingTimeInterval(60))
        #expect(try test.read().backAt == Self.wholeSecond(row.endsAt))
        // An end needs nobody, and what it has ended can't be replaced any more.
        var update = Publication(action: .update, requiredVersion: "2")
        update.replaces = row.id
        let late = try await store.propose(update, by: "ada")
        test.clock.advance(by: 60)
        #expect(await storeError { try await store.approve(late.id, by: "bob") }?.kind == .conflict)
        _ = try await store.writeDue()
        #expect(try test.stage() == .active)
    }

    /// The first whole second that is not before a time.
    private static func wholeSecond(_ time: Date?) -> Date? {
        time.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) }
    }

    @Test("A repeated request is compared by what it replaces, and not by when the service is back")
    func requestKeys() async throws {
        let (first, key) = (try await kill(), try RequestKey("once"))
        let row = try await kill(for: 60, replaces: first.id, request: key)
        test.clock.advance(by: 5)
        #expect(try await kill(for: 60, replaces: first.id, request: key) == row)
        for other in [nil, row.id] {
            #expect(await storeError { try await kill(for: 60, replaces: other, request: key) }?.kind == .conflict)
        }
    }

    @Test("People are told when a kill ends, unless an update outlasts it")
    func backAt() async throws {
        let timed = try await kill(for: 60)
        let backAt = try test.read().backAt
        #expect(backAt == Self.wholeSecond(timed.endsAt) && backAt != timed.endsAt, "in whole seconds, and not too early")
        _ = try await kill()
        #expect(try test.read().backAt == nil)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        _ = try await update("2", for: 60)
        #expect(try test.read().backAt == nil)
        _ = try await kill(for: 30)
        #expect(try test.read().backAt == nil)
        _ = try await kill(for: 60)
        #expect(try test.read().backAt != nil)
    }

    @Test("People are told when the service is back as the author says, also without an end, and not of a time that is over")
    func namedReturn() async throws {
        let named = Date(timeIntervalSince1970: (test.clock.now.timeIntervalSince1970 + 7200).rounded(.down))
        func kill(_ backAt: Date, for seconds: Int? = nil) async throws {
            var publication = Publication(action: .kill, endsAfter: seconds.map { .seconds($0) })
            publication.backAt = backAt
            let read = try Publication(json: publication.json, scope: .main)
            _ = try await store.publish(read, by: "ada")
        }
        try await kill(named, for: 60)
        #expect(try test.read().backAt == named)
        try await kill(named.addingTimeInterval(60))
        #expect(try test.read().backAt == named.addingTimeInterval(60))
        #expect(await storeError { try await kill(test.clock.now) }?.kind == .invalid)
        var restore = Publication(action: .restore)
        restore.backAt = named
        #expect(throws: StoreError.self) { try restore.validate() }
    }

    @Test("The number and the date of a channel never go back, whatever its app shows")
    func channels() async throws {
        let (beta, notes) = (try Scope(app: "notes", channel: "beta"), try Scope(app: "notes"))
        _ = try await store.publish(Publication(scope: beta, action: .kill), by: "ada")
        _ = try await store.publish(Publication(scope: notes, action: .update, requiredVersion: "2"), by: "ada")
        _ = try await store.publish(Publication(scope: notes, action: .kill, endsAfter: .seconds(60)), by: "ada")
        let before = try #require(try store.status(beta))
        _ = try await store.publish(Publication(scope: notes, action: .restore), by: "ada")
        let after = try #require(try store.status(beta))
        #expect(after.serial > before.serial && after.entry == before.entry)
        #expect(try #require(after.publishedAt) > #require(before.publishedAt))
    }
}
