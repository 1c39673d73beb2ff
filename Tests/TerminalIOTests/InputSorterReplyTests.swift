import TerminalUI
import Testing

@testable import TerminalIO

@Suite("Input sorter: replies and what looks like them")
struct InputSorterReplyTests {
    private static let command = ReplyShape(introducer: UInt8(ascii: "]"))
    private static let device = ReplyShape(introducer: UInt8(ascii: "P"))
    private static let attributes = ReplyShape(introducer: UInt8(ascii: "["), marker: UInt8(ascii: "?"), final: UInt8(ascii: "c"))

    private func replies(_ items: [InputSorter.Item]) -> String {
        String(decoding: items.flatMap { item in if case .reply(let bytes) = item { bytes } else { [UInt8]() } }, as: UTF8.self)
    }

    private func keys(_ items: [InputSorter.Item]) -> [Key] {
        items.compactMap { item in if case .key(let key) = item { key } else { nil } }
    }

    // MARK: Strings that a person has typed

    @Test(
        "A control string that was not requested does not reach the program",
        arguments: [
            "\u{1B}]:wq text\u{7}", "\u{1B}]1;text\u{7}", "\u{1B}P1$rtext\u{1B}\\", "\u{1B}Ptext\u{1B}\\", "\u{1B}_Gtext\u{1B}\\",
            "\u{1B}_text\u{1B}\\", "\u{1B}^text\u{1B}\\", "\u{1B}Xtext\u{1B}\\", "\u{1B}]2;\u{1B}]1;text\u{7}",
        ] as [TypedText])
    func unrequestedStringIsDropped(text: TypedText) {
        for pieceSize in [1, 3, 100] {
            var sorter = InputSorter().covered(), items: [InputSorter.Item] = []
            for start in stride(from: 0, to: text.bytes.count, by: pieceSize) {
                items += sorter.sort(Array(text.bytes[start..<min(start + pieceSize, text.bytes.count)]))
            }
            #expect(replies(items) == "")
            #expect(!sorter.isUnfinished)
            #expect(sorter.sort([0x71]) == [.key(.character("q"))])
        }
    }

    @Test(
        "A sequence that looks like a reply does not reach the program unless it was asked for",
        arguments: ["\u{1B}[5;10R", "\u{1B}[0n", "\u{1B}[?62;4c", "\u{1B}[8;24;80t", "\u{1B}[?2026;2$y", "\u{1B}[?1u"]
            as [TypedText])
    func unrequestedSequenceIsDropped(text: TypedText) throws {
        var sorter = InputSorter().covered()
        #expect(sorter.sort(text.bytes) == [])
        sorter.expect(try #require(ReplyShape(begin: text.bytes, last: text.bytes.last ?? 0)))
        #expect(sorter.sort(text.bytes) == [.reply(text.bytes)])
        #expect(sorter.sort(text.bytes) == [], "one question has one reply")
    }

    @Test(
        "What a mode makes the terminal report by itself reaches the program",
        arguments: ["\u{1B}[I", "\u{1B}[?997;1n", "\u{1B}[48;24;80;0;0t"] as [TypedText])
    func reportsReachTheProgram(text: TypedText) {
        var sorter = InputSorter().covered()
        #expect(sorter.sort(text.bytes) == [.reply(text.bytes)])
    }

    /// No reply begins like this, so the first character was typed with Alt.
    @Test(arguments: ["\u{1B}]:j", "\u{1B}]xj", "\u{1B}Pxj", "\u{1B}_xj", "\u{1B}^1j", "\u{1B}X1j"] as [TypedText])
    func keysAfterAltWithAnIntroducerAreKeysAtOnce(text: TypedText) {
        var sorter = InputSorter().covered(expecting: Self.command, Self.device)
        #expect(keys(sorter.sort(text.bytes)).last == .character("j"))
    }

    @Test("Keys work again after an unterminated string is abandoned")
    func keysWorkAfterAbandonedString() {
        for text in ["\u{1B}]1", "\u{1B}]1;abc", "\u{1B}]1;abc\u{1B}", "\u{1B}P1", "\u{1B}[12;"] {
            var sorter = InputSorter().covered(expecting: Self.command, Self.device)
            #expect(sorter.sort(Array(text.utf8)) == [])
            #expect(sorter.isUnfinished)
            sorter.abandonUnit()
            #expect(!sorter.isUnfinished)
            #expect(sorter.sort([0x71]) == [.key(.character("q"))])
        }
    }

    /// Before the cover came the person had typed Alt and a bracket, and a digit.
    @Test("A string begun in the program can be abandoned before the cover")
    func liveStringCanBeAbandoned() {
        var sorter = InputSorter()
        #expect(sorter.followLive(Array("\u{1B}]1".utf8)) == Array("\u{1B}]1".utf8))
        #expect(sorter.isUnfinished)
        sorter.abandonUnit()
        sorter.beginCover()
        #expect(sorter.sort([0x71]) == [.key(.character("q"))])
    }

    @Test func anUnwantedStringAboveTheBoundIsDropped() {
        var sorter = InputSorter(longestReply: 64).covered()
        let string = "\u{1B}]52;c;" + String(repeating: "A", count: 1000) + "\u{1B}\\"
        #expect(sorter.sort(Array((string + "q").utf8)) == [.key(.character("q"))])
    }

    // MARK: Replies

    @Test func aReplyIsAwaitedOnce() {
        var sorter = InputSorter().covered(expecting: Self.command)
        #expect(
            replies(sorter.sort(Array("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}]11;rgb:0/0/0\u{7}".utf8))) == "\u{1B}]11;rgb:0/0/0\u{7}")
        #expect(!sorter.awaitsReply)
    }

    /// A terminal replies in order, so the first question is one that it does not know.
    @Test func aReplyEndsTheWaitForThoseBeforeIt() {
        var sorter = InputSorter().covered(expecting: Self.device, Self.attributes)
        #expect(replies(sorter.sort(Array("\u{1B}[?62;22c".utf8))) == "\u{1B}[?62;22c")
        #expect(!sorter.awaitsReply)
        #expect(replies(sorter.sort(Array("\u{1B}P1$rx\u{1B}\\".utf8))) == "")
    }

    @Test("A reply that arrived before the cover is not awaited on it")
    func earlierReplyIsNotAwaited() {
        for end in ["\u{7}", "\u{1B}\\"] {
            var sorter = InputSorter()
            sorter.expect(Self.command)
            _ = sorter.followLive(Array("j\u{1B}]11;rgb:0/0/0\(end)".utf8))
            #expect(!sorter.awaitsReply)
        }
    }

    @Test func aReplyThatIsCutByTheCoverIsComplete() {
        let reply = Array("\u{1B}]11;rgb:0/0/0\u{1B}\\".utf8)
        for cut in 0...reply.count {
            var sorter = InputSorter()
            sorter.expect(Self.command)
            var received = sorter.followLive(Array(reply[..<cut]))
            sorter.beginCover()
            received += Array(replies(sorter.sort(Array(reply[cut...]))).utf8)
            #expect(received == reply, "cut at \(cut)")
            #expect(!sorter.awaitsReply)
        }
    }

    @Test("A requested cursor report is a reply and not a key")
    func requestedCursorReportIsAReply() {
        var sorter = InputSorter().covered(expecting: ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R")))
        #expect(replies(sorter.sort(Array("\u{1B}[1;5R".utf8))) == "\u{1B}[1;5R")
        #expect(sorter.sort(Array("\u{1B}[1;5R".utf8)) == [])
    }

    @Test func nothingIsAwaitedAfterItsTime() {
        var sorter = InputSorter().covered(expecting: Self.command)
        sorter.expectNothing()
        #expect(sorter.sort(Array("\u{1B}]11;rgb:0/0/0\u{7}".utf8)) == [])
    }

    // MARK: Encodings

    @Test("Without UTF-8 no byte waits for further ones")
    func noUTF8HoldsNoBytes() {
        var sorter = InputSorter(isUTF8: false).covered()
        #expect(keys(sorter.sort([0xE9, 0x71, 0x1B, 0xC3, 0x71])) == [.character("q"), .character("q")])
        #expect(!sorter.isUnfinished)
    }
}
