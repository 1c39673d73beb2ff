import Bellerophon
import BellerophonBase
import Testing

@Suite("Stage machine: waits")
struct StageMachineWaitTests {
    @Test(
        "While blocked the status sets the wait, otherwise the configuration if it has one",
        arguments: [
            (StatusDocument.killed(every: 15), Duration?.some(.seconds(300)), 15, NextCheck.Origin.server),
            (.active(every: 15), .seconds(300), 300, .configuration), (.active(every: 15), nil, 15, .server),
        ])
    func theStatusOrTheConfigurationSetsTheWait(
        document: StatusDocument, configured: Duration?, seconds: Int, origin: NextCheck.Origin
    ) {
        var test = MachineUnderTest(policy: PollPolicy(activeInterval: configured))
        test.answer(document)
        let wait = Duration.seconds(seconds)
        #expect(test.machine.nextCheck == NextCheck(due: test.now.advanced(by: wait), wait: wait, origin: origin))
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

    @Test("The backoff jitter ranges from the minimum wait to the current ceiling")
    func jitterSpansBackoffRange() {
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

    @Test func aHugeRetryAfterIsClamped() {
        var test = MachineUnderTest()
        test.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(999_999))))
        #expect(test.machine.nextCheck?.wait == .seconds(3600))
        #expect(test.reports.contains(.intervalClamped(IntervalClamp(requested: 999_999, used: .seconds(3600)))))
    }

    @Test func aShortRetryAfterDoesNotShortenTheBackoff() {
        var test = MachineUnderTest(policy: PollPolicy(backoffBase: .seconds(100), backoffCap: .seconds(100)))
        test.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(3))))
        #expect(test.machine.nextCheck?.wait == .seconds(50.5))
        #expect(test.machine.nextCheck?.origin == .backoff)
    }

    @Test(
        "A regular wait is spread by a tenth, mirrored at the minimum and the maximum",
        arguments: [
            (30, 0, 27), (30, 0.25, 28.5), (30, 0.5, 30), (30, 0.75, 31.5), (30, 1, 33),
            (1, 0, 1.1), (1, 1, 1.1), (3600, 0, 3240), (3600, 1, 3240),
        ])
    func aRegularWaitIsSpread(interval: Double, fraction: Double, seconds: Double) {
        var test = MachineUnderTest()
        test.generator.fraction = fraction
        test.answer(.active(every: interval))
        #expect(((test.machine.nextCheck?.wait.inSeconds ?? 0) * 1000).rounded() == seconds * 1000)
    }

    @Test("Without jitter a wait has its exact length")
    func zeroJitterKeepsWait() {
        var test = MachineUnderTest(policy: PollPolicy(jitter: 0))
        test.generator.fraction = 0.9
        test.answer(.active(every: 30))
        #expect(test.machine.nextCheck?.wait == .seconds(30))
        test.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(90))))
        #expect(test.machine.nextCheck?.wait == .seconds(90))
    }

    /// Clients that receive "in 60 seconds" at the same moment return at different moments, and not too early.
    @Test(arguments: [(0, 66), (0.25, 63), (0.5, 60), (1, 66)])
    func retryAfterIsSpreadLaterOnly(fraction: Double, seconds: Double) {
        var test = MachineUnderTest()
        test.generator.fraction = fraction
        test.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(60))))
        #expect(test.machine.nextCheck?.origin == .retryAfter)
        #expect(((test.machine.nextCheck?.wait.inSeconds ?? 0) * 1000).rounded() == seconds * 1000)
    }

    /// A tenth of a few seconds would be too short to spread the clients.
    @Test func aShortRetryAfterIsSpreadOverTwoSeconds() {
        var test = MachineUnderTest()
        test.generator.fraction = 1
        test.fail(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(5))))
        #expect(test.machine.nextCheck?.wait.inSeconds.rounded() == 7)
    }

    @Test func aCheckDuringASuspensionLeadsToNoOther() {
        var test = MachineUnderTest(in: .active)
        test.send(.suspended)
        test.send(.checkRequested(.program))
        test.forget()
        test.send(.replied(test.checkID, StatusReply(.killed())))
        #expect(test.machine.stage == .killed)
        #expect(test.actions.last == .stopTimer(.check), "the check's deadline must not become the next check")
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
