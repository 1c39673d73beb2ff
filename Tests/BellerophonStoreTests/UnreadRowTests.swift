import Bellerophon
import Foundation
import GRDB
import StatusModel
import TestSupport
import Testing

@testable import BellerophonStore

/// Rows that this version can't read: a newer one has written them, or they are damaged.
@Suite("Rows that can't be read", .onEveryEngine)
struct UnreadRowTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }

    init() async throws { test = try await StoreUnderTest() }

    /// What a newer version may have written in place of what this one has written, or what a fault has left.
    private static let changes: [(column: JournalColumn, former: String, newer: String?)] = [
        (.body, "", nil),
        (.body, #""rules""#, "half"),
        (.body, #""action":"kill""#, #""action":"pause""#),
        (.body, #""kind":"until""#, #""kind":"renew""#),
        (.body, #"\"effect\":\"pause\""#, #"\"effect\":\"slow\""#),
        (.body, #"{"asOf""#, #"{"additions":[],"asOf""#),
        (.action, "rules", "freeze"),
    ]

    private static let pause =
        #"{"id":"mw","effect":"pause","only":{"versions":[{"below":"2.0.0"}]},"until":"2025-11-25T07:00:00Z","message":"Soon."}"#

    /// Publishes the newest row of a scope again, with another text in one of its columns.
    @discardableResult
    private func republish(
        _ change: (column: JournalColumn, former: String, newer: String?), of scope: Scope = .main
    ) async throws -> JournalEntry {
        try await store.database.write { database in
            let journal = JournalTable(database: database)
            let row = try #require(try journal.newestRow(of: scope))
            let head = try #require(try String.fetchOne(database, sql: "SELECT digest FROM journal ORDER BY id DESC LIMIT 1"))
            var draft = JournalEntry(
                at: row.at, who: "newer", action: row.action, app: scope.app, channel: scope.channel, document: row.document,
                endsAt: row.endsAt, author: "newer")
            if let plan = row.plan { draft.set(plan) }
            let id = try journal.append(draft).id
            let name = change.column.name
            let text = try String.fetchOne(database, sql: "SELECT \(name) FROM journal WHERE id = ?", arguments: [id]) ?? ""
            let newer =
                switch change.newer {
                case "half": String(text.prefix(text.count / 2))
                case let newer?: text.replacing(change.former, with: newer)
                case nil: String?.none
                }
            #expect(newer != text)
            try database.execute(sql: "UPDATE journal SET \(name) = ? WHERE id = ?", arguments: [newer, id])
            let changed = try #require(try Row.fetchOne(database, sql: "SELECT * FROM journal WHERE id = ?", arguments: [id]))
            try database.execute(
                sql: "UPDATE journal SET digest = ? WHERE id = ?",
                arguments: [try JournalChain.digest(of: changed, after: head), id])
            return try #require(try journal.newestRow(of: scope))
        }
    }

    private func rules(_ rules: String..., remove: [String] = [], scope: Scope = .main) -> Publication {
        Publication(scope: scope, rules: RulesEdit(put: rules, remove: remove, everyone: true))
    }

    @Test("A kill in a row that can't be read is served, and nothing that would lose it is published", arguments: changes)
    func unreadRowIsServed(change: (column: JournalColumn, former: String, newer: String?)) async throws {
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        _ = try await store.publish(rules(Self.pause), by: "ada")
        let document = try #require(try test.document())
        let row = try await republish(change)
        #expect(row.unread != nil)
        for store in [store, try test.reopened()] {
            let (snapshot, status) = (try store.snapshot(), try #require(try store.status(.main)))
            #expect(String(decoding: status.body, as: UTF8.self) == document, "it is served as it is")
            #expect(status.isBlocking && status.serial == row.id)
            #expect(snapshot.unread.map(\.id) == [row.id])
        }

        let changes = [
            Publication(action: .kill), Publication(action: .restore), rules(Self.pause), rules(remove: ["mw"]),
        ]
        for publication in changes {
            let error = await storeError { try await store.publish(publication, by: "ada") }
            #expect(error?.kind == .newerStore && error?.message.contains("#\(row.id)") == true, "\(String(describing: error))")
            #expect(await storeError { try await store.propose(publication, by: "ada") }?.kind == .newerStore)
            #expect(await storeError { try store.preview(publication) }?.kind == .newerStore)
        }
        #expect(await storeError { try store.newestRow(of: .main)?.checkRead() }?.kind == .newerStore)
        test.clock.advance(by: 86_400)
        #expect(try await store.writeDue().isEmpty, "its rules' times have not the right rows here")
        #expect(try test.document() == document)

        let notes = try Scope(app: "notes")
        _ = try await store.publish(Publication(scope: notes, action: .restore), by: "ada")
        #expect(try store.snapshot().unread.count == 1, "another app goes on")
    }

    @Test("In an emergency one person stops everybody over a row that can't be read")
    func breakGlassOverUnreadRow() async throws {
        _ = try await store.publish(rules(Self.pause), by: "ada")
        try await republish(Self.changes[4])
        let kill = Publication(action: .kill, reason: "disk fire")
        #expect(await storeError { try await store.publish(kill, by: "ada") }?.kind == .newerStore)
        #expect(try store.preview(kill, breaksGlass: true).body == Data(kill.baseDocument().utf8))
        let row = try await store.publish(kill, by: "ada", breaksGlass: true)
        #expect(row.breakGlass == nil && row.plan == nil, "nothing of this app takes two persons")
        #expect(try store.snapshot().unread.isEmpty)
        #expect(try test.stage(version: "3.0.0") == .killed)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        #expect(try test.stage(version: "1.0.0") == .active)
    }

    @Test("The end of a kill in a row that can't be read is left to a version that can")
    func unreadRowEndsLater() async throws {
        _ = try await store.publish(rules(Self.pause), by: "ada")
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        let row = try await republish((.action, "kill", "freeze"))
        #expect(row.endsAt != nil)
        test.clock.advance(by: 120)
        #expect(try test.stage(version: "3.0.0") == .killed)
        #expect(try await store.writeDue().isEmpty)
        #expect(try store.nextChange() == nil, "nothing is waited for that this version does not do")
    }

    @Test("The end of a kill can be read without a plan only if nothing stands after it")
    func endWithoutWhatStands() async throws {
        let kill = Publication(action: .kill, endsAfter: .seconds(60))
        _ = try await store.publish(kill, by: "ada")
        test.clock.advance(by: 120)
        let free = try #require(try await store.writeDue().first)
        #expect(free.action == JournalEntry.endAction && free.plan == nil && free.unread == nil)
        #expect(try test.stage(version: "1.0.0") == .active)

        _ = try await store.publish(Publication(action: .update, requiredVersion: "2.0"), by: "ada")
        _ = try await store.publish(kill, by: "ada")
        test.clock.advance(by: 120)
        let left = try #require(try await store.writeDue().first)
        #expect(left.action == JournalEntry.endAction && left.unread == nil)
        #expect(try await republish((.body, "", nil)).unread == "what stands after it is missing")
        #expect(try test.stage(version: "1.0.0") == .updateRequired)
    }

    @Test("A row after one that can't be read counts")
    func laterRowCounts() async throws {
        _ = try await store.publish(rules(Self.pause), by: "ada")
        try await republish(Self.changes[1])
        let scope = Scope.main
        _ = try await store.database.write { database in
            try JournalTable(database: database).append(
                JournalEntry(
                    at: Date(timeIntervalSince1970: 1_764_050_500), who: "newer", action: "kill", app: scope.app,
                    channel: scope.channel, document: Publication(action: .kill).baseDocument(), author: "newer"))
        }
        #expect(try store.snapshot().unread.isEmpty)
        #expect(try test.stage(version: "3.0.0") == .killed)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
    }

    @Test("A channel gets its app's rules and its own, also if a row of either can't be read")
    func channelOfUnreadRow() async throws {
        let beta = try Scope(app: Scope.defaultApp, channel: "beta")
        let old = #"{"id":"old","effect":"update","only":{"versions":[{"below":"1.0.0"}]},"to":"1.0.0"}"#
        let all = #"{"id":"all","effect":"pause"}"#
        _ = try await store.publish(rules(old, scope: beta), by: "ada")
        _ = try await store.publish(rules(Self.pause), by: "ada")
        try await republish((.body, #""rules""#, "half"))
        #expect(try test.stage(beta, version: "0.9.0") != .active)
        #expect(try test.stage(beta, version: "1.5.0") == .killed, "the app's rule holds for the channel")
        #expect(try test.stage(beta, version: "2.5.0") == .active)

        // The rule that stops everybody is repeated for clients that know no rules.
        _ = try await store.publish(rules(all, scope: beta), by: "ada")
        try await republish((.body, #""rules""#, "half"), of: beta)
        let document = try test.read(beta)
        #expect(document.isInactive && document.plan?.mirrors == ["all"])
        #expect(document.rules.map(\.id) == ["mw", "old", "all"])
        let status = try #require(try store.status(beta))
        #expect(!status.isBlocking, "the channel's own status stops nobody, its rules aside")
    }

    @Test("The decision on a proposal is not forgotten because a newer version has made it")
    func unknownDecision() async throws {
        let proposal = try await store.propose(Publication(action: .kill), by: "ada")
        _ = try await store.database.write { database in
            try JournalTable(database: database)
                .append(JournalEntry(at: Date(), who: "newer", action: "defer", author: "newer", proposal: proposal.id))
        }
        #expect(await storeError { try store.proposal(proposal.id) }?.kind == .newerStore)
        #expect(await storeError { try await store.approve(proposal.id, by: "bob") }?.kind == .newerStore)
    }
}
