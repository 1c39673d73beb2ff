import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

@Suite("Stage machine: random sequences of all events")
struct StageMachineRandomTests {
    @Test(arguments: Seed.range("stage machine", default: 0..<100))
    func invariantsHold(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        let freshness = FreshnessPolicy(
            whenUnknown: UnknownPolicy.allCases.randomElement(using: &chance) ?? .stay,
            maximumAge: Bool.random(using: &chance) ? .seconds(60) : nil)
        var test = MachineUnderTest(freshness: freshness)
        var kinds: Set<Int> = []
        test.send(.checkRequested(.start))
        for step in 0..<250 {
            let before = test.machine
            test.wait(.milliseconds(Int64.random(in: 0...5000, using: &chance)))
            test.forget()
            let kind = Int.random(in: 0..<Self.kinds, using: &chance)
            kinds.insert(kind)
            let event = randomEvent(kind, for: test, using: &chance)
            test.send(event)
            let comment: Comment = "step \(step): \(event)"
            checkNext(test, comment)
            checkStage(event, before: before, test: test, comment)
        }
        #expect(kinds.count == Self.kinds)
    }

    /// Checks that exactly one activity is next, within its bounds.
    private func checkNext(_ test: MachineUnderTest, _ comment: Comment) {
        let machine = test.machine
        switch machine.activity {
        case .idle: Issue.record("nothing happens next: \(comment)")
        case .checking, .scheduled: #expect(machine.polling != .off, comment)
        case .awaitingStream: #expect(machine.polling == .off, comment)
        case .suspended: #expect(machine.nextCheck == nil, comment)
        }
        #expect((1...3600).contains(machine.nextCheck?.wait.inSeconds ?? 1), comment)
        #expect(test.fetches <= 1, comment)
        #expect((machine.failure == nil) == (machine.failures == 0), comment)
    }

    private func checkStage(
        _ event: StageMachine.Event, before: StageMachine, test: MachineUnderTest, _ comment: Comment
    ) {
        let after = test.machine
        var stage = before.stage
        for transition in test.transitions {
            #expect(transition.from == stage && transition.to != stage, comment)
            stage = transition.to
        }
        #expect(after.stage == stage, comment)
        switch effect(of: event, on: before, at: test.now) {
        case .valid(let document):
            #expect(after.stage == document.stage && after.document?.message == document.message, comment)
        case .none:
            #expect(after.document?.message == before.document?.message || after.basis == .policy, comment)
            let mayUncover = event == .dismissed || after.basis == .policy && after.freshness.whenUnknown == .open
            #expect(!before.stage.isBlocked || after.stage == before.stage || mayUncover, comment)
        case .kept: break
        }
    }

    private enum Effect { case valid(StatusDocument), kept, none }

    /// The expected effect of an event on the stage.
    private func effect(of event: StageMachine.Event, on machine: StageMachine, at now: MonotonicInstant) -> Effect {
        let reply: StatusReply
        switch event {
        case .replied(let id, let answer) where id == machine.pending?.id: reply = answer
        case .pushed(let pushed): reply = pushed
        case .statusGiven(let given):
            if case .replay = machine.compare(given, at: now) { return .none }
            return .valid(given.document)
        case .restored, .nothingKept, .dismissed: return .kept
        default: return .none
        }
        return machine.compare(reply, at: now) == .current ? .valid(reply.document) : .none
    }

    private static let kinds = 18

    private func randomEvent(
        _ kind: Int, for test: MachineUnderTest, using chance: inout SplitMix64
    ) -> StageMachine.Event {
        let reply = randomReply(using: &chance)
        let id = Bool.random(using: &chance) ? test.checkID : Int.random(in: 0...20, using: &chance)
        let isCurrentTimer = Bool.random(using: &chance)
        let anyTimer = Int.random(in: 0...60, using: &chance)
        let error = StatusError(
            .httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(Int.random(in: 0...9999, using: &chance))))
        switch kind {
        case 0: return .checkRequested(.person)
        case 1: return .timerFired(isCurrentTimer ? test.timerID : anyTimer)
        case 2: return .replied(id, reply)
        case 3: return .failed(id, error)
        case 4: return .statusGiven(reply)
        case 5: return .pushed(reply)
        case 6: return .pushFailed(error)
        case 7: return .pollingChanged([.regular, .resting, .off].randomElement(using: &chance) ?? .regular)
        case 8: return .streamRecovered
        case 9: return .restored(RestoredStatus(document: reply.document, age: .seconds(Int.random(in: 0...90, using: &chance))))
        case 10: return .nothingKept
        case 11: return .serialKnown(Int64.random(in: 0...9, using: &chance), nil)
        case 12: return .timerFired(isCurrentTimer ? test.ageTimerID : anyTimer)
        case 13: return .slept(.seconds(Int.random(in: -1...30, using: &chance)))
        case 14: return .dismissed
        case 15: return .suspended
        case 16: return .freshCheckRequested(.person)
        default: return .resumed
        }
    }

    /// A valid status: with a date, with a signature, or with neither.
    private func randomReply(using chance: inout SplitMix64) -> StatusReply {
        let interval = [15, -3, 0, 1e9, .nan, .infinity].randomElement(using: &chance) ?? 15
        let document = StatusDocument(
            isInactive: .random(using: &chance), requiresUpdate: .random(using: &chance), interval: interval,
            message: ["one", "two", nil].randomElement(using: &chance) ?? nil)
        let date = Date(timeIntervalSince1970: .random(in: 0...300, using: &chance))
        let proof = StatusProof(
            keyID: "k", serial: .random(in: 0...9, using: &chance), issuedAt: date, expiresAt: date, signed: Data())
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return StatusReply(document)
        case 1: return StatusReply(document, metadata: ExchangeMetadata(httpStatus: 200))
        case 2: return StatusReply(document, metadata: ExchangeMetadata(httpStatus: 200, proof: proof))
        default: return StatusReply(document, metadata: ExchangeMetadata(httpStatus: 200, publishedAt: date))
        }
    }
}
