import TerminalUI
import TestSupport
import Testing

@testable import Dashboard

/// A person finds what they need by a few letters.
@Suite struct CommandPaletteTests {
    private func session(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.model.screen.themes = ColorTheme.named
        return session
    }

    /// The first entry of the palette.
    private func first(_ session: DashboardSession) -> String? {
        session.model.screen.palette?.shown.first?.title
    }

    @Test(arguments: [
        ("chn", "check now"), ("hico", "theme: high-contrast"), ("event", "pane: events"), ("off", "scenario: offline"),
        ("jour", "export journal"), ("503", "scenario: HTTP 503"), ("clipboard", "copy"), ("newer cont", "sync"),
    ])
    func aFewLettersFindIt(letters: String, title: String) {
        var session = session()
        session.search(letters)
        #expect(first(session) == title)
    }

    @Test func enterPerformsIt() {
        var session = session()
        session.choose("check now")
        #expect(session.takeEffects() == [.checkNow])
        session.press(.control("p"))
        session.type("theme: light")
        session.press(.enter)
        #expect(session.takeEffects().last == .theme(.light))
        session.choose("scenario: offline")
        #expect(session.screen.contains("▸ ✓ offline"))
        session.choose("pane: events")
        #expect(session.focusedPane == "Events")
    }

    @Test("A name is a better match than a description")
    func namesComeFirst() {
        var session = session()
        session.search("help")
        #expect(first(session) == "help")
    }

    /// The themes that were shown and taken back, and the chosen ones.
    private func themes(_ session: inout DashboardSession) -> [DashboardEffect] {
        session.takeEffects().filter { effect in
            switch effect {
            case .preview, .theme: true
            default: false
            }
        }
    }

    @Test("The screen has the colours of the selected theme; Escape takes them back, Enter keeps them")
    func themesAreShownWhileSelected() {
        var session = session()
        session.search("theme:")
        let names = session.model.screen.palette?.shown.prefix(3).compactMap(\.theme) ?? []
        #expect(themes(&session).last == .preview(names.first))
        session.press(.down, .down, .up)
        #expect(themes(&session) == [names[1], names[2], names[1]].map { .preview($0) })
        session.press(.escape)
        #expect(themes(&session) == [.preview(nil)])

        session.choose("theme:")
        #expect(themes(&session).suffix(2) == [.preview(nil), .theme(names[0])])
        session.press(.character(":"))
        #expect(themes(&session) == [], "the latest choice is selected, but nobody has moved to it")
        session.press(.down, .up, .backspace)
        #expect(themes(&session) == [.preview(nil), .preview(names[0]), .preview(nil)])
    }

    @Test("The list of services, opened over a view, takes a theme back that was only selected")
    func aThemeIsTakenBackWithTheList() {
        var session = session()
        session.send(.services(ServiceList(rows: [session.model.service.row(at: session.now)])))
        session.search("theme: light")
        _ = session.takeEffects()
        session.send(.overlayKey(.character("0")))
        #expect(session.takeEffects() == [.preview(nil)] && session.model.screen.palette == nil)
    }

    @Test("The palette says where a choice is kept")
    func whereChoicesAreKept() {
        var session = session(columns: 100, rows: 30)
        session.search("theme: light")
        #expect(session.screen.contains("for this run only"))
        session.press(.enter)
        #expect(session.footer == " ✓ theme: light, for this run only")

        session.model.screen.choiceFiles = ChoiceFiles(
            configuration: "/c/config.json", bookmarks: "/s/bookmarks.json", selections: "/s/picks.json")
        for (letters, words) in [
            ("glyphs: ascii", "for this run only; to keep it, set display.glyphs in /c/config.json"),
            ("bookmark", "kept in /s/bookmarks.json"), ("scenario: offline", "kept in /s/picks.json"),
        ] {
            session.search(letters)
            #expect(session.screen.contains(words), "\(letters)")
            session.press(.escape)
        }
        session.choose("motion")
        #expect(session.footer.contains("motion: reduced, for this run only; to keep it, set display.motion in /c/config.json"))
    }

    @Test func theLatestChoicesComeFirst() {
        var session = session()
        for letters in ["export journal", "theme: mono"] {
            session.choose(letters)
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
        session.search("zzz")
        #expect(session.screen.contains("nothing has these letters"))
        session.press(.enter)
        #expect(session.takeEffects() == [] && session.model.screen.palette != nil)
    }

    @Test func aClickChoosesAndOneOutsideCloses() {
        var session = session()
        session.search("check now")
        let row = session.row(of: "▸ check now")
        session.click(column: 12, row: row)
        #expect(session.takeEffects() == [.checkNow])
        session.press(.character(":"))
        session.click(column: 0, row: 0)
        #expect(session.model.screen.palette == nil)
    }

    @Test func itWorksInEverySize() {
        let start = session()
        for size in DashboardSizeTests.someSizes {
            var session = start
            session.resize(size.columns, size.rows)
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
        session.model.screen.choiceFiles = ChoiceFiles(configuration: "/home/ada/.config/bellerophon/config.json")
        session.press(.escape, .character(":"))
        session.type("theme: li")
        expectGolden(session.frame(), named: "palette-theme")
    }
}
