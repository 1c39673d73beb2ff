import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("Stage machine: how long a status may be relied on")
struct StageMachineFreshnessTests {
    private static let day = Duration.seconds(86_400)

    private func machine(_ whenUnknown: UnknownPolicy, maximumAge: Duration? = day) -> MachineUnderTest {
        MachineUnderTest(freshness: FreshnessPolicy(whenUnknown: whenUnknown, maximumAge: maximumAge))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let policy: UnknownPolicy
        /// Indexed by the stage of the last valid status: active, killed, update.
        let whenStale: [Stage]
        let whenNothingIsKnown: Stage
        var testDescription: String { policy.rawValue }
    }

    static let rows = [
        Row(policy: .stay, whenStale: [.active, .killed, .updateRequired], whenNothingIsKnown: .unknown),
        Row(policy: .open, whenStale: [.active, .unknown, .unknown], whenNothingIsKnown: .unknown),
        Row(policy: .closed, whenStale: [.killed, .killed, .updateRequired], whenNothingIsKnown: .killed),
    ]

    @Test(arguments: rows) func aStatusThatNobodyConfirmsGrowsStale(_ row: Row) {
        for (stage, expected) in zip([Stage.active, .killed, .updateRequired], row.whenStale) {
            var test = machine(row.policy)
            test.answer(.to(stage))
            test.wait(Self.day - .seconds(1))
            test.send(.timerFired(test.ageTimerID))
            #expect(test.machine.stage == stage, "not yet")
            #expect(!test.machine.isStale(at: test.now))
            test.wait(.seconds(1))
            test.forget()
            test.send(.timerFired(test.ageTimerID))
            #expect(test.machine.isStale(at: test.now))
            #expect(test.machine.stage == stage, "the server is asked first")
            #expect(test.fetches == 1)
            test.send(.failed(test.checkID, StatusError(.noStatus)))
            #expect(test.machine.stage == expected, "\(stage)")
            #expect(test.reports.contains(.stale(age: Self.day, row.policy)))
        }
    }

    @Test("Without any status the configured policy decides the stage", arguments: rows) func policyAppliesWithoutStatus(
        _ row: Row
    ) {
        var test = machine(row.policy)
        test.send(.nothingKept)
        #expect(test.machine.stage == row.whenNothingIsKnown)
    }

    @Test func aValidStatusOpensWhatThePolicyClosed() {
        var test = machine(.closed)
        test.send(.nothingKept)
        #expect(test.machine.basis == .policy)
        test.fail()
        #expect(test.machine.stage == .killed, "a failed check opens nothing")
        test.answer(.active())
        #expect(test.machine.stage == .active)
        #expect(test.machine.basis == .status)
    }

    @Test func everyConfirmationMakesTheStatusNewAgain() {
        var test = machine(.open)
        test.answer(.killed())
        for _ in 0..<10 {
            test.wait(Self.day / 2)
            test.answer(.killed())
            test.send(.timerFired(test.ageTimerID))
        }
        #expect(test.machine.stage == .killed)
    }

    @Test func theAgeGoesOnWhileTheMachineSleeps() {
        var test = machine(.open)
        test.answer(.killed())
        test.send(.slept(Self.day / 2))
        #expect(test.machine.pending == nil)
        test.send(.slept(Self.day / 2))
        #expect(test.machine.pending?.cause == .age)
        test.send(.slept(.seconds(1)))
        #expect(test.machine.stage == .killed, "more sleep does not cut the answer off")
        test.send(.failed(test.checkID, StatusError(.noStatus)))
        #expect(test.machine.stage == .unknown)
    }

    @Test("Without a maximum age a status never expires")
    func noLimitNoExpiry() {
        var test = machine(.open, maximumAge: nil)
        test.answer(.killed())
        test.wait(Self.day * 3650)
        test.fail()
        test.send(.slept(Self.day))
        #expect(test.machine.stage == .killed)
        #expect(test.ageTimerID == -1)
    }

    @Test(arguments: rows) func aKeptStatusCountsByItsAge(_ row: Row) {
        for (stage, expected) in zip([Stage.active, .killed, .updateRequired], row.whenStale) {
            var fresh = machine(row.policy)
            fresh.send(.restored(RestoredStatus(document: .to(stage), age: Self.day - .seconds(1))))
            let isNeeded = stage.isBlocked || row.policy == .closed
            #expect(
                fresh.machine.stage == (isNeeded ? stage : .unknown), "one that lets the app run is no proof that it may run now")
            var old = machine(row.policy)
            old.send(.restored(RestoredStatus(document: .to(stage), age: Self.day)))
            #expect(old.machine.stage == (expected == .active ? .unknown : expected))
        }
    }

    @Test func aStreamIsAskedBeforeItsStatusIsDoubted() {
        var test = machine(.open)
        test.send(.pollingChanged(.off))
        test.send(.pushed(StatusReply(.killed(), metadata: ExchangeMetadata(isPushed: true))))
        test.forget()
        test.wait(Self.day)
        test.send(.timerFired(test.ageTimerID))
        #expect(test.actions.contains(.refreshStream))
        #expect(test.machine.stage == .killed)
        test.wait(.seconds(31))
        test.send(.timerFired(test.ageTimerID))
        #expect(test.machine.stage == .unknown)
    }

    @Test("Regular replies keep a short maximum age from expiring the status", arguments: UnknownPolicy.allCases)
    func regularRepliesPreventExpiry(
        _ policy: UnknownPolicy
    ) {
        for document in [StatusDocument.killed(every: 3600), .active(every: 3600)] {
            var test = machine(policy, maximumAge: .seconds(8))
            test.answer(document)
            test.forget()
            for _ in 0..<20 {
                test.wait(.seconds(8))
                test.send(.timerFired(test.ageTimerID))
                test.send(.replied(test.checkID, StatusReply(document)))
            }
            #expect(test.transitions.isEmpty)
        }
    }

    @Test func aServerThatNeverAnswersIsGivenUpOn() {
        var test = machine(.closed)
        test.answer(.active())
        test.wait(Self.day)
        test.send(.timerFired(test.ageTimerID))
        test.wait(.seconds(31))
        test.send(.timerFired(test.ageTimerID))
        #expect(test.machine.stage == .killed)
    }
}

@Suite("Stage machine: signed statuses in order")
struct StageMachineReplayTests {
    private func signed(_ document: StatusDocument, serial: Int64, isPushed: Bool = false) -> StatusReply {
        let date = Date(timeIntervalSince1970: 1_768_485_731)
        let proof = StatusProof(
            keyID: "key", serial: serial, issuedAt: date, expiresAt: date.addingTimeInterval(3600), signed: Data("\(serial)".utf8)
        )
        return StatusReply(document, metadata: ExchangeMetadata(httpStatus: 200, isPushed: isPushed, proof: proof))
    }

    private func answer(_ test: inout MachineUnderTest, _ reply: StatusReply) {
        test.send(.checkRequested(.timer))
        test.send(.replied(test.checkID, reply))
    }

    @Test func aReplayedAllClearLiftsNoKill() {
        var test = MachineUnderTest()
        answer(&test, signed(.active(), serial: 1))
        answer(&test, signed(.killed(), serial: 2))
        answer(&test, signed(.active(), serial: 1))
        #expect(test.machine.stage == .killed)
        #expect(test.machine.failure?.reason == .untrusted(.replayed(serial: 1, known: 2)))
        #expect(test.machine.nextCheck != nil)
    }

    @Test func aReplayedKillBlocksNothing() {
        var test = MachineUnderTest()
        answer(&test, signed(.killed(), serial: 5))
        answer(&test, signed(.active(), serial: 6))
        test.wait(.seconds(30 * 86_400))
        answer(&test, signed(.killed(), serial: 5))
        #expect(test.machine.stage == .active, "however long ago")
        test.send(.pushed(signed(.killed(), serial: 5, isPushed: true)))
        #expect(test.machine.stage == .active)
        #expect(test.reports.contains { if case .pushFailed(let error) = $0 { error.shortText == "replayed" } else { false } })
    }

    @Test func aReplayThatTheAppHandsOnIsOne() {
        var test = MachineUnderTest()
        answer(&test, signed(.killed(), serial: 5))
        test.send(.statusGiven(signed(.active(), serial: 4)))
        #expect(test.machine.stage == .killed)
        test.send(.statusGiven(StatusReply(.active())))
        #expect(test.machine.stage == .active, "the app vouches for a plain one")
        answer(&test, signed(.killed(), serial: 4))
        #expect(test.machine.stage == .active, "which makes no replay a new status")
    }

    @Test func theSameStatusAgainIsNoReplay() {
        var test = MachineUnderTest()
        answer(&test, signed(.killed(), serial: 5))
        answer(&test, signed(.killed(), serial: 5))
        #expect(test.machine.failures == 0)
    }

    private static let reused = StatusError.Reason.untrusted(.serialReused(5))

    @Test("A different status with the serial of a kill does not lift the kill")
    func sameSerialDoesNotLiftKill() {
        var test = MachineUnderTest()
        answer(&test, signed(.killed("Stop."), serial: 5))
        answer(&test, signed(.active(), serial: 5))
        #expect(test.machine.failure?.reason == Self.reused)
        test.send(.pushed(signed(.active(), serial: 5, isPushed: true)))
        test.send(.statusGiven(signed(.active(), serial: 5)))
        #expect(test.reports.count { if case .pushFailed(let error) = $0 { error.reason == Self.reused } else { false } } == 2)
        #expect(test.machine.stage == .killed && test.machine.document?.message == "Stop.")
        answer(&test, signed(.active(), serial: 6))
        #expect(test.machine.stage == .active)
    }

    @Test("After a given status, a different status with a known serial is refused")
    func sameSerialIsRefusedAfterGiven() {
        var test = MachineUnderTest()
        answer(&test, signed(.active(), serial: 5))
        test.send(.statusGiven(StatusReply(.killed())))
        answer(&test, signed(.update(), serial: 5))
        #expect(test.machine.stage == .killed)
        answer(&test, signed(.active(), serial: 5))
        #expect(test.machine.stage == .active, "the status that the serial stands for counts")
    }

    @Test("A different status with a restored serial is refused")
    func sameSerialIsRefusedAfterRestart() {
        let kept = signed(.killed(), serial: 5)
        var test = MachineUnderTest()
        test.send(.restored(RestoredStatus(document: .killed(), proof: kept.metadata?.proof)))
        answer(&test, signed(.active(), serial: 5))
        #expect(test.machine.stage == .killed)

        var known = MachineUnderTest()
        known.send(.serialKnown(5, nil))
        answer(&known, signed(.active(), serial: 5))
        #expect(known.machine.stage == .active, "where only the serial was kept, the first status with it counts")
        answer(&known, signed(.killed(), serial: 5))
        #expect(known.machine.stage == .active)
    }

    @Test func theOrderOutlivesARestart() {
        let kept = signed(.killed(), serial: 7)
        var test = MachineUnderTest()
        test.send(.restored(RestoredStatus(document: .killed(), proof: kept.metadata?.proof)))
        answer(&test, signed(.active(), serial: 6))
        #expect(test.machine.stage == .killed)
        answer(&test, signed(.active(), serial: 8))
        #expect(test.machine.stage == .active)

        var free = MachineUnderTest()
        free.send(.restored(RestoredStatus(document: .active(), proof: signed(.active(), serial: 9).metadata?.proof)))
        answer(&free, signed(.killed(), serial: 8))
        #expect(free.machine.stage == .unknown, "a kill that was lifted in an earlier run")
    }

    @Test func aDateInAHeaderOrdersNoSignedStatus() {
        var test = MachineUnderTest()
        var first = signed(.killed(), serial: 1)
        first.metadata?.publishedAt = Date(timeIntervalSince1970: 2_000_000_000)
        answer(&test, first)
        var second = signed(.active(), serial: 2)
        second.metadata?.publishedAt = Date(timeIntervalSince1970: 1)
        answer(&test, second)
        #expect(test.machine.stage == .active)
    }
}
