import TerminalUI
import TestSupport
import Testing

@testable import TerminalIO

@Suite("Key parser")
struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var sorter = InputSorter().covered()
        return sorter.sort(Array(text.utf8)).compactMap { item in
            if case .key(let key) = item { key } else { nil }
        }
    }

    @Test(
        arguments: [
            ("a", .character("a")), (" ", .character(" ")), ("~", .character("~")), ("ß", .character("ß")),
            ("字", .character("字")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{8}", .backspace), ("\u{7F}", .backspace), ("\u{1}", .control("a")),
            ("\u{1A}", .control("z")),
            ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[H", .home),
            ("\u{1B}[F", .end),
            ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left), ("\u{1B}OH", .home),
            ("\u{1B}OF", .end),
            ("\u{1B}[1~", .home), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end), ("\u{1B}[Z", .backTab),
            ("\u{1B}[1;2Z", .backTab),
            ("\u{1B}OP", .function(1)), ("\u{1B}OS", .function(4)), ("\u{1B}[P", .function(1)), ("\u{1B}[11~", .function(1)),
            ("\u{1B}[13~", .function(3)), ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)),
            ("\u{1B}[21~", .function(10)),
            ("\u{1B}[24~", .function(12)), ("\u{1B}[34~", .function(20)), ("\u{1B}[[A", .function(1)),
            ("\u{1B}[[E", .function(5)),
            ("\u{1B}Op", .character("0")), ("\u{1B}Ok", .character("+")), ("\u{1B}OM", .enter), ("\u{1B}[1;1A", .up),
            ("\u{1B}[1;129A", .up), ("\u{1B}[1;1:2A", .up),
        ] as [(TypedText, Key)])
    func traditionalEncodings(text: TypedText, key: Key) {
        #expect(keys(text.text) == [key])
        var stream = KeyStream()
        #expect(stream.take(text.bytes) == [.key(key)])
    }

    @Test(
        arguments: [
            ("\u{1B}[97u", .character("a")), ("\u{1B}[97;1u", .character("a")), ("\u{1B}[97;2u", .character("A")),
            ("\u{1B}[97:65;2u", .character("A")), ("\u{1B}[49:33;2u", .character("!")), ("\u{1B}[97;65u", .character("A")),
            ("\u{1B}[97;66u", .character("a")), ("\u{1B}[97;129u", .character("a")), ("\u{1B}[97;;228u", .character("ä")),
            ("\u{1B}[49;2;33u", .character("!")), ("\u{1B}[97;1:2u", .character("a")), ("\u{1B}[99;5u", .control("c")),
            ("\u{1B}[99;6u", .control("c")), ("\u{1B}[99;133u", .control("c")), ("\u{1B}[27u", .escape),
            ("\u{1B}[27;129u", .escape),
            ("\u{1B}[91;5u", .escape), ("\u{1B}[13u", .enter), ("\u{1B}[13;2u", .enter), ("\u{1B}[9u", .tab),
            ("\u{1B}[9;2u", .backTab),
            ("\u{1B}[105;5u", .tab), ("\u{1B}[127u", .backspace), ("\u{1B}[57376u", .function(13)),
            ("\u{1B}[57398u", .function(35)),
            ("\u{1B}[57399u", .character("0")), ("\u{1B}[57413u", .character("+")), ("\u{1B}[57414u", .enter),
            ("\u{1B}[57419u", .up), ("\u{1B}[57426u", .delete), ("\u{1B}[128512u", .character("😀")),
        ] as [(TypedText, Key)])
    func kittyEncoding(text: TypedText, key: Key) {
        #expect(keys(text.text) == [key])
    }

    @Test(
        arguments: [
            ("\u{1B}[27;5;99~", .control("c")), ("\u{1B}[27;6;67~", .control("c")), ("\u{1B}[27;2;33~", .character("!")),
            ("\u{1B}[27;2;9~", .backTab), ("\u{1B}[27;5;13~", .enter), ("\u{1B}[27;1;27~", .escape),
            ("\u{1B}[81;16;113;1;0;1_", .character("q")), ("\u{1B}[81;16;81;1;16;1_", .character("Q")),
            ("\u{1B}[67;46;3;1;8;1_", .control("c")), ("\u{1B}[67;46;0;1;8;1_", .control("c")),
            ("\u{1B}[27;1;27;1;0;1_", .escape),
            ("\u{1B}[13;28;13;1;0;1_", .enter), ("\u{1B}[9;15;9;1;16;1_", .backTab), ("\u{1B}[38;72;0;1;256;1_", .up),
            ("\u{1B}[112;59;0;1;0;1_", .function(1)), ("\u{1B}[81;16;64;1;9;1_", .character("@")),
        ] as [(TypedText, Key)])
    func xtermAndWindowsEncodings(text: TypedText, key: Key) {
        #expect(keys(text.text) == [key])
    }

    @Test(
        "An unknown key sequence produces no key and ends where it should",
        arguments: [
            "\u{0}", "\u{1C}", "\u{85}", "\u{E000}", "\u{1B}[1;2A", "\u{1B}[1;5C", "\u{1B}[3;5~", "\u{1B}[1;2P", "\u{1B}[1;3Z",
            "\u{1B}[E",
            "\u{1B}[99~", "\u{1B}[~", "\u{1B}[u", "\u{1B}[_", "\u{1B}[a", "\u{1B}O5P", "\u{1B}Oa",
            "\u{1B}[97;3u", "\u{1B}[97;9u", "\u{1B}[97;7u", "\u{1B}[97;1:3u", "\u{1B}[1;1:3A", "\u{1B}[49;2u", "\u{1B}[57358u",
            "\u{1B}[57441u", "\u{1B}[57417;5u", "\u{1B}[55296u", "\u{1B}[9999999u", "\u{1B}[99999999999999999999999u",
            "\u{1B}[97;99999999999999999999:99999999999999999999u", "\u{1B}[27;5;99999999999999999999~", "\u{1B}[27~",
            "\u{1B}[27;5~",
            "\u{1B}[81;16;113;0;0;1_", "\u{1B}[81;16;113_", "\u{1B}[81;16;113;1;2;1_", "\u{1B}[16;42;0;1;16;1_",
            "\u{1B}[38;72;0;1;8;1_",
            "\u{1B}[0;0;55357;1;0;1_",
        ] as [TypedText])
    func unknownSequenceIsNoKey(text: TypedText) {
        let text = text.text
        #expect(keys(text) == [])
        #expect(keys(text + "q") == [.character("q")], "and it ends where it should")
    }

    @Test func everyKeyHasALabel() {
        for token in InputToken.all {
            if let key = token.key { #expect(!key.label.isEmpty && key.label != "key") }
        }
    }

    @Test func parametersAreBounded() throws {
        let long = Array((String(repeating: "1:2;", count: 5000) + "3u").utf8)
        let sequence = try #require(ControlSequence(long[...]))
        #expect(sequence.parameters.count <= ControlSequence.limit)
        let large = try #require(ControlSequence(Array("123456789012345678901234567890;-1u".utf8)[...]))
        #expect(large[0] == ControlSequence.largest)
    }

    /// Every division of the input into two parts results in the same keys.
    @Test func theDivisionIntoChunksMakesNoDifference() {
        for token in InputToken.all {
            for cut in 0...token.bytes.count {
                var sorter = InputSorter()
                token.awaited.map { sorter.expect($0) }
                sorter.beginCover()
                let items = sorter.sort(Array(token.bytes[..<cut])) + sorter.sort(Array(token.bytes[cut...]))
                let expected: [InputSorter.Item] = token.isReply ? [.reply(token.bytes)] : token.key.map { [.key($0)] } ?? []
                #expect(items == expected, "cut at \(cut) of \(token.bytes)")
            }
        }
    }
}
