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

    /// What is compared, by the names of the goldens.
    enum Screen: String, CaseIterable {
        case live, simulated, failing, plan, pushed, picker, player, help, starting, update, notice, inspector, filter
        case planWindow = "plan-window"
        case fallenStream = "fallen-stream"
        case onlyStream = "only-stream"
        case pickerPlayer = "picker-player"
        case whoAmI = "who-am-i"
        case filterScenarios = "filter-scenarios"
    }

    private func session(_ screen: Screen, _ columns: Int, _ rows: Int) throws -> DashboardSession {
        let isSimulated = ![.live, .update, .notice].contains(screen)
        var session = DashboardSession.afterAPause(isSimulated: isSimulated, columns: columns, rows: rows)
        switch screen {
        case .live, .simulated: break
        case .failing: session = .failingWhilePaused(columns: columns, rows: rows)
        case .plan: session = try .planned(columns: columns, rows: rows)
        case .planWindow: session = try .inTheWindow(columns: columns, rows: rows)
        case .pushed: session = .pushed(columns: columns, rows: rows)
        case .fallenStream: session = .fallenStream(columns: columns, rows: rows)
        case .onlyStream: session = .onlyAStream(columns: columns, rows: rows)
        case .picker: session.press(.character("s"), .character("j"))
        case .help: session.press(.character("?"))
        case .filterScenarios: session.filter("up")
        case .notice: session.send(.told(Self.maintenance))
        case .filter:
            session.focus(.events)
            session.filter("paused")
        case .starting:
            session = DashboardSession(size: Size(columns: columns, rows: rows))
            session.start()
        case .update:
            session.untilCheck()
            session.reply(.updateRequired, interval: 60, message: "Please update.", requiredVersion: "1.5.2")
            session.wait(21)
        case .player, .pickerPlayer:
            session = .playing(columns: columns, rows: rows)
            session.press(.character("3"))
            session.answer()
            session.play(12)
            if screen == .pickerPlayer { session.press(.character("s")) }
        case .whoAmI:
            session = .withRules(columns: columns, rows: rows)
            session.press(.character("s"), .character("c"), .down)
        case .inspector:
            session = .failingWhilePaused(columns: columns, rows: rows)
            session.focus(.events)
            session.filter("44 ms")
            session.press(.enter, .character("i"))
        }
        return session
    }

    @Test(arguments: Screen.allCases, sizes)
    func screens(screen: Screen, size: (Int, Int)) throws {
        expectGolden(try session(screen, size.0, size.1).frame(), named: screen.rawValue)
    }

    @Test(
        arguments: [
            (.simulated, 60, 24), (.simulated, 75, 30), (.simulated, 120, 36), (.simulated, 24, 6), (.plan, 120, 36),
            (.planWindow, 120, 36), (.notice, 24, 6),
        ] as [(Screen, Int, Int)])
    func moreSizes(screen: Screen, columns: Int, rows: Int) throws {
        try screens(screen: screen, size: (columns, rows))
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

    @Test func whoAmIWithAProblem() {
        var session = DashboardSession.withRules(columns: 80, rows: 24)
        session.press(.character("s"), .character("c"))
        for _ in 0..<7 { session.press(.down) }
        session.press(.enter, .control("u"))
        session.type("tomorrow")
        session.press(.enter)
        expectGolden(session.frame(), named: "who-am-i-problem")
    }

    @Test func reducedMotionShowsTimesInPlaceOfBars() {
        var session = DashboardSession.afterAPause()
        session.model.screen.live.reducesMotion = true
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
}
