import TerminalUI
import Testing

@testable import TerminalShadow

struct ReplyShapeTests {
    private func replies(_ stream: String, isCovered: Bool = false) -> [String] {
        var relay = ScreenCover(columns: 80, rows: 24)
        if isCovered { _ = relay.cover() }
        _ = relay.output(Array(stream.utf8))
        let replies = relay.takeExpectedReplies()
        #expect(relay.takeExpectedReplies() == [])
        return replies.map { reply in
            [reply.introducer, reply.marker, reply.final].filter { $0 != 0 }.map { String(Unicode.Scalar($0)) }.joined()
        }
    }

    @Test(arguments: [
        ("\u{1B}[c", ["[?c"]), ("\u{1B}Z", ["[?c"]), ("\u{1B}[>c", ["[>c"]), ("\u{1B}[=c", ["P"]), ("\u{1B}[>0q", ["P"]),
        ("\u{1B}[5n", ["[n"]), ("\u{1B}[?996n", ["[?n"]), ("\u{1B}[18t", ["[t"]), ("\u{1B}[21t", ["]"]), ("\u{1B}[4$p", ["[y"]),
        ("\u{1B}[?9999$p", ["[?y"]), ("\u{1B}]11;?\u{7}", ["]"]), ("\u{1B}]4;1;?;2;?\u{1B}\\", ["]", "]"]),
        ("\u{1B}]52;c;?\u{1B}\\", ["]"]), ("\u{1B}P$qm\u{1B}\\", ["P"]), ("\u{1B}P+q544e;436f\u{1B}\\", ["P", "P"]),
        ("\u{1B}_Gi=1,a=q;AAAA\u{1B}\\", ["_"]), ("\u{1B}[?u", ["[?u"]),
        ("text\u{1B}[1m\u{1B}]2;title?\u{7}\u{1B}]52;c;eA==\u{7}\u{1B}[?1049h\u{1B}[8;24;80t\u{1B}_x\u{1B}\\", []),
    ])
    func aQuestionHasAReply(stream: String, expected: [String]) {
        #expect(replies(stream) == expected)
        #expect(replies(stream, isCovered: true) == expected)
    }

    @Test func whatTheShadowAnswersIsNotExpectedOfTheTerminal() {
        #expect(replies("\u{1B}[6n\u{1B}[?6n") == ["[R", "[?R"])
        #expect(replies("\u{1B}[6n\u{1B}[?6n", isCovered: true) == [])
    }

    @Test func theQuestionsThatAreRememberedAreLimited() {
        #expect(replies(String(repeating: "\u{1B}[c", count: 1000)).count <= 64)
        #expect(replies("\u{1B}]4" + String(repeating: ";1;?", count: 1000) + "\u{7}").count <= 64)
    }
}
