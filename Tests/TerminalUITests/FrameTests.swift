import Testing

@testable import TerminalUI

@Suite struct FrameTests {
    private func frame(_ columns: Int, _ rows: Int, filled character: Character = ".") -> Frame {
        var frame = Frame(Size(columns: columns, rows: rows))
        frame.fill(frame.bounds, with: character)
        return frame
    }

    @Test func aSizeThatIsMadeNegativeIsEmpty() {
        var size = Size(columns: 3, rows: 3)
        size.columns -= 5
        var rect = Rect(size)
        rect.rows = -1
        #expect(size == Size(columns: 0, rows: 3) && rect.isEmpty)
        _ = Frame(size)
    }

    @Test func writesTextWhereAsked() {
        var frame = frame(6, 2)
        #expect(frame.write("abc", at: Point(column: 1, row: 1), style: Theme.strong) == 3)
        #expect(frame.text == "......\n.abc..")
        #expect(frame[1, 1] == Cell("a", width: 1, style: Theme.strong))
    }

    @Test func cutsAtTheEdgesOfTheClip() {
        var frame = frame(8, 1)
        frame.write("abcdefgh", at: Point(column: -1, row: 0), clip: Rect(column: 2, row: 0, columns: 3, rows: 1))
        #expect(frame.text == "..def...")
    }

    @Test func writesWhollyOutsideChangeNothing() {
        var frame = frame(3, 2)
        let before = frame
        for point in [(-9, 0), (3, 0), (0, -1), (0, 2), (50, 50)] {
            frame.write("abc", at: Point(column: point.0, row: point.1))
        }
        frame.write("abc", at: Point(column: 0, row: 0), clip: Rect(column: 7, row: 7, columns: 2, rows: 2))
        frame.fill(Rect(column: 3, row: 0, columns: 4, rows: 4), with: "x")
        #expect(frame == before)
    }

    @Test func aWideCharacterTakesTwoCells() {
        var frame = frame(5, 1)
        #expect(frame.write("日本", at: Point(column: 0, row: 0)) == 4)
        #expect(frame.row(0).map(\.width) == [2, 0, 2, 0, 1])
        #expect(frame.text == "日本.")
    }

    @Test func aWideCharacterCutByAnEdgeLeavesASpace() {
        var frame = frame(4, 1)
        frame.write("a日本", at: Point(column: 0, row: 0))
        #expect(frame.text == "a日")
        frame = self.frame(4, 1)
        frame.write("日本x", at: Point(column: -1, row: 0))
        #expect(frame.text == " 本x")
    }

    @Test("Overwriting one half of a wide character clears the other half")
    func halfOverwriteClearsOtherHalf() {
        var frame = frame(4, 1)
        frame.write("日本", at: Point(column: 0, row: 0))
        frame.write("x", at: Point(column: 1, row: 0))
        #expect(frame.text == " x本")
        frame.write("y", at: Point(column: 2, row: 0))
        #expect(frame.row(0).map(\.text) == [" ", "x", "y", " "])
    }

    @Test func aWideCharacterOverTwoWideHalvesClearsBoth() {
        var frame = frame(4, 1)
        frame.write("日本", at: Point(column: 0, row: 0))
        frame.write("語", at: Point(column: 1, row: 0))
        #expect(frame.row(0).map(\.text) == [" ", "語", "", " "])
    }

    @Test func controlCharactersTakeNoCell() {
        var frame = frame(4, 1)
        #expect(frame.write("a\u{1B}\n\tb", at: Point(column: 0, row: 0)) == 2)
        #expect(frame.text == "ab..")
    }

    @Test func fillNeedsASingleWidthCharacter() {
        var frame = frame(3, 1)
        frame.fill(Rect(column: 0, row: 0, columns: 2, rows: 1), with: "日")
        #expect(frame.text == "  .")
    }

    @Test func alignsALineInARectangle() {
        var frame = frame(9, 1)
        frame.write("ab", in: Rect(column: 1, row: 0, columns: 7, rows: 1), alignment: .center)
        frame.write("too long", in: Rect(column: 6, row: 0, columns: 3, rows: 1), alignment: .right)
        #expect(frame.text == "...ab.to…")
    }

    @Test func theSmallestFramesTakeEveryWrite() {
        var nothing = Frame(Size(columns: 0, rows: 0))
        nothing.write("日a", at: Point(column: 0, row: 0))
        nothing.fill(nothing.bounds)
        #expect(nothing.text == "")
        var one = Frame(Size(columns: 1, rows: 1))
        one.write("日", at: Point(column: 0, row: 0))
        #expect(one.text == "")
        one.write("■", at: Point(column: 0, row: 0))
        #expect(one.text == "■")
    }

    @Test func restyleKeepsTheText() {
        var frame = frame(3, 1)
        frame.restyle(Rect(column: 1, row: 0, columns: 9, rows: 9)) { $0 = $0.with(.reverse) }
        #expect(frame.row(0).map(\.style.attributes) == [[], .reverse, .reverse])
        #expect(frame.text == "...")
    }
}
