import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The rule of two persons, and who can change it.
@Suite("The rule of two persons", .onEveryEngine)
struct ApprovalRuleTests {
    private let test: StoreUnderTest
    private var store: Store { test.store }
    private let ada: Author = "ada"
    private let bob: Author = "bob"
    private let none = RuleChange(to: ApprovalRule(), reason: "no more apps")

    init() async throws {
        test = try await StoreUnderTest()
        try await test.store.tightenApprovalRule(to: ApprovalRule(apps: ["default", "notes"], lifetime: 3600))
    }

    @Test func aServerAddsToTheRuleAndTakesNothingAway() async throws {
        let other = try test.reopened()
        try other.catchUp()
        // The same rule again is no change either.
        let same = ApprovalRule(apps: ["notes", "default"], lifetime: 3600)
        for weaker in [ApprovalRule(), ApprovalRule(apps: ["notes"]), ApprovalRule(apps: ["notes"], lifetime: 86_400), same] {
            #expect(try await other.tightenApprovalRule(to: weaker) == ApprovalRule(apps: ["default", "notes"]))
        }
        #expect(try await other.tightenApprovalRule(to: ApprovalRule(apps: ["pay"], lifetime: 60)).lifetime == 60)
        #expect(try await other.tightenApprovalRule(to: ApprovalRule(apps: ["*"])).apps == ["*"])
        #expect(try await other.tightenApprovalRule(to: ApprovalRule(apps: ["notes"])).apps == ["*"])
        try test.catchUp()
        #expect(
            try store.journal().map(\.reason) == [
                "statuses of all apps take two persons; a proposal is valid for 60 s",
                "statuses of default, notes, pay take two persons; a proposal is valid for 60 s",
                "statuses of default, notes take two persons; a proposal is valid for 3600 s",
            ])
        for store in [store, try test.reopenedHere(), other] {
            #expect(await storeError { try await store.publish(Publication(action: .kill), by: ada) }?.kind == .needsApproval)
        }
    }

    @Test("Removing the approval rule needs the approval of a second person")
    func ruleRemovalNeedsTwoPersons() async throws {
        let proposal = try await store.proposeRule(none, by: ada)
        #expect(proposal.scope == nil && proposal.subject == "approval-rule" && proposal.reason == "no more apps")
        #expect(proposal.ruleChange?.from == (try store.approvalRule()) && proposal.ruleChange?.to == ApprovalRule())
        #expect(try test.reopened().proposals() == [proposal])
        #expect(await storeError { try await store.approve(proposal.id, by: ada) }?.kind == .needsApproval)
        #expect(await storeError { try await store.publish(Publication(action: .kill), by: ada) }?.kind == .needsApproval)

        let other = try test.reopened()
        try other.catchUp()
        let entry = try await other.approve(proposal.id, by: bob)
        try test.catchUp()
        #expect(
            entry.action == "approval-rule" && entry.scope == nil && entry.proposedBy == "ada" && entry.proposal == proposal.id)
        #expect(entry.reason == "no status takes two persons: no more apps")
        #expect(try store.approvalRule() == ApprovalRule())
        #expect(try store.proposal(proposal.id).state == .approved && store.verifyChain().problem == nil)
        _ = try await store.publish(Publication(action: .kill), by: ada)
        #expect(try store.journal().map(\.action) == ["kill", "approval-rule", "propose", "approval-rule"])
    }

    @Test("A rule change is refused if the rule changed since the proposal")
    func staleRuleChangeIsRefused() async throws {
        let proposal = try await store.proposeRule(RuleChange(to: ApprovalRule(apps: ["notes"])), by: ada)
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["payments"]))
        let error = await storeError { try await store.approve(proposal.id, by: bob) }
        #expect(error?.kind == .conflict && error?.message.contains("the rule of two persons was changed") == true)
        #expect(try store.approvalRule().apps == ["default", "notes", "payments"])
    }

    @Test func aChangeThatIsRejectedOrTooLateIsNotMade() async throws {
        let (first, second) = (try await store.proposeRule(none, by: ada), try await store.proposeRule(none, by: ada))
        let rejected = try await store.reject(first.id, by: bob, reason: "why?")
        #expect(rejected.state == .rejected)
        #expect(try store.journal().first?.subject == "approval-rule")
        #expect(await storeError { try await store.approve(first.id, by: bob) }?.kind == .conflict)
        test.clock.advance(by: 3600)
        #expect(await storeError { try await store.approve(second.id, by: bob) }?.message.contains("has expired") == true)
        #expect(try !store.approvalRule().apps.isEmpty)
    }

    @Test func requestsThatAreRepeatedCountOnce() async throws {
        let (key, decision) = (RequestKey.make(), RequestKey.make())
        let proposal = try await store.proposeRule(none, by: ada, request: key)
        #expect(try await store.proposeRule(none, by: ada, request: key) == proposal)
        for other in [
            RuleChange(to: ApprovalRule()), RuleChange(to: ApprovalRule(apps: ["notes"]), reason: "no more apps"),
        ] {
            #expect(await storeError { try await store.proposeRule(other, by: ada, request: key) }?.kind == .conflict)
        }
        #expect(
            await storeError { try await store.propose(Publication(action: .kill), by: ada, request: key) }?.kind == .conflict)
        let entry = try await store.approve(proposal.id, by: bob, request: decision)
        #expect(try await store.approve(proposal.id, by: bob, request: decision) == entry)
        // The rule is another one now, and the repetition is answered all the same.
        #expect(try await store.proposeRule(none, by: ada, request: key).state == .approved)
    }

    @Test("A rule change that is invalid or changes nothing is refused")
    func invalidRuleChangeIsRefused() async throws {
        for request in [
            RuleChange(to: ApprovalRule(apps: ["default", "notes"])), RuleChange(to: ApprovalRule(lifetime: 59)),
            RuleChange(to: ApprovalRule(lifetime: 604_801)),
            RuleChange(to: ApprovalRule(), reason: String(repeating: "x", count: 1001)),
        ] {
            let error = await storeError { try await store.proposeRule(request, by: ada) }
            #expect(error?.kind == (request.to.apps.isEmpty ? .invalid : .conflict))
            #expect(try store.proposals().isEmpty)
        }
    }
}
