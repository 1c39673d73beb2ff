import Bellerophon
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import ProgramKit

/// A simulated user: pressed keys, the resulting screen and the requested effects.
@Suite struct DashboardModelTests {
    // MARK: The journal

    @Test("The key e exports the journal, and the footer shows where")
    func journalExportKey() {
        var session = DashboardSession.afterAPause()
        session.press(.character("e"))
        #expect(session.takeEffects() == [.exportJournal])
        session.send(.notice("journal saved: a\u{1B}.jsonl"))
        #expect(session.footer.hasPrefix(" ✓ journal saved: a"))
        #expect(!session.footer.contains("\u{1B}"))
        session.wait(6)
        #expect(session.footer.contains("Tab pane"))
    }

    @Test func aProblemWithAFileIsShownAndKept() {
        var session = DashboardSession.afterAPause()
        session.send(.problem("journal: j.jsonl: can't be written: No space left on device"))
        #expect(session.footer == " ! journal: j.jsonl: can't be written: No space left on device")
        #expect(session.lines(with: "! journal: j.jsonl: can't").count == 2, "in the event log too")
    }

    // MARK: Checks

    @Test func rChecksNowUnlessACheckIsUnderWay() {
        var session = DashboardSession.afterAPause()
        session.press(.character("r"))
        #expect(session.takeEffects() == [.checkNow])
        #expect(session.header.contains("checking"))

        session.press(.character("r"))
        #expect(session.takeEffects() == [])
        #expect(session.footer == " ✓ a check is under way")
    }

    @Test("The countdown follows the monotonic clock and not the wall clock")
    func countdownUsesMonotonicClock() {
        var session = DashboardSession.afterAPause()
        #expect(session.header.contains("next 00:09 ██████░░░░"))
        session.send(.clock(now: session.now.advanced(by: .seconds(4)), date: session.date.addingTimeInterval(-86_400)))
        #expect(session.header.contains("next 00:05 ███▍░░░░░░"))
    }

    @Test func aSleepingManagerHasNoCountdown() {
        var session = DashboardSession.afterAPause()
        session.suspend()
        #expect(session.header.contains("asleep"))
    }

    @Test func aNoticeGoesAfterThreeSeconds() {
        var session = DashboardSession.afterAPause()
        session.press(.character("y"))
        session.send(.copied(wasSent: true))
        #expect(session.footer == " ✓ event sent to the clipboard")
        session.wait(2)
        #expect(session.footer == " ✓ event sent to the clipboard")
        session.wait(1)
        #expect(session.footer.hasPrefix(" Tab pane"))
    }

    @Test func failuresAreCountedAndTheStateIsKept() {
        let session = DashboardSession.failingWhilePaused()
        #expect(session.header.hasPrefix(" ■ PAUSED   example 1.4.0   ! no connection ×3"))
        #expect(session.lines(with: "failures  ! 3, no connection").count == 1)
        #expect(session.lines(with: "HTTP 500, still paused").count == 1)
    }

    @Test func theSameClampIsLoggedOnce() {
        var session = DashboardSession(isSimulated: false)
        session.start()
        for _ in 0..<4 {
            session.reply(.active, interval: -3)
            session.untilCheck()
        }
        #expect(session.lines(with: "! interval -3 s → 1 s").count == 1)
        session.reply(.active, interval: 1e300)
        #expect(session.lines(with: "! interval 1e+300 s → 1 h 0 m").count == 1)
    }

    // MARK: Focus and logs

    @Test func tabGoesRoundThePanesAndShiftTabBack() {
        var session = DashboardSession.afterAPause()
        var seen: [String] = []
        for key in [Key.tab, .tab, .tab, .backTab, .right, .character("h")] {
            session.press(key)
            seen.append(session.focusedPane)
        }
        #expect(seen == ["Transitions", "Events", "Scenarios", "Events", "Scenarios", "Events"])
        session.resize(200, 60)
        session.press(.tab)
        #expect(session.focusedPane == "Inspector")
    }

    @Test("The log follows the newest event until a line is selected")
    func logFollowsNewestEvent() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        #expect(session.selectedEvent == "14:04:46 ✓ 200  37 ms   78 B  live")
        session.untilCheck()
        session.reply(.active, latency: 55)
        #expect(session.selectedEvent == "14:05:01 ✓ 200  55 ms   96 B  live")

        session.press(.down, .character("j"))
        #expect(session.selectedEvent == "14:04:31 ✓ 200  41 ms   78 B  live")
        session.untilCheck()
        session.reply(.active)
        #expect(session.selectedEvent == "14:04:31 ✓ 200  41 ms   78 B  live")

        session.press(.character("G"))
        #expect(session.selectedEvent == "14:00:00 · first check")
        session.press(.character("g"))
        #expect(session.selectedEvent == "14:05:16 ✓ 200  41 ms   96 B  live")
    }

    @Test("The filter shows matching events regardless of case")
    func filterIgnoresCase() {
        var session = DashboardSession.afterAPause()
        session.focus(.events)
        session.filter("TIMEOUT")
        #expect(session.footer.hasPrefix(" /TIMEOUT"))
        #expect(session.frame().cursor == Point(column: 9, row: 23))
        #expect(session.screen.contains("/TIMEOUT  1 of 25"))
        session.press(.enter)
        #expect(session.frame().cursor == nil)
        #expect(session.selectedEvent == "14:02:30 × timeout, still live")

        session.filter("qs?")
        #expect(session.screen.contains("No line contains \"TIMEOUTqs?\"."))
        #expect(session.takeEffects() == [])
        session.press(.control("u"))
        session.type("■")
        #expect(session.screen.contains("/■  1 of 25"))
        session.press(.enter, .escape)
        #expect(session.selectedEvent == "14:04:46 ✓ 200  37 ms   78 B  live")
    }

    @Test func historiesAreBounded() {
        var session = DashboardSession(isSimulated: false)
        session.start()
        for round in 0..<600 {
            session.reply(round.isMultiple(of: 2) ? .active : .killed)
            session.untilCheck()
        }
        #expect(session.model.service.history.events.count == 500)
        #expect(session.model.service.history.transitions.count == 200)
        #expect(session.model.service.history.samples.count == 60)
    }

    @Test func percentilesAreOfTheAnsweredChecks() {
        let samples: [Duration?] = (1...20).map { .milliseconds($0 * 10) } + [nil]
        var random = SplitMix64(seed: Seed.of("latencies", default: 1))
        let shuffled = samples.shuffled(using: &random)
        let found = [50, 95, 100].map { LatencyPane.percentile($0, of: shuffled) }
        #expect(found == [.milliseconds(100), .milliseconds(190), .milliseconds(200)])
        #expect(LatencyPane.percentile(50, of: [nil, nil]) == nil)
    }

    // MARK: Pages

    @Test("The inspector explains each event and moves between events")
    func inspectorExplainsEvents() {
        var session = DashboardSession.failingWhilePaused()
        session.press(.enter)
        #expect(session.screen.contains("A failed check never changes the state: still paused."))
        #expect(session.screen.contains("3 consecutive failures."))
        #expect(session.screen.contains("next in 4 s, backoff with jitter"))

        session.press(.right)
        #expect(session.screen.contains("the server replied with HTTP 500"))
        #expect(session.screen.contains("Internal Server Error"))
        session.press(.right, .right, .right, .right)
        #expect(session.screen.contains("apiInactive is true: the service is paused."))
        #expect(session.screen.contains("● live → ■ paused"))
        #expect(session.screen.contains("! -3 s was requested; clamped to 1 s (allowed: 1 s … 1 h 0 m)"))

        session.press(.left, .character("y"), .escape)
        #expect(session.screen.contains("┌ Events"))
        guard case .copy(let text)? = session.takeEffects().first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(text.hasPrefix("14:00:15 ■ live → paused after 15s\n\nReply\n  HTTP 200 · 44 ms, 102 B\n\nWhy\n"))
    }

    @Test(arguments: [
        (true, false, "apiInactive is true: the service is paused."),
        (false, true, "forceUpdate is true: update required."),
        (true, true, "forceUpdate is true and takes precedence over apiInactive: update required."),
        (false, false, "Neither apiInactive nor forceUpdate is set: the app may run."),
    ])
    func theInspectorNamesTheRuleThatFired(isInactive: Bool, requiresUpdate: Bool, rule: String) {
        let document = StatusDocument(isInactive: isInactive, requiresUpdate: requiresUpdate, interval: 15)
        var service = ServiceModel(app: AppInfo(name: "example"), source: "demo.local/status")
        let reply = StatusReply(document, metadata: ExchangeMetadata(httpStatus: 200))
        service.history.add(.checkSucceeded(1, reply, document.verdict(for: AppFacts(), at: nil)), date: .now)
        let inspection = Inspection(service.history.events[0], of: service, zone: .gmt)
        let why = inspection.sections.first { $0.title == "Why" }
        #expect(why?.lines.map(\.text) == [rule, "The state stays as it was."])
    }

    @Test func theHelpPageNamesEveryKeyAndScrolls() {
        var session = DashboardSession.afterAPause(rows: 60)
        session.press(.character("?"))
        for hint in DashboardCommand.keys(withScenarios: true).help {
            #expect(session.lines(with: hint.word).count == 1, "\(hint.word)")
        }
        session.resize(80, 12)
        #expect(!session.screen.contains("? unknown"))
        session.press(.character("G"))
        #expect(session.screen.contains("? unknown"))
        session.press(.character("k"), .escape)
        #expect(session.screen.contains("Scenarios"))
    }

    @Test(arguments: ["?", "i"] as [Character])
    func qLeavesAPageBeforeItLeavesTheProgram(key: Character) {
        var session = DashboardSession.afterAPause()
        session.press(.character(key), .character("q"))
        #expect(session.screen.contains("Scenarios"))
        #expect(session.takeEffects() == [])
        session.press(.character("q"))
        #expect(session.takeEffects() == [.quit])
        session.press(.character(key), .control("c"))
        #expect(session.takeEffects() == [.quit])
    }

    @Test("The help page shows the status URL of the configured server")
    func helpNamesServer() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        session.press(.character("?"))
        #expect(session.lines(with: "Status ").contains { $0.contains("demo.local/status") })
        #expect(!session.screen.contains("example.com"))
    }

    @Test func everyCommandHasAKey() {
        let bound = Set(DashboardCommand.keys(withScenarios: true, withServices: true).bindings.map(\.action))
        #expect(bound == Set(DashboardCommand.allCases))
    }

    @Test func redrawAndQuitWorkEverywhere() {
        var session = DashboardSession.afterAPause()
        session.press(.character("/"), .control("l"), .control("c"))
        #expect(session.takeEffects() == [.redraw, .quit])
    }
}

extension DashboardSession {
    /// The title of the focused pane.
    var focusedPane: String {
        let frame = frame()
        for row in 0..<frame.size.rows {
            let cells = Array(frame.row(row))
            guard let corner = cells.firstIndex(where: { $0.text == "┌" && $0.style == Theme.accent }) else { continue }
            return cells[(corner + 2)...].prefix { $0.text != " " }.map(\.text).joined()
        }
        return ""
    }

    /// The selected event in the event log.
    var selectedEvent: String {
        let event = lines.last { $0.contains("│▸ 14:") } ?? ""
        let after = event.components(separatedBy: "│▸ ").last { $0.hasPrefix("14:") } ?? ""
        return after.split(separator: "│").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// The first row of the screen that contains a text; -1 if none does.
    func row(of text: String) -> Int {
        lines.firstIndex { $0.contains(text) } ?? -1
    }
}
