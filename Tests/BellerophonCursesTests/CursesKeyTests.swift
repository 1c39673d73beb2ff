import CNcurses
import TerminalUI
import Testing

@testable import BellerophonCurses

@Suite("What is read becomes keys")
struct CursesKeyTests {
    private func decode(_ raws: RawKey...) -> [KeyDecoder.Input] {
        var decoder = KeyDecoder()
        return decoder.decode(raws)
    }

    private func typed(_ text: String) -> [RawKey] { text.unicodeScalars.map { .character($0.value) } }

    @Test(
        arguments: [
            (0x61, .character("a")), (0x4E2D, .character("中")), (0x03, .control("c")), (0x1A, .control("z")),
            (0x0D, .enter), (0x0A, .enter), (0x09, .tab), (0x7F, .backspace), (0x08, .backspace), (0x1B, .escape),
        ] as [(UInt32, Key)])
    func charactersAndControlKeys(value: UInt32, key: Key) {
        #expect(decode(.character(value)) == [.key(key)])
    }

    @Test(
        arguments: [
            (KEY_UP, .up), (KEY_NPAGE, .pageDown), (KEY_BTAB, .backTab), (KEY_DC, .delete),
            (cncurses_key_f(1), .function(1)), (cncurses_key_f(12), .function(12)), (KEY_CANCEL, .other(KEY_CANCEL)),
        ] as [(Int32, Key)])
    func keysWithAName(code: Int32, key: Key) {
        #expect(decode(.code(code)) == [.key(key)])
    }

    @Test(arguments: [0x00, 0x1C, 0x1F, 0x85, 0xD800] as [UInt32])
    func bytesThatAreNoKeyGiveNone(value: UInt32) {
        #expect(decode(.character(value)) == [])
    }

    @Test func resize() {
        #expect(decode(.code(KEY_RESIZE)) == [])
    }

    // MARK: The reply with the terminal's background

    private static let light = "rgb:ffff/ffff/dddd"

    @Test(arguments: ["\u{7}", "\u{1B}\\", "\u{9C}"])
    func aReplyOfTheTerminalIsNoKeyPress(end: String) {
        var decoder = KeyDecoder()
        let batch = typed("a") + [.code(KeyDecoder.replyBegin)] + typed(Self.light + end) + typed("b")
        #expect(decoder.decode(batch) == [.key(.character("a")), .reply(Self.light), .key(.character("b"))])
    }

    @Test func aReplyMayComeInPieces() {
        var decoder = KeyDecoder()
        var inputs: [KeyDecoder.Input] = []
        for unit in [.code(KeyDecoder.replyBegin)] + typed(Self.light + "\u{1B}\\q") { inputs += decoder.decode([unit]) }
        #expect(inputs == [.reply(Self.light), .key(.character("q"))])
    }

    @Test func aReplyOfWhichCursesReadEscapeAloneIsNoKeyPress() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(typed("\u{1B}]11;\(Self.light)\u{7}q")) == [.reply(Self.light), .key(.character("q"))])
    }

    @Test func aReplyWithoutAnEndSwallowsNoKeysAfterwards() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([.code(KeyDecoder.replyBegin)] + typed("rgb:ff")) == [])
        #expect(decoder.decode([.code(KEY_UP)]) == [.key(.up)], "a key ends it")
        #expect(decoder.decode([.code(KeyDecoder.replyBegin)] + typed("rgb:ff")) == [])
        decoder.dropReply()
        #expect(decoder.decode(typed("q")) == [.key(.character("q"))], "time ends it")
    }

    @Test func anEndlessReplyIsDropped() {
        var decoder = KeyDecoder()
        let batch = [.code(KeyDecoder.replyBegin)] + typed(String(repeating: "f", count: 100_000) + "\u{7}q")
        #expect(decoder.decode(batch) == [.key(.character("q"))])
    }

    // MARK: Pastes

    @Test func aPasteIsOneTextAndNoKeyPress() {
        var decoder = KeyDecoder()
        let batch = [.code(KeyDecoder.pasteBegin)] + typed("quit\nu") + [.code(KeyDecoder.pasteEnd)] + typed("r")
        #expect(decoder.decode(batch) == [.paste("quit\nu"), .key(.character("r"))])
    }

    @Test func aPasteMayComeInPiecesAndNamedKeysInItAreDropped() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([.code(KeyDecoder.pasteBegin)] + typed("one ")) == [])
        #expect(decoder.isPasting)
        #expect(decoder.decode([.code(KEY_UP)] + typed("two") + [.code(KeyDecoder.pasteEnd)]) == [.paste("one two")])
        #expect(!decoder.isPasting)
    }

    @Test func aPasteThatNeverEndsIsCutAndCanBeGivenUp() {
        var decoder = KeyDecoder()
        let flood = Array(repeating: RawKey.character(0x78), count: KeyDecoder.pasteLimit + 10)
        #expect(decoder.decode([.code(KeyDecoder.pasteBegin)] + flood) == [])
        #expect(decoder.endPaste() == .paste(String(repeating: "x", count: KeyDecoder.pasteLimit)))
        #expect(decoder.decode(typed("q")) == [.key(.character("q"))])
    }

    @Test(arguments: ["[15;2~", "[113;5u", "[I", "Oq"])
    func anEscapeSequenceThatNcursesDoesNotKnowPressesNoKeys(sequence: String) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(typed("\u{1B}" + sequence + "r")) == [.key(.character("r"))])
    }

    @Test func anUnknownSequenceThatIsCutOffSwallowsNeitherAKnownKeyNorAPaste() {
        for start in ["\u{1B}[", "\u{1B}[1;5", "\u{1B}O"] {
            var decoder = KeyDecoder()
            let keys = decoder.decode(typed(start) + [.code(KEY_MOUSE)] + typed("q"))
            #expect(keys.suffix(2) == [.mouse, .key(.character("q"))])
            let pasted = [RawKey.code(KeyDecoder.pasteBegin)] + typed("quit") + [.code(KeyDecoder.pasteEnd)]
            #expect(decoder.decode(typed(start) + pasted).last == .paste("quit"))
            #expect(decoder.decode(typed(start + "\u{1B}[15~q")).last == .key(.character("q")))
            #expect(decoder.decode(typed(start + "\rq")).suffix(2) == [.key(.enter), .key(.character("q"))])
        }
    }

    @Test func escapeFollowedByAKeyAtOnceIsBoth() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(typed("\u{1B}d")) == [.key(.escape), .key(.character("d"))])
    }

    @Test func aHostGetsItsKeysInOrderANewSizeFirstAndOnceAndNothingWhileItIsCovered() {
        var queue = HostQueue()
        queue.append(.up)
        queue.resized()
        queue.resized()
        #expect(queue.next(isCovered: true) == nil)
        #expect(queue.next(isCovered: false) == .key(.resize))
        #expect(queue.next(isCovered: false) == .key(.up))
        #expect(queue.next(isCovered: false) == nil)
    }

    @Test func aHostIsToldToLeaveEvenWhileItIsCoveredEachTimeItAsks() {
        var queue = HostQueue()
        queue.append(.up)
        queue.quit()
        #expect(queue.next(isCovered: true) == .quit)
        #expect(queue.next(isCovered: false) == .quit)
    }
}
