import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import Dashboard

/// A simulated user: pressed keys, the resulting screen and the requested effects.
@Suite struct DashboardModelTests {
    // MARK: The journal

    @Test func theKeyEExportsTheJournalAndTheFooterSaysWhere() {
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

    // MARK: Scenarios

    @Test func choosingAScenarioSelectsItAndChecksAtOnce() {
        var session = DashboardSession.afterAPause()
        #expect(session.lines(with: "▸ ✓ live").count == 1)
        session.press(.character("j"), .enter)

        #expect(
            session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh]
        )
        #expect(session.footer == " ✓ scenario: paused")
        #expect(session.lines(with: "▸ ✓ paused").count == 1)
        #expect(session.lines(with: "» scenario: paused").count == 1)
        session.reply(.killed, message: "Back soon.")
        #expect(session.header.hasPrefix(" ■ PAUSED   SIMULATED"))
    }

    @Test func aScenarioChosenDuringACheckReplacesTheCheck() {
        var session = DashboardSession.afterAPause()
        session.untilCheck()
        session.press(.down, .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh])
        session.reply(.killed)
        #expect(session.takeEffects() == [])
        #expect(session.header.hasPrefix(" ■ PAUSED"))
    }

    @Test func theKeysOfTheOverlayPickScenariosAndControlTheTimeline() {
        #expect(DashboardSession.afterAPause().model.takesOverOverlay(.character("s")))
        #expect(!DashboardSession.afterAPause().model.takesOverOverlay(.character("p")), "no timeline is shown")
        #expect(DashboardSession.afterAPause().model.overlayHints.map(\.key) == ["s"])

        var session = DashboardSession.playing()
        #expect(session.model.takesOverOverlay(.character("p")) && session.model.takesOverOverlay(.character("n")))
        #expect(!session.model.takesOverOverlay(.character("d")), "d is the overlay's own key")
        #expect(session.model.overlayHints.map(\.key) == ["s", "p", "n"])
        _ = session.takeEffects()
        session.send(.overlayKey(.character("n")))
        #expect(session.takeEffects() == [.barricade(.step(request: "status")), .checkAfresh])
    }

    @Test func thePickerTakesAllKeysAndClosesWithoutAChange() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"))
        #expect(session.screen.contains("What the simulated server replies"))
        session.press(.character("r"), .character("y"), .down, .tab, .character("q"))
        #expect(!session.screen.contains("What the simulated server replies"))
        #expect(session.takeEffects() == [])

        session.press(.character("s"), .right, .right, .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "offline")), .checkAfresh])
        session.press(.character("s"), .control("c"))
        #expect(session.takeEffects() == [.quit])
    }

    @Test func thePickerFindsByAFewLettersAndEnterAppliesTheBestMatch() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("/"))
        session.type("pau ch")
        #expect(session.screen.contains(" /pau ch"))
        #expect(session.lines(with: "▸").contains { $0.contains("paused, Chinese message") })
        #expect(!session.screen.contains("HTTP 500"))
        session.press(.enter)
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "paused, Chinese message")))
        #expect(session.model.picker == nil)
    }

    @Test func escapeInThePickerClearsTheFilterFirst() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("/"))
        session.type("zzz")
        #expect(session.screen.contains("0 of "))
        session.press(.enter)
        #expect(session.model.picker != nil, "there is nothing to apply")
        session.press(.escape)
        #expect(session.screen.contains("HTTP 500"))
        session.press(.escape)
        #expect(session.model.picker == nil)
        #expect(session.takeEffects() == [])
    }

    @Test func thePickerListsItsKeys() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .character("?"))
        #expect(session.screen.contains("leave it as it is"))
        session.press(.character("q"))
        #expect(session.screen.contains("HTTP 500"), "the key returns to the list")
    }

    @Test func thePickerOpensWhateverElseIsOpen() {
        var session = DashboardSession.afterAPause()
        session.press(.character("/"))
        session.send(.overlayKey(.character("s")))
        session.press(.character("j"), .enter)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "paused")), .checkAfresh])
        #expect(session.footer.hasPrefix(" /  "))
        session = .afterAPause(isSimulated: false)
        session.send(.overlayKey(.character("s")))
        #expect(session.model.picker == nil)
    }

    @Test func aScenarioPickedElsewhereIsShown() {
        var session = DashboardSession.afterAPause()
        session.script(.select(request: "status", response: "update required"))
        #expect(session.lines(with: "▸ ✓ update required").count == 1)
        #expect(session.lines(with: "✓ live ").isEmpty)
        #expect(session.takeEffects() == [.checkAfresh])
    }

    @Test func withARealServerThereIsNothingToPick() {
        var session = DashboardSession.afterAPause(isSimulated: false)
        #expect(!session.screen.contains("SIMULATED"))
        #expect(!session.screen.contains("Scenarios"))
        #expect(!session.footer.contains("scenario"))
        session.press(.character("s"))
        #expect(session.model.picker == nil)
        session.press(.character("?"))
        #expect(!session.screen.contains("simulated"))
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

    @Test func theCountdownFollowsTheMonotonicClockAndNotTheWallClock() {
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

    @Test func theLogFollowsTheNewestUntilALineIsSelected() {
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

    @Test func theFilterShowsMatchingEventsWhateverTheirCase() {
        var session = DashboardSession.afterAPause()
        session.press(.character("/"))
        session.type("TIMEOUT")
        #expect(session.footer.hasPrefix(" /TIMEOUT"))
        #expect(session.frame().cursor == Point(column: 9, row: 23))
        #expect(session.screen.contains("/TIMEOUT  1 of 25"))
        session.press(.enter)
        #expect(session.frame().cursor == nil)
        #expect(session.selectedEvent == "14:02:30 × timeout, still live")

        session.press(.character("/"))
        session.type("qs?")
        #expect(session.screen.contains("No event contains \"TIMEOUTqs?\"."))
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
        #expect(session.model.history.events.count == 500)
        #expect(session.model.history.transitions.count == 200)
        #expect(session.model.history.samples.count == 60)
    }

    @Test func percentilesAreOfTheAnsweredChecks() {
        let samples: [CheckSample] = (1...20).map { .answered(.milliseconds($0 * 10)) } + [.failed]
        let statistics = LatencyStatistics(samples.shuffled())
        #expect(statistics?.median == .milliseconds(100))
        #expect(statistics?.p95 == .milliseconds(190))
        #expect(statistics?.maximum == .milliseconds(200))
        #expect(LatencyStatistics([.failed, .failed]) == nil)
    }

    // MARK: Pages

    @Test func theInspectorSaysWhyAndGoesThroughTheEvents() {
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
        var history = History()
        history.add(.checkSucceeded(1, StatusReply(document, receipt: ExchangeMetadata(httpStatus: 200))), date: .now)
        let event = history.events[0]
        let inspection = Inspection(event, check: event, change: nil, policy: PollPolicy(), zone: .gmt)
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

    @Test func theHelpPageNamesTheRealServerAndTheConfiguredLink() {
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

    // MARK: Mouse

    @Test func aClickSelectsAndASecondOneOpens() {
        var session = DashboardSession.afterAPause()
        session.click(column: 50, row: session.row(of: "14:04:16"))
        #expect(session.focusedPane == "Events")
        #expect(session.selectedEvent == "14:04:16 ✓ 200 220 ms   78 B  live")
        session.click(column: 50, row: session.row(of: "▸ 14:04:16"))
        #expect(session.screen.contains("┌ Inspector"))
    }

    @Test func aListStaysWhereItIsUnderThePointer() {
        var session = DashboardSession.afterAPause()
        let row = session.row(of: "    update required")
        session.click(column: 8, row: row)
        #expect(session.row(of: "▸   update required") == row)
        session.click(column: 8, row: row)
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "update required")))
        // The selection is followed once it leaves the visible part.
        for _ in 0..<12 { session.press(.down) }
        #expect(session.lines(with: "▸  ").contains { $0.hasPrefix("│▸") })
    }

    @Test func aClickOnAKeyOfTheFooterPressesIt() {
        var session = DashboardSession.afterAPause()
        let footer = session.model.size.rows - 1
        func column(_ hint: String) -> Int {
            session.screen.split(separator: "\n", omittingEmptySubsequences: false)[footer].distance(to: hint)
        }
        session.click(column: column("check"), row: footer)
        #expect(session.takeEffects() == [.checkNow])
        session.wait(4)
        let selected = session.model.scenarioCursor
        session.click(column: column("↓"), row: footer)
        #expect(session.model.scenarioCursor == selected + 1)
        session.click(column: column("? help"), row: footer)
        #expect(session.screen.contains("┌ Help"))
        session.click(column: column("Esc"), row: footer)
        session.click(column: column("quit"), row: footer)
        #expect(session.takeEffects() == [.quit])
    }

    @Test func aClickOnAScenarioSelectsItAndASecondOneAppliesIt() {
        var session = DashboardSession.afterAPause()
        session.click(column: 8, row: session.row(of: "    update required"))
        #expect(session.takeEffects() == [])
        session.click(column: 8, row: session.row(of: "▸   update required"))
        #expect(
            session.takeEffects() == [.barricade(.select(request: "status", response: "update required")), .checkAfresh]
        )
        session.click(column: 8, row: session.row(of: "Everyday"))
        #expect(session.takeEffects() == [])
    }

    @Test func aSecondClickInThePickerAppliesAndOneOutsideCloses() {
        var session = DashboardSession.afterAPause(columns: 120, rows: 40)
        session.press(.character("s"))
        session.click(column: 60, row: session.row(of: "paused, Chinese message   wide"))
        #expect(session.takeEffects() == [])
        session.click(column: 60, row: session.row(of: "▸   paused, Chinese message   wide"))
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "paused, Chinese message")))
        session.press(.character("s"))
        session.click(column: 1, row: 1)
        #expect(session.model.picker == nil)
        #expect(session.takeEffects() == [])
    }

    @Test func theWheelMovesWhatItIsOver() {
        var session = DashboardSession.afterAPause()
        session.press(.mouse(MouseEvent(.wheelDown, at: Point(column: 60, row: 15))))
        #expect(session.selectedEvent == "14:04:01 ✓ 200  39 ms   78 B  live")
        session.press(.mouse(MouseEvent(.wheelUp, at: Point(column: 60, row: 15))))
        #expect(session.selectedEvent == "14:04:46 ✓ 200  37 ms   78 B  live")
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

extension Substring {
    /// The columns before a text. For lines with characters of one column.
    fileprivate func distance(to text: String) -> Int {
        range(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? -1
    }
}
