import TerminalUI
import TestSupport
import Testing

@testable import Dashboard

/// A person finds what they need by a few letters.
@Suite struct CommandPaletteTests {
    private func session(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.use(themes: ColorTheme.named)
        return session
    }

    /// The first entry of the palette.
    private func first(_ session: DashboardSession) -> String? {
        session.model.screen.palette?.shown.first?.title
    }

    @Test(arguments: [
        ("chn", "check now"), ("hico", "theme: high-contrast"), ("event", "pane: events"), ("off", "scenario: offline"),
        ("jour", "export journal"), ("503", "scenario: HTTP 503"),
    ])
    func aFewLettersFindIt(letters: String, title: String) {
        var session = session()
        session.press(.character(":"))
        session.type(letters)
        #expect(first(session) == title)
    }

    @Test func enterPerformsIt() {
        var session = session()
        session.press(.character(":"))
        session.type("check now")
        session.press(.enter)
        #expect(session.takeEffects() == [.checkNow])
        session.press(.control("p"))
        session.type("theme: light")
        session.press(.enter)
        #expect(session.takeEffects() == [.theme(.light)])
        session.press(.character(":"))
        session.type("scenario: offline")
        session.press(.enter)
        #expect(session.screen.contains("▸ ✓ offline"))
        session.press(.character(":"))
        session.type("pane: events")
        session.press(.enter)
        #expect(session.focusedPane == "Events")
    }

    @Test func theLatestChoicesComeFirst() {
        var session = session()
        for letters in ["export journal", "theme: mono"] {
            session.press(.character(":"))
            session.type(letters)
            session.press(.enter)
        }
        session.press(.character(":"))
        #expect(session.model.screen.palette?.shown.prefix(2).map(\.title) == ["theme: mono", "export journal"])
        #expect(
            Set(session.model.screen.palette?.shown.map(\.title) ?? []).count == session.model.screen.palette?.shown.count,
            "each is there once"
        )
    }

    @Test func itClosesAndTakesNoOtherKeys() {
        for key in [Key.escape, .backspace] {
            var session = session()
            session.press(.character(":"), .character("q"))
            #expect(session.takeEffects() == [])
            session.press(.backspace)
            #expect(session.model.screen.palette != nil)
            session.press(key)
            #expect(session.model.screen.palette == nil)
        }
        var session = session()
        session.press(.character(":"), .control("c"))
        #expect(session.takeEffects() == [.quit])
    }

    @Test func nothingFoundIsTold() {
        var session = session()
        session.press(.character(":"))
        session.type("zzz")
        #expect(session.screen.contains("nothing has these letters"))
        session.press(.enter)
        #expect(session.takeEffects() == [] && session.model.screen.palette != nil)
    }

    @Test func aClickChoosesAndOneOutsideCloses() {
        var session = session()
        session.press(.character(":"))
        session.type("check now")
        let row = session.row(of: "▸ check now")
        session.click(column: 12, row: row)
        #expect(session.takeEffects() == [.checkNow])
        session.press(.character(":"))
        session.click(column: 0, row: 0)
        #expect(session.model.screen.palette == nil)
    }

    @Test func itWorksInEverySize() {
        for size in DashboardSizeTests.sizes {
            var session = session(columns: size.columns, rows: size.rows)
            session.press(.character(":"), .character("c"), .down, .pageDown, .home, .end)
            let frame = session.frame()
            #expect(frame.size == size)
            if let cursor = frame.cursor { #expect(frame.bounds.contains(cursor), "\(size)") }
            session.press(.mouse(MouseEvent(.press, at: Point(column: 3, row: 3))), .escape)
        }
    }

    @Test(arguments: [(80, 24), (40, 12)]) func looks(columns: Int, rows: Int) {
        var session = session(columns: columns, rows: rows)
        session.press(.character(":"))
        expectGolden(session.frame(), named: "palette")
        session.type("pa")
        expectGolden(session.frame(), named: "palette-found")
    }
}
