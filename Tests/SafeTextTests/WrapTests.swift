import Testing

@testable import SafeText

@Suite struct WrapTests {
    @Test(
        "A text is broken where its language allows it",
        arguments: [
            // At spaces, of which none stays at an end.
            ("Back around  14:30 UTC.", 11, ["Back around", "14:30 UTC."]), ("one two", 7, ["one two"]),
            ("trailing   ", 20, ["trailing"]),
            // Paragraphs and empty lines stay.
            ("a\n\n  b\n", 10, ["a", "", "  b", ""]), ("", 10, [""]),
            // After hyphens, but not before numbers.
            ("well-known", 6, ["well-", "known"]), ("it is -5 °", 7, ["it is", "-5 °"]), ("use --help", 7, ["use", "--help"]),
            // In a word that is longer than a line.
            ("an abcdefghij", 4, ["an", "abcd", "efgh", "ij"]),
            // Between ideographs, by their width, but no line begins with a stop or ends with an opening bracket.
            ("系统正在维护", 8, ["系统正在", "维护"]), ("系统正在维护", 7, ["系统正", "在维护"]),
            ("服务暂停。请稍候", 8, ["服务暂", "停。请稍", "候"]), ("我们说（稍后）", 8, ["我们说", "（稍后）"]),
            ("版本已停用, sorry", 10, ["版本已停", "用, sorry"]),
            // In a word in katakana only if it is longer than a line.
            ("次のメッセージです", 12, ["次の", "メッセージで", "す"]), ("インストール", 6, ["インス", "トール"]),
            ("コピー・ペースト", 10, ["コピー・", "ペースト"]),
            // Between words in Korean.
            ("서비스 중단", 9, ["서비스", "중단"]),
            // Never in a grapheme, unless it is wider than a line.
            ("🇩🇪🇫🇷", 3, ["🇩🇪", "🇫🇷"]), ("ae\u{301}e\u{301}", 2, ["ae\u{301}", "e\u{301}"]),
            ("👩‍👩‍👧👩‍👩‍👧", 2, ["👩‍👩‍👧", "👩‍👩‍👧"]), ("日本", 1, ["…", "…"]), ("a日", 1, ["a", "…"]), ("🇩🇪", 1, ["🇩", "🇪"]),
            ("anything", 0, []),
        ] as [(String, Int, [String])])
    func breaks(text: String, columns: Int, lines: [String]) {
        #expect(CellText.wrap(text, columns: columns) == lines)
    }

    @Test(arguments: 1...40)
    func noLineIsWiderThanAskedAndNoTextIsLost(columns: Int) {
        let text = """
            Wartungsarbeiten: bitte (später) nochmals-versuchen — 系统正在进行「紧急」维护，请稍候。 \
            서비스가 일시 중단 👩‍👩‍👧‍👦👍🏽 تم إيقاف الخدمة e\u{301}\u{302}a\u{300} हिन्दी का https://example.org/a/very/long/path?q=1
            """
        let lines = CellText.wrap(text, columns: columns)
        #expect(lines.allSatisfy { CellText.width(of: $0) <= columns })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") && !$0.hasPrefix(" ") })
        guard columns > 1 else { return }
        #expect(
            CellText.clusters(of: lines.joined()).filter { $0.text != " " }
                == CellText.clusters(of: text).filter { $0.text != " " })
    }

    @Test func aHugeTextIsWrappedInLinearTime() {
        let text = String(repeating: "word 系统 ", count: 20_000) + String(repeating: "x", count: 100_000)
        #expect(CellText.wrap(text, columns: 72).count > 3_000)
    }
}

@Suite struct EvenWrapTests {
    @Test func linesOfAParagraphAreAboutAsLong() {
        let text = "a simple sentence that has one word too many"
        #expect(CellText.wrap(text, columns: 40) == ["a simple sentence that has one word too", "many"])
        #expect(CellText.wrapEvenly(text, columns: 40) == ["a simple sentence that", "has one word too many"])
    }

    @Test("Text that fits is wrapped without changes")
    func fittingTextIsUnchanged() {
        #expect(CellText.wrapEvenly("short\n\nlines", columns: 40) == ["short", "", "lines"])
        #expect(CellText.wrapEvenly("日本", columns: 1) == ["…", "…"])
        #expect(CellText.wrapEvenly("x", columns: 0) == [])
    }
}
