import Bellerophon
import Foundation
import ProgramKit
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard

/// Complete screens, compared with golden files.
@Suite struct DashboardGoldenTests {
    static let sizes = [(80, 24), (40, 12), (200, 60), (1, 1)]

    @Test(arguments: sizes) func liveWithHistory(columns: Int, rows: Int) {
        expectGolden(DashboardSession.afterAPause(isSimulated: false, columns: columns, rows: rows).frame(), named: "live")
    }

    @Test(arguments: sizes) func simulated(columns: Int, rows: Int) {
        expectGolden(DashboardSession.afterAPause(columns: columns, rows: rows).frame(), named: "simulated")
    }

    @Test(arguments: sizes) func failingWhilePaused(columns: Int, rows: Int) {
        expectGolden(DashboardSession.failingWhilePaused(columns: columns, rows: rows).frame(), named: "failing")
    }

    @Test(arguments: sizes) func updateRequired(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(isSimulated: false, columns: columns, rows: rows)
        session.untilCheck()
        session.reply(.updateRequired, interval: 60, message: "Please update.", requiredVersion: "1.5.2")
        session.wait(21)
        expectGolden(session.frame(), named: "update")
    }

    @Test(arguments: sizes + [(120, 36)]) func planned(columns: Int, rows: Int) throws {
        expectGolden(try DashboardSession.planned(columns: columns, rows: rows).frame(), named: "plan")
    }

    @Test(arguments: sizes + [(120, 36)]) func inTheWindowOfAPlan(columns: Int, rows: Int) throws {
        expectGolden(try DashboardSession.inTheWindow(columns: columns, rows: rows).frame(), named: "plan-window")
    }

    @Test(arguments: sizes + [(24, 6)]) func notice(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(isSimulated: false, columns: columns, rows: rows)
        session.send(.told(Self.maintenance))
        expectGolden(session.frame(), named: "notice")
    }

    @Test("A notice that has shrunk to a mark takes no row") func noticeAsMark() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        let before = session.frame().text.split(separator: "\n", omittingEmptySubsequences: false)
        var notice = Self.maintenance
        notice.form = .mark
        session.send(.told(notice))
        let rows = session.frame().text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows[0].hasSuffix("▲") && rows.dropFirst() == before.dropFirst())
        session.send(.told(nil))
        #expect(session.frame().text.split(separator: "\n", omittingEmptySubsequences: false) == before)
    }

    private static var maintenance: OverlayNotice {
        let date = Date(timeIntervalSince1970: 1_709_992_800)
        var facts = StatusFacts()
        facts[.message] = "We are moving the disks."
        let rule = Rule(id: "mw", effect: .pause, from: date + 840, until: date + 6240, facts: facts)
        return OverlayNotice(
            Verdict.Notice(rule: rule, phase: .announced), app: AppInfo(name: "example"), date: date, timeZone: .gmt)
    }

    @Test(arguments: sizes) func pushed(columns: Int, rows: Int) {
        expectGolden(DashboardSession.pushed(columns: columns, rows: rows).frame(), named: "pushed")
    }

    @Test(arguments: sizes) func fallenStream(columns: Int, rows: Int) {
        expectGolden(DashboardSession.fallenStream(columns: columns, rows: rows).frame(), named: "fallen-stream")
    }

    @Test(arguments: sizes) func onlyAStream(columns: Int, rows: Int) {
        expectGolden(DashboardSession.onlyAStream(columns: columns, rows: rows).frame(), named: "only-stream")
    }

    @Test(arguments: sizes) func starting(columns: Int, rows: Int) {
        var session = DashboardSession(size: Size(columns: columns, rows: rows))
        session.start()
        expectGolden(session.frame(), named: "starting")
    }

    @Test(arguments: sizes) func pickerOverTheDashboard(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.press(.character("s"), .character("j"))
        expectGolden(session.frame(), named: "picker")
    }

    @Test(arguments: sizes) func player(columns: Int, rows: Int) {
        var session = DashboardSession.playing(columns: columns, rows: rows)
        session.press(.character("3"))
        session.answer()
        session.play(12)
        expectGolden(session.frame(), named: "player")
    }

    @Test(arguments: sizes) func pickerWithThePlayer(columns: Int, rows: Int) {
        var session = DashboardSession.playing(columns: columns, rows: rows)
        session.press(.character("3"))
        session.answer()
        session.play(12)
        session.press(.character("s"))
        expectGolden(session.frame(), named: "picker-player")
    }

    @Test(arguments: sizes) func whoAmI(columns: Int, rows: Int) {
        var session = DashboardSession.withRules(columns: columns, rows: rows)
        session.press(.character("s"), .character("c"), .down)
        expectGolden(session.frame(), named: "who-am-i")
    }

    @Test func whoAmIWithAProblem() {
        var session = DashboardSession.withRules(columns: 80, rows: 24)
        session.press(.character("s"), .character("c"))
        for _ in 0..<7 { session.press(.down) }
        session.press(.enter, .control("u"))
        session.type("tomorrow")
        session.press(.enter)
        expectGolden(session.frame(), named: "who-am-i-problem")
    }

    @Test(arguments: sizes) func help(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.press(.character("?"))
        expectGolden(session.frame(), named: "help")
    }

    @Test(arguments: sizes) func inspector(columns: Int, rows: Int) {
        var session = DashboardSession.failingWhilePaused(columns: columns, rows: rows)
        session.focus(.events)
        session.press(.character("/"))
        session.type("44 ms")
        session.press(.enter, .character("i"))
        expectGolden(session.frame(), named: "inspector")
    }

    @Test(arguments: sizes) func filter(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.focus(.events)
        session.press(.character("/"))
        session.type("paused")
        expectGolden(session.frame(), named: "filter")
    }

    @Test(arguments: sizes) func filterOfTheScenarios(columns: Int, rows: Int) {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.press(.character("/"))
        session.type("up")
        expectGolden(session.frame(), named: "filter-scenarios")
    }

    @Test func reducedMotionShowsTimesInPlaceOfBars() {
        var session = DashboardSession.afterAPause()
        session.reduceMotion()
        #expect(session.header.contains("next 14:"), "\(session.header)")
        #expect(!session.header.contains("█"))
        let before = session.header
        session.wait(1)
        #expect(session.header == before)
    }

    @Test("The dashboard contains only ASCII characters when ASCII glyphs are set", arguments: sizes.prefix(2)) func asciiGlyphs(
        columns: Int, rows: Int
    ) {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.model.screen.live.glyphs = .ascii
        let frame = session.frame()
        #expect(frame.text(glyphs: .ascii).utf8.allSatisfy { $0 < 0x80 }, "every symbol has a replacement")
        expectGolden(frame, named: "simulated-ascii", glyphs: .ascii)
    }

    @Test(arguments: [(60, 24), (75, 30), (120, 36), (24, 6)]) func between(columns: Int, rows: Int) {
        expectGolden(DashboardSession.afterAPause(columns: columns, rows: rows).frame(), named: "simulated")
    }
}
