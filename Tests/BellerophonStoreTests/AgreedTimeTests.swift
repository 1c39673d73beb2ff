import Testing

@testable import BellerophonStore

/// When timed statuses may end, by two clocks: the pure machine.
struct AgreedTimeTests {
    private static let hour: Int64 = 3_600_000
    /// The machine runs for a day.
    private static let start = AgreedTime.Reading(wall: 1_000_000_000_000, steady: 86_400_000)

    /// The clocks after some time, in seconds, with the wall clock set by some seconds.
    private static func after(_ seconds: Int64, set: Int64 = 0) -> AgreedTime.Reading {
        AgreedTime.Reading(wall: start.wall + 1000 * (seconds + set), steady: start.steady + 1000 * seconds)
    }

    /// In seconds since the start.
    private func reached(_ time: AgreedTime) -> Int64 { (time.reached - Self.start.wall) / 1000 }

    @Test func timeGoesByWhileTheClocksAgree() {
        var time = AgreedTime(Self.start)
        for second in Int64(1)...100 {
            time.compare(Self.after(second))
            #expect(reached(time) == second)
        }
        #expect(time.jump == nil)
    }

    @Test(arguments: [7200, -7200, 6, -6] as [Int64])
    func theLaterOfTheTwoEndsCountsWhileTheClockIsSet(by seconds: Int64) {
        var time = AgreedTime(Self.start)
        time.compare(Self.after(10))
        for second in stride(from: Int64(11), through: 8000, by: 10) {
            time.compare(Self.after(second, set: seconds))
            #expect(time.jump?.lead == 1000 * seconds)
            #expect(reached(time) == max(second + min(seconds, 0), 10))
        }
        // Set right again, it was a mistake that nobody has to know of.
        time.compare(Self.after(8001))
        #expect(time.jump == nil)
        #expect(reached(time) == 8001)
    }

    @Test func smallCorrectionsAreFollowed() {
        var time = AgreedTime(Self.start)
        // A leap second, and four corrections of 3 s.
        for (number, set) in ([-1, 2, 5, 8, 11] as [Int64]).enumerated() {
            time.compare(Self.after(Int64(number + 1), set: set))
            #expect(time.jump == nil)
            #expect(reached(time) == Int64(number + 1) + set)
        }
    }

    @Test("A machine that just started ends nothing until its clock has settled")
    func startingClockIsAwaited() {
        // The battery of the clock is empty, or its time is that of the last run.
        let start = AgreedTime.Reading(wall: 0, steady: 20_000)
        var time = AgreedTime(start)
        #expect(time.reached == .min)
        time.compare(.init(wall: 1_000_000_000_000, steady: 50_000))
        #expect(time.jump == nil)
        // A clock that is ahead at first ends nothing either.
        time.compare(.init(wall: 1_000_000_000_000 - Self.hour, steady: 60_000))
        time.compare(.init(wall: 1_000_000_000_000 - Self.hour + 170_000, steady: 230_000))
        #expect(time.reached == .min)
        #expect(!time.isSettled(at: 230_000))
        time.compare(.init(wall: 1_000_000_000_000 - Self.hour + 190_000, steady: 250_000))
        #expect(time.reached == 1_000_000_000_000 - Self.hour + 190_000)
        // From then on it is left alone.
        time.compare(.init(wall: 1_000_000_000_000, steady: 251_000))
        #expect(time.jump != nil)
    }

    @Test func aClockBeforeTheNewestRowWasWrong() {
        var time = AgreedTime(Self.start, newest: Self.start.wall + Self.hour)
        time.compare(Self.after(900, set: 7200))
        #expect(time.jump == nil)
        #expect(reached(time) == 0)
        time.compare(Self.after(1100, set: 7200))
        #expect(reached(time) == 1100 + 7200)
        // Only once.
        time.compare(Self.after(1101, set: 14_400))
        #expect(time.jump != nil)
    }

    @Test("A stored anchor reveals that the clock was set before the start")
    func keptAnchorRevealsClockChange() {
        let time = AgreedTime(Self.after(3600, set: 10_800), kept: Self.start)
        #expect(time.jump?.lead == 10_800_000)
        #expect(reached(time) == 3600)
        #expect(AgreedTime(Self.after(3600), kept: Self.start).jump == nil)
    }

    @Test("After a clock that was set back is accepted, the agreed time follows it")
    func acceptedClockIsFollowed() {
        var time = AgreedTime(Self.start)
        time.compare(Self.after(100, set: -3600))
        time.accept(Self.after(100, set: -3600))
        #expect(time.jump == nil)
        #expect(reached(time) == 100 - 3600)
        time.compare(Self.after(200, set: -3600))
        #expect(reached(time) == 200 - 3600)
    }

    @Test func aDifferenceAtTheLimitDoesNotComeAndGo() {
        var time = AgreedTime(Self.start)
        time.compare(Self.after(1, set: 6))
        time.compare(Self.after(2, set: 4))
        #expect(time.jump != nil)
        time.compare(Self.after(3, set: 2))
        #expect(time.jump == nil)
    }

    @Test func aWitnessSaysThatTheNewTimeIsRight() {
        var time = AgreedTime(Self.start)
        time.compare(Self.after(0, set: 7200))
        time.compare(Self.after(1, set: 7200), hasWitness: true)
        time.compare(Self.after(600, set: 7200), hasWitness: true)
        #expect(time.jump != nil)
        time.compare(Self.after(601, set: 7200), hasWitness: true)
        #expect(time.jump == nil)
        time.compare(Self.after(602, set: 7200), hasWitness: true)
        #expect(reached(time) == 602 + 7200)
    }
}
