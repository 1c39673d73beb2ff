import Bellerophon
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// Statuses that take two persons.
@Suite("Proposals", .onEveryEngine)
struct ProposalTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }
    private let ada: Author = "ada"
    private let bob: Author = "bob"
    private let kill = Publication(action: .kill, message: "Back at noon.", reason: "disk swap")

    init() async throws {
        test = try await StoreUnderTest()
        try await test.store.tightenApprovalRule(to: ApprovalRule(apps: ["default", "notes"], lifetime: 3600))
    }

    @Test func oneProposesAndAnotherPublishes() async throws {
        let proposal = try await store.propose(kill, by: ada)
        #expect(proposal.state == .open && proposal.proposedBy == "ada" && proposal.reason == "disk swap")
        #expect(proposal.expiresAt == test.clock.now.addingTimeInterval(3600))
        #expect(try store.status(.main)?.isBlocking == false, "a proposal changes nothing for clients")
        #expect(try test.reopened().proposals() == [proposal])

        test.clock.advance(by: 60)
        let entry = try await store.approve(proposal.id, by: bob)
        #expect(entry.who == "bob" && entry.proposedBy == "ada" && entry.proposal == proposal.id)
        #expect(entry.document == proposal.document && entry.reason == "disk swap" && entry.breakGlass == nil)
        #expect(try store.status(.main)?.isBlocking == true)
        let decided = try store.proposal(proposal.id)
        #expect(decided.state == .approved && decided.decidedBy == "bob" && decided.entry == entry.id)
        #expect(try store.proposals().isEmpty && store.proposals(openOnly: false) == [decided])
        #expect(try store.verifyChain().problem == nil)
        let other = try test.reopened()
        try other.catchUp()
        #expect(try other.proposal(proposal.id) == decided && other.status(.main) == store.status(.main))
    }

    @Test("A proposal of a token that was revoked since is not approved, and can be rejected")
    func revokedTokenOfProposer() async throws {
        _ = try await store.createToken(TokenRequest(name: "ci", scopes: try TokenScope.list("publish")), by: "root")
        let proposal = try await store.propose(kill, by: .token("ci"))
        _ = try await store.revokeToken(name: "ci", by: "root")
        let error = await storeError { try await store.approve(proposal.id, by: bob) }
        #expect(error?.kind == .conflict && error?.message.contains("the token ci, which was revoked") == true)
        #expect(try store.status(.main)?.isBlocking == false)
        #expect(try await store.reject(proposal.id, by: bob).state == .rejected)
    }

    @Test func oneAloneCanPublishNothingForTheWholeApp() async throws {
        for action in [StatusAction.kill, .update, .restore] {
            let publication = Publication(action: action, requiredVersion: action == .update ? "2" : nil)
            let error = await storeError { try await store.publish(publication, by: ada) }
            #expect(error?.kind == .needsApproval && error?.hint?.contains("--propose") == true)
            #expect(error?.hint?.contains("--break-glass") == (action == .kill))
            #expect(try store.journal().map(\.action) == ["approval-rule"])
        }
    }

    @Test("One person can publish for apps outside the approval rule, and a star covers all apps")
    func ruleCoversListedAppsOnly() async throws {
        for scope in [try Scope(app: "other"), try Scope(app: "notes", channel: "beta")] {
            _ = try await store.publish(Publication(scope: scope, action: .kill), by: ada)
        }
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["*"]))
        let other = Publication(scope: try Scope(app: "other"), action: .restore)
        #expect(await storeError { try await store.publish(other, by: ada) }?.kind == .needsApproval)
    }

    @Test("The person who proposed a change cannot approve it")
    func proposerCannotApprove() async throws {
        let proposal = try await store.propose(kill, by: ada)
        let error = await storeError { try await store.approve(proposal.id, by: ada) }
        #expect(error?.kind == .needsApproval)
        #expect(try store.proposal(proposal.id).state == .open)
        // A local user without a login of their own is told apart by the account.
        let local = try await store.propose(kill, by: "root")
        #expect(await storeError { try await store.approve(local.id, by: "root") }?.kind == .needsApproval)
        _ = try await store.approve(local.id, by: ada)
    }

    @Test func aProposalExpires() async throws {
        let proposal = try await store.propose(kill, by: ada)
        test.clock.advance(by: 3600)
        #expect(try store.proposals().isEmpty && store.proposal(proposal.id).state == .expired)
        let error = await storeError { try await store.approve(proposal.id, by: bob) }
        #expect(error?.kind == .conflict && error?.message.contains("has expired") == true)
        #expect(try store.status(.main)?.isBlocking == false)
    }

    @Test func anOlderProposalLiftsNoNewerKill() async throws {
        let restore = try await store.propose(Publication(action: .restore), by: ada)
        _ = try await store.publish(kill, by: bob, breaksGlass: true)
        let error = await storeError { try await store.approve(restore.id, by: bob) }
        #expect(error?.kind == .conflict && error?.message.contains("another status") == true)
        #expect(try store.status(.main)?.isBlocking == true)
    }

    @Test func aRejectedProposalStaysRejected() async throws {
        let proposal = try await store.propose(kill, by: ada)
        let rejected = try await store.reject(proposal.id, by: ada, reason: "wrong app")
        #expect(rejected.state == .rejected && rejected.decidedBy == "ada")
        #expect(try await store.reject(proposal.id, by: bob).decidedBy == "ada", "a repetition changes nothing")
        #expect(await storeError { try await store.approve(proposal.id, by: bob) }?.kind == .conflict)
        let row = try #require(try store.journal().first)
        #expect(row.action == "reject" && row.proposal == proposal.id && row.reason == "wrong app")
        #expect(await storeError { try await store.approve(4711, by: bob) }?.kind == .notFound)
    }

    @Test func requestsThatAreRepeatedCountOnce() async throws {
        let (first, second) = (try RequestKey("one"), try RequestKey("two"))
        let proposal = try await store.propose(kill, by: ada, request: first)
        #expect(try await store.propose(kill, by: ada, request: first) == proposal)
        let other = Publication(action: .restore)
        #expect(await storeError { try await store.propose(other, by: ada, request: first) }?.kind == .conflict)
        var (longer, unexplained, unheard, channel) = (kill, kill, kill, kill)
        longer.endsAfter = .seconds(600)
        unexplained.reason = nil
        unheard.facts[.message] = nil
        channel.scope = try Scope(channel: "beta")
        for changed in [longer, unexplained, unheard, channel] {
            let error = await storeError { try await store.propose(changed, by: ada, request: first) }
            #expect(error?.kind == .conflict && error?.message.contains("was used for another request") == true)
        }
        // A length that no Double has exactly.
        let timed = Publication(action: .kill, endsAfter: .milliseconds(1001))
        let (third, same) = (try RequestKey("three"), try await store.propose(timed, by: ada, request: RequestKey("three")))
        #expect(try await store.propose(timed, by: ada, request: third) == same)
        _ = try await store.reject(same.id, by: ada)
        let entry = try await store.approve(proposal.id, by: bob, request: second)
        #expect(try await store.approve(proposal.id, by: bob, request: second) == entry)
        #expect(try store.journal().map(\.action) == ["kill", "reject", "propose", "propose", "approval-rule"])
    }

    @Test("A timed proposal ends the given time after its approval")
    func timedProposalEndsAfterApproval() async throws {
        let proposal = try await store.propose(Publication(action: .kill, endsAfter: .seconds(600)), by: ada)
        #expect(proposal.endsAfter == 600)
        test.clock.advance(by: 1800)
        #expect(try await store.approve(proposal.id, by: bob).endsAt == test.clock.now.addingTimeInterval(600))
        test.clock.advance(by: 601)
        #expect(try await store.writeDue().count == 1, "the end was approved too")
        #expect(try store.status(.main)?.isBlocking == false)
    }

    @Test("In an emergency one person can publish a kill, and two persons are needed to lift it")
    func breakGlassKillsAlone() async throws {
        let entry = try await store.publish(kill, by: ada, breaksGlass: true)
        #expect(entry.breakGlass == true)
        #expect(try store.status(.main)?.isBlocking == true)
        let restore = Publication(action: .restore)
        #expect(await storeError { try await store.publish(restore, by: ada) }?.kind == .needsApproval)
        let proposal = try await store.propose(restore, by: ada)
        _ = try await store.approve(proposal.id, by: bob)
        #expect(try store.status(.main)?.isBlocking == false)
    }

    @Test func onlyAKillWithAReasonAndNoEndBreaksGlass() async throws {
        for publication in [
            Publication(action: .kill), Publication(action: .kill, endsAfter: .seconds(60), reason: "r"),
            Publication(action: .restore, reason: "r"), Publication(action: .update, requiredVersion: "2", reason: "r"),
        ] {
            #expect(await storeError { try await store.publish(publication, by: ada, breaksGlass: true) }?.kind == .invalid)
            #expect(try store.journal().map(\.action) == ["approval-rule"])
        }
    }

    @Test("Break glass for an app without the approval rule publishes an ordinary kill")
    func needlessBreakGlassIsIgnored() async throws {
        let publication = Publication(scope: try Scope(app: "other"), action: .kill, reason: "r")
        #expect(try await store.publish(publication, by: ada, breaksGlass: true).breakGlass == nil)
    }

    @Test func theJournalOfAnAppHasItsProposals() async throws {
        let notes = try Scope(app: "notes")
        let proposal = try await store.propose(Publication(scope: notes, action: .kill), by: ada)
        _ = try await store.propose(kill, by: ada)
        let rows = try store.journal(JournalFilter(app: "notes"))
        #expect(rows.map(\.id) == [proposal.id] && rows.first?.subjectScope == notes)
        #expect(try store.journal(JournalFilter(app: "note")).isEmpty)
        #expect(try store.journal(JournalFilter(app: "notes", channel: "main")).count == 1)
        #expect(try store.journal(JournalFilter(app: "notes", channel: "beta")).isEmpty)
        #expect(try store.journal(JournalFilter(channel: "main")).count == 2)
        var filter = JournalFilter()
        filter.apps = ["default"]
        #expect(try store.journal(filter).map(\.action) == ["propose"])
        filter.apps = []
        #expect(try store.journal(filter).isEmpty)
    }

    @Test("The journal of an app lists its channels and proposals in order")
    func appRowsAreOrdered() async throws {
        let (main, beta) = (try Scope(app: "other"), try Scope(app: "other", channel: "beta"))
        for number in 1...4 {
            _ = try await store.publish(Publication(scope: number % 2 == 0 ? main : beta, action: .kill), by: ada)
            _ = try await store.propose(Publication(scope: beta, action: .restore), by: ada)
            _ = try await store.publish(Publication(scope: try Scope(app: "others"), action: .kill), by: ada)
        }
        // The first row is that of the rule.
        func ids(_ filter: JournalFilter) throws -> [Int64] {
            var filter = filter
            filter.before = filter.before.map { $0 + 1 }
            filter.after = filter.after.map { $0 + 1 }
            return try store.journal(filter).map { $0.id - 1 }
        }
        #expect(try ids(JournalFilter(app: "other")) == [11, 10, 8, 7, 5, 4, 2, 1])
        #expect(try ids(JournalFilter(app: "other", limit: 3)) == [11, 10, 8])
        #expect(try ids(JournalFilter(app: "other", before: 8, limit: 3)) == [7, 5, 4])
        #expect(try ids(JournalFilter(app: "other", after: 4, limit: 3)) == [5, 7, 8])
        #expect(try ids(JournalFilter(app: "other", channel: "beta")) == [11, 8, 7, 5, 2, 1])
        var filter = JournalFilter(limit: 5)
        filter.apps = ["other", "others"]
        #expect(try ids(filter) == [12, 11, 10, 9, 8])
        filter.app = "others"
        #expect(try ids(filter) == [12, 9, 6, 3])
        filter.apps = ["other"]
        #expect(try ids(filter) == [])
    }

    @Test func manyProposalsOfOnePersonHideNoOthers() async throws {
        let first = try await store.propose(kill, by: bob)
        let channel = Publication(scope: try Scope(app: "notes", channel: "beta"), action: .kill)
        let request = TokenRequest(name: "ada-2", person: "ada", scopes: [.publish])
        _ = try await store.createToken(request, by: "root")
        let authors = [ada, .token("ada-2")]
        for number in 0..<Store.openProposalLimit { _ = try await store.propose(channel, by: authors[number % 2]) }
        for author in authors {
            let error = await storeError { try await store.propose(kill, by: author) }
            #expect(error?.kind == .conflict && error?.hint?.contains("bellerophon-server reject") == true)
        }
        #expect(try store.proposals().last == first && store.proposals().count == Store.openProposalLimit + 1)
        #expect(try store.proposals(of: ["default"]) == [first] && store.proposals(openOnly: false, of: ["default"]) == [first])
        #expect(try store.proposals(of: []).isEmpty)
        _ = try await store.reject(try #require(try store.proposals().first).id, by: ada)
        _ = try await store.propose(kill, by: ada)
        // What has expired is open no more.
        test.clock.advance(by: 3600)
        _ = try await store.propose(kill, by: ada)
        #expect(try store.proposals().count == 1)
    }
}
