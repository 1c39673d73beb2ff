import Bellerophon
import ScenarioKit
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard

/// `/` filters the list of the pane with the focus.
@Suite struct PaneFilterTests {
    private static let rules = """
        [{"id":"ro","effect":"notice","message":"Search is read-only."},{"id":"min","effect":"update","only":{"versions":[{"below":"1.0"}]},"to":"1.5"}]
        """

    /// A session with every pane that can have a list.
    private func session(columns: Int = 120, rows: Int = 50) throws -> DashboardSession {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        session.send(
            .resources([ResourceRow(name: "help.txt", activity: .idle), ResourceRow(name: "scenarios.json", activity: .idle)]))
        session.untilCheck()
        session.reply(rules: Self.rules)
        return session
    }

    @Test(
        "Every pane with a list has a filter of its own",
        arguments: [
            (Pane.scenarios, "offline", 1), (.transitions, "paused", 2), (.plan, "READ-ONLY", 1), (.resources, "help", 1),
            (.events, "timeout", 1),
        ])
    func everyPane(pane: Pane, text: String, count: Int) throws {
        var session = try session()
        let totals = Pane.all.map { $0.total(in: session.model) }
        session.focus(pane)
        session.filter(text)
        let total = try #require(pane.content.total(in: session.model))
        #expect(session.footer.hasPrefix(" /\(text)") && session.footer.contains("\(count) of \(total)"))
        #expect(session.screen.contains("/\(text)  \(count) of \(total)"))
        for (other, total) in zip(Pane.all, totals) where other.pane != pane && total != nil {
            #expect(other.count(in: session.model) == total, "\(other.pane.name) has another filter")
        }
        session.press(.escape)
        #expect(pane.content.count(in: session.model) == total)
    }

    @Test("A key acts on the row that is highlighted, also while a filter hides others")
    func actsOnTheHighlightedRow() throws {
        var session = try session()
        _ = session.takeEffects()
        session.focus(.resources)
        session.filter("scen")
        session.press(.enter, .enter)
        #expect(session.takeEffects() == [.sync("scenarios.json")])
        session.focus(.scenarios)
        session.filter("offline")
        session.press(.enter, .character("m"))
        #expect(session.takeEffects() == [.saveBookmarks(["status/offline"])])
        session.press(.enter)
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "offline")))
    }

    @Test("The selection stays on its row when the filter is cleared")
    func theSelectionStays() throws {
        var session = try session()
        session.focus(.scenarios)
        session.filter("offline")
        session.press(.enter, .escape)
        #expect(session.lines(with: "▸").contains { $0.contains("offline") })
        #expect(session.screen.contains("HTTP 503"))
    }

    @Test("Nothing is done for a list in which the filter leaves no row")
    func noRow() throws {
        var session = try session()
        for pane in [Pane.scenarios, .transitions, .plan, .resources] {
            session.focus(pane)
            session.filter("zzz")
            _ = session.takeEffects()
            session.press(.enter)
            session.press(.down, .up, .end)
            if pane != .plan { session.press(.enter) }
            #expect(session.takeEffects() == [], "\(pane.name)")
            #expect(session.screen.contains("No line contains \"zzz\"."))
        }
    }

    @Test("Another pane takes the focus and leaves the filter as it was typed")
    func tabEndsTheEditing() throws {
        var session = try session()
        session.focus(.scenarios)
        session.filter("off")
        session.press(.tab)
        _ = session.takeEffects()
        session.press(.character("r"))
        #expect(session.takeEffects() == [.checkNow], "a letter is a key again")
        #expect(session.screen.contains("/off  3 of"))
        session.press(.escape)
        #expect(session.screen.contains("/off  3 of"), "Escape clears the filter of the pane with the focus")
        session.focus(.scenarios)
        session.press(.escape)
        #expect(!session.screen.contains("/off"))
    }

    @Test("A pane without a list, and the inspector, filter the events")
    func theInspectorFiltersEvents() throws {
        var session = try session()
        session.focus(.inspector)
        session.filter("timeout")
        #expect(session.model.view.focus == .events && session.model.shownEvents.count == 1)
    }
}
