import Bellerophon
import BellerophonBase
import Foundation
import GRDB
import StatusModel
import TestSupport
import Testing

@testable import BellerophonStore

/// Rules beside a status, and what time makes of them.
@Suite("Plans of rules", .onEveryEngine)
struct PlanTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }

    init() async throws { test = try await StoreUnderTest() }

    /// A time after the start, in whole seconds.
    private func time(_ seconds: TimeInterval) -> String {
        PlanTime.text(Date(timeIntervalSince1970: 1_764_050_400 + seconds))
    }

    private func window(_ id: String = "mw", announce: Double? = 100, from: Double, until: Double, only: String? = nil) -> String
    {
        JSONNode.object([
            ("id", .text(id)), ("effect", .text("pause")), ("only", only.flatMap { try? JSONReader.read(Data($0.utf8)) }),
            ("announce", announce.map { .text(time($0)) }), ("from", .text(time(from))), ("until", .text(time(until))),
            ("message", .text("We move the disks.")),
        ]).compactText()
    }

    private static let update = #"{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"}"#

    @discardableResult
    private func put(
        _ rules: String..., remove: [String] = [], scope: Scope = .main, request: RequestKey? = nil, follows: Int64? = nil
    ) async throws -> JournalEntry {
        try await store.publish(
            Publication(scope: scope, rules: RulesEdit(put: rules, remove: remove, everyone: true), reason: "why"), by: "ada",
            request: request, follows: follows)
    }

    @Test("A member that clients may ignore is published unchanged, and another unknown one is refused")
    func unknownMembersOfARule() async throws {
        let rule =
            #"{"id":"a","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2","conceal":{"b":[1.50]},"optional":["conceal"]}"#
        _ = try await put(rule)
        let body = String(decoding: try #require(try store.status(.main)).body, as: UTF8.self)
        #expect(body.contains(#""optional":["conceal"],"conceal":{"b":[1.50]}"#), "\(body)")
        #expect(try test.stage(version: "1.4.0") == .updateRequired)
        for refused in [#""conceal":true"#, #""onyl":{}"#, #""conceal":1,"optional":[]"#, #""conceal":1,"optional":["x"]"#] {
            await #expect(throws: StoreError.self) { try await put(#"{"id":"b","effect":"pause",\#(refused)}"#) }
        }
    }

    @Test("Rules are published beside the status, replaced in their place, and removed")
    func rulesChange() async throws {
        let row = try await put(Self.update, window(from: 200, until: 300))
        #expect(row.action == "rules" && row.plan?.change?.added == ["min-15", "mw"] && row.reason == "why")
        #expect(try test.stage(version: "1.4.0") == .updateRequired && test.stage(version: "1.5.2") == .active)
        let second = try await put(Self.update.replacing("1.5.2", with: "1.6.0"), remove: ["mw"])
        #expect(second.plan?.change?.text == "~min-15 -mw")
        #expect(try test.read().plan?.entries.compactMap(\.rule?.id) == ["min-15"])
        #expect(try test.stage(version: "1.5.2") == .updateRequired)
        try await put(remove: ["min-15"])
        #expect(try test.read().plan == nil && test.reopened().verifyChain().problem == nil)
    }

    @Test("A kill and a restore leave the rules, and a change of rules leaves the kill with its author")
    func baseAndRulesStandBesideEachOther() async throws {
        try await put(Self.update)
        let kill = try await store.publish(Publication(action: .kill, message: "Stop.", reason: "fire"), by: "bob")
        #expect(try test.read().isInactive && test.read().plan?.entries.count == 1)
        let edit = try await put(Self.update.replacing("1.5.2", with: "1.6.0"))
        let status = try #require(try store.status(.main))
        #expect(try status.isBlocking && test.read().isInactive && test.read().message == "Stop.")
        #expect(edit.base.row == kill.id && edit.base.who == "bob" && edit.base.reason == "fire" && edit.base.action == .kill)
        _ = try await store.publish(Publication(action: .restore), by: "bob")
        #expect(try test.stage(version: "1.5.2") == .updateRequired && test.stage(version: "1.6.0") == .active)
    }

    @Test("Each phase has a row and changes what clients get, once and in order")
    func phases() async throws {
        try await put(window(from: 200, until: 300))
        #expect(try await store.writeDue().isEmpty)
        var served: [String] = []
        for (seconds, reason) in [(100.0, "mw is announced"), (100, "mw begins"), (100, "mw ends")] {
            test.clock.advance(by: seconds)
            let rows = try await store.writeDue()
            #expect(
                rows.map(\.reason) == [reason] && rows.map(\.who) == ["bellerophon-server"] && rows.map(\.action) == ["phase"])
            #expect(try await store.writeDue().isEmpty)
            #expect(try await test.reopened().writeDue().isEmpty)
            served.append(try #require(try test.document()))
        }
        #expect(served[0].contains(#""announce""#) && !served[0].contains("mirrors"))
        #expect(!served[1].contains(#""from""#) && served[1].contains(#""mirrors":["mw"]"#))
        #expect(
            served[1].hasPrefix(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":60,"userMessage":"We move the disks."#))
        #expect(!served[2].contains("rules") && served[2].contains(#""apiInactive":false"#))
        #expect(try store.nextChange() == nil)
    }

    @Test("Phases that were due while no server ran are written at the next start, in their order over all apps")
    func missedPhases() async throws {
        let notes = try Scope(app: "notes")
        try await put(window(from: 200, until: 300))
        try await put(window("other", announce: nil, from: 150, until: 250), scope: notes)
        test.clock.advance(by: 1000)
        let rows = try await test.reopenedHere().writeDue()
        #expect(rows.map(\.reason) == ["mw is announced", "other begins", "mw begins", "other ends", "mw ends"])
        #expect(rows.map(\.plan?.phase?.at.timeIntervalSince1970) == [100, 150, 200, 250, 300].map { 1_764_050_400 + $0 })
    }

    @Test("Clients get what time has changed even while the journal has no row of it")
    func effectiveWithoutARow() async throws {
        guard !store.isShared else { return }
        try await put(window(from: 200, until: 300))
        test.clock.advance(by: 250)
        #expect(try test.read().isInactive)
        test.clock.advance(by: 250)
        #expect(try !test.read().isInactive && test.read().plan == nil)
        #expect(try store.nextChange() != nil, "the rows are still to be written")
    }

    @Test("Who has stopped the service by hand has done so for longer than the window")
    func aKillOutlivesTheWindow() async throws {
        try await put(window(from: 200, until: 300))
        test.clock.advance(by: 200)
        _ = try await store.publish(Publication(action: .kill), by: "bob")
        #expect(try #require(try test.document()).contains("mirrors") == false && test.read().isInactive)
        test.clock.advance(by: 100)
        _ = try await store.writeDue()
        #expect(try test.read().isInactive && test.read().plan == nil && store.status(.main)?.isBlocking == true)
    }

    @Test("A timed kill ends in time between phases, and its rules stay")
    func timedKillsAndPhases() async throws {
        try await put(Self.update, window(from: 200, until: 300))
        let kill = try await store.publish(Publication(action: .kill, endsAfter: .seconds(250)), by: "bob")
        test.clock.advance(by: 220)
        #expect(try await store.writeDue().map(\.action) == ["phase", "phase"])
        #expect(try store.status(.main)?.endsAt == kill.endsAt)
        test.clock.advance(by: 40)
        let end = try await store.writeDue()
        #expect(end.map(\.action) == ["end"] && end.first?.reason == "the time of #\(kill.id) is over")
        #expect(try test.read().plan?.mirrors == ["mw"], "the window goes on")
        test.clock.advance(by: 60)
        #expect(try await store.writeDue().map(\.reason) == ["mw ends"])
        #expect(try test.stage(version: "1.4.0") == .updateRequired && !test.read().isInactive)
    }

    @Test("A channel has the rules of its app and its own, and every change of either has a later serial and date")
    func channels() async throws {
        let beta = try Scope(app: "notes", channel: "beta"), notes = try Scope(app: "notes")
        _ = try await store.publish(Publication(scope: beta, action: .restore), by: "ada")
        try await put(Self.update, scope: notes)
        #expect(try test.stage(beta, version: "1.4.0") == .updateRequired)
        let first = try #require(try store.status(beta))
        try await put(#"{"id":"b","effect":"pause","only":{"versions":[{"from":"2"}]}}"#, scope: beta)
        #expect(
            try test.stage(beta, version: "2.1") == .killed && test.stage(beta, version: "1.4.0") == .updateRequired
                && test.stage(notes, version: "2.1") == .active)
        let second = try #require(try store.status(beta))
        #expect(second.serial > first.serial && second.publishedAt ?? .distantPast > first.publishedAt ?? .distantFuture)
        _ = try await store.publish(Publication(scope: notes, action: .kill), by: "ada")
        #expect(try test.stage(beta, version: "1.9") == .killed)
        _ = try await store.publish(Publication(scope: notes, action: .restore), by: "ada")
        _ = try await store.publish(Publication(scope: beta, action: .kill), by: "ada")
        try await put(remove: ["min-15"], scope: notes)
        #expect(try test.read(beta).isInactive && test.read(beta).plan?.entries.count == 1)
    }

    @Test("A request that is repeated is performed once, and its key can't be used for other rules")
    func requests() async throws {
        let key = try RequestKey("k1")
        let row = try await put(Self.update, request: key)
        test.clock.advance(by: 5)
        #expect(try await put(Self.update, request: key) == row)
        _ = try await store.publish(Publication(action: .kill), by: "bob", request: try RequestKey("k2"))
        try await put(window(from: 200, until: 300))
        #expect(try await store.publish(Publication(action: .kill), by: "bob", request: try RequestKey("k2")).action == "kill")
        let other = Self.update.replacing("1.5.2", with: "9")
        #expect(await storeError { try await put(other, request: key) }?.kind == .conflict)
        #expect(try store.journal().count == 3)
    }

    @Test("A repeated request is confirmed also when its rule is over, and a new one is refused then")
    func lateRequests() async throws {
        let rule = window(from: 200, until: 300), key = try RequestKey("late")
        let row = try await put(rule, request: key)
        test.clock.advance(by: 400)
        #expect(try await put(rule, request: key) == row)
        #expect(await storeError { try await put(rule) }?.message.contains("mw: ") == true)
    }

    @Test("A rule for everybody has to be asked for; what covers everybody already holds up no other change")
    func everybody() async throws {
        let all = Publication(scope: .main, rules: RulesEdit(put: [window(from: 200, until: 300)]))
        let error = await storeError { try await store.publish(all, by: "ada") }
        #expect(error?.kind == .invalid && error?.hint?.contains("--everyone") == true)
        try await put(window(from: 200, until: 300))
        _ = try await store.publish(Publication(scope: .main, rules: RulesEdit(put: [Self.update])), by: "ada")
        let longer = Publication(scope: .main, rules: RulesEdit(put: [window(from: 200, until: 301)]))
        #expect(await storeError { try await store.publish(longer, by: "ada") }?.kind == .invalid)
    }

    @Test("Who changes rules has seen the newest row; a phase meanwhile is nobody's change")
    func following() async throws {
        let row = try await put(window(from: 200, until: 300))
        test.clock.advance(by: 150)
        _ = try await store.writeDue()
        #expect(try store.newestRow(of: .main)?.personsRow == row.id)
        let second = try await put(Self.update, follows: row.id)
        #expect(await storeError { try await put(remove: ["mw"], follows: row.id) }?.kind == .overtaken)
        try await put(remove: ["mw"], follows: second.id)
    }

    @Test(
        "What clients would not understand, or what changes nothing, is refused with the reason",
        arguments: [
            (#"{"effect":"pause"}"#, "\"id\" must be a name"), ("[]", "must be a JSON object"), ("{", "no JSON"),
            (#"{"id":"x","effect":"pause","only":{"country":"de"}}"#, "condition \"country\" is not known"),
            (#"{"id":"x","effect":"pause","except":[{"country":"de"}]}"#, "in \"except\" of the rule x exempts every app"),
            (#"{"id":"x","effect":"pause","from":"tomorrow"}"#, "must be a time"),
            (#"{"id":"x","effect":"update","to":"latest"}"#, "\"to\" of the rule x can't be used"),
            (#"{"id":"x","effect":"update","link":"ftp://example.com"}"#, "\"link\" of the rule x can't be used"),
            (#"{"id":"x","effect":"notice","level":"loud"}"#, "\"level\" of the rule x can't be used"),
            (#"{"id":"x","effect":"notice","message":" "}"#, "the message of the rule x has no text"),
        ])
    func refusals(rule: String, reason: String) async throws {
        let error = await storeError { try await put(rule) }
        #expect(error?.kind == .invalid && error?.message.contains(reason) == true, "\(error?.message ?? "nothing")")
        #expect(try store.journal().isEmpty)
    }

    @Test func removingWhatIsNotThereNamesWhatIs() async throws {
        try await put(Self.update)
        let error = await storeError { try await put(remove: ["min-16"]) }
        #expect(error?.kind == .notFound && error?.hint?.contains("min-15") == true)
        #expect(await storeError { try await put() }?.kind == .invalid)
    }

    @Test("A rule for everybody takes two persons where a kill does, also to remove; another one does not")
    func twoPersons() async throws {
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["default"]))
        try await put(Self.update)
        let all = Publication(scope: .main, rules: RulesEdit(put: [window(from: 200, until: 300)], everyone: true))
        #expect(await storeError { try await store.publish(all, by: "ada") }?.kind == .needsApproval)
        let proposal = try await store.propose(all, by: "ada")
        #expect(proposal.rules?.put.count == 1 && proposal.document?.contains("mw") == true)
        let row = try await store.approve(proposal.id, by: "bob")
        #expect(row.action == "rules" && row.proposedBy == "ada")
        #expect(await storeError { try await put(remove: ["mw"]) }?.kind == .needsApproval)
        try await put(remove: ["min-15"])
    }

    @Test("A proposal outlives a phase, but not another person's change")
    func proposalsAndPhases() async throws {
        try await put(window(from: 200, until: 300))
        let first = try await store.propose(Publication(scope: .main, rules: RulesEdit(put: [Self.update])), by: "ada")
        let second = try await store.propose(Publication(scope: .main, rules: RulesEdit(remove: ["mw"])), by: "ada")
        test.clock.advance(by: 150)
        _ = try await store.writeDue()
        _ = try await store.approve(first.id, by: "bob")
        #expect(await storeError { try await store.approve(second.id, by: "bob") }?.kind == .conflict)
    }
}
