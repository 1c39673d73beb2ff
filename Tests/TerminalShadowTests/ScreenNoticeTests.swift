import Foundation
import TerminalUI
import Testing

@testable import TerminalShadow

struct ScreenNoticeTests {
    fileprivate static func notice(_ text: String, at edge: ScreenNotice.Edge = .top) -> ScreenNotice {
        var frame = Frame(Size(columns: text.count, rows: 1))
        frame.write(text, at: Point(column: 0, row: 0), style: Style(.reverse))
        return ScreenNotice(frame, at: edge, writer: FrameWriter(TerminalLook(depth: .indexed), hyperlinks: false))
    }

    // MARK: The screen below

    @Test(arguments: ScreenCoverTests.main + ScreenCoverTests.alternate)
    func aScreenReturnsWithWhatWasWrittenMeanwhile(stream: String) {
        for more in ScreenCoverTests.main + ScreenCoverTests.alternate + ["\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9"] {
            var pair = TerminalPair(keepsMainScreen: true)
            pair.output(stream)
            pair.setNotice("NOTICE")
            pair.output(more)
            pair.setNotice(nil)
            #expect(pair.differences == [], "\(stream.debugDescription), then \(more.debugDescription)")
        }
    }

    @Test func theCursorIsWhereItWas() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\u{1B}[?1049h\u{1B}[5;20Habcde")
        pair.setNotice("NOTICE")
        let laid = pair.differences
        #expect(laid.allSatisfy { $0.hasPrefix("cell ") && $0.contains(",0:") })
        #expect(laid.count == 6)
        pair.output("f")
        pair.setNotice(nil)
        #expect(pair.differences == [])
    }

    @Test func aCutCharacterReturns() {
        var pair = TerminalPair(keepsMainScreen: true)
        // The left half of the last character but one is beside the notice.
        pair.output("x" + String(repeating: "漢", count: 11) + "\r\n")
        pair.setNotice("NOTICE")
        #expect(pair.row(0).hasSuffix(" NOTICE"))
        #expect(pair.differences.allSatisfy { $0.hasPrefix("cell ") })
        pair.setNotice(nil)
        #expect(pair.differences == [])
    }

    // MARK: Its place

    @Test func itIsAtTheTopUnlessTheCursorIsThere() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\u{1B}[?1049h\u{1B}[2;1H")
        pair.setNotice("NOTICE")
        #expect(pair.row(0) == String(repeating: " ", count: 18) + "NOTICE")
        pair.output("\u{1B}[Hx")
        #expect(pair.row(0).hasPrefix("x     "))
        #expect(pair.row(7) == String(repeating: " ", count: 18) + "NOTICE")
        pair.output("\u{1B}[4;4H")
        #expect(pair.row(0).hasSuffix("NOTICE"))
        pair.setNotice("OTHER", at: .bottom)
        #expect(pair.row(7).hasSuffix(" OTHER"))
        pair.setNotice(nil)
        #expect(pair.differences == [])
    }

    @Test func itWaitsForRowsThatAreKnown() {
        var pair = TerminalPair(keepsMainScreen: true, isAnchored: false)
        pair.relay.anchor(column: 0, row: 4)
        pair.terminal.feed(Array("old 0\r\nold 1\r\nold 2\r\nold 3\r\n".utf8))
        pair.reference = pair.terminal
        pair.output("$ ")
        pair.setNotice("NOTICE")
        // The first rows are from before. The last one is known to be empty.
        #expect(pair.row(7).hasSuffix("NOTICE"))
        pair.output("\r\n\r\n\r\n")
        #expect(pair.relay.laid == nil)
        #expect(pair.differences == [])
        pair.output("\r\n\r\n\r\n\r\n")
        #expect(pair.row(0).hasSuffix("NOTICE"))
        pair.setNotice(nil)
        #expect(pair.differences == [])
    }

    @Test func itWaitsWhileTheCursorsPlaceIsNotKnown() {
        var pair = TerminalPair(keepsMainScreen: true, isAnchored: false)
        pair.output("text")
        pair.setNotice("NOTICE")
        #expect(pair.relay.laid == nil)
        #expect(pair.sent == [])
        pair.output("\u{1B}[H\u{1B}[2J\u{1B}[3;3H")
        #expect(pair.relay.laid != nil)
    }

    @Test func oneThatIsWiderThanTheScreenWaits() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\r\n")
        pair.setNotice(String(repeating: "x", count: 25))
        #expect(pair.relay.laid == nil)
    }

    @Test func aScreenThatIsNotFollowedHasNoNotice() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\r\n")
        pair.setNotice("NOTICE")
        pair.output("\u{1B}_Gf=100;AAAA\u{1B}\\")
        #expect(pair.relay.laid == nil)
        #expect(pair.differences == [])
    }

    // MARK: What is sent

    @Test func outputThatCannotTouchItPassesAsItIs() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\u{1B}[?1049h\u{1B}[3;1H")
        pair.setNotice("NOTICE")
        for text in ["text\r\n", "\u{1B}[4;2H\u{1B}[31m漢\u{1B}[K", "\u{1B}]2;title\u{07}", "\u{1B}[2;6r", "\u{1B}[5;1H\u{1B}[2M"]
        {
            pair.output(text + "\u{1B}[5;5H")
            #expect(pair.sent == Array((text + "\u{1B}[5;5H").utf8), "\(text.debugDescription)")
        }
    }

    @Test func itMovesInOneUpdate() throws {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\r\n")
        pair.setNotice("NOTICE")
        pair.output("\u{1B}[1;1Hx\u{1B}[?2026hy\u{1B}[?2026lz")
        let text = String(decoding: pair.sent, as: UTF8.self)
        let begin = try #require(text.range(of: "\u{1B}[?2026h"))
        #expect(text.hasSuffix("\u{1B}[?2026l"))
        // The end of the program's update is followed by a beginning.
        #expect(text.contains("\u{1B}[?2026l\u{1B}[?2026hz"))
        #expect(text[..<begin.lowerBound] == "\u{1B}[1;1H")
    }

    @Test func anUpdateOfTheProgramStaysOpen() {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\r\n")
        pair.setNotice("NOTICE")
        pair.output("\u{1B}[?2026h\u{1B}[1;1Hx")
        #expect(!pair.sent.suffix(8).elementsEqual(ScreenCover.endOfUpdate))
        #expect(pair.terminal.shadow.isInUpdate)
    }

    @Test(arguments: ["a", "漢"]) func theRightCharacterIsRepeated(character: String) {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\r\n\(character)")
        pair.setNotice("NOTICE")
        pair.output("\u{1B}[5b")
        pair.output("\r\n\(character)")
        pair.setNotice(nil)
        pair.output("\u{1B}[40b")
        #expect(pair.differences == [])
    }

    // MARK: Covers and sizes

    @Test func aCoverTakesItAway() {
        for stream in ["text\r\n", "\u{1B}[?1049h\u{1B}[3;3Hx"] {
            var pair = TerminalPair(keepsMainScreen: true)
            pair.output(stream)
            pair.setNotice("NOTICE")
            pair.cover()
            #expect(pair.relay.laid == nil)
            pair.setNotice("OTHER")
            #expect(pair.sent == [])
            pair.output("more\r\n")
            pair.uncover()
            #expect(pair.row(0).hasSuffix(" OTHER"), "\(stream.debugDescription)")
            #expect(pair.sent.suffix(8).elementsEqual(ScreenCover.endOfUpdate))
            pair.setNotice(nil)
            #expect(pair.differences.filter { !$0.hasPrefix("saved") } == [], "\(stream.debugDescription)")
        }
    }

    @Test(arguments: [(30, 8), (20, 8), (24, 5), (24, 12), (12, 3)])
    func aResizeLeavesNothingOfIt(columns: Int, rows: Int) {
        var pair = TerminalPair(keepsMainScreen: true)
        pair.output("\u{1B}[?1049h\u{1B}[1;1Hfirst row of 24 columns.\u{1B}[8;1Hlast row\u{1B}[6;6Hx")
        pair.setNotice("NOTICE")
        pair.resize(columns: columns, rows: rows)
        #expect(pair.relay.laid != nil)
        pair.setNotice(nil)
        #expect(pair.differences == [])
    }
}

extension TerminalPair {
    fileprivate mutating func setNotice(_ text: String?, at edge: ScreenNotice.Edge = .top) {
        send(relay.setNotice(text.map { ScreenNoticeTests.notice($0, at: edge) }))
    }

    fileprivate mutating func resize(columns: Int, rows: Int) {
        terminal.resize(columns: columns, rows: rows)
        reference.resize(columns: columns, rows: rows)
        send(relay.resize(columns: columns, rows: rows))
    }

    /// The text of a row of the terminal.
    fileprivate func row(_ row: Int) -> String {
        let scalars = terminal.shadow.grid.row(row).filter { $0.width > 0 }
            .map { Unicode.Scalar($0.scalar == 0 ? 0x20 : $0.scalar & ~ShadowCharsets.graphics) ?? " " }
        return String(String.UnicodeScalarView(scalars))
    }
}
