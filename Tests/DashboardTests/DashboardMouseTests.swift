import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import ScenarioKit

/// A simulated user with a mouse.
@Suite struct DashboardMouseTests {
    @Test func aClickSelectsAndASecondOneOpens() {
        var session = DashboardSession.afterAPause()
        session.click(column: 50, row: session.row(of: "14:04:16"))
        #expect(session.focusedPane == "Events")
        #expect(session.selectedEvent == "14:04:16 ✓ 200 220 ms   78 B  live")
        session.click(column: 50, row: session.row(of: "▸ 14:04:16"))
        #expect(session.screen.contains("┌ Inspector"))
    }

    @Test("The first click selects a scenario, the second one applies it, and the list stays where it is under the pointer")
    func aListStaysWhereItIs() {
        var session = DashboardSession.afterAPause()
        let row = session.row(of: "    update required")
        session.click(column: 8, row: row)
        #expect(session.takeEffects() == [] && session.row(of: "▸   update required") == row)
        session.click(column: 8, row: row)
        #expect(session.takeEffects() == [.barricade(.select(request: "status", response: "update required")), .checkAfresh])
        session.click(column: 8, row: session.row(of: "Everyday"))
        #expect(session.takeEffects() == [])
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
        let selected = session.model.view[.scenarios].row
        session.click(column: column("↓"), row: footer)
        #expect(session.model.view[.scenarios].row == selected + 1)
        session.click(column: column("? help"), row: footer)
        #expect(session.screen.contains("┌ Help"))
        session.click(column: column("Esc"), row: footer)
        session.click(column: column("quit"), row: footer)
        #expect(session.takeEffects() == [.quit])
    }

    @Test("A second click in the picker applies a scenario, and a click outside closes the picker")
    func clickOutsideClosesPicker() {
        var session = DashboardSession.afterAPause(columns: 120, rows: 40)
        session.press(.character("s"))
        session.click(column: 60, row: session.row(of: "paused, Chinese message   wide"))
        #expect(session.takeEffects() == [])
        session.click(column: 60, row: session.row(of: "▸   paused, Chinese message   wide"))
        #expect(session.takeEffects().first == .barricade(.select(request: "status", response: "paused, Chinese message")))
        session.press(.character("s"))
        session.click(column: 1, row: 1)
        #expect(session.model.simulation.picker == nil)
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

extension Substring {
    /// The columns before a text. For lines with characters of one column.
    fileprivate func distance(to text: String) -> Int {
        range(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? -1
    }
}
