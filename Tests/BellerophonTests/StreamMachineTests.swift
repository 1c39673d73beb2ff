import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

@Suite("Stream machine")
struct StreamMachineTests {
    @Test func aStreamLivesOnceItIsHeard() {
        var test = StreamMachineUnderTest()
        #expect(test.send(.started).contains(.connect(1, resumes: true)))
        #expect(test.machine.state == .connecting)
        test.hear(.opened(heartbeat: .seconds(15)))
        #expect(test.machine.state == .connecting, "a head alone may come from a proxy that holds the rest back")
        let actions = test.hear(.retry(.seconds(3)))
        #expect(test.machine.state == .live(since: test.now, lastHeard: test.now))
        #expect(actions.contains(.report(.opened(heartbeat: .seconds(15)))))
    }

    @Test func eventsAreHandedOn() {
        var test = StreamMachineUnderTest()
        test.live()
        let event = StreamEvent(name: "resources", data: Data("{}".utf8))
        #expect(test.hear(.event(event)) == [.deliver(event)])
    }

    @Test(arguments: [(Duration?.some(.seconds(15)), Duration.seconds(45)), (nil, .seconds(90))])
    func threeSilentHeartbeatsEndAStream(heartbeat: Duration?, limit: Duration) {
        var test = StreamMachineUnderTest()
        test.live(heartbeat: heartbeat)
        test.pass(limit - .seconds(1))
        test.hear(.heartbeat)
        test.pass(.seconds(1))
        #expect(test.send(.timerFired(test.timer)).count == 1, "it waits for what is left")
        #expect(test.wait == limit - .seconds(1))
        let actions = test.runTimer()
        #expect(actions.contains(.disconnect(1)))
        #expect(actions.contains(.report(.closed(StatusError(.stream(.silent(for: limit))), lasted: limit * 2 - .seconds(1)))))
        #expect(!test.machine.isLive)
    }

    @Test func aHeadWithoutABodyIsGivenUpToo() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        test.hear(.opened(heartbeat: .seconds(10)))
        #expect(test.wait == .seconds(30))
        test.runTimer()
        #expect(test.machine.failure?.reason == .stream(.silent(for: .seconds(30))))
    }

    @Test func aServerThatNeverAnswersIsGivenUp() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        test.runTimer()
        #expect(test.machine.failure?.reason == .timedOut(after: .seconds(30)))
        guard case .waiting = test.machine.state else {
            Issue.record("no attempt is scheduled: \(test.machine.state)")
            return
        }
        test.runTimer()
        #expect(test.connection == 2)
    }

    @Test func theWaitDoublesWithFullJitterUpToTheCap() {
        var test = StreamMachineUnderTest()
        var waits: [Double] = []
        test.send(.started)
        for _ in 0..<8 {
            test.fall()
            waits.append(test.wait?.inSeconds ?? -1)
            test.runTimer()
        }
        #expect(waits == [2, 3.5, 6.5, 12.5, 24.5, 48.5, 60.5, 60.5], "halfway from 1 s to 3 s, 6 s … 120 s")
    }

    @Test func theServersRetryIsTheBase() {
        var test = StreamMachineUnderTest()
        test.live()
        test.hear(.retry(.seconds(10)))
        test.fall()
        #expect(test.wait == .seconds(5.5))
        test.runTimer()
        test.fall()
        #expect(test.wait == .seconds(10.5))
    }

    @Test(arguments: [(Duration.zero, Duration.seconds(1)), (.milliseconds(999_999_999), .seconds(3600))])
    func aSenselessRetryIsBounded(retry: Duration, bound: Duration) {
        var test = StreamMachineUnderTest()
        test.live()
        test.hear(.retry(retry))
        #expect(test.machine.retry == bound)
    }

    @Test("Clients of a server that asks for no wait do not return together", arguments: [0.0, 0.5, 0.999])
    func noWaitIsSpread(fraction: Double) {
        var test = StreamMachineUnderTest()
        test.generator = FixedFraction(fraction: fraction)
        test.live()
        test.hear(.retry(.zero))
        test.fall()
        #expect(abs((test.wait ?? .zero) / .seconds(1) - (1 + fraction)) < 0.01, "\(String(describing: test.wait))")
    }

    @Test func retryAfterIsHonoured() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        test.hear(.closed(StatusError(.httpStatus(503), metadata: ExchangeMetadata(retryAfter: .seconds(77)))))
        #expect(test.wait == .seconds(77))
        guard case .waiting(let next) = test.machine.state else { return }
        #expect(next.origin == .retryAfter)
    }

    @Test func onlyAnEventOrAHeartbeatForgetsTheFailures() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        for _ in 0..<3 {
            test.fall()
            test.runTimer()
        }
        test.hear(.opened(heartbeat: nil))
        test.hear(.retry(.seconds(3)))
        #expect(test.machine.failures == 3)
        test.hear(.heartbeat)
        #expect(test.machine.failures == 0)
        test.fall()
        #expect(test.machine.failures == 1)
    }

    @Test func afterA204ThereIsNoOtherConnection() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        let actions = test.fall(.refused)
        #expect(test.machine.state == .ended(StatusError(.stream(.refused))))
        #expect(actions.contains(.stopTimer))
        // It is remembered through a sleep.
        for event in [StreamMachine.Event.stopped, .restarted(isFresh: false), .started] { #expect(test.send(event) == []) }
        #expect(test.machine.state == .ended(StatusError(.stream(.refused))))
        #expect(test.send(.restarted(isFresh: true)).contains(.connect(2, resumes: false)), "unless somebody asks for it")
    }

    @Test("A refused stream without an alternative is retried after about an hour")
    func refusedOnlyStreamRetriesRarely() {
        var test = StreamMachineUnderTest()
        test.machine = StreamMachine(isIndispensable: true)
        test.send(.started)
        test.fall(.refused)
        #expect(test.wait == .seconds(3240), "an hour, less up to a fifth")
        #expect(test.runTimer().contains(.connect(2, resumes: true)))
    }

    @Test("Signals of a former connection are dropped")
    func formerConnectionIsIgnored() {
        var test = StreamMachineUnderTest()
        test.live()
        test.send(.restarted(isFresh: false))
        #expect(test.send(.signal(1, .event(StreamEvent(data: Data())))) == [])
        #expect(test.fallOfTheFirst() == [])
        #expect(test.machine.state == .connecting)
    }

    @Test func aRestartIsOneNewConnection() {
        var test = StreamMachineUnderTest()
        test.live()
        let actions = test.send(.restarted(isFresh: true))
        #expect(actions.first == .disconnect(1))
        #expect(actions.last == .connect(2, resumes: false))
    }

    @Test func stoppingLeavesNothingBehind() {
        var test = StreamMachineUnderTest()
        test.live()
        #expect(test.send(.stopped) == [.disconnect(1), .stopTimer])
        #expect(test.send(.timerFired(test.timer)) == [])
        #expect(test.send(.stopped) == [])
        test.send(.started)
        #expect(test.machine.state == .connecting)
    }

    @Test func aPersonDoesNotWaitForTheBackoff() {
        var test = StreamMachineUnderTest()
        test.send(.started)
        test.fall()
        #expect(test.send(.started).contains(.connect(2, resumes: true)))
    }

    /// In every state except off and refused a timer is running.
    @Test func everyPathHasATimer() {
        var chance = SplitMix64(seed: Seed.of("stream machine", default: 7))
        for _ in 0..<200 {
            var test = StreamMachineUnderTest()
            test.send(.started)
            for _ in 0..<30 {
                switch Int.random(in: 0..<9, using: &chance) {
                case 0: test.hear(.opened(heartbeat: Bool.random(using: &chance) ? .seconds(5) : nil))
                case 1: test.hear(.heartbeat)
                case 2: test.hear(.retry(.seconds(Int.random(in: 0...9, using: &chance))))
                case 3: test.hear(.event(StreamEvent(data: Data())))
                case 4: test.fall()
                case 5: test.runTimer()
                case 6: test.send(.restarted(isFresh: true))
                case 7: test.pass(.seconds(Int.random(in: 0...60, using: &chance)))
                default: test.send(.started)
                }
                #expect(test.wait != nil && test.wait ?? .zero > .zero)
                #expect(test.machine.state != .off)
            }
        }
    }
}

extension StreamMachineUnderTest {
    mutating func fallOfTheFirst() -> [StreamMachine.Action] {
        send(.signal(1, .closed(StatusError(.stream(.ended)))))
    }
}
