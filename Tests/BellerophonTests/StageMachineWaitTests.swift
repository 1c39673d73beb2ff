import Bellerophon
import BellerophonBase
import Testing

@Suite("Stage machine: waits")
struct StageMachineWaitTests {
    @Test func whileBlockedTheStatusSetsTheWait() {
        var test = MachineUnderTest(policy: PollPolicy(activeInterval: .seconds(300)))
        test.answer(.killed(every: 15))
        #expect(
            test.machine.nextCheck == NextCheck(due: test.now.advanced(by: .seconds(15)), wait: .seconds(15), origin: .server))
    }

    @Test func whileActiveTheConfigurationComesFirst() {
        var test = MachineUnderTest(policy: PollPolicy(activeInterval: .seconds(300)))
        test.answer(.active(every: 15))
        #expect(test.machine.nextCheck?.wait == .seconds(300))
        #expect(test.machine.nextCheck?.origin == .configuration)
    }

    @Test func whileActiveWithoutConfigurationTheStatusSetsTheWait() {
        var test = MachineUnderTest()
        test.answer(.active(every: 15))
        #expect(test.machine.nextCheck?.wait == .seconds(15))
    }

    @Test(
        arguments: [
            (-5, 1), (0, 1), (0.25, 1), (1, 1), (2.5, 2.5), (3600, 3600), (3601, 3600), (1e300, 3600),
            (Double.infinity, 3600), (-Double.infinity, 1), (Double.nan, 60),
        ] as [(Double, Double)])
    func everyWaitIsFiniteAndClamped(asked: Double, used: Double) {
        var test = MachineUnderTest()
        test.answer(.killed(every: asked))
        #expect(test.machine.nextCheck?.wait == .seconds(used))
        let clamped = test.reports.contains(.intervalClamped(IntervalClamp(requested: asked, used: .seconds(used))))
        #expect(clamped == (asked != used), "a clamp is reported, and only a clamp")
    }

    @Test func failuresBackOffExponentiallyUpToTheCap() {
        var test = MachineUnderTest(policy: PollPolicy(backoffBase: .seconds(2), backoffCap: .seconds(60)))
        test.generator.fraction = 1
        let waits = (1...8).map { _ in
            test.fail()
            return (test.machine.nextCheck?.wait.inSeconds ?? 0).rounded()
        }
        #expect(waits == [2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test func theJitterReachesFromTheMinimumToTheCeiling() {
        var test = MachineUnderTest(policy: PollPolicy(backoffBase: .seconds(64), backoffCap: .seconds(64)))
        test.generator.fraction = 0
        test.fail()
        #expect(test.machine.nextCheck?.wait == .seconds(1))
        test.generator.fraction = 0.5
        test.fail()
        #expect(test.machine.nextCheck?.wait == .seconds(32.5))
    }

    @Test func hundredsOfFailuresStayFinite() {
        var test = MachineUnderTest()
        test.generator.fraction = 1
        for _ in 0..<500 { test.fail() }
        #expect(test.machine.nextCheck?.wait.inSeconds.rounded() == 120)
    }

    @Test func aValidAnswerEndsTheBackoff() {
        var test = MachineUnderTest()
        for _ in 0..<6 { test.fail() }
        test.answer(.killed(every: 15))
        #expect(test.machine.failures == 0)
        #expect(test.machine.failure == nil)
        #expect(test.machine.nextCheck?.wait == .seconds(15))
    }

    @Test func retryAfterIsHonoured() {
        var test = MachineUnderTest()
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(90))))
        #expect(test.machine.nextCheck?.wait == .seconds(90))
        #expect(test.machine.nextCheck?.origin == .retryAfter)
    }

    @Test func aHugeRetryAfterIsClamped() {
        var test = MachineUnderTest()
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(999_999))))
        #expect(test.machine.nextCheck?.wait == .seconds(3600))
        #expect(test.reports.contains(.intervalClamped(IntervalClamp(requested: 999_999, used: .seconds(3600)))))
    }

    @Test func aShortRetryAfterDoesNotShortenTheBackoff() {
        var test = MachineUnderTest(policy: PollPolicy(backoffBase: .seconds(100), backoffCap: .seconds(100)))
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(3))))
        #expect(test.machine.nextCheck?.wait == .seconds(50.5))
        #expect(test.machine.nextCheck?.origin == .backoff)
    }

    @Test(arguments: [(0, 27), (0.25, 28.5), (0.5, 30), (0.75, 31.5), (1, 33)])
    func aRegularWaitIsSpreadByATenth(fraction: Double, seconds: Double) {
        var test = MachineUnderTest()
        test.generator.fraction = fraction
        test.answer(.active(every: 30))
        #expect(((test.machine.nextCheck?.wait.inSeconds ?? 0) * 1000).rounded() == seconds * 1000)
    }

    @Test(arguments: [(1, 0, 1.1), (1, 1, 1.1), (3600, 0, 3240), (3600, 1, 3240)])
    func atABoundTheSpreadIsMirrored(interval: Double, fraction: Double, seconds: Double) {
        var test = MachineUnderTest()
        test.generator.fraction = fraction
        test.answer(.active(every: interval))
        #expect(((test.machine.nextCheck?.wait.inSeconds ?? 0) * 1000).rounded() == seconds * 1000)
    }

    @Test func withoutJitterAWaitIsAsLongAsAskedFor() {
        var test = MachineUnderTest(policy: PollPolicy(jitter: 0))
        test.generator.fraction = 0.9
        test.answer(.active(every: 30))
        #expect(test.machine.nextCheck?.wait == .seconds(30))
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(90))))
        #expect(test.machine.nextCheck?.wait == .seconds(90))
    }

    /// Those to whom a server says "in 60 seconds" at the same moment are not there at the same moment, nor too early.
    @Test(arguments: [(0, 66), (0.25, 63), (0.5, 60), (1, 66)])
    func retryAfterIsSpreadLaterOnly(fraction: Double, seconds: Double) {
        var test = MachineUnderTest()
        test.generator.fraction = fraction
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(60))))
        #expect(((test.machine.nextCheck?.wait.inSeconds ?? 0) * 1000).rounded() == seconds * 1000)
    }

    /// A tenth of a few seconds would spread nobody.
    @Test func aShortRetryAfterIsSpreadOverTwoSeconds() {
        var test = MachineUnderTest()
        test.generator.fraction = 1
        test.fail(StatusError(.httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(5))))
        #expect(test.machine.nextCheck?.wait.inSeconds.rounded() == 7)
    }

    @Test func aCheckDuringASuspensionLeadsToNoOther() {
        var test = MachineUnderTest(in: .active)
        test.send(.suspended)
        test.send(.checkRequested(.program))
        test.forget()
        test.send(.replied(test.checkID, StatusReply(.killed())))
        #expect(test.machine.stage == .killed)
        #expect(test.actions.last == .stopTimer, "the check's deadline must not become the next check")
        test.wait(.seconds(30))
        test.send(.timerFired(test.timerID))
        #expect(test.fetches == 0)
        #expect(test.machine.pending == nil)
    }

    @Test func aStatusThatIsGivenReschedulesTheNextCheck() {
        var test = MachineUnderTest(in: .active)
        test.send(.statusGiven(StatusReply(.killed(every: 7))))
        #expect(test.machine.nextCheck?.wait == .seconds(7))
    }
}

@Suite("Stage machine: random sequences")
struct StageMachineRandomTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func invariantsHold(seed: UInt64) {
        var chance = Chance(state: seed)
        var test = MachineUnderTest()
        test.send(.checkRequested(.start))
        for step in 0..<120 {
            let before = test.machine
            test.wait(.milliseconds(Int64.random(in: 0...5000, using: &chance)))
            test.forget()
            let event = randomEvent(for: test, using: &chance)
            test.send(event)
            check(event, before: before, test: test, step: step)
        }
    }

    private func check(_ event: StageMachine.Event, before: StageMachine, test: MachineUnderTest, step: Int) {
        let after = test.machine
        if let document = validStatus(in: event, for: before) {
            #expect(after.stage == document.stage, "step \(step): a valid status sets the stage")
        } else if before.stage.isBlocked, event != .dismissed {
            #expect(after.stage == before.stage, "step \(step): only a valid status or the app uncovers: \(event)")
        }
        #expect(after.isSuspended || after.pending != nil || after.nextCheck != nil, "step \(step): a check is scheduled")
        #expect(after.pending == nil || after.nextCheck == nil, "step \(step): one or the other, not both")
        let wait = after.nextCheck?.wait.inSeconds ?? 1
        #expect((1...3600).contains(wait), "step \(step): wait \(wait)")
        #expect(test.fetches <= 1)
    }

    /// The document that an event brings, if the machine is to believe it.
    private func validStatus(in event: StageMachine.Event, for machine: StageMachine) -> StatusDocument? {
        switch event {
        case .replied(let id, let reply): id == machine.pending?.id ? reply.document : nil
        case .statusGiven(let reply): reply.document
        case .restored(let kept):
            machine.stage == .unknown && machine.lastReply == nil && kept.document.stage.isBlocked ? kept.document : nil
        default: nil
        }
    }

    private func randomEvent(for test: MachineUnderTest, using chance: inout Chance) -> StageMachine.Event {
        let interval = [15, -3, 0, 1e9, .nan, .infinity].randomElement(using: &chance) ?? 15
        let reply = StatusReply(
            StatusDocument(
                isInactive: .random(using: &chance), requiresUpdate: .random(using: &chance), interval: interval,
                message: ["one", "two", nil].randomElement(using: &chance) ?? nil
            )
        )
        let id = Bool.random(using: &chance) ? test.checkID : Int.random(in: 0...20, using: &chance)
        let error = StatusError(
            .httpStatus(503), receipt: ExchangeMetadata(retryAfter: .seconds(Int.random(in: 0...9999, using: &chance)))
        )
        switch Int.random(in: 0..<12, using: &chance) {
        case 0: return .checkRequested(.person)
        case 1...3: return .replied(id, reply)
        case 4, 5: return .failed(id, error)
        case 6: return .statusGiven(reply)
        case 7: return .restored(RestoredStatus(reply.document))
        case 8: return .dismissed
        case 9: return .suspended
        case 10: return .resumed
        default: return .timerFired(Int.random(in: 0...60, using: &chance))
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same sequence.
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
