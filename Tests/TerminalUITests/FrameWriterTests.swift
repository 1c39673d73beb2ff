import TestSupport
import Testing

@testable import TerminalUI

/// The cells of a terminal after the bytes of a ``FrameWriter``, whatever frames came before.
@Suite struct FrameWriterTests {
    private static let plain = Size(columns: 12, rows: 3)

    private func frame(_ text: String, at column: Int = 0, _ row: Int = 0, style: Style = .plain, size: Size = plain) -> Frame {
        var frame = Frame(size)
        frame.write(text, at: Point(column: column, row: row), style: style)
        return frame
    }

    // MARK: Any frames

    @Test(arguments: ColorDepth.allCases, [true, false])
    func anySequenceOfFramesIsShownAsItIs(depth: ColorDepth, erasesWithBackground: Bool) {
        for seed in Seed.range("frames", default: 0..<16) {
            var frames = RandomFrames(seed: seed)
            var test = WriterUnderTest(depth: depth, hyperlinks: seed % 2 == 0, erasesWithBackground: erasesWithBackground)
            for step in 0..<30 {
                let frame = frames.next()
                if step % 11 == 10 { test.litter() }
                test.show(frame)
                #expect(test.difference(from: frame) == nil, "seed \(seed), step \(step)")
            }
        }
    }

    @Test(
        "Cells stay in place on a terminal with other character widths",
        arguments: ["ambiguous characters are wide", "wide characters are narrow", "marks do not combine", "all of it"])
    func otherWidthsKeepPositions(quirk: String) {
        for seed in Seed.range("frames of other widths", default: 100..<140) {
            var frames = RandomFrames(seed: seed)
            var test = WriterUnderTest(depth: .indexed, hyperlinks: true) { scalar in
                if scalar.value < 0x7F || (0x2500..<0x2580).contains(scalar.value) { return 1 }
                let usual = CellTerminal.usualColumns(of: scalar)
                return switch usual {
                case 0: quirk.hasPrefix("marks") ? 1 : quirk.hasPrefix("all") ? 2 : 0
                case 1: quirk.hasPrefix("ambiguous") || quirk.hasPrefix("all") ? 2 : 1
                default: quirk.hasPrefix("wide") || quirk.hasPrefix("all") ? 1 : 2
                }
            }
            for step in 0..<30 {
                let frame = frames.next()
                test.show(frame)
                #expect(test.differenceOfCertainCells(from: frame) == nil, "seed \(seed), step \(step)")
            }
        }
    }

    @Test func anASCIITerminalGetsASCIIInTheSameColumns() {
        for seed in Seed.range("frames in ASCII", default: 200..<220) {
            var frames = RandomFrames(seed: seed)
            var test = WriterUnderTest(depth: .eight, hyperlinks: true, asciiOnly: true)
            for step in 0..<30 {
                let frame = frames.next()
                let bytes = test.show(frame)
                #expect(bytes.allSatisfy { $0 < 0x80 }, "seed \(seed), step \(step)")
                #expect(test.differenceOfCertainCells(from: frame) == nil, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("An ASCII terminal gets replacements for special symbols")
    func asciiTerminalGetsStandIns() {
        var test = WriterUnderTest(depth: .mono, hyperlinks: false, asciiOnly: true)
        test.show(frame("┌─■─┐ 中… é"))
        #expect(test.row(0) == "+-#-+ ? ~ ? ")
    }

    // MARK: What is sent

    @Test func aFrameThatIsShownAlreadyNeedsNoBytes() {
        var test = WriterUnderTest(depth: .indexed, hyperlinks: true)
        var frame = frame("中 hello", style: Theme.link.linked(to: "https://a.local"))
        #expect(!test.show(frame).isEmpty)
        #expect(test.show(frame).isEmpty)
        frame.cursor = Point(column: 3, row: 1)
        test.show(frame)
        #expect(test.show(frame).isEmpty)
    }

    @Test func onlyCellsThatDifferAreSent() {
        var test = WriterUnderTest(depth: .indexed, hyperlinks: false)
        var frame = frame("hello, world")
        frame.write("─────", at: Point(column: 0, row: 1))
        test.show(frame)
        frame.write("y", at: Point(column: 4, row: 0))
        frame.restyle(Rect(column: 7, row: 0, columns: 2, rows: 1)) { $0 = Theme.strong }
        test.show(frame)
        #expect(test.terminal.places == [4, 7, 8].map { Point(column: $0, row: 0) })
    }

    @Test("An invalidated or resized terminal is repainted completely")
    func invalidatedScreenIsRepainted() {
        var test = WriterUnderTest(depth: .indexed, hyperlinks: false)
        let first = frame("hello")
        let whole = test.show(first)
        test.litter()
        #expect(test.show(first) == whole)
        let wider = frame("hello", size: Size(columns: 13, rows: 3))
        test.show(wider)
        #expect(test.difference(from: wider) == nil)
    }

    @Test("Blank row ends are erased, and coloured ones are written")
    func blankRowEndsAreErased() {
        var test = WriterUnderTest(depth: .indexed, hyperlinks: false)
        test.show(Frame(Self.plain))
        #expect(test.terminal.places.isEmpty)
        let coloured = Frame(Self.plain, style: Style(background: .ansi(4)))
        test.show(coloured)
        #expect(test.terminal.places.count == Self.plain.columns * Self.plain.rows)
        #expect(test.difference(from: coloured) == nil)
    }

    @Test(arguments: [Size(columns: 12, rows: 3), Size(columns: 1, rows: 4), Size(columns: 1, rows: 1)])
    func theLastCellOfTheScreenIsWrittenLast(size: Size) {
        var frame = Frame(size)
        frame.fill(frame.bounds, with: "x")
        var test = WriterUnderTest(depth: .mono, hyperlinks: false)
        test.show(frame)
        #expect(test.terminal.places.last == Point(column: size.columns - 1, row: size.rows - 1))
        #expect(test.difference(from: frame) == nil)
    }

    @Test(
        "A character of uncertain width at the end of a row does not cause a line wrap", arguments: ["é", "█", "x\u{301}", "中"])
    func doubtfulWidthDoesNotWrap(text: String) {
        let width = CellText.width(of: text)
        let frame = frame(text, at: Self.plain.columns - width, Self.plain.rows - 1)
        for columns in 1...2 {
            var test = WriterUnderTest(depth: .mono, hyperlinks: false) { $0.value < 0x7F ? 1 : columns }
            test.show(frame)
            #expect(test.terminal.faults.isEmpty)
            #expect(test.terminal.wraps)
        }
    }

    @Test("A wide character drawn narrow leaves no old character beside it")
    func narrowDrawingLeavesNothing() {
        var test = WriterUnderTest(depth: .mono, hyperlinks: false) { _ in 1 }
        test.show(frame("abcdef"))
        var changed = frame("abcdef")
        changed.write("中", at: Point(column: 2, row: 0))
        test.show(changed)
        #expect(test.row(0) == "ab中 ef      ")
    }

    @Test("A character drawn wide in the last column keeps the wide character before it")
    func wideDrawingInLastColumn() {
        var test = WriterUnderTest(depth: .mono, hyperlinks: false) { $0.value < 0x7F ? 1 : 2 }
        test.show(frame("a中é", at: Self.plain.columns - 4))
        #expect(test.row(0) == "        a中 ", "the terminal has no room for both")
        test.show(frame("abcdefghijké"))
        #expect(test.row(0) == "abcdefghijk ")
    }

    // MARK: Links and the cursor

    @Test("Hyperlinks are written only for safe addresses and only if enabled")
    func safeLinksAreWritten() {
        let linked = frame("get it", style: Style.plain.linked(to: "https://demo.local/get"))
        for wanted in [true, false] {
            var test = WriterUnderTest(depth: .indexed, hyperlinks: wanted)
            test.show(linked)
            #expect(test.terminal.cells[0].pen.link == (wanted ? "https://demo.local/get" : nil))
            #expect(test.terminal.cells[6].pen.link == nil)
        }
        var test = WriterUnderTest(depth: .indexed, hyperlinks: true)
        test.show(frame("get it", style: Style.plain.linked(to: "file:///etc/passwd")))
        #expect(test.terminal.cells.allSatisfy { $0.pen.link == nil })
    }

    @Test("The cursor is at the frame's position and hidden without a valid one")
    func cursorFollowsFrame() {
        var test = WriterUnderTest(depth: .mono, hyperlinks: false)
        var frame = frame("hello")
        for place in [Point(column: 5, row: 0), Point(column: 11, row: 2), Point(column: 0, row: 0)] {
            frame.cursor = place
            test.show(frame)
            #expect(test.terminal.showsCursor && test.terminal.cursor == place)
            frame.write("\(place.column)", at: Point(column: 3, row: 1))
            test.show(frame)
            #expect(test.terminal.showsCursor && test.terminal.cursor == place, "after a change elsewhere")
        }
        for place in [nil, Point(column: 12, row: 0), Point(column: -1, row: 0), Point(column: 0, row: 3)] {
            frame.cursor = place
            test.show(frame)
            #expect(!test.terminal.showsCursor)
        }
    }
}
