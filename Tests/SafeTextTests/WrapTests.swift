import Testing

@testable import SafeText

@Suite struct WrapTests {
    @Test func breaksAtSpacesAndKeepsNoneAtTheEnds() {
        #expect(CellText.wrap("Back around  14:30 UTC.", columns: 11) == ["Back around", "14:30 UTC."])
        #expect(CellText.wrap("one two", columns: 7) == ["one two"])
        #expect(CellText.wrap("trailing   ", columns: 20) == ["trailing"])
    }

    @Test func keepsParagraphsAndEmptyLines() {
        #expect(CellText.wrap("a\n\n  b\n", columns: 10) == ["a", "", "  b", ""])
        #expect(CellText.wrap("", columns: 10) == [""])
    }

    @Test func breaksAfterHyphensButNotBeforeNumbers() {
        #expect(CellText.wrap("well-known", columns: 6) == ["well-", "known"])
        #expect(CellText.wrap("it is -5 °", columns: 7) == ["it is", "-5 °"])
        #expect(CellText.wrap("use --help", columns: 7) == ["use", "--help"])
    }

    @Test func breaksAWordThatIsLongerThanALine() {
        #expect(CellText.wrap("an abcdefghij", columns: 4) == ["an", "abcd", "efgh", "ij"])
    }

    @Test func breaksBetweenIdeographsByTheirWidth() {
        #expect(CellText.wrap("系统正在维护", columns: 8) == ["系统正在", "维护"])
        #expect(CellText.wrap("系统正在维护", columns: 7) == ["系统正", "在维护"])
    }

    @Test("No line begins with a stop or ends with an opening bracket")
    func lineBreaksObeyPunctuation() {
        #expect(CellText.wrap("服务暂停。请稍候", columns: 8) == ["服务暂", "停。请稍", "候"])
        #expect(CellText.wrap("我们说（稍后）", columns: 8) == ["我们说", "（稍后）"])
        #expect(CellText.wrap("版本已停用, sorry", columns: 10) == ["版本已停", "用, sorry"])
    }

    @Test("A word in katakana is broken only if it is longer than a line")
    func katakana() {
        #expect(CellText.wrap("次のメッセージです", columns: 12) == ["次の", "メッセージで", "す"])
        #expect(CellText.wrap("インストール", columns: 6) == ["インス", "トール"])
        #expect(CellText.wrap("コピー・ペースト", columns: 10) == ["コピー・", "ペースト"])
    }

    @Test func koreanBreaksBetweenItsWords() {
        #expect(CellText.wrap("서비스 중단", columns: 9) == ["서비스", "중단"])
    }

    @Test func aGraphemeIsNeverCut() {
        #expect(CellText.wrap("🇩🇪🇫🇷", columns: 3) == ["🇩🇪", "🇫🇷"])
        #expect(CellText.wrap("ae\u{301}e\u{301}", columns: 2) == ["ae\u{301}", "e\u{301}"])
        #expect(CellText.wrap("👩‍👩‍👧👩‍👩‍👧", columns: 2) == ["👩‍👩‍👧", "👩‍👩‍👧"])
    }

    @Test("Wrapping ends even if a character is wider than the line")
    func narrowWidthTerminates() {
        #expect(CellText.wrap("日本", columns: 1) == ["…", "…"])
        #expect(CellText.wrap("a日", columns: 1) == ["a", "…"])
        #expect(CellText.wrap("🇩🇪", columns: 1) == ["🇩", "🇪"])
        #expect(CellText.wrap("anything", columns: 0) == [])
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
