import Testing

@testable import Bellerophon

@Suite("Stage machine: every stage × event")
struct StageMachineTableTests {
    /// The stage after an event for an idle machine.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let event: @Sendable (inout MachineUnderTest) -> Void
        /// The stage afterwards, from unknown, active, killed and update required.
        let after: [Stage]
        /// The number of checks that the event starts.
        var fetches = 0
        var testDescription: String { name }
    }

    static let stages: [Stage] = [.unknown, .active, .killed, .updateRequired]
    static let unchanged = stages

    static let rows: [Row] = [
        Row(name: "check requested", event: { $0.send(.checkRequested(.person)) }, after: unchanged, fetches: 1),
        Row(
            name: "timer runs down",
            event: {
                $0.send(.timerFired($0.timerID))
            }, after: unchanged, fetches: 1),
        Row(name: "a stale timer", event: { $0.send(.timerFired(0)) }, after: unchanged),
        Row(name: "reply: active", event: { $0.answer(.active()) }, after: Array(repeating: .active, count: 4), fetches: 1),
        Row(name: "reply: killed", event: { $0.answer(.killed()) }, after: Array(repeating: .killed, count: 4), fetches: 1),
        Row(
            name: "reply: update", event: { $0.answer(.update()) }, after: Array(repeating: .updateRequired, count: 4), fetches: 1
        ),
        Row(
            name: "reply: killed and update",
            event: {
                $0.answer(StatusDocument(isInactive: true, requiresUpdate: true, interval: 5))
            }, after: Array(repeating: .updateRequired, count: 4), fetches: 1),
        Row(name: "an error", event: { $0.fail() }, after: unchanged, fetches: 1),
        Row(
            name: "an error with Retry-After",
            event: {
                $0.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(40))))
            }, after: unchanged, fetches: 1),
        Row(name: "no status and no error", event: { $0.fail(StatusError(.noStatus)) }, after: unchanged, fetches: 1),
        Row(
            name: "a reply nobody waits for",
            event: {
                $0.send(.replied(0, StatusReply(.killed())))
            }, after: unchanged),
        Row(name: "an error nobody waits for", event: { $0.send(.failed(0, StatusError(.noStatus))) }, after: unchanged),
        Row(
            name: "given: active",
            event: {
                $0.send(.statusGiven(StatusReply(.active())))
            }, after: Array(repeating: .active, count: 4)),
        Row(
            name: "given: killed",
            event: {
                $0.send(.statusGiven(StatusReply(.killed())))
            }, after: Array(repeating: .killed, count: 4)),
        Row(
            name: "restored: killed",
            event: {
                $0.send(.restored(RestoredStatus(document: .killed())))
            }, after: [.killed, .active, .killed, .updateRequired]),
        Row(name: "restored: active", event: { $0.send(.restored(RestoredStatus(document: .active()))) }, after: unchanged),
        Row(
            name: "dismissed by the app",
            event: {
                $0.send(.dismissed)
            }, after: [.unknown, .active, .unknown, .unknown]),
        Row(name: "suspended", event: { $0.send(.suspended) }, after: unchanged),
        Row(name: "resumed", event: { $0.send(.resumed) }, after: unchanged, fetches: 1),
    ]

    @Test(arguments: rows, stages.indices)
    func stageAfter(_ row: Row, from index: Int) {
        let from = Self.stages[index]
        var test = MachineUnderTest(in: from)
        row.event(&test)
        #expect(test.machine.stage == row.after[index])
        #expect(test.fetches == row.fetches)
        let expected = from == row.after[index] ? [] : [[from, row.after[index]]]
        #expect(test.transitions.map { [$0.from, $0.to] } == expected, "one transition, and only for a change")
        let rests = test.machine.pending != nil || test.machine.nextCheck != nil || test.machine.isSuspended
        #expect(rests, "a check is under way or scheduled")
    }
}

@Suite("Stage machine: checks")
struct StageMachineCheckTests {
    @Test func aSecondCheckWhileOneIsPendingDoesNothing() {
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        test.forget()
        test.send(.checkRequested(.person))
        #expect(test.actions == [.report(.checkAlreadyPending(.person))])
    }

    @Test func aFreshCheckReplacesAPendingOne() {
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        let old = test.checkID
        test.forget()
        test.send(.freshCheckRequested(.person))
        #expect(test.actions.prefix(2) == [.abandon(old), .report(.checkStarted(test.checkID, .person))])
        #expect(test.checkID != old)
        test.send(.replied(old, StatusReply(.killed())))
        #expect(test.machine.stage == .unknown, "the late reply is dropped")
        test.send(.replied(test.checkID, StatusReply(.active())))
        #expect(test.machine.stage == .active)
    }

    @Test("A check requested while suspended does not schedule a further check")
    func suspendedCheckSchedulesNone() {
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        test.send(.suspended)
        test.send(.freshCheckRequested(.person))
        test.send(.freshCheckRequested(.person))
        test.send(.replied(test.checkID, StatusReply(.active())))
        #expect(test.machine.isSuspended && test.machine.nextCheck == nil && test.machine.pending == nil)
    }

    @Test func aReplyThatComesTwiceCountsOnce() {
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        let id = test.checkID
        test.send(.replied(id, StatusReply(.killed())))
        test.forget()
        test.send(.replied(id, StatusReply(.active())))
        #expect(test.machine.stage == .killed)
        #expect(test.actions == [.report(.replyDropped(id))])
    }

    @Test func aReplyOutOfOrderIsDropped() {
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        let first = test.checkID
        test.send(.resumed)
        let second = test.checkID
        test.send(.replied(second, StatusReply(.killed())))
        test.send(.replied(first, StatusReply(.active())))
        #expect(first != second)
        #expect(test.machine.stage == .killed)
    }

    @Test("A pending reply does not undo a status given by the app")
    func pendingReplyKeepsGivenStatus() {
        var test = MachineUnderTest(in: .active)
        test.send(.checkRequested(.timer))
        let older = test.checkID
        test.send(.statusGiven(StatusReply(.killed())))
        test.send(.replied(older, StatusReply(.active())))
        #expect(test.machine.stage == .killed)
        #expect(test.machine.nextCheck != nil)
    }

    @Test func aCheckThatNeverEndsFailsAtItsDeadline() {
        var test = MachineUnderTest(policy: PollPolicy(checkTimeout: .seconds(20)))
        test.send(.checkRequested(.start))
        let id = test.checkID
        #expect(test.actions.contains(.startTimer(.check, test.timerID, after: .seconds(20))))
        test.wait(.seconds(20))
        test.send(.timerFired(test.timerID))
        #expect(test.actions.contains(.abandon(id)))
        #expect(test.machine.failure == StatusError(.timedOut(after: .seconds(20))))
        #expect(test.machine.nextCheck != nil)
        test.forget()
        test.send(.replied(id, StatusReply(.killed())))
        #expect(test.actions == [.report(.replyDropped(id))])
    }

    @Test func suspendingEndsTheCheckAndTheTimer() {
        var test = MachineUnderTest(in: .killed)
        test.send(.checkRequested(.timer))
        let id = test.checkID
        test.forget()
        test.send(.suspended)
        #expect(test.actions == [.stopTimer(.check), .abandon(id)])
        #expect(test.machine.stage == .killed)
    }

    @Test func severalWakeUpsLeadToOneCheck() {
        var test = MachineUnderTest(in: .active)
        test.send(.suspended)
        test.send(.resumed)
        test.send(.resumed)
        test.send(.resumed)
        #expect(test.fetches == 1)
    }

    @Test func wakingUpReplacesACheckFromBeforeTheSleep() {
        var test = MachineUnderTest(in: .active)
        test.send(.checkRequested(.timer))
        let before = test.checkID
        test.forget()
        test.send(.resumed)
        #expect(test.actions.first == .abandon(before))
        #expect(test.fetches == 1)
        #expect(test.machine.pending?.cause == .resumed)
    }
}

@Suite("Stage machine: what it reports")
struct StageMachineReportTests {
    @Test func aNewMessageInTheSameStageIsReported() {
        var test = MachineUnderTest()
        test.answer(.killed("Back at noon."))
        test.forget()
        test.answer(.killed("Back at two."))
        #expect(test.transitions.isEmpty)
        #expect(test.reports.contains(.messageChanged("Back at two.")))
        #expect(test.machine.document?.message == "Back at two.")
    }

    @Test func theSameMessageAgainIsNot() {
        var test = MachineUnderTest()
        test.answer(.killed("Back at noon."))
        #expect(test.actions.contains(.remember(.killed("Back at noon."), isNew: true)))
        test.forget()
        test.answer(.killed("Back at noon."))
        #expect(!test.reports.contains { if case .messageChanged = $0 { true } else { false } })
        #expect(test.actions.contains(.remember(.killed("Back at noon."), isNew: false)))
    }

    @Test("A transition reports how long the former stage lasted")
    func transitionHasDuration() {
        var test = MachineUnderTest()
        test.answer(.killed())
        test.wait(.seconds(211))
        test.forget()
        test.send(.checkRequested(.timer))
        test.send(.replied(test.checkID, StatusReply(.active(), metadata: ExchangeMetadata(httpStatus: 200))))
        #expect(
            test.transitions == [
                Transition(from: .killed, to: .active, cause: .status(httpStatus: 200), lasted: .seconds(211))
            ])
    }

    @Test func attemptsCountTheChecksOfAStage() {
        var test = MachineUnderTest()
        test.answer(.active())
        test.answer(.killed())
        #expect(test.machine.attempts == 1)
        test.fail()
        test.answer(.killed())
        #expect(test.machine.attempts == 3)
    }
}
