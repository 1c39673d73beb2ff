import TerminalUI
import TestSupport
import Testing

@testable import TerminalIO

@Suite("Input sorter")
struct InputSorterTests {
    /// What arrives while the cover is shown.
    private func sorted(
        _ text: String, expecting: ReplyShape? = nil, awaitsCursorReport: Bool = false
    ) -> [InputSorter.Item] {
        var sorter = InputSorter().covered(expecting: expecting)
        return sorter.sort(Array(text.utf8), awaitsCursorReport: awaitsCursorReport)
    }

    @Test(arguments: InputToken.replies)
    func aReplyIsForTheProgram(reply: TypedText) {
        let shape = ReplyShape(begin: reply.bytes, last: reply.bytes.last ?? 0), reply = reply.text
        #expect(sorted(reply, expecting: shape) == [.reply(Array(reply.utf8))])
        #expect(
            sorted("a\(reply)b", expecting: shape) == [.key(.character("a")), .reply(Array(reply.utf8)), .key(.character("b"))])
    }

    @Test(
        "Input without a meaning on the cover is dropped, and the next key works",
        arguments: [
            "\u{1B}x", "\u{1B}é", "\u{1B}\r", "\u{1B}\u{7F}", "\u{1B} ", "\u{1B}\u{1B}[A", "\u{1B}\u{1B}OP", "\u{1B}[1;3A",
            "\u{1B}[1;5R",
            "\u{1B}[M !!", "\u{1B}[M !\u{3FF}", "\u{1B}[<0;10;20M", "\u{1B}[<0;10;20m",
            "\u{1B}[<35;10;20M",
            "\u{1B}[32;10;20M", "\u{1B}[1;2;3;4;5&w", "\u{1B}[t!!", "\u{1B}[T!!!!!!", "\u{1B}[200~quit q\r\u{1B}[A\u{1B}[201~",
            "\u{1B}[200~\u{1B}[201\u{1B}[201~", "\u{1B}[97;3u", "\u{1B}[97;1:3u", "\u{1B}[c", "\u{1B}[7^", "\u{1B}[[Z",
            "\u{1B}\\",
            "\u{1B}X\u{1B}\\", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}]52;c;aGFsbG8=\u{1B}\\", "\u{1B}P>|XTerm(370)\u{1B}\\",
            "\u{1B}_Gi=1;OK\u{1B}\\",
        ] as [TypedText])
    func meaninglessInputIsDropped(text: TypedText) {
        let text = text.text
        #expect(sorted(text) == [])
        #expect(sorted(text + "q") == [.key(.character("q"))], "and what follows is not")
    }

    @Test func aTurnOfTheWheelIsAKey() {
        let up = MouseEvent(.wheelUp, at: Point(column: 9, row: 19)), down = MouseEvent(.wheelDown, at: Point(column: 0, row: 0))
        #expect(sorted("\u{1B}[<64;10;20M\u{1B}[<69;0;0M") == [.key(.mouse(up)), .key(.mouse(down))])
    }

    @Test("A sequence that could be F3 is a cursor report only if one is awaited")
    func ambiguousF3IsAReportIfAwaited() {
        for text in ["\u{1B}[1;2R", "\u{1B}[1;5R", "\u{1B}[1;80R"] {
            #expect(sorted(text, awaitsCursorReport: true) == [.reply(Array(text.utf8))])
            #expect(sorted(text) == [])
        }
        for text in ["\u{1B}[1;1R", "\u{1B}[2;5R", "\u{1B}[?1;5R", "\u{1B}[1;257R"] {
            #expect(sorted(text, awaitsCursorReport: true) == [.reply(Array(text.utf8))])
            #expect(sorted(text) == [], "nobody has asked")
        }
        #expect(sorted("\u{1B}[R", awaitsCursorReport: true) == [.key(.function(3))])
        #expect(sorted("\u{1B}OR", awaitsCursorReport: true) == [.key(.function(3))])
    }

    // MARK: Time

    @Test func anEscapeAloneIsAKeyAfterATime() {
        var sorter = InputSorter().covered()
        #expect(sorter.sort([0x1B]) == [])
        #expect(sorter.isIncomplete)
        #expect(sorter.flush() == [.key(.escape)])
        #expect(!sorter.isIncomplete)
        #expect(sorter.flush() == [])
        #expect(sorter.sort(Array("[A".utf8)) == [.key(.character("[")), .key(.character("A"))])
    }

    @Test func twoEscapesAreTwoKeys() {
        var sorter = InputSorter().covered()
        #expect(sorter.sort([0x1B, 0x1B]) == [])
        #expect(sorter.flush() == [.key(.escape), .key(.escape)])
        #expect(sorter.sort([0x1B, 0x1B, 0x1B]) == [.key(.escape)])
        #expect(sorter.flush() == [.key(.escape), .key(.escape)])
    }

    @Test(arguments: ["\u{1B}[24;80R", "\u{1B}[?1;2c", "\u{1B}[200~x\u{1B}[201~", "\u{1B}[M !!"] as [TypedText])
    func anEscapeBeforeWhatIsNoKeyIsAKey(rest: TypedText) {
        let rest = rest.text
        #expect(sorted("\u{1B}" + rest).first == .key(.escape))
        #expect(sorted("\u{1B}" + rest).count == sorted(rest).count + 1)
    }

    @Test(
        arguments: [
            "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}^", "\u{1B}X", "\u{1B}[7$", "\u{1B}[M !\u{C3}",
        ] as [TypedText])
    func altWithAnIntroducerIsDroppedAfterATime(text: TypedText) {
        var sorter = InputSorter().covered()
        let bytes = text.text.unicodeScalars.map { UInt8($0.value) }
        #expect(sorter.sort(bytes) == [])
        #expect(sorter.isIncomplete)
        #expect(sorter.flush() == [])
        #expect(sorter.sort(Array("q".utf8)) == [.key(.character("q"))])
    }

    @Test func aReplyThatArrivesSlowlyStaysWhole() {
        for reply in ["\u{1B}[?62;4", "\u{1B}]11;rgb:", "\u{1B}P>|xterm", "\u{1B}]11;rgb:0/0/0\u{1B}"] {
            var sorter = InputSorter().covered()
            #expect(sorter.sort(Array(reply.utf8)) == [])
            #expect(!sorter.isIncomplete)
            #expect(sorter.isUnfinished)
            #expect(sorter.flush() == [])
        }
    }

    // MARK: What does not end

    @Test("A control character ends an unterminated string")
    func controlCharacterEndsString() {
        let command = ReplyShape(introducer: UInt8(ascii: "]"))
        #expect(sorted("\u{1B}]11;rgb:\u{3}q", expecting: command) == [.key(.control("c")), .key(.character("q"))])
        #expect(sorted("\u{1B}]11;rgb:\u{1B}[Aq", expecting: command) == [.key(.up), .key(.character("q"))])
    }

    @Test func aSequenceThatIsCutIsDropped() {
        #expect(sorted("\u{1B}[12;\u{1B}[A") == [.key(.up)])
        #expect(sorted("\u{1B}[12;\u{3}") == [.key(.control("c"))])
        #expect(sorted("\u{1B}[12;é") == [.key(.character("é"))])
        #expect(sorted("\u{1B}O\u{1B}OP") == [.key(.function(1))])
    }

    @Test func aLongReplyIsPassedOnInPieces() {
        let reply = Array(("\u{1B}P1$r" + String(repeating: "0", count: 1000) + "\u{1B}\\").utf8)
        var sorter = InputSorter(longestReply: 100)
        sorter.expect(ReplyShape(introducer: UInt8(ascii: "P")))
        sorter.beginCover()
        let items = sorter.sort(reply + Array("q".utf8))
        let pieces = items.compactMap { item in
            if case .reply(let bytes) = item { bytes } else { nil }
        }
        #expect(pieces.count > 8)
        #expect(pieces.allSatisfy { $0.count <= 102 })
        #expect(pieces.flatMap(\.self) == reply)
        #expect(items.last == .key(.character("q")))
    }

    @Test("A sequence too long to be a reply is dropped")
    func overlongSequenceIsDropped() {
        var sorter = InputSorter(longestReply: 100).covered()
        let text = "\u{1B}[" + String(repeating: "1;", count: 1000) + "uq"
        #expect(sorter.sort(Array(text.utf8)) == [.key(.character("q"))])
    }

    @Test func anAbandonedPasteIsOver() {
        var sorter = InputSorter().covered()
        #expect(sorter.sort(Array("\u{1B}[200~text".utf8)) == [])
        #expect(sorter.isPasting)
        sorter.abandonPaste()
        #expect(!sorter.isPasting)
        #expect(sorter.sort(Array("q".utf8)) == [.key(.character("q"))])
    }

    @Test func invalidBytesAreNoKeys() {
        var sorter = InputSorter().covered()
        #expect(
            sorter.sort([0xFF, 0xC3, 0x28, 0xE2, 0x82, 0x71, 0xED, 0xA0, 0x80, 0xC0, 0xAF]) == [
                .key(.character("(")), .key(.character("q")),
            ])
    }

    @Test func introducersOfOneByteAreUnderstood() {
        var sorter = InputSorter().covered()
        sorter.expect(ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R")))
        sorter.expect(ReplyShape(introducer: UInt8(ascii: "]")))
        let report: [UInt8] = [0x9B] + Array("24;80R".utf8), string: [UInt8] = [0x9D] + Array("11;x".utf8) + [0x9C]
        #expect(sorter.sort(report + string + [0x8F, 0x50]) == [.reply(report), .reply(string), .key(.function(1))])
    }
}
