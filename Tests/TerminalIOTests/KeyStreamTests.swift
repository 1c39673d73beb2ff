import TerminalUI
import Testing

@testable import TerminalIO

@Suite("Key stream")
struct KeyStreamTests {
    private func items(_ text: String) -> [KeyStream.Item] {
        var stream = KeyStream()
        return stream.take(Array(text.utf8))
    }

    private func keys(_ text: String) -> [KeyStream.Item] { text.map { .key(.character($0)) } }

    @Test("An Escape alone is a key once its time is over")
    func escape() {
        var stream = KeyStream()
        #expect(stream.take([0x1B]) == [])
        #expect(stream.isIncomplete)
        #expect(stream.flush() == [.key(.escape)])
        #expect(!stream.isOpen)
    }

    @Test("A key after an Escape that comes at once is a key with Alt")
    func alt() {
        #expect(items("\u{1B}dq") == [.alt(.character("d")), .key(.character("q"))])
        #expect(items("\u{1B}\u{1B}[A") == [.alt(.up)])
    }

    @Test(
        "Modified keys have the names of curses",
        arguments: [
            ("[1;2D", .other(0o611)), ("[3;2~", .other(0o577)), ("[1;2P", .function(13)), ("[15;5~", .function(29)),
            ("[24;3~", .function(60)),
        ] as [(String, Key)])
    func modifiedKeys(sequence: String, key: Key) {
        #expect(items("\u{1B}" + sequence) == [.key(key)])
    }

    @Test("Sequences without a meaning press no key", arguments: ["[1;5D", "[113;5:3u", "[I", "O5q", "[?1;2c"])
    func unknownSequences(sequence: String) {
        let keys = items("\u{1B}" + sequence + "r").filter { if case .reply = $0 { false } else { true } }
        #expect(keys == [.key(.character("r"))])
    }

    // MARK: The mouse

    @Test("Reports of the left button and the wheel are keys in both encodings")
    func mouse() {
        let place = Point(column: 4, row: 2)
        #expect(items("\u{1B}[<0;5;3M") == [.key(.mouse(MouseEvent(.press, at: place)))])
        #expect(items("\u{1B}[<0;5;3m") == [.key(.mouse(MouseEvent(.release, at: place)))])
        #expect(items("\u{1B}[<64;5;3M") == [.key(.mouse(MouseEvent(.wheelUp, at: place)))])
        #expect(items("\u{1B}[<65;5;3M") == [.key(.mouse(MouseEvent(.wheelDown, at: place)))])
        #expect(
            items("\u{1B}[M %#\u{1B}[M#%#") == [
                .key(.mouse(MouseEvent(.press, at: place))), .key(.mouse(MouseEvent(.release, at: place))),
            ])
        #expect(items("\u{1B}[M`%#") == [.key(.mouse(MouseEvent(.wheelUp, at: place)))])
        #expect(items("\u{1B}[<2;5;3M") == [], "the right button has no meaning")
    }

    @Test("A mouse report with more parameters than any terminal sends has no effect", arguments: [34, 5000])
    func overlongMouseReport(count: Int) {
        let report = "\u{1B}[<" + Array(repeating: "7", count: count).joined(separator: ";") + "M"
        #expect(items(report + "q").last == .key(.character("q")))
        #expect(items("\u{1B}[200~" + report + "\u{1B}[201~q") == [.paste(report), .key(.character("q"))])
    }

    // MARK: Replies

    @Test("A reply of the terminal is no key", arguments: ["\u{7}", "\u{1B}\\"])
    func reply(end: String) {
        let reply = "\u{1B}]11;rgb:ffff/ffff/dddd" + end
        #expect(items("a" + reply + "b") == [.key(.character("a")), .reply(Array(reply.utf8)), .key(.character("b"))])
    }

    @Test("A reply that never ends is given up, and an overlong one is dropped")
    func endlessReply() {
        var stream = KeyStream()
        #expect(stream.take(Array("\u{1B}]11;rgb:ff".utf8)) == [])
        #expect(stream.abandon() == [])
        #expect(stream.take(Array("q".utf8)) == keys("q"))
        let long = "\u{1B}]11;" + String(repeating: "f", count: 100_000)
        #expect(items(long + "\u{7}q") == keys("q"))
        #expect(items(long + "\u{1B}\\q") == keys("q"))
    }

    // MARK: Pastes

    @Test("A paste is one text and presses no key")
    func paste() {
        #expect(items("\u{1B}[200~quit\nu\u{1B}[A\u{1B}[201~r") == [.paste("quit\nu\u{1B}[A"), .key(.character("r"))])
    }

    @Test("A paste that does not end is given up with what has come, and is limited")
    func endlessPaste() {
        var stream = KeyStream()
        let begin = Array("\u{1B}[200~".utf8)
        #expect(stream.take(begin + Array("one".utf8)) == [])
        #expect(stream.isOpen && !stream.isIncomplete)
        #expect(stream.abandon() == [.paste("one")])
        let flood = [UInt8](repeating: 0x78, count: KeyStream.longestPaste + 10)
        let kept = KeyStream.Item.paste(String(repeating: "x", count: KeyStream.longestPaste))
        #expect(stream.take(begin + flood + Array("\u{1B}[201~q".utf8)) == [kept, .key(.character("q"))])
    }

    // MARK: Other encodings

    @Test("In a locale with one byte for each character, every byte of the upper half is its character")
    func upperHalf() {
        var stream = KeyStream(upperHalf: (0x80...0xFF).map { Character(Unicode.Scalar(UInt8($0))) })
        #expect(stream.take([0xE9, 0x61, 0xFC]) == keys("éaü"))
        #expect(stream.take(Array("\u{1B}[A".utf8)) == [.key(.up)])
    }
}
