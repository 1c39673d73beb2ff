import Barricade
import BellerophonBase
import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import ProgramKit
@testable import ScenarioKit

/// A tester plays complete outages with keys.
@Suite struct PlayerTests {
    // MARK: Play, hold, step, jump

    @Test func enterPlaysATimelineAndTheAppAsksAtOnce() {
        var session = DashboardSession(timelines: DashboardSession.timelines)
        session.start()
        session.answer()
        session.press(.home, .enter)
        #expect(session.takeEffects() == [.barricade(.play("planned maintenance")), .checkAfresh])
        #expect(session.lines(with: "▶ planned maintenance      1/4  ×1").count == 1)
        #expect(session.lines(with: "0s of 10s").count == 1)
        #expect(session.footer == " ✓ planned maintenance: plays")
    }

    @Test("A timed step causes a check when it begins, and a counted step waits for regular checks")
    func timedStepCausesCheck() {
        var session = DashboardSession.playing()
        session.play(9)
        _ = session.takeEffects()
        session.play(1)
        // The counted step has begun: the app's own checks advance it.
        #expect(session.takeEffects() == [])
        #expect(session.lines(with: "▶ HTTP 503 ×3").count == 1)
        session.press(.character("r"))
        session.answer()
        #expect(session.lines(with: "1 of 3 replies").count == 1)
        session.press(.character("r"))
        session.answer()
        session.press(.character("r"))
        _ = session.takeEffects()
        session.answer()
        // The third reply ended the step; the pause takes effect at the app's next check.
        #expect(session.takeEffects() == [])
        #expect(session.lines(with: "▶ paused").count >= 1)
        #expect(session.header.hasPrefix(" ● LIVE"))
        session.press(.character("r"))
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
        _ = session.takeEffects()
        session.play(30)
        #expect(session.takeEffects().contains(.checkAfresh))
        #expect(session.header.hasPrefix(" ▲ UPDATE"))
    }

    @Test func pHoldsAndGoesOn() {
        var session = DashboardSession.playing()
        session.play(4)
        session.press(.character("p"))
        #expect(session.takeEffects().last == .barricade(.pause(request: "status")))
        #expect(session.lines(with: "‖ planned maintenance").count >= 1)
        #expect(session.lines(with: "4s of 10s").count == 1)
        session.play(60)
        #expect(session.lines(with: "4s of 10s").count == 1)
        #expect(session.footer.contains("p play"))
        session.press(.character("p"))
        session.play(4)
        #expect(session.lines(with: "8s of 10s").count == 1)
        #expect(session.footer.contains("p hold"))
    }

    @Test func stepsAreTakenForwardBackAndByNumber() {
        var session = DashboardSession.playing()
        for (key, place) in [("n", "2/4"), ("n", "3/4"), ("b", "2/4"), ("4", "4/4"), ("1", "1/4"), ("b", "1/4")]
            as [(Character, String)]
        {
            session.press(.character(key))
            session.answer()
            #expect(session.lines(with: "planned maintenance      \(place)").count == 1, "\(key)")
        }
        session.press(.character("7"))
        #expect(session.footer == " ! there is no step 7; planned maintenance has 4")
    }

    @Test func tenTimesAsFastAndBack() {
        var session = DashboardSession.playing()
        session.press(.character("*"))
        #expect(session.lines(with: "1/4  ×10").count == 1)
        session.press(.character("3"))
        session.answer()
        session.play(2)
        #expect(session.lines(with: "20s of 30s").count == 1)
        session.press(.character("*"))
        session.play(2)
        #expect(session.lines(with: "22s of 30s").count == 1)
    }

    @Test func xEndsItAndTheDefaultAnswersAgain() {
        var session = DashboardSession.playing()
        session.press(.character("3"))
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
        session.press(.character("x"))
        session.answer()
        #expect(session.header.hasPrefix(" ● LIVE"))
        #expect(session.lines(with: "3/4  ×1").isEmpty)
        #expect(session.lines(with: "▸ ✓ live").count == 1)
        session.press(.character("p"), .character("n"))
        #expect(session.footer == " ! no timeline plays; Enter on one plays it")
    }

    @Test("The end of a timeline is announced, and the key p plays it again")
    func endedTimelinePlaysAgain() {
        var session = DashboardSession.playing(columns: 110, rows: 30)
        session.press(.character("4"), .character("n"))
        session.answer()
        #expect(session.footer == " ✓ planned maintenance has ended")
        #expect(session.lines(with: "14:00:00  ▶ planned maintenance has ended").count == 1)
        #expect(session.header.hasPrefix(" ▲ UPDATE"))
        session.press(.character("p"))
        session.answer()
        #expect(session.header.hasPrefix(" ● LIVE"))
        #expect(session.lines(with: "1/4  ×1").count == 1)
    }

    @Test func roundsAreCounted() {
        var session = DashboardSession.playing()
        session.press(.down, .enter)
        session.play(21)
        #expect(session.lines(with: "round 3  1/2  ×1").count == 1)
    }

    // MARK: Keys and scripts

    @Test func aPickByHandHoldsTheTimelineAndPGoesOn() {
        var session = DashboardSession.playing()
        session.press(.character("3"))
        session.answer()
        session.press(.character("s"), .right, .enter)
        session.answer()
        #expect(session.footer == " ✓ scenario: live; planned maintenance is on hold, p continues")
        #expect(session.header.hasPrefix(" ● LIVE"))
        #expect(session.lines(with: "▶ planned maintenance: on hold, picked by hand").count <= 1)
        session.play(40)
        #expect(session.header.hasPrefix(" ● LIVE"))
        #expect(session.lines(with: "‖ planned maintenance      3/4").count == 1)
        session.press(.character("p"))
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
        #expect(session.lines(with: "▶ planned maintenance      3/4").count == 1)
    }

    @Test("The player keys work in the picker, which stays open")
    func playerKeysWorkInPicker() {
        var session = DashboardSession.playing()
        session.press(.character("s"), .character("3"))
        session.answer()
        #expect(session.lines(with: "▶3 paused").count == 1)
        session.press(.character("p"))
        #expect(session.lines(with: "‖ planned maintenance  on hold").count == 1)
        #expect(session.model.hasPicker)
        session.press(.character("n"), .character("x"))
        session.answer()
        #expect(session.lines(with: "on hold").isEmpty)
        #expect(session.model.hasPicker)
    }

    @Test("Actions of a script are shown in the dashboard")
    func scriptActionsAreShown() {
        var session = DashboardSession(timelines: DashboardSession.timelines)
        session.start()
        session.answer()
        session.press(.character("s"))
        session.script(.play("flapping"))
        #expect(session.lines(with: "▶ flapping").count >= 2)
        session.script(.play("nothing"))
        session.press(.escape)
        #expect(session.footer.hasPrefix(" ! no timeline is named \"nothing\"; there is \"planned maintenance\""))
    }

    @Test("Without the picker its keys have no effect, and the session is marked as simulated")
    func hiddenPickerHasNoKeys() {
        var session = DashboardSession.playing(hasPicker: false)
        #expect(session.header.contains("SIMULATED"))
        #expect(!session.screen.contains("Scenarios"))
        for key in "spnbx*3" { session.press(.character(key)) }
        #expect(session.takeEffects() == [])
        #expect(!session.model.hasPicker)
        session.press(.character("?"))
        #expect(!session.screen.contains("timeline"))
        session.press(.escape)
        session.script(.select(request: "status", response: "paused"))
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
    }

    @Test("A click below the player selects the line under the pointer")
    func clickBelowPlayerHitsLine() {
        var session = DashboardSession.playing(columns: 80, rows: 24)
        _ = session.takeEffects()
        session.click(column: 6, row: session.row(of: "  flapping"))
        session.click(column: 6, row: session.row(of: "▸   flapping"))
        #expect(session.takeEffects().first == .barricade(.play("flapping")))
    }

    // MARK: The track

    @Test("The track shows the current step at every width")
    func trackShowsCurrentStep() throws {
        var session = DashboardSession.playing()
        session.press(.character("3"))
        let playback = try #require(session.model.shownPlayback)
        let panel = try #require(PlayerPanel(playback, speed: 1, height: 8, listRows: 20))
        #expect(panel.track(columns: 80).text == "live ─ HTTP 503 ×3 ─ ▶ paused ─ update required")
        #expect(panel.track(columns: 32).text == "… ─ HTTP 503 ×3 ─ ▶ paused ─ …")
        #expect(panel.track(columns: 16).text == "… ─ ▶ paused ─ …")
        for columns in 0...60 { #expect(panel.track(columns: columns).text.contains("▶ paused")) }
    }

    @Test func aPrefixThatAllStepsShareIsLeftOut() {
        let timeline = Timeline("t", request: "r", steps: [.init("story: before"), .init("story: after")])
        #expect(timeline.steps.map { Playback(TimelinePlayer(timeline)).shortName(of: $0) } == ["before", "after"])
        let mixed = Timeline("t", request: "r", steps: [.init("story: before"), .init("live")])
        #expect(mixed.steps.map { Playback(TimelinePlayer(mixed)).shortName(of: $0) } == ["story: before", "live"])
    }

    // MARK: Shortcuts

    @Test func oneKeyPausesTheServiceAndEndsThePause() {
        var session = DashboardSession.afterAPause()
        session.press(.character("K"))
        #expect(session.screen.contains("▸ ✓ paused"))
        session.press(.character("K"))
        #expect(session.screen.contains("▸ ✓ live"))
        // The same key works on the view.
        #expect(session.model.takesOverOverlay(.character("K")))
        session.send(.overlayKey(.character("K")))
        #expect(session.screen.contains("▸ ✓ paused"))
    }

    @Test func oneKeyPicksTheScenarioFromBefore() {
        var session = DashboardSession.afterAPause()
        session.press(.character("."))
        #expect(session.footer.contains("! no scenario was picked before"))
        session.script(.select(request: "status", response: "offline"))
        session.script(.select(request: "status", response: "HTTP 500"))
        session.press(.character("."))
        #expect(session.screen.contains("▸ ✓ offline"))
        session.press(.character("."))
        #expect(session.screen.contains("▸ ✓ HTTP 500"))
    }

    // MARK: Keys of one's own

    private static func configuration(_ keys: String) throws -> Configuration {
        var configuration = Configuration()
        try configuration.apply(file: Data(#"{"keys":\#(keys)}"#.utf8), origin: "test")
        return configuration
    }

    @Test("The footer, the help page and the program use the configured keys")
    func keysFollowConfiguration() throws {
        let json = #"{"checkNow":["f5","R"],"filter":"ctrl-f","quit":"Q","play":"space","pageDown":[],"help":"?"}"#
        var session = DashboardSession.afterAPause(columns: 140, rows: 60)
        session.model.screen.keys = try Self.configuration(json).display.keys
        #expect(
            session.footer.contains("F5 check") && session.footer.contains("Ctrl-F filter") && session.footer.contains("Q quit"))
        session.press(.function(5))
        #expect(session.takeEffects() == [.checkNow])
        session.press(.character("r"), .character("q"))
        #expect(session.takeEffects() == [], "the usual keys are free")
        session.press(.character("?"))
        #expect(session.lines(with: "ask the server for the status now").contains { $0.contains("F5 R") })
        #expect(session.lines(with: "ten lines down").isEmpty)
        session.press(.escape, .character("Q"))
        #expect(session.takeEffects() == [.quit])
    }

    @Test func twoCommandsMayExchangeTheirKeys() throws {
        let keys = try Self.configuration(#"{"checkNow":"i","inspect":"r"}"#).display.keys
        var session = DashboardSession.afterAPause()
        session.model.screen.keys = keys
        session.press(.character("i"))
        #expect(session.takeEffects() == [.checkNow])
    }
}
