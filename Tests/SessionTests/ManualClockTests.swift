import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

@MainActor
@Suite struct ManualClockTests {
    private let clock = ManualClock()

    @Test func callsInOrderAtTheirOwnMoments() {
        var log: [String] = []
        for (name, wait) in [("c", 3.0), ("a", 1.0), ("b", 2.0), ("a2", 1.0)] {
            _ = clock.schedule(after: .seconds(wait)) { log.append("\(name) \(clock.now.offset.inSeconds)") }
        }
        #expect(clock.pendingWaits == [.seconds(1), .seconds(1), .seconds(2), .seconds(3)])
        clock.advance(by: .seconds(2.5))
        #expect(log == ["a 1.0", "a2 1.0", "b 2.0"])
        #expect(clock.now.offset == .seconds(2.5))
        #expect(clock.pendingWaits == [.seconds(0.5)])
    }

    @Test func makesCallsThatAHandlerSchedules() {
        var turns = 0
        func turn() {
            turns += 1
            _ = clock.schedule(after: .seconds(1), turn)
        }
        turn()
        clock.advance(by: .seconds(10))
        #expect(turns == 11)
    }

    @Test func makesNoCancelledCall() {
        var calls = 0
        let call = clock.schedule(after: .seconds(1)) { calls += 1 }
        call.cancel()
        call.cancel()
        clock.advance(by: .seconds(2))
        #expect(calls == 0)
        #expect(clock.advanceToNextCall() == nil)
    }

    @Test func makesADueCallOnTheNextTurnOnly() {
        var calls = 0
        _ = clock.schedule(after: .seconds(-5)) { calls += 1 }
        #expect(calls == 0)
        clock.advance(by: .zero)
        #expect(calls == 1)
        #expect(clock.now.offset == .zero)
    }

    @Test func keepsTheThreeTimesApart() {
        let start = clock.date
        clock.advance(by: .seconds(10))
        clock.jumpWallClock(by: .seconds(-3600))
        clock.sleepMachine(for: .seconds(500))
        #expect(clock.now.offset == .seconds(10))
        #expect(clock.slept == .seconds(500))
        #expect(clock.date == start.addingTimeInterval(10 - 3600 + 500))
    }

    @Test func generatesTheReferenceSequence() {
        // The first outputs for seed 1234567, as published by the algorithm's authors.
        var generator = SplitMix64(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func aProofHasOtherSeedsWhichItRepeats() {
        #expect(Seed.of("one", default: 42, proof: nil) == 42)
        let seeds = [("one", 7), ("two", 7), ("one", 8)].map { Seed.of($0.0, default: 42, proof: $0.1) }
        #expect(seeds == [("one", 7), ("two", 7), ("one", 8)].map { Seed.of($0.0, default: 42, proof: $0.1) })
        #expect(Set(seeds).count == 3 && seeds.allSatisfy { $0 <= UInt32.max })
    }
}
