import TerminalUI
import Testing

@testable import Bellerophon

@Suite("Rows over the screen of a program")
struct BannerTests {
    /// A banner over a program that has filled its screen.
    private func screen(_ banner: Banner, _ columns: Int, _ rows: Int) -> String {
        var frame = Frame(Size(columns: columns, rows: rows))
        for row in 0..<rows { frame.write(String(repeating: "p", count: columns), in: frame.bounds.row(row)) }
        banner.draw(in: &frame)
        return frame.text
    }

    @Test("A banner takes its rows only") func aBannerTakesRowsOnly() {
        let banner = Banner([TextLine("two"), TextLine("rows")])
        let left = String(repeating: "p", count: 36)
        #expect(screen(banner, 40, 3) == "\(left)two\n\(left)rows\n\(left)pppp")
    }

    @Test("A banner has at most 60 % of a row, and the whole row of a narrow screen; wide characters are not cut in two")
    func aBannerIsCut() {
        let long = Banner([TextLine(String(repeating: "漢", count: 40))], at: .bottom)
        #expect(long.area(in: Size(columns: 80, rows: 24)) == Rect(column: 32, row: 23, columns: 48, rows: 1))
        #expect(long.area(in: Size(columns: 39, rows: 3)) == Rect(column: 0, row: 2, columns: 39, rows: 1))
        #expect(screen(long, 5, 2) == "ppppp\n漢漢…")
        #expect(screen(long, 1, 1) == "…")
        #expect(Banner([]).area(in: Size(columns: 80, rows: 24)).isEmpty)
    }
}
