import Bellerophon
import TerminalUI
import Testing

@testable import Dashboard

/// All sizes and pages: the state is visible, and nothing is drawn outside the frame.
@Suite struct DashboardSizeTests {
    static let sizes: [Size] = {
        let columns = [0, 1, 2, 5, 12, 23, 24, 39, 59, 60, 75, 76, 80, 119, 120, 240]
        let rows = [0, 1, 2, 3, 5, 6, 8, 9, 15, 16, 18, 24, 35, 36, 80]
        return columns.flatMap { column in rows.map { Size(columns: column, rows: $0) } }
    }()

    /// Every other size: each width and each height is in it.
    static let someSizes = stride(from: 0, to: sizes.count, by: 2).map { sizes[$0] }

    @Test(
        arguments: [[], [Key.character("s")], [.character("?")], [.character("i")], [.character("/"), .character("x")]] as [[Key]]
    )
    func everySizeShowsTheState(keys: [Key]) {
        var session = DashboardSession.afterAPause()
        for key in keys { session.press(key) }
        for size in Self.sizes {
            session.resize(size.columns, size.rows)
            let frame = session.frame()
            #expect(frame.size == size)
            if session.model.simulation.picker == nil, !size.isEmpty { #expect(frame.text.contains("●"), "\(size)") }
            if let cursor = frame.cursor { #expect(frame.bounds.contains(cursor), "\(size)") }
        }
    }

    @Test("The header of a simulated session says that it is simulated")
    func simulationIsMarked() {
        var session = DashboardSession.afterAPause()
        for size in Self.sizes where size.columns >= 24 && size.rows >= 6 {
            session.resize(size.columns, size.rows)
            #expect(session.header.contains(" SIM"), "\(size)")
        }
    }

    @Test func aVerySmallTerminalSaysWhatItNeeds() {
        var session = DashboardSession.afterAPause()
        session.resize(36, 1)
        #expect(session.screen == "● LIVE  SIM   00:09  needs 24×6")
        session.resize(20, 6)
        #expect(session.screen.contains("● LIVE  SIM   00:09\nneeds 24×6"))
        session.resize(13, 1)
        #expect(session.screen == "● LIVE  SIM")
        session.resize(8, 3)
        #expect(session.lines == ["", "● LIVE", "SIM"])
        session.resize(1, 1)
        #expect(session.screen == "●")
    }

    @Test func keysWorkInEverySize() {
        let keys: [Key] = [
            .tab, .down, .enter, .escape, .character("i"), .pageDown, .character("G"), .escape, .character("?"), .down,
            .character("?"), .character("s"), .down, .right, .end, .escape, .character("/"), .character("a"), .enter,
            .mouse(MouseEvent(.press, at: Point(column: 0, row: 0))),
            .mouse(MouseEvent(.wheelDown, at: Point(column: 3, row: 2))),
            .escape,
        ]
        let start = DashboardSession.afterAPause()
        for size in Self.someSizes {
            var session = start
            session.resize(size.columns, size.rows)
            for key in keys {
                session.press(key)
                #expect(session.frame().size == size)
            }
            #expect(!session.effects.contains(.quit))
        }
    }
}
