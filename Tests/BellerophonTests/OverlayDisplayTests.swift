import TerminalUI
import Testing

@testable import Bellerophon

@Suite("What is shown over a program")
struct OverlayDisplayTests {
    private func screen(_ display: OverlayDisplay<String>, _ columns: Int, _ rows: Int) -> String {
        let size = Size(columns: columns, rows: rows)
        let frame = display.frame(size) {
            var frame = Frame(size)
            for row in 0..<rows { frame.write(String(repeating: "p", count: columns), in: frame.bounds.row(row)) }
            return frame
        } draw: { cover, frame in
            frame.write(cover, in: frame.bounds)
        }
        return frame.text
    }

    @Test("A cover takes the screen and every key") func aCoverTakesEverything() {
        let cover = OverlayDisplay.cover("c")
        #expect(cover.takesScreen && cover.takesKeys)
        #expect(screen(cover, 5, 2) == "c\n")
        #expect(screen(.none, 2, 2) == "pp\npp")
    }

    @Test("A banner takes its rows only, and no key") func aBannerTakesRowsOnly() {
        let banner = OverlayDisplay<String>.banner(Banner([TextLine("two"), TextLine("rows")]))
        #expect(!banner.takesScreen && !banner.takesKeys && banner.cover == nil)
        let left = String(repeating: "p", count: 36)
        #expect(screen(banner, 40, 3) == "\(left)two\n\(left)rows\n\(left)pppp")
    }

    @Test("A banner has at most 60 % of a row, and the whole row of a narrow screen; wide characters are not cut in two")
    func aBannerIsCut() {
        let long = Banner([TextLine(String(repeating: "漢", count: 40))], at: .bottom)
        #expect(long.area(in: Size(columns: 80, rows: 24)) == Rect(column: 32, row: 23, columns: 48, rows: 1))
        #expect(long.area(in: Size(columns: 39, rows: 3)) == Rect(column: 0, row: 2, columns: 39, rows: 1))
        #expect(screen(.banner(long), 5, 2) == "ppppp\n漢漢…")
        #expect(screen(.banner(long), 1, 1) == "…")
        #expect(Banner([]).area(in: Size(columns: 80, rows: 24)).isEmpty)
    }
}
