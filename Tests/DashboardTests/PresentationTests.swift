import Barricade
import Bellerophon
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import ScenarioKit

/// A presenter walks through a timeline with keys.
@Suite struct PresentationTests {
    private func session(_ columns: Int = 80, _ rows: Int = 24, _ timeline: Timeline? = nil) -> DashboardSession {
        let timeline = timeline ?? DashboardSession.timelines[0]
        var session = DashboardSession(timelines: [timeline], size: Size(columns: columns, rows: rows))
        session.present(timeline)
        session.start()
        session.answer()
        _ = session.takeEffects()
        return session
    }

    // MARK: Keys

    @Test(arguments: [Key.right, .pageDown, .character(" "), .enter])
    func aKeyShowsTheNextStepAndItsCaption(key: Key) {
        var session = session()
        #expect(session.lines[22].contains(" planned maintenance · 1/4 "))
        #expect(session.lines[23].contains("all is well"))
        session.play(60)
        #expect(session.lines[23].contains("all is well"), "it waits for the presenter")
        session.press(key)
        #expect(session.takeEffects().suffix(2) == [.barricade(.step(request: "status")), .checkAfresh])
        #expect(session.lines[22].contains(" planned maintenance · 2/4 "))
        #expect(session.lines[23].contains("busy; the app stays live"))
    }

    @Test(arguments: [Key.left, .pageUp, .backspace]) func aKeyGoesBack(key: Key) {
        var session = session()
        session.press(.right, .right, key)
        session.answer()
        #expect(session.lines[22].contains(" · 2/4 "))
        session.press(key, key, key)
        #expect(session.lines[22].contains(" · 1/4 "))
        #expect(session.header.hasPrefix(" ● LIVE"))
    }

    @Test func theLastStepIsTheEnd() {
        var session = session()
        session.press(.right, .right, .right)
        session.answer()
        #expect(session.header.hasPrefix(" ▲ UPDATE"))
        _ = session.takeEffects()
        session.press(.right, .right)
        #expect(session.takeEffects() == [])
        #expect(session.lines[22].contains(" · 4/4 "))
        session.press(.left)
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
    }

    @Test func aTimelineThatRepeatsBeginsAgain() {
        var session = session(80, 24, DashboardSession.timelines[1])
        #expect(session.lines[23].trimmed == "live", "a step without a note has the name of its response")
        session.press(.right, .right)
        #expect(session.lines[22].contains(" flapping · 1/2 "))
    }

    @Test("Selecting a scenario keeps the caption, and the next key continues the presentation")
    func selectionKeepsCaption() {
        var session = session()
        session.press(.character("K"))
        session.answer()
        #expect(session.header.hasPrefix(" ■ PAUSED"))
        #expect(session.lines[22].contains(" · 1/4 "))
        session.press(.right)
        #expect(session.lines[22].contains(" · 2/4 "))
    }

    @Test func afterAResetTheNextKeyBeginsAgain() {
        var session = session()
        session.press(.right, .character("x"))
        #expect(session.lines[22].contains(" · 0/4 "))
        session.press(.right)
        #expect(session.lines[22].contains(" · 1/4 "))
        session.play(60)
        #expect(session.lines[22].contains(" · 1/4 "), "on hold")
    }

    @Test func aPeriodHidesTheCaptionAndShowsItAgain() {
        var session = session()
        session.press(.character("."))
        #expect(session.lines.count == 24)
        #expect(!session.lines.contains { $0.contains("1/4 ──") })
        #expect(session.model.size == Size(columns: 80, rows: 24))
        session.press(.character("."))
        #expect(session.lines[23].contains("all is well"))
        #expect(session.model.size == Size(columns: 80, rows: 22))
    }

    @Test func itsKeysWorkOverAViewAndNotInThePicker() {
        var session = session()
        #expect(session.model.takesOverOverlay(.pageDown) && session.model.takesOverOverlay(.character(".")))
        #expect(session.model.overlayHints.map(\.word) == ["next", "back", "caption", "scenario"])
        session.send(.overlayKey(.pageDown))
        #expect(session.lines[22].contains(" · 2/4 "))
        session.press(.character("s"), .pageDown)
        #expect(session.lines[22].contains(" · 2/4 "), "the picker has its own keys")
        session.press(.escape, .character("?"))
        #expect(session.screen.contains("show the next step of the presentation"))
        session.press(.pageDown)
        #expect(session.lines[22].contains(" · 2/4 "), "the help page scrolls")
    }

    @Test("Without a presentation its keys and its caption are absent")
    func noPresentationNoKeys() {
        let session = DashboardSession.playing()
        #expect(!session.model.takesOverOverlay(.pageDown))
        #expect(session.model.captionRows(Size(columns: 80, rows: 24)) == 0)
    }

    // MARK: Sizes

    @Test func captions() throws {
        for (columns, rows) in [(80, 24), (120, 36), (40, 12)] {
            var session = session(columns, rows, Self.tour)
            expectGolden(session.frame(), named: "present")
            session.press(.right)
            expectGolden(session.frame(), named: "present-next")
        }
    }

    @Test func noSizeBreaksAndTheCaptionLeavesRoom() {
        for columns in [1, 5, 19, 20, 39, 40, 60, 80, 200] {
            for rows in 1...40 {
                let session = session(columns, rows, Self.tour)
                let frame = session.frame()
                #expect(frame.size == Size(columns: columns, rows: rows))
                let taken = session.model.captionRows(frame.size)
                #expect(taken == 0 || rows - taken >= 7)
                #expect(taken <= 4)
            }
        }
        #expect(session(80, 7).model.captionRows(Size(columns: 80, rows: 7)) == 0)
        #expect(session(80, 8).model.captionRows(Size(columns: 80, rows: 8)) == 1)
    }

    @Test func aCaptionThatIsTooLongSaysSo() {
        let long = Timeline("long", request: "status", steps: [.init("live", note: String(repeating: "many words ", count: 60))])
        let rows = session(80, 24, long).lines
        #expect(rows[20].contains(" long · 1/1 "))
        #expect(rows[23].hasSuffix("…"))
        #expect(session(40, 12, long).lines[11].hasPrefix(" 1/1 many words"))
    }

    private static let tour = Timeline(
        "tour", summary: "what a pause looks like", request: "status",
        steps: [
            .init("live", .lasting(.seconds(5)), note: "A program runs. It asks its status endpoint every few seconds."),
            .init(
                "paused", .lasting(.seconds(7)),
                note: "The operator publishes a pause. The view covers the program; what was on the screen waits below it."),
            .init("live", note: "The status clears, and the program is exactly as it was."),
        ])
}

extension String {
    fileprivate var trimmed: String { trimmingPrefix { $0 == " " }.description }
}
