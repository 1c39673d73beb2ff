import Barricade
import Testing

@Suite struct TimelinePlayerTests {
    /// "Live for 10 s, 503 three times, killed for 30 s, update required until told otherwise."
    static let outage = Timeline(
        "outage", request: "status",
        steps: [
            .init("live", .lasting(.seconds(10))), .init("busy", .times(3)), .init("killed", .lasting(.seconds(30))),
            .init("update"),
        ]
    )

    static let flapping = Timeline(
        "flapping", request: "status",
        steps: [.init("live", .lasting(.seconds(2))), .init("killed", .lasting(.seconds(1)))], repeats: true
    )

    static func playing(_ timeline: Timeline, speed: Int = 1, at now: Duration = .zero) -> TimelinePlayer {
        var player = TimelinePlayer(timeline, speed: speed, at: now)
        player.handle(.play, at: now)
        return player
    }

    @Test func playsAWholeOutage() {
        var player = Self.playing(Self.outage)
        #expect(player.match(at: .zero) == "live")
        #expect(player.match(at: .milliseconds(9999)) == "live")
        #expect(player.match(at: .seconds(10)) == "busy")
        #expect(player.match(at: .seconds(11)) == "busy")
        #expect(player.match(at: .seconds(60)) == "busy")
        #expect(player.match(at: .seconds(60)) == "killed")
        #expect(player.match(at: .milliseconds(89_999)) == "killed")
        #expect(player.match(at: .seconds(90)) == "update")
        #expect(player.match(at: .seconds(90_000)) == "update")
        #expect(player.phase == .playing)
    }

    @Test func aRoundWithoutTimeEnds() {
        let timeline = Timeline(
            "none", request: "status", steps: [.init("live", .lasting(.zero)), .init("killed", .lasting(.zero))], repeats: true)
        var player = Self.playing(timeline)
        #expect(player.match(at: .seconds(5)) != nil)
    }

    @Test("A timed step begins with the match that completes the previous step")
    func timedStepStartsAtLastMatch() {
        var player = Self.playing(Self.outage)
        player.advance(to: .seconds(100))
        for _ in 0..<3 { #expect(player.match(at: .seconds(100)) == "busy") }
        player.advance(to: .seconds(101))
        #expect(player.position?.stepIndex == 2)
        #expect(player.position?.elapsed == .seconds(1))
        #expect(player.position?.remaining == .time(.seconds(29)))
    }

    @Test func manyShortStepsPassInOneAdvance() {
        let steps = (0..<5).map { Timeline.Step("\($0)", .lasting(.seconds(1))) }
        var player = Self.playing(Timeline("t", request: "r", steps: steps))
        player.advance(to: .milliseconds(3500))
        #expect(player.position?.stepIndex == 3)
        #expect(player.position?.elapsed == .milliseconds(500))
    }

    @Test func theEndGoesOnWithTheLastResponse() {
        var player = Self.playing(Timeline("t", request: "r", steps: [.init("a", .lasting(.seconds(1))), .init("b", .times(2))]))
        #expect((0..<4).map { _ in player.match(at: .seconds(1)) } == ["b", "b", "b", "b"])
        #expect(player.phase == .ended)
        #expect(player.position?.stepIndex == 1)
        #expect(player.position?.remaining == .nothing)
        #expect(player.position?.fraction == 1)
        #expect(player.untilNextStep == nil)

        player.handle(.play, at: .seconds(5))
        #expect(player.phase == .playing)
        #expect(player.match(at: .seconds(5)) == "a")
        #expect(player.match(at: .seconds(6)) == "b")
    }

    @Test func anEndByTimeShowsTheWholeStep() {
        var player = Self.playing(Timeline("t", request: "r", steps: [.init("a", .lasting(.seconds(4)))]))
        player.advance(to: .seconds(60))
        #expect(player.phase == .ended)
        #expect(player.position?.elapsed == .seconds(4))
    }

    // MARK: Pause, step, jump, reset

    @Test func aPlayerStartsHeld() {
        var player = TimelinePlayer(Self.outage)
        #expect(player.phase == .paused)
        #expect(player.match(at: .seconds(500)) == "live")
        #expect(player.position?.elapsed == .zero)
        #expect(player.untilNextStep == nil)
    }

    @Test func pauseHoldsTimeAndMatches() {
        var player = Self.playing(Self.outage)
        player.handle(.pause, at: .seconds(4))
        #expect(player.match(at: .seconds(1000)) == "live")
        player.handle(.play, at: .seconds(1000))
        #expect(player.position?.elapsed == .seconds(4))
        #expect(player.match(at: .seconds(1005)) == "live")
        #expect(player.match(at: .seconds(1006)) == "busy")

        player.handle(.pause, at: .seconds(1006))
        for _ in 0..<10 { #expect(player.match(at: .seconds(1007)) == "busy") }
        #expect(player.position?.remaining == .matches(2))
    }

    @Test func stepGoesOnPlayingOrNot() {
        var player = TimelinePlayer(Self.outage)
        player.handle(.step, at: .zero)
        #expect(player.match(at: .zero) == "busy")
        #expect(player.phase == .paused)
        player.handle(.play, at: .zero)
        player.handle(.step, at: .seconds(1))
        #expect(player.position?.stepIndex == 2)
        #expect(player.position?.elapsed == .zero)
        player.handle(.step, at: .seconds(2))
        player.handle(.step, at: .seconds(3))
        #expect(player.phase == .ended)
        player.handle(.step, at: .seconds(4))
        #expect(player.position?.stepIndex == 3)
    }

    @Test("A step from the end of a repeating timeline begins the next round")
    func stepAtEndStartsNewRound() {
        var player = TimelinePlayer(Self.flapping)
        player.handle(.step, at: .zero)
        player.handle(.step, at: .zero)
        #expect(player.position?.stepIndex == 0)
        #expect(player.round == 2)
    }

    @Test func jumpGoesAnywhereThereIs() {
        var player = Self.playing(Self.outage)
        player.handle(.jump(to: 2), at: .seconds(3))
        #expect(player.position?.stepIndex == 2)
        #expect(player.match(at: .seconds(33)) == "update")
        player.handle(.jump(to: 1), at: .seconds(40))
        #expect(player.position?.remaining == .matches(3))
        for place in [4, -1, .max, .min] { player.handle(.jump(to: place), at: .seconds(40)) }
        #expect(player.position?.stepIndex == 1)
        #expect(player.phase == .playing)
    }

    @Test func jumpBackFromTheEndGoesOn() {
        var player = Self.playing(Timeline("t", request: "r", steps: [.init("a", .times(1)), .init("b", .times(1))]))
        #expect((0..<3).map { _ in player.match(at: .zero) } == ["a", "b", "b"])
        player.handle(.jump(to: 0), at: .zero)
        #expect(player.phase == .playing)
        #expect((0..<2).map { _ in player.match(at: .zero) } == ["a", "b"])
    }

    // MARK: Time

    @Test func tenTimesAsFast() {
        var player = Self.playing(Self.outage, speed: 10, at: .seconds(100))
        player.advance(to: .milliseconds(100_500))
        #expect(player.position?.elapsed == .seconds(5))
        #expect(player.untilNextStep == .milliseconds(500))
        #expect(player.match(at: .seconds(101)) == "busy")
    }

    @Test func aChangeOfSpeedCountsFromThen() {
        var player = Self.playing(Self.outage)
        player.handle(.speed(10), at: .seconds(5))
        #expect(player.position?.elapsed == .seconds(5))
        player.advance(to: .milliseconds(5_400))
        #expect(player.position?.elapsed == .seconds(9))
        player.handle(.speed(1), at: .milliseconds(5_400))
        #expect(player.untilNextStep == .seconds(1))
        for (wish, speed) in [(0, 1), (-4, 1), (.max, 1000)] {
            player.handle(.speed(wish), at: .seconds(6))
            #expect(player.speed == speed)
        }
    }

    @Test func theWaitIsNeverTooShort() {
        var player = Self.playing(Timeline("t", request: "r", steps: [.init("a", .lasting(.seconds(1))), .init("b")]), speed: 7)
        let wait = player.untilNextStep ?? .zero
        player.advance(to: wait)
        #expect(player.position?.stepIndex == 1)
    }

    @Test func timeThatGoesBackStandsStill() {
        var player = Self.playing(Self.outage, at: .seconds(10))
        player.advance(to: .seconds(14))
        player.advance(to: .seconds(11))
        player.advance(to: .seconds(15))
        #expect(player.position?.elapsed == .seconds(5))
    }

    @Test func roundsRepeat() {
        var player = Self.playing(Self.flapping)
        #expect(
            [0, 1, 2, 3, 5, 6, 8].map { player.match(at: .seconds($0)) } == [
                "live", "live", "killed", "live", "killed", "live", "killed",
            ])
        #expect(player.round == 3)
    }

    @Test func aYearOfFlappingPassesAtOnce() {
        var player = Self.playing(Self.flapping)
        player.advance(to: .seconds(3 * 10_000_000 + 2))
        #expect(player.round == 10_000_001)
        #expect(player.position?.stepIndex == 1)
        player.advance(to: .seconds(Int64.max))
        #expect(player.phase == .playing)
    }

    @Test func aRoundWithACountWaitsForItsMatches() {
        var player = Self.playing(
            Timeline("t", request: "r", steps: [.init("a", .lasting(.seconds(1))), .init("b", .times(1))], repeats: true)
        )
        #expect([0, 100, 100, 101, 101].map { player.match(at: .seconds($0)) } == ["a", "b", "a", "b", "a"])
        #expect(player.round == 3)
    }

    // MARK: Display values

    @Test func thePositionSaysWhatIsLeft() {
        var player = Self.playing(Self.outage)
        player.advance(to: .milliseconds(2500))
        #expect(player.position?.step == Self.outage.steps[0])
        #expect(player.position?.remaining == .time(.milliseconds(7500)))
        #expect(player.position?.fraction == 0.25)
        #expect(player.untilNextStep == .milliseconds(7500))
        _ = player.match(at: .seconds(10))
        #expect(player.position?.remaining == .matches(2))
        #expect(player.position?.matches == 1)
        #expect(player.position?.fraction == 1.0 / 3)
        #expect(player.untilNextStep == nil)
        player.handle(.jump(to: 3), at: .seconds(11))
        player.advance(to: .seconds(20))
        #expect(player.position?.remaining == .untilTold)
        #expect(player.position?.elapsed == .seconds(9))
        #expect(player.position?.fraction == nil)
    }

    @Test func aTimelineWithoutStepsHasNothingToSay() {
        var player = Self.playing(Timeline("t", request: "r", steps: [], repeats: true))
        #expect(player.match(at: .seconds(1)) == nil)
        #expect(player.position == nil)
        #expect(player.phase == .ended)
        player.handle(.step, at: .seconds(2))
        player.handle(.jump(to: 0), at: .seconds(2))
        #expect(player.phase == .ended)
    }

    @Test func aTimelineKnowsItsLength() {
        #expect(Self.flapping.duration == .seconds(3))
        #expect(Self.outage.duration == nil)
    }
}
