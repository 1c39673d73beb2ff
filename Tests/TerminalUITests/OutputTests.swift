import Testing

@testable import TerminalUI

@Suite("What reaches the terminal as bytes")
struct OutputTests {
    private let escape = "\u{1B}"

    private func frame(_ text: String, link: String?, at point: Point = Point(column: 2, row: 1)) -> Frame {
        var frame = Frame(Size(columns: 20, rows: 3))
        frame.write(text, at: point, style: Style.plain.linked(to: link))
        return frame
    }

    @Test func linkedCellsInARowAreOneRunAtTheirPlace() throws {
        let runs = LinkRun.runs(in: frame("get it", link: "https://demo.local/get"))
        let run = try #require(runs.first)
        #expect(runs.count == 1)
        #expect(run.at == Point(column: 2, row: 1))
        #expect(run.cells.map(\.text).joined() == "get it")
    }

    @Test("Adjacent links with different addresses are separate runs")
    func adjacentLinksAreSeparateRuns() {
        var frame = frame("one", link: "https://a.local/")
        frame.write("two", at: Point(column: 5, row: 1), style: Style.plain.linked(to: "https://b.local/"))
        #expect(LinkRun.runs(in: frame).map(\.address) == ["https://a.local/", "https://b.local/"])
    }

    @Test("A link run is written at its position and restores the cursor and colours")
    func runRestoresCursorAndColors() throws {
        let run = try #require(LinkRun.runs(in: frame("go", link: "http://demo.local")).first)
        let expected =
            "\(escape)7\(escape)[2;3H\(escape)]8;;http://demo.local\(escape)\\"
            + "\(escape)[0mgo\(escape)]8;;\(escape)\\\(escape)8"
        #expect(run.sequence(TerminalLook(depth: .indexed)) { _ in 1 } == expected)
    }

    @Test("The last cell of a one-column terminal is written without ncurses")
    func oneColumnLastCellIsWritten() {
        var frame = Frame(Size(columns: 1, rows: 2))
        frame.write("■", at: Point(column: 0, row: 1), style: Style(.bold))
        #expect(
            LinkRun.lastCellOfOneColumn(frame, TerminalLook(depth: .mono)) { _ in 1 }
                == "\(escape)7\(escape)[2;1H\(escape)[0;1m■\(escape)8")
        #expect(LinkRun.lastCellOfOneColumn(Frame(Size(columns: 2, rows: 1)), TerminalLook(depth: .mono)) { _ in 1 } == "")
    }

    @Test(
        "An unsafe address is never written as a hyperlink",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "https://a.local/\u{1B}\\", "https://a.local/\u{7}",
            "https://a.local/a b", "https://a.local/ü", "https://" + String(repeating: "a", count: 3000),
        ])
    func unsafeAddressIsNotWritten(address: String) {
        #expect(LinkRun.runs(in: frame("x", link: address)) == [])
    }

    @Test(
        "Hyperlinks and clipboard are used only on terminals that ignore unknown sequences",
        arguments: [
            ("xterm-256color", true), ("tmux-256color", true), ("foot", true), ("linux", false), ("vt220", false),
            ("dumb", false), ("", false), ("stv52", false), ("st-256color", true),
        ])
    func oscNeedsSupportingTerminal(name: String, takes: Bool) {
        #expect(TerminalKind(environment: ["TERM": name]).takesOperatingSystemCommands == takes)
    }

    @Test("A character that the C library draws with another width is replaced by one that fits")
    func wrongWidthGetsStandIn() {
        let wide = Cell("中", width: 2, style: .plain), block = Cell("█", width: 1, style: .plain)
        #expect(Glyph.scalars(of: wide, .unicode) { _ in 2 } == [["中"]])
        #expect(Glyph.scalars(of: wide, .unicode) { _ in 1 } == [["?"], [" "]])
        #expect(Glyph.scalars(of: block, .unicode) { _ in -1 } == [["#"]])
        #expect(Glyph.scalars(of: Cell("\u{1B}", width: 1, style: .plain), .unicode) { _ in -1 } == [["?"]])
    }

    @Test func aLineDrawingIsOneOfStrokesInAnASCIILocale() {
        let drawing = "⣀⡴⠏\u{2800}⠂".unicodeScalars.map { Cell(String($0), width: 1, style: .plain) }
        #expect(
            drawing.flatMap { Glyph.scalars(of: $0, .unicode) { $0.isASCII ? 1 : -1 } } == [["_"], [":"], [":"], [" "], ["'"]])
    }

    @Test("Combining marks stay with their character up to the limit of a cell")
    func combiningMarksAreLimited() {
        let accents = String(repeating: "\u{301}", count: 9)
        let cell = Cell("e" + accents, width: 1, style: .plain)
        let scalars = Glyph.scalars(of: cell, .unicode) { $0 == "e" ? 1 : 0 }
        #expect(scalars == [["e", "\u{301}", "\u{301}", "\u{301}", "\u{301}"]])
    }
}
