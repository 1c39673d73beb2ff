import Barricade
import Bellerophon
import TerminalUI
import Testing

@testable import Dashboard
@testable import ScenarioKit

extension DashboardSession {
    static let clientRules = #"""
        [{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2"},
         {"id":"offer-1.7","effect":"offer","only":{"share":"2.5%","draw":"17"},"to":"1.7.0"},
         {"id":"mw","effect":"pause","from":"2024-03-09T16:00:00Z","until":"2024-03-09T17:00:00Z"}]
        """#

    /// A status with rules; 1.4.0 must be updated.
    static func withRules(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(size: Size(columns: columns, rows: rows))
        session.start()
        session.reply(rules: clientRules)
        return session
    }

    fileprivate var app: AppFacts { model.service.machine.app }
    fileprivate var stage: Stage { model.service.machine.stage }

    fileprivate static func withPanel(at row: Int) -> DashboardSession {
        var session = withRules()
        session.openPanel(row)
        return session
    }

    /// Opens the panel and moves down.
    fileprivate mutating func openPanel(_ row: Int) {
        press(.character("s"), .character("c"))
        for _ in 0..<row { press(.down) }
    }

    /// Replaces the value under the cursor.
    fileprivate mutating func enter(_ text: String) {
        press(.enter, .control("u"))
        type(text)
        press(.enter)
    }
}

/// The picker's panel "who am I".
@Suite struct ClientPanelTests {
    /// The rows: version, osVersion, installID, arch, os, another fact, share 17, time.
    private static let (newFact, share, time) = (5, 6, 7)

    @Test("Another version counts at once, without a check")
    func aVersionCounts() {
        var session = DashboardSession.withRules()
        #expect(session.stage == .updateRequired)
        session.openPanel(0)
        _ = session.takeEffects()
        session.enter("1.6.0")
        #expect(session.app.version == "1.6.0")
        #expect(session.stage == .active)
        #expect(session.takeEffects().count == 1, "no check")
        session.press(.character("d"))
        #expect(session.app.version == nil)
        let rows = session.lines(with: "▸ version")
        #expect(rows.count == 1 && rows[0].contains("not known"), "\(rows)")
        session.press(.character("0"))
        #expect(session.app.version == "1.4.0")
        #expect(session.stage == .updateRequired)
    }

    @Test func aValueIsEditedInPlace() {
        var session = DashboardSession.withPanel(at: 0)
        session.press(.enter, .backspace)
        session.type("9")
        #expect(session.frame().cursor != nil)
        session.press(.enter)
        #expect(session.app.version == "1.4.9")
        session.press(.enter)
        session.type("x")
        session.press(.escape)
        #expect(session.app.version == "1.4.9")
        #expect(session.model.simulation.picker?.client != nil, "Esc has left the value, not the panel")
        session.press(.escape)
        #expect(session.model.simulation.picker?.client == nil)
        #expect(session.model.hasPicker)
    }

    @Test func factsAreAddedAndForgotten() {
        var session = DashboardSession.withPanel(at: Self.newFact)
        session.enter("site=ward=2")
        #expect(session.app.values["site"] == "ward=2")
        // The cursor is on the new fact now.
        session.press(.character("d"))
        #expect(session.app.values == ["arch": "x86_64", "os": "linux"])
    }

    @Test("A number for a share makes an id that has it")
    func aShareIsChosen() {
        var session = DashboardSession.withPanel(at: Self.share)
        #expect(session.lines(with: "offer-1.7 2.5%: not in").count == 1)
        session.enter("1.25")
        #expect(session.app.installID.flatMap { Share.number(of: $0, draw: "17") } == 125)
        #expect(session.lines(with: "1.25%  offer-1.7 2.5%: in").count == 1)
        session.press(.character("d"))
        #expect(session.app.installID == nil)
    }

    @Test("The time moves forward, back, to a time, and to the next change of a rule")
    func theTimeMoves() {
        var session = DashboardSession.withPanel(at: Self.time)
        session.press(.character("+"), .character("]"))
        #expect(session.lines(with: "2024-03-09 15:01:00 UTC  simulated").count == 1)
        session.press(.character("-"), .character("["))
        #expect(session.lines(with: "2024-03-09 14:00:00 UTC").count == 1)
        session.enter("+90s")
        #expect(session.lines(with: "2024-03-09 14:01:30 UTC").count == 1)
        session.enter("2024-03-09T15:59:00Z")
        session.reply(rules: DashboardSession.clientRules)
        #expect(session.lines(with: "next change in 1m00s, 2024-03-09 16:00:00 UTC").count == 1)
        session.press(.character("t"))
        session.reply(rules: DashboardSession.clientRules)
        #expect(session.lines(with: "next change in 1h00m, 2024-03-09 17:00:00 UTC").count == 1)
        #expect(session.model.service.machine.verdict?.restrictions.map(\.by) == ["min-15", "mw"])
    }

    @Test("Time passes for a server that can't be reached, too")
    func timePassesOffline() {
        var session = DashboardSession.withPanel(at: 0)
        session.enter("1.6.0")
        session.press(.character("+"), .character("+"))
        #expect(session.stage == .killed, "the window has begun, and no reply has come")
    }

    @Test func whatCannotBeUsedIsExplainedAndStays() {
        var session = DashboardSession.withPanel(at: Self.time)
        for (row, text, problem) in [
            (Self.time, "noon", "expected a step such as +2h"), (Self.share, "100", "from 0 to 99.99"),
            (Self.newFact, "site", "expected name=value"),
        ] {
            session.enter(text)
            #expect(session.lines(with: problem).count == 1, "\(row)")
            #expect(session.lines(with: "  \(text)").count == 1)
            session.press(.escape, .up)
            #expect(session.lines(with: problem).isEmpty)
        }
    }

    @Test func withoutAChangeAheadThereIsNothingToGoTo() {
        var session = DashboardSession(size: Size(columns: 80, rows: 24))
        session.start()
        session.reply(.active)
        session.openPanel(0)
        session.press(.character("t"))
        #expect(session.footer.contains("no rule changes anything later"))
    }

    @Test("A click selects a line, a second one edits it, and one outside closes the picker")
    func clicks() throws {
        var session = DashboardSession.withPanel(at: 0)
        let row = try #require(session.lines.firstIndex { $0.contains("osVersion") })
        session.click(column: 12, row: row)
        session.click(column: 12, row: row)
        session.type("1")
        session.press(.enter)
        #expect(session.app.osVersion == "24.041")
        session.click(column: 0, row: 0)
        #expect(!session.model.hasPicker)
    }

    @Test("Facts of a scenario file can't write control sequences to the screen")
    func factsAreSafe() {
        var session = DashboardSession.withRules()
        session.script(.client(.init(version: .known("1\u{1B}[2J"), facts: ["a\u{202E}b": .known("\u{7}\n")])))
        session.openPanel(0)
        #expect(!session.screen.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{7}" })
    }
}
