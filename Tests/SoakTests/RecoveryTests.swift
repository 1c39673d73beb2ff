import Bellerophon
import Foundation
import TestSupport
import Testing

/// A thousand clients and one server that fails: its recovery must not cause a load peak.
///
/// The recovery is the time from the server's return until every client has had a reply, in seconds. Its peak and its
/// mean count every request of that time: the retries, and the regular checks of recovered clients.
@Suite("Soak: a thousand clients")
struct RecoveryTests {
    /// Several outages, each with its own seed.
    private func outages(
        _ seeds: ClosedRange<UInt64>, every interval: Double, away: Fleet.Server, for outage: Duration
    ) -> [[Int]] {
        seeds.map { seed in
            var fleet = Fleet(interval: interval, launch: .seconds(interval), seed: seed)
            fleet.advance(by: .seconds(2 * interval))
            fleet.server = away
            fleet.advance(by: outage)
            return fleet.recover()
        }
    }

    /// The sum of the runs, limited to the length of the shortest, which averages out the random part of each run.
    private func together(_ runs: [[Int]]) -> [Int] {
        runs.dropFirst().reduce(runs[0], +)
    }

    @Test(arguments: Seed.proof == nil ? [300] : [300, 1200, 3600])
    func afterAnOutageThePeakIsAtMostTwiceTheMean(seconds: Int) {
        // The longest outage has one run, because it takes long.
        let runs = outages(seconds > 1200 ? 2...2 : 1...2, every: 30, away: .down, for: .seconds(seconds))
        #expect(runs.allSatisfy { $0.peakToMean <= 2 }, "\(runs.map(\.peakToMean))")
        #expect(runs.allSatisfy { $0.count <= 121 }, "the longest wait is two minutes")
    }

    /// With a longer interval a thousand clients send so few requests per second that random variation alone causes
    /// peaks.
    @Test(
        "With long intervals the load after an outage peaks at no more than twice the mean",
        arguments: Seed.proof == nil ? [(60.0, 300)] : [(30, 120), (60, 300)])
    func fewRequestsHaveSmallPeaks(interval: Double, seconds: Int) {
        let runs = outages(1...3, every: interval, away: .down, for: .seconds(seconds))
        #expect(together(runs).peakToMean <= 2, "\(runs.map(\.peakToMean))")
    }

    @Test func afterAServerThatHungToo() {
        let runs = outages(1...2, every: 30, away: .hanging, for: .seconds(600))
        #expect(together(runs).peakToMean <= 2, "\(runs.map(\.peakToMean))")
    }

    @Test("Clients started at the same time spread their requests")
    func simultaneousStartsSpread() {
        var fleet = Fleet(interval: 30, launch: .zero, seed: 1)
        fleet.advance(by: .seconds(900))
        let start = fleet.now
        fleet.advance(by: .seconds(300))
        let load = fleet.requests.load(from: start, for: 300)
        #expect(load.peakToMean <= 2, "\(load)")
        #expect((32...35).contains(load.mean), "and nobody asks more or less often for it")
    }

    @Test("Clients given the same Retry-After return spread over a tenth of that time")
    func retryAfterIsSpread() {
        var fleet = Fleet(interval: 30, launch: .zero, seed: 1)
        fleet.server = .busy(.seconds(60))
        fleet.advance(by: .seconds(1))
        let load = fleet.recover()
        // The first of these seconds is the second after the reply.
        #expect(load.prefix(59).allSatisfy { $0 == 0 }, "never sooner than the server asked for")
        #expect(load.count == 65, "and at most a tenth later")
        #expect(Array(load.suffix(6)).peakToMean <= 1.2, "\(load)")
        fleet.advance(by: .seconds(900))
        let start = fleet.now
        fleet.advance(by: .seconds(300))
        #expect(fleet.requests.load(from: start, for: 300).peakToMean <= 2, "and what is left of it goes by itself")
    }

    /// A server's restart cuts every stream at once. Each client checks immediately, so that it misses no kill; its
    /// further requests are spread.
    @Test(arguments: Seed.proof == nil ? [(0, 3, 520), (120, 120, 50)] : [(0, 3, 520), (10, 60, 300), (120, 120, 50)])
    @MainActor func streamsThatAreCutAtOnceComeBackOneByOne(seconds: Int, recovery: Int, peak: Int) {
        let fleet = StreamFleet(seed: 1)
        fleet.launch()
        fleet.clock.advance(by: .seconds(20))
        #expect(fleet.live == 1000)
        fleet.isUp = seconds == 0
        fleet.cut()
        #expect(fleet.requests.last == fleet.clock.now, "they ask in the same instant")
        fleet.clock.advance(by: .seconds(seconds))
        fleet.isUp = true
        let start = fleet.clock.now
        var waited = 0
        while fleet.live < 1000, waited < 600 {
            fleet.clock.advance(by: .seconds(1))
            waited += 1
        }
        let load = fleet.requests.load(from: start, for: waited)
        #expect(waited <= recovery && load.dropFirst(seconds == 0 ? 1 : 0).allSatisfy { $0 <= peak }, "\(load)")
    }
}
