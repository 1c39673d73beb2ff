import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("Stage machine: pushes of no use, and nothing but a stream")
struct StageMachinePushTests {
    private func pushFailed(_ test: inout MachineUnderTest) {
        test.send(.pushFailed(StatusError(.notStatusDocument("no"))))
    }

    /// Performs the check that is due and completes it with the document.
    private func check(_ test: inout MachineUnderTest, _ document: StatusDocument) {
        guard let next = test.machine.nextCheck, next.due <= test.now else { return }
        test.send(.timerFired(test.timerID))
        test.send(.replied(test.checkID, StatusReply(document)))
    }

    @Test("Repeated broken pushes cause checks at the regular interval only")
    func brokenPushesLimitChecks() {
        var test = MachineUnderTest(in: .active)
        test.send(.pollingChanged(.resting))
        for _ in 0..<300 {
            test.wait(.seconds(1))
            pushFailed(&test)
            check(&test, .active(every: 30))
        }
        #expect(test.fetches >= 10 && test.fetches <= 11, "soon after the first, then every 30 s: \(test.fetches)")
        #expect(test.machine.failures == 0, "a check that fails is not backed off from for the stream's failures")
    }

    @Test func aBrokenPushMovesNoCheckBack() throws {
        var test = MachineUnderTest(in: .killed)
        test.wait(.seconds(14))
        let due = try #require(test.machine.nextCheck?.due)
        pushFailed(&test)
        #expect(test.machine.nextCheck?.due == due)
    }

    @Test func aGoodPushLetsTheAppRestAgain() {
        var test = MachineUnderTest(in: .active)
        test.send(.pollingChanged(.resting))
        pushFailed(&test)
        #expect(test.machine.nextCheck?.wait == .seconds(1.5))
        test.wait(.seconds(2))
        check(&test, .active(every: 30))
        #expect(test.machine.nextCheck?.wait == .seconds(30))
        test.send(.pushed(StatusReply(.killed())))
        #expect(test.machine.nextCheck?.origin == .safety)
    }

    @Test("An older kill from a cache makes the live stream confirm the current status")
    func cachedKillRefreshesStream() {
        func reply(_ stage: Stage, _ second: Double) -> StatusReply {
            StatusReply(.to(stage), metadata: ExchangeMetadata(publishedAt: Date(timeIntervalSince1970: second)))
        }
        var test = MachineUnderTest()
        test.send(.pollingChanged(.resting))
        test.send(.pushed(reply(.active, 100)))
        test.wait(.seconds(300))
        test.send(.timerFired(test.timerID))
        test.forget()
        test.send(.replied(test.checkID, reply(.killed, 50)))
        #expect(test.machine.stage == .killed)
        #expect(test.actions.last == .refreshStream)
        test.send(.pushed(reply(.active, 100)))
        #expect(test.machine.stage == .active)
    }

    // MARK: Stream only

    @Test func afterADismissalTheStreamRepeatsTheStatus() {
        var test = MachineUnderTest()
        test.send(.pollingChanged(.off))
        test.send(.pushed(StatusReply(.killed(every: 15))))
        test.forget()
        test.send(.dismissed)
        #expect(test.actions.last == .startTimer(.check, test.timerID, after: .seconds(15)))
        test.send(.timerFired(test.timerID))
        #expect(test.actions.last == .refreshStream)
        #expect(test.fetches == 0)
    }

    @Test func aStatusThatComesBeforeThatIsEnough() {
        var test = MachineUnderTest()
        test.send(.pollingChanged(.off))
        test.send(.pushed(StatusReply(.killed(every: 15))))
        test.send(.dismissed)
        let timer = test.timerID
        test.forget()
        test.send(.pushed(StatusReply(.killed(every: 15))))
        #expect(test.actions.contains(.stopTimer(.check)))
        test.forget()
        test.send(.timerFired(timer))
        #expect(test.actions.isEmpty)
    }
}
