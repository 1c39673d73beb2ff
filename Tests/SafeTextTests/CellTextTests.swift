import Testing

@testable import SafeText

@Suite struct CellTextTests {
    private func cells(_ text: String) -> [String] {
        CellText.clusters(of: text).map(\.text)
    }

    @Test(arguments: [
        ("", 0), ("plain", 5), ("日本語", 6), ("ｆｕｌｌ", 8), ("é", 1), ("e\u{301}", 1), ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2),  // the same syllable, decomposed
        ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("❤️", 1), ("🇩🇪", 2), ("1️⃣", 1),
        ("α–…█", 4),  // ambiguous width
        ("\u{200B}\u{200D}\u{FEFF}\u{AD}", 0), ("का", 2),
        ("䷀㉈", 4), ("\u{1F3FD}", 2),
    ])
    func widthAgreesWithTerminals(text: String, columns: Int) {
        #expect(CellText.width(of: text) == columns)
    }

    @Test func controlsTakeNoColumn() {
        #expect(CellText.width(of: "\u{7}\u{1B}\n\t\u{202E}") == 0)
    }

    @Test func marksShareTheCellOfTheirBase() {
        #expect(cells("e\u{301}x") == ["e\u{301}", "x"])
        #expect(cells("กำ้") == ["ก", "ำ\u{E49}"])
    }

    @Test func noMoreThanFourMarksStayInACell() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 50)
        #expect(CellText.clusters(of: zalgo).map(\.text.unicodeScalars.count) == [5])
    }

    @Test func aMarkWithoutBaseStandsOnADottedCircle() {
        #expect(cells("\u{301}a") == ["\u{25CC}\u{301}", "a"])
    }

    @Test("Only the first emoji of a joined sequence is drawn")
    func firstEmojiOfSequenceIsDrawn() {
        #expect(cells("👩‍👩‍👧‍👦!") == ["👩", "!"])
        #expect(cells("👋🏿👋") == ["👋", "👋"])
        #expect(cells("❤️‍🔥") == ["❤"])
        #expect(cells("👍\u{200D}a") == ["👍", "a"])
    }

    @Test func aJoinerInsideAWordLosesNoLetter() {
        #expect(cells("क\u{94D}\u{200D}ष") == ["क\u{94D}", "ष"])
    }

    @Test func regionalIndicatorsAreCellsOfTheirOwn() {
        #expect(CellText.clusters(of: "🇩🇪").map(\.width) == [1, 1])
    }

    @Test func unknownCharactersShowAsReplacement() {
        #expect(cells("\u{378}\u{E0FFF}\u{1FFFD}x") == ["\u{FFFD}", "\u{FFFD}", "x"])
    }
}

@Suite struct TruncationTests {
    @Test(arguments: [
        ("status", 6, "status"), ("status", 5, "stat…"), ("status", 1, "…"), ("status", 0, ""), ("", 3, ""),
        ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍👩‍👧 family", 3, "👩‍👩‍👧…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"), ("ab", -4, ""),
    ])
    func cutsByColumns(text: String, columns: Int, expected: String) {
        #expect(CellText.truncate(text, columns: columns) == expected)
    }

    @Test func paddingGivesTheExactWidth() {
        #expect(CellText.padded("ab", columns: 5) == "ab   ")
        #expect(CellText.padded("ab", columns: 5, alignment: .right) == "   ab")
        #expect(CellText.padded("ab", columns: 5, alignment: .center) == " ab  ")
        #expect(CellText.padded("日本語", columns: 4, alignment: .right) == " 日…")
        #expect(CellText.padded("abc", columns: 0) == "")
    }
}
